package io.ptx4j.interpreter;

import io.ptx4j.isa.Spelling;

/** Definitions of the manual's floating-point instructions. */
final class FloatingPoint {
    private FloatingPoint() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        return null;
    }
}
