package io.ptx4j.check;

import io.ptx4j.isa.Requirement;

/** Parts of the language beside instructions that not every version or target has. */
enum Construct {
    B128("a variable of type .b128", "ptx 8.3 sm_70"),
    F16X2("a variable of type .f16x2", "sm_53"),
    OPAQUE("a texture, sampler or surface variable", "ptx 1.5"),
    POINTER(".ptr", "ptx 2.2"),
    ATTRIBUTE(".attribute", "ptx 4.0"),
    MASK("a masked address", "ptx 7.1"),
    GENERIC("generic()", "ptx 3.1"),
    ALIAS(".alias", "ptx 6.3"),
    BRANCH_TARGETS(".branchtargets", "ptx 6.0"),
    CALL_TARGETS(".calltargets", "ptx 2.1"),
    CALL_PROTOTYPE(".callprototype", "ptx 2.1"),
    KERNEL_PARAMETERS("a list of kernel parameters", "ptx 1.4"),
    FUNCTION_PARAMETERS("a .param parameter of a function", "ptx 2.0 sm_20"),
    CALL_AREA("a .param variable of a body", "ptx 2.0"),
    INLINED("a place within an inlined function", "ptx 7.0"),
    FILE_STAMP("a time and size of a file", "ptx 3.2"),
    PRAGMA(".pragma", "ptx 2.0");

    private final String text;
    private final Requirement since;

    Construct(String text, String since) {
        this.text = text;
        this.since = Requirement.parse(since);
    }

    /** For messages. */
    @Override
    public String toString() {
        return text;
    }

    Requirement since() {
        return since;
    }
}
