package io.ptx4j.jit.support;

/**
 * f64 arithmetic rounded towards zero ({@code .rz}), minus infinity ({@code .rm}) and plus infinity ({@code .rp}).
 *
 * <p>As in {@link RoundingF32}, the result rounded to nearest is corrected by the sign of what it misses. Here a fused multiply-add
 * finds the missed part; where that could underflow or overflow, {@link ScaledF64} finds its sign from scaled sources.
 * {@code sub} is {@code add} with b inverted; NaN sources pass as {@link Canonical} says.
 */
public final class RoundingF64 {
    /** Products in this range miss a part that is a multiple of the least subnormal number. */
    private static final double LEAST = 0x1p-960;

    private RoundingF64() {}

    /** {@code add.rz.f64}, also {@code cvt.rz.f64.u64} and {@code .s64} of the two words' values. */
    public static double addRzF64(double a, double b) {
        double sum = a + b;
        return towardsZero(sum, missedBySum(a, b, sum));
    }

    /** {@code add.rm.f64}; an exact zero of sources with different signs is -0. */
    public static double addRmF64(double a, double b) {
        double sum = a + b;
        return sum == 0 ? minusZeroUnlessBothPlus(a, b) : down(sum, missedBySum(a, b, sum));
    }

    /** {@code add.rp.f64}. */
    public static double addRpF64(double a, double b) {
        double sum = a + b;
        return up(sum, missedBySum(a, b, sum));
    }

    /** {@code mul.rz.f64}. */
    public static double mulRzF64(double a, double b) {
        double product = a * b;
        return towardsZero(product, missedByProduct(a, b, product));
    }

    /** {@code mul.rm.f64}. */
    public static double mulRmF64(double a, double b) {
        double product = a * b;
        return down(product, missedByProduct(a, b, product));
    }

    /** {@code mul.rp.f64}. */
    public static double mulRpF64(double a, double b) {
        double product = a * b;
        return up(product, missedByProduct(a, b, product));
    }

    /** {@code fma.rz.f64} and {@code mad.rz.f64}. */
    public static double fmaRzF64(double a, double b, double c) {
        double sum = Math.fma(a, b, c);
        return towardsZero(sum, missedByFma(a, b, c, sum));
    }

    /** {@code fma.rm.f64} and {@code mad.rm.f64}; an exact zero of a product and a sum with different signs is -0. */
    public static double fmaRmF64(double a, double b, double c) {
        double sum = Math.fma(a, b, c);
        double missed = missedByFma(a, b, c, sum);
        return sum == 0 && !(missed < 0 || missed > 0) ? minusZeroUnlessBothPlus(a * b, c) : down(sum, missed);
    }

    /** {@code fma.rp.f64} and {@code mad.rp.f64}. */
    public static double fmaRpF64(double a, double b, double c) {
        double sum = Math.fma(a, b, c);
        return up(sum, missedByFma(a, b, c, sum));
    }

    /** {@code div.rz.f64}; {@code rcp.rz.f64} is 1 / b. */
    public static double divRzF64(double a, double b) {
        double quotient = a / b;
        return towardsZero(quotient, missedByQuotient(a, b, quotient));
    }

    /** {@code div.rm.f64}; {@code rcp.rm.f64} is 1 / b. */
    public static double divRmF64(double a, double b) {
        double quotient = a / b;
        return down(quotient, missedByQuotient(a, b, quotient));
    }

    /** {@code div.rp.f64}; {@code rcp.rp.f64} is 1 / b. */
    public static double divRpF64(double a, double b) {
        double quotient = a / b;
        return up(quotient, missedByQuotient(a, b, quotient));
    }

    /** {@code sqrt.rz.f64} and {@code sqrt.rm.f64}: no root is negative. */
    public static double sqrtRzF64(double a) {
        double root = Math.sqrt(a);
        return towardsZero(root, missedByRoot(a, root));
    }

    /** {@code sqrt.rp.f64}. */
    public static double sqrtRpF64(double a) {
        double root = Math.sqrt(a);
        return up(root, missedByRoot(a, root));
    }

    private static double missedBySum(double a, double b, double sum) {
        double missed = RoundingF32.missedBySum(a, b, sum);
        return missed == missed ? missed : ScaledF64.missedByInfinity(a, b, sum);
    }

    private static double missedByProduct(double a, double b, double product) {
        double missed = Math.fma(a, b, -product);
        return Math.abs(product) > LEAST && missed == missed ? missed : ScaledF64.missedByProduct(a, b, product);
    }

    private static double missedByQuotient(double a, double b, double quotient) {
        if (Math.abs(a) > LEAST && Math.abs(quotient) > LEAST && Math.abs(quotient) <= Double.MAX_VALUE) {
            double missed = 0 - Math.fma(quotient, b, -a);
            return b < 0 ? 0 - missed : missed;
        }
        return ScaledF64.missedByQuotient(a, b, quotient);
    }

    private static double missedByRoot(double a, double root) {
        if (a > LEAST) {
            return 0 - Math.fma(root, root, -a);
        }
        double scaled = root * 0x1p100;
        return 0 - Math.fma(scaled, scaled, -(a * 0x1p200));
    }

    /** What a fused multiply-add misses: Boldo and Muller, "Exact and Approximated Error of the FMA", 2011. */
    private static double missedByFma(double a, double b, double c, double result) {
        double product = a * b;
        if (Math.abs(product) > LEAST) {
            double low = Math.fma(a, b, -product);
            double lowSum = c + low;
            double lowest = RoundingF32.missedBySum(c, low, lowSum);
            double sum = product + lowSum;
            double rest = RoundingF32.missedBySum(product, lowSum, sum);
            double missed = ((sum - result) + rest) + lowest;
            if (missed == missed) {
                return missed;
            }
        }
        return ScaledF64.missedByFma(a, b, c, result);
    }

    private static double minusZeroUnlessBothPlus(double a, double b) {
        return Double.longBitsToDouble((Double.doubleToRawLongBits(a) | Double.doubleToRawLongBits(b)) & Long.MIN_VALUE);
    }

    // Below, missed is never -0, so that its sign bit alone says "less than zero"; NaN says "nothing".

    private static double towardsZero(double nearest, double missed) {
        if (missed != missed) {
            return nearest;
        }
        long bits = Double.doubleToRawLongBits(nearest);
        long sign = bits >> 63;
        return Double.longBitsToDouble(bits - ((Double.doubleToRawLongBits(missed) ^ sign) - sign >>> 63));
    }

    private static double down(double nearest, double missed) {
        if (missed != missed) {
            return nearest;
        }
        long bits = Double.doubleToRawLongBits(nearest);
        return Double.longBitsToDouble(bits - ((bits >> 63 | 1) & Double.doubleToRawLongBits(missed) >> 63));
    }

    private static double up(double nearest, double missed) {
        if (missed != missed) {
            return nearest;
        }
        long bits = Double.doubleToRawLongBits(nearest);
        return Double.longBitsToDouble(bits + ((bits >> 63 | 1) & -Double.doubleToRawLongBits(missed) >> 63));
    }
}
