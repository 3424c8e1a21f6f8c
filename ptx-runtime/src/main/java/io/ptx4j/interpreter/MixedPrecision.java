package io.ptx4j.interpreter;

import io.ptx4j.isa.Spelling;

/** Definitions of the manual's mixed precision floating-point instructions. */
final class MixedPrecision {
    private MixedPrecision() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        return null;
    }
}
