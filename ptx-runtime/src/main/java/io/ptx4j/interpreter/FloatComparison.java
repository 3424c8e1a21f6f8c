package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;

/** Comparison of floating-point values (manual: "Floating Point Comparisons"). */
final class FloatComparison {
    private FloatComparison() {
    }

    /**
     * Whether {@code a comparison b} holds. The ordered comparisons are false when a source is NaN, the unordered ones true.
     *
     * @param type a plain (not packed) floating-point type
     * @param ftz subnormal inputs count as zero
     * @param a raw bits
     * @param b raw bits
     */
    static boolean holds(Modifier comparison, ScalarType type, boolean ftz, long a, long b) {
        Format format = Format.of(type);
        Exact x = format.decode(ftz ? format.flushed(a) : a);
        Exact y = format.decode(ftz ? format.flushed(b) : b);
        boolean unordered = x.isNaN() || y.isNaN();
        return switch (comparison) {
            case EQ -> !unordered && order(x, y) == 0;
            case NE -> !unordered && order(x, y) != 0;
            case LT -> !unordered && order(x, y) < 0;
            case LE -> !unordered && order(x, y) <= 0;
            case GT -> !unordered && order(x, y) > 0;
            case GE -> !unordered && order(x, y) >= 0;
            case EQU -> unordered || order(x, y) == 0;
            case NEU -> unordered || order(x, y) != 0;
            case LTU -> unordered || order(x, y) < 0;
            case LEU -> unordered || order(x, y) <= 0;
            case GTU -> unordered || order(x, y) > 0;
            case GEU -> unordered || order(x, y) >= 0;
            case NUM -> !unordered;
            case ISNAN -> unordered;
            default -> throw new IllegalArgumentException(comparison + " compares no floating-point values");
        };
    }

    /** Here, unlike in min and max, the two zeros are equal. */
    private static int order(Exact x, Exact y) {
        boolean zeros = x instanceof Exact.Number a && y instanceof Exact.Number b && a.isZero() && b.isZero();
        return zeros ? 0 : ExactArithmetic.compare(x, y);
    }
}
