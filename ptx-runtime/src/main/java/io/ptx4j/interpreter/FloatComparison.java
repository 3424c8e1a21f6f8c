package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;

/** Comparison of floating-point values (manual: "Floating Point Comparisons"). */
final class FloatComparison {
    private FloatComparison() {
    }

    /**
     * Whether {@code a comparison b} holds.
     *
     * @param type a plain (not packed) floating-point type
     * @param ftz subnormal inputs count as zero
     * @param a raw bits
     * @param b raw bits
     */
    static boolean holds(Modifier comparison, ScalarType type, boolean ftz, long a, long b) {
        throw new UnsupportedOperationException("comparison of " + type);
    }
}
