package io.ptx4j.jit.support;

/**
 * f32 arithmetic rounded towards zero ({@code .rz}), minus infinity ({@code .rm}) and plus infinity ({@code .rp}).
 *
 * <p>Products, and sums and fused sums that show the direction by themselves, are cut in f64. Each other operation takes the result rounded to nearest
 * and the sign of what that misses, found without an error by f64, which holds a product of two f32 exactly. Where the missed part points away from the wanted direction, the neighbour
 * one bit pattern away is the result. A missed part that is NaN belongs to an exact infinity or to a NaN.
 *
 * <p>{@code .ftz} on sources is the caller's; for results see {@link FlushF32}. {@code sub} is {@code add} with b inverted.
 */
public final class RoundingF32 {
    /** Bits of a double below those of a float in its normal range. */
    private static final long BELOW = 0x1fff_ffffL;
    private static final long LEAST = Double.doubleToRawLongBits(Float.MIN_NORMAL) << 1;
    /** Twice the bits of the least magnitude beyond all floats. */
    private static final long BEYOND = Double.doubleToRawLongBits(0x1p128) << 1;
    private static final long NORMAL = (Double.doubleToRawLongBits(Float.MAX_VALUE) << 1) - LEAST;
    /** Bits below those of a float, but for the last: with none of them set a double is a float or the next double after one. */
    private static final long TWO_OR_MORE_BELOW = BELOW - 1;
    /**
     * What takes magnitudes up, or their negatives down, past the tie between two floats, so that rounding to nearest gives the upper or lower one. Only a double
     * that misses a float by its last bit becomes a tie.
     */
    private static final long HALF_LESS_ONE = BELOW >> 1;

    private RoundingF32() {}

    /**
     * Whether a double sum, rounded once, lies between two normal floats and is none itself. Then the exact sum lies between the same
     * two, and cutting or filling up the bits below rounds it; these are nearly all sums of numbers that are not short.
     */
    private static boolean isBetween(long bits) {
        return (bits & BELOW) != 0 && Long.compareUnsigned((bits << 1) - LEAST, NORMAL) < 0;
    }

    /** Whether cutting or filling up the bits below rounds an exact double: its magnitude is that of a normal float, and less than the greatest. */
    private static boolean isNormal(long bits) {
        return Long.compareUnsigned((bits << 1) - LEAST, NORMAL) < 0;
    }

    /** As {@link #isBetween}, but not for doubles next to a float. */
    private static boolean isBetweenByTwo(long bits) {
        return (bits & TWO_OR_MORE_BELOW) != 0 && Long.compareUnsigned((bits << 1) - LEAST, NORMAL) < 0;
    }

    /**
     * Whether cutting or filling up the bits below rounds a double sum as the exact one: a source that left no trace forbids it, and a sum
     * beyond all floats. An inexact sum with a trace lies between two floats as the exact one does; one below the least normal float is a
     * float. Compared as bits, which costs less than as numbers: signs of zeros do no harm.
     */
    private static boolean isTraced(double a, double b, long sum) {
        return sum != Double.doubleToRawLongBits(a) && sum != Double.doubleToRawLongBits(b) && Long.compareUnsigned(sum << 1, BEYOND) < 0;
    }

    /** The same, but of no zero that an exact sum gives. */
    private static boolean isTracedNumber(double a, double b, long sum) {
        return sum != Double.doubleToRawLongBits(a) && sum != Double.doubleToRawLongBits(b) && Long.compareUnsigned((sum << 1) - 1, BEYOND - 1) < 0;
    }

    /** {@code add.rz.f32}. */
    public static float addRzF32(float a, float b) {
        long sum = Double.doubleToRawLongBits((double) a + b);
        return isTraced(a, b, sum) ? (float) Double.longBitsToDouble(sum & ~BELOW) : addRz(a, b);
    }

    private static float addRz(float a, float b) {
        float sum = a + b;
        return towardsZero(sum, missedByFloatSum(a, b, sum));
    }

    /** {@code add.rm.f32}; an exact zero of sources with different signs is -0. */
    public static float addRmF32(float a, float b) {
        long sum = Double.doubleToRawLongBits((double) a + b);
        return isTracedNumber(a, b, sum) ? (float) Double.longBitsToDouble(sum + (sum >> 63 & BELOW) & ~BELOW) : addRm(a, b);
    }

    private static float addRm(float a, float b) {
        float sum = a + b;
        return sum == 0 ? minusZeroUnlessBothPlus(a, b) : down(sum, missedByFloatSum(a, b, sum));
    }

    /** {@code add.rp.f32}. */
    public static float addRpF32(float a, float b) {
        long sum = Double.doubleToRawLongBits((double) a + b);
        return isTraced(a, b, sum) ? (float) Double.longBitsToDouble(sum + (~(sum >> 63) & BELOW) & ~BELOW) : addRp(a, b);
    }

    private static float addRp(float a, float b) {
        float sum = a + b;
        return up(sum, missedByFloatSum(a, b, sum));
    }

    /** {@code mul.rz.f32}. */
    public static float mulRzF32(float a, float b) {
        double product = (double) a * b;
        long bits = Double.doubleToRawLongBits(product);
        return isNormal(bits) ? (float) Double.longBitsToDouble(bits & ~BELOW) : roundRzF32(product);
    }

    /** {@code mul.rm.f32}. */
    public static float mulRmF32(float a, float b) {
        double product = (double) a * b;
        long bits = Double.doubleToRawLongBits(product);
        return isNormal(bits) ? (float) Double.longBitsToDouble(bits + (bits >> 63 & BELOW) & ~BELOW) : roundRmF32(product);
    }

    /** {@code mul.rp.f32}. */
    public static float mulRpF32(float a, float b) {
        double product = (double) a * b;
        long bits = Double.doubleToRawLongBits(product);
        return isNormal(bits) ? (float) Double.longBitsToDouble(bits + (~(bits >> 63) & BELOW) & ~BELOW) : roundRpF32(product);
    }

    /** {@code fma.rz.f32} and {@code mad.rz.f32}. */
    public static float fmaRzF32(float a, float b, float c) {
        long bits = Double.doubleToRawLongBits(Math.fma((double) a, (double) b, (double) c));
        return isBetween(bits) ? (float) Double.longBitsToDouble(bits & ~BELOW) : fmaRz(a, b, c);
    }

    private static float fmaRz(float a, float b, float c) {
        float sum = Math.fma(a, b, c);
        return towardsZero(sum, missedByFma(a, b, c, sum));
    }

    /** {@code fma.rm.f32} and {@code mad.rm.f32}; an exact zero of a product and a sum with different signs is -0. */
    public static float fmaRmF32(float a, float b, float c) {
        long bits = Double.doubleToRawLongBits(Math.fma((double) a, (double) b, (double) c));
        return isBetweenByTwo(bits) ? (float) Double.longBitsToDouble(bits + (bits >> 63 ^ ~HALF_LESS_ONE)) : fmaRm(a, b, c);
    }

    private static float fmaRm(float a, float b, float c) {
        float sum = Math.fma(a, b, c);
        double missed = missedByFma(a, b, c, sum);
        return sum == 0 && missed == 0 ? minusZeroUnlessBothPlus((float) ((double) a * b), c) : down(sum, missed);
    }

    /** {@code fma.rp.f32} and {@code mad.rp.f32}. */
    public static float fmaRpF32(float a, float b, float c) {
        long bits = Double.doubleToRawLongBits(Math.fma((double) a, (double) b, (double) c));
        return isBetweenByTwo(bits) ? (float) Double.longBitsToDouble(bits + (bits >> 63 ^ HALF_LESS_ONE)) : fmaRp(a, b, c);
    }

    private static float fmaRp(float a, float b, float c) {
        float sum = Math.fma(a, b, c);
        return up(sum, missedByFma(a, b, c, sum));
    }

    /** A number with the sign of what a sum misses, found as for a fused one. */
    private static double missedByFloatSum(float a, float b, float sum) {
        return Math.abs(b) * 0x1p28f < Math.abs(sum) ? ((double) a - sum) + b : ((double) b - sum) + a;
    }

    /**
     * A number with the sign of what a fused sum misses. c - sum is exact in f64 unless c is far below the sum: a sum far below c is left
     * by cancellation and has no more bits than the product. Then the product, exact in f64 too, minus the sum is not near zero or
     * exactly zero.
     */
    private static double missedByFma(float a, float b, float c, float sum) {
        if (Math.abs(c) * 0x1p28f < Math.abs(sum)) {
            return Math.fma((double) a, (double) b, (double) -sum) + c;
        }
        return Math.fma((double) a, (double) b, (double) c - sum);
    }

    /** {@code div.rz.f32}; {@code rcp.rz.f32} is 1 / b. */
    public static float divRzF32(float a, float b) {
        float quotient = a / b;
        return towardsZero(quotient, missedByQuotient(a, b, quotient));
    }

    /** {@code div.rm.f32}; {@code rcp.rm.f32} is 1 / b. */
    public static float divRmF32(float a, float b) {
        float quotient = a / b;
        return down(quotient, missedByQuotient(a, b, quotient));
    }

    /** {@code div.rp.f32}; {@code rcp.rp.f32} is 1 / b. */
    public static float divRpF32(float a, float b) {
        float quotient = a / b;
        return up(quotient, missedByQuotient(a, b, quotient));
    }

    /** {@code sqrt.rz.f32} and {@code sqrt.rm.f32}: no root is negative. */
    public static float sqrtRzF32(float a) {
        float root = (float) Math.sqrt(a);
        return towardsZero(root, 0 - ((double) root * root - a));
    }

    /** {@code sqrt.rp.f32}. */
    public static float sqrtRpF32(float a) {
        float root = (float) Math.sqrt(a);
        return up(root, 0 - ((double) root * root - a));
    }

    /** {@code cvt.rz.f32.f64}, of numbers. */
    public static float roundRzF32(double value) {
        float result = (float) value;
        return towardsZero(result, value - result);
    }

    /** {@code cvt.rm.f32.f64}, of numbers. */
    public static float roundRmF32(double value) {
        float result = (float) value;
        return down(result, value - result);
    }

    /** {@code cvt.rp.f32.f64}, of numbers. */
    public static float roundRpF32(double value) {
        float result = (float) value;
        return up(result, value - result);
    }

    /** What {@code sum}, a + b rounded to nearest, misses (Knuth's TwoSum). */
    static double missedBySum(double a, double b, double sum) {
        double part = sum - a;
        return (a - (sum - part)) + (b - part);
    }

    /** A number with the sign of what the quotient misses. */
    private static double missedByQuotient(float a, float b, float quotient) {
        double missed = a - (double) quotient * b;
        return b < 0 ? 0 - missed : missed;
    }

    private static float minusZeroUnlessBothPlus(float a, float b) {
        return Float.intBitsToFloat((Float.floatToRawIntBits(a) | Float.floatToRawIntBits(b)) & Integer.MIN_VALUE);
    }

    // Below, missed is never -0, so that its sign bit alone says "less than zero". No branch depends on the data.

    private static float towardsZero(float nearest, double missed) {
        if (missed != missed) {
            return Canonical.canonical(nearest);
        }
        int bits = Float.floatToRawIntBits(nearest);
        long sign = bits >> 31;
        return Float.intBitsToFloat(bits - (int) ((Double.doubleToRawLongBits(missed) ^ sign) - sign >>> 63));
    }

    private static float down(float nearest, double missed) {
        if (missed != missed) {
            return Canonical.canonical(nearest);
        }
        int bits = Float.floatToRawIntBits(nearest);
        return Float.intBitsToFloat(bits - ((bits >> 31 | 1) & (int) (Double.doubleToRawLongBits(missed) >> 63)));
    }

    private static float up(float nearest, double missed) {
        if (missed != missed) {
            return Canonical.canonical(nearest);
        }
        int bits = Float.floatToRawIntBits(nearest);
        return Float.intBitsToFloat(bits + ((bits >> 31 | 1) & (int) (-Double.doubleToRawLongBits(missed) >> 63)));
    }
}
