package io.ptx4j.jit.support;

/**
 * What an f64 result rounded to nearest misses, where computing it directly could underflow or overflow: the sources are scaled to
 * [1, 2), the result by the same power of two. Only the sign of what these give means anything; NaN means that nothing is missed.
 */
final class ScaledF64 {
    /** Exponents further apart than this do not touch, and no sum of theirs is near. */
    private static final int FAR = 120;

    private ScaledF64() {}

    /** For a sum that is infinite or NaN. */
    static double missedByInfinity(double a, double b, double sum) {
        return isFinite(a) && isFinite(b) ? -sum : Double.NaN;
    }

    static double missedByProduct(double a, double b, double product) {
        if (isZeroOrNotFinite(a) || isZeroOrNotFinite(b)) {
            return Double.NaN;
        }
        int exponentA = exponent(a);
        int exponentB = exponent(b);
        double scaledA = Math.scalb(a, -exponentA);
        double scaledB = Math.scalb(b, -exponentB);
        return missedByExactProduct(scaledA, scaledB, Math.scalb(product, -exponentA - exponentB));
    }

    private static double missedByExactProduct(double a, double b, double result) {
        double product = a * b;
        return (product - result) + Math.fma(a, b, -product);
    }

    static double missedByQuotient(double a, double b, double quotient) {
        if (isZeroOrNotFinite(a) || isZeroOrNotFinite(b)) {
            return Double.NaN;
        }
        int exponentA = exponent(a);
        int exponentB = exponent(b);
        double scaledA = Math.scalb(a, -exponentA);
        double scaledB = Math.scalb(b, -exponentB);
        double scaled = scaledA / scaledB;
        double missed = 0 - Math.fma(scaled, scaledB, -scaledA);
        double beyond = scaled - Math.scalb(quotient, exponentB - exponentA);
        return beyond != 0 ? beyond : scaledB < 0 ? 0 - missed : missed;
    }

    static double missedByFma(double a, double b, double c, double result) {
        if (isZeroOrNotFinite(a) || isZeroOrNotFinite(b) || !isFinite(c)) {
            return Double.NaN;
        }
        int exponentA = exponent(a);
        int exponentB = exponent(b);
        int exponent = exponentA + exponentB;
        double scaledA = Math.scalb(a, -exponentA);
        double scaledB = Math.scalb(b, -exponentB);
        if (c != 0 && exponent(c) - exponent > FAR) {
            return scaledA * scaledB;
        }
        double scaledResult = Math.scalb(result, -exponent);
        if (c == 0 || exponent(c) - exponent < -FAR) {
            double missed = missedByExactProduct(scaledA, scaledB, scaledResult);
            return missed != 0 ? missed : c + 0.0;
        }
        double product = scaledA * scaledB;
        double low = Math.fma(scaledA, scaledB, -product);
        double scaledC = Math.scalb(c, -exponent);
        double lowSum = scaledC + low;
        double lowest = RoundingF32.missedBySum(scaledC, low, lowSum);
        double sum = product + lowSum;
        return ((sum - scaledResult) + RoundingF32.missedBySum(product, lowSum, sum)) + lowest;
    }

    private static boolean isFinite(double a) {
        return Math.abs(a) <= Double.MAX_VALUE;
    }

    private static boolean isZeroOrNotFinite(double a) {
        return a == 0 || !isFinite(a);
    }

    /** The e for which a is 2^e times a number in [1, 2), also of a subnormal a. */
    private static int exponent(double a) {
        int exponent = Math.getExponent(a);
        return exponent < Double.MIN_EXPONENT ? Math.getExponent(a * 0x1p60) - 60 : exponent;
    }
}
