package io.ptx4j.interpreter;

import io.ptx4j.isa.Spelling;

/** Definitions of the manual's half precision floating-point instructions. */
final class HalfPrecision {
    private HalfPrecision() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        return null;
    }
}
