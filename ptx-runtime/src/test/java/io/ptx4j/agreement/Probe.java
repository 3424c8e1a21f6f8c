package io.ptx4j.agreement;

import io.ptx4j.isa.Form;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A kernel that gives one instruction the sources of its thread and stores all its results. Every source has eight bytes, every
 * result too; a thread's lie side by side.
 *
 * @param constant what a source that must be a constant is
 * @param withOptional whether operands that may be missing are there
 */
record Probe(Spelling spelling, int constant, boolean withOptional) {
    private static final String HEAD = """
            .version %s
            .target %s
            .address_size 64
            .visible .entry probe(.param .u64 sources, .param .u64 results)
            {
            .reg .b32 %%t<4>; .reg .b64 %%a<4>;
            ld.param.u64 %%a0, [sources]; ld.param.u64 %%a1, [results];
            mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%ntid.x; mad.lo.u32 %%t0, %%t1, %%t2, %%t0;
            mul.wide.u32 %%a2, %%t0, %d; add.u64 %%a0, %%a0, %%a2;
            mul.wide.u32 %%a2, %%t0, %d; add.u64 %%a1, %%a1, %%a2;
            """;

    /** The operands that stand in this probe. */
    List<OperandSpec> operands() {
        return spelling.form().operands().stream().filter(spec -> withOptional || !spec.optional()).toList();
    }

    /** Types of the sources that are given by threads. */
    List<ScalarType> sources() {
        return operands().stream().filter(spec -> !isResult(spec) && !spec.constant())
                .flatMap(spec -> Collections.nCopies(registers(spec), spelling.typeOf(spec)).stream()).toList();
    }

    int results() {
        return operands().stream().filter(Probe::isResult).mapToInt(this::registers).sum();
    }

    private int registers(OperandSpec spec) {
        return Math.max(1, spelling.elementsOf(spec));
    }

    private static boolean isResult(OperandSpec spec) {
        return spec.role() == OperandSpec.Role.DESTINATION;
    }

    String text() {
        Form form = spelling.form();
        boolean old = form.until() != null;
        StringBuilder text = new StringBuilder(HEAD.formatted(old ? "3.1" : version(), old ? "sm_20" : target(),
                Math.max(1, sources().size()) * 8, results() * 8));
        StringBuilder loads = new StringBuilder();
        StringBuilder stores = new StringBuilder();
        List<String> names = new ArrayList<>();
        int source = 0;
        int result = 0;
        for (OperandSpec spec : operands()) {
            ScalarType type = spelling.typeOf(spec);
            List<String> elements = new ArrayList<>();
            for (int element = 0; element < registers(spec); element++) {
                String name = "%x" + names.size() + "_" + element;
                if (isResult(spec)) {
                    text.append(register(name, type, spec));
                    stores.append(store(name, type, spec, result++ * 8));
                } else if (spec.constant()) {
                    name = String.valueOf(constant);
                } else {
                    text.append(register(name, type, spec));
                    loads.append(load(name, type, spec, source++ * 8));
                }
                elements.add(name);
            }
            names.add(spelling.elementsOf(spec) > 0 ? "{" + String.join(", ", elements) + "}" : elements.getFirst());
        }
        StringBuilder instruction = new StringBuilder(spelling.text());
        for (int i = 0; i < names.size(); i++) {
            instruction.append(i == 0 ? " " : operands().get(i).paired() ? "|" : ", ").append(names.get(i));
        }
        return text.append(loads).append(instruction).append(";\n").append(stores).append("exit;\n}\n").toString();
    }

    private String version() {
        return spelling.form().since().compareTo(PtxVersion.parse("9.0")) > 0 ? spelling.form().since().toString() : "9.0";
    }

    private String target() {
        char suffix = spelling.form().minimum().suffix();
        return suffix == 0 ? "sm_100" : spelling.form().minimum().toString();
    }

    /** Registers are untyped, and wider than the type where that may be, so that upper bits show. */
    private static int width(ScalarType type, OperandSpec spec) {
        return type == ScalarType.PRED ? 32 : spec.wider() && type.bits() < 32 ? 32 : Math.max(8, type.bits());
    }

    private static String register(String name, ScalarType type, OperandSpec spec) {
        String predicate = type == ScalarType.PRED ? ".reg .pred " + name + "; " : "";
        String bits = type == ScalarType.PRED ? name + "b" : name;
        return predicate + ".reg .b" + width(type, spec) + " " + bits + ";\n";
    }

    private static String load(String name, ScalarType type, OperandSpec spec, int offset) {
        boolean predicate = type == ScalarType.PRED;
        String load = "ld.global.b" + width(type, spec) + " " + name + (predicate ? "b" : "") + ", [%a0+" + offset + "];\n";
        return predicate ? load + "and.b32 " + name + "b, " + name + "b, 1; setp.ne.b32 " + name + ", " + name + "b, 0;\n" : load;
    }

    private static String store(String name, ScalarType type, OperandSpec spec, int offset) {
        boolean predicate = type == ScalarType.PRED;
        String choose = predicate ? "selp.b32 " + name + "b, 1, 0, " + name + ";\n" : "";
        return choose + "st.global.b" + width(type, spec) + " [%a1+" + offset + "], " + name + (predicate ? "b" : "") + ";\n";
    }
}
