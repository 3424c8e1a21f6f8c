package io.ptx4j.differential;

import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Target;

/** How a compiler writes PTX: version and target, and what it declares its registers as. */
enum Dialect {
    /** PTX 1.x: typed registers, {@code .ftz} implied, no generic addresses. */
    FIRST("1.4", "sm_13", Style.TYPED),
    /** Before {@code .sync}: warp operations of whatever threads are there. */
    OLD("3.1", "sm_20", Style.TYPED),
    /** What nvcc writes for older targets: floats in {@code .f32} and {@code .f64}, arguments in {@code .param} space. */
    SM_75("6.4", "sm_75", Style.FLOATS),
    /** What newer compilers write: all registers untyped. */
    SM_100("9.0", "sm_100", Style.UNTYPED),
    /** With what only that architecture has: small floats, {@code redux} of floats. */
    SM_100A("9.1", "sm_100a", Style.UNTYPED),
    /** With four bytes in a register that are computed with at once. */
    SM_120A("9.2", "sm_120a", Style.UNTYPED);

    /** Types that registers are declared with. */
    enum Style { TYPED, FLOATS, UNTYPED }

    private final PtxVersion version;
    private final Target target;
    private final Style style;

    Dialect(String version, String target, Style style) {
        this.version = PtxVersion.parse(version);
        this.target = Target.parse(target);
        this.style = style;
    }

    PtxVersion version() {
        return version;
    }

    Target target() {
        return target;
    }

    Style style() {
        return style;
    }

    /** Whether warp operations name the threads that take part. */
    boolean sync() {
        return compareTo(SM_75) >= 0;
    }

    /** Whether there are generic addresses, {@code red} of shared memory, and so on. */
    boolean generic() {
        return this != FIRST;
    }

    /** The instruction that reads a special register; those of PTX 1.x have 16 bits. */
    String special(String register, String name) {
        return (this == FIRST ? "cvt.u32.u16 " : "mov.u32 ") + register + ", %" + name;
    }

    String head() {
        return ".version " + version + "\n.target " + target + (compareTo(OLD) >= 0 ? "\n.address_size 64" : "");
    }
}
