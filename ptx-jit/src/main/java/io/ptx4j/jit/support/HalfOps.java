package io.ptx4j.jit.support;

/**
 * Arithmetic of f16 and bf16 (manual: "Half Precision Floating-Point Instructions") on their bits, zero-extended. Every result is
 * rounded once: computed exactly, or so precisely that rounding again cannot show, or rounded to odd in between.
 *
 * <p>Sums are right when f32 rounds them first, because its 24 bits are at least twice 11 and two; products are exact in f32, or less
 * than half the least bf16. In a fused sum of bf16 the sources may be further apart than f64 has bits.
 *
 * <p>{@code .ftz} on sources is the caller's; a packed instruction does the same in both halves.
 */
public final class HalfOps {
    private static final int F16_INFINITY = 0x7c00;
    private static final int BF16_INFINITY = 0x7f80;
    private static final int F32_INFINITY = 0x7f80_0000;
    /** The least normal f16 as f32. */
    private static final int F16_NORMAL = 0x3880_0000;
    /** What lies below is less than the least normal f16 when it is rounded with unbounded exponent. */
    private static final float F16_TINY = 0x1p-14f - 0x1p-26f;
    /** What a tensor copy fills in beyond the tensor's bounds. */
    private static final int OUT_OF_BOUNDS = 0x7ff7;

    private HalfOps() {}

    /** The number an f16 stands for. */
    public static float fromF16(int a) {
        return Float.float16ToFloat((short) a);
    }

    /** The number a bf16 stands for. */
    public static float fromBf16(int a) {
        return Float.intBitsToFloat(a << 16);
    }

    /** An f32 result rounded to f16, to nearest; NaN becomes the canonical one. */
    public static int roundF16(float a) {
        return a == a ? Float.floatToFloat16(a) & 0xffff : Canonical.HALF;
    }

    /** An f32 result rounded to bf16, to nearest; NaN becomes the canonical one. */
    public static int roundBf16(float a) {
        int bits = Float.floatToRawIntBits(a);
        return a == a ? bits + 0x7fff + (bits >>> 16 & 1) >>> 16 : Canonical.HALF;
    }

    /** An f32 result rounded to bf16, towards zero. */
    public static int roundRzBf16(float a) {
        return a == a ? Float.floatToRawIntBits(a) >>> 16 : Canonical.HALF;
    }

    /** An f32 result rounded to bf16, towards minus infinity. */
    public static int roundRmBf16(float a) {
        int bits = Float.floatToRawIntBits(a);
        return a == a ? bits + (bits >> 31 & 0xffff) >>> 16 : Canonical.HALF;
    }

    /** An f32 result rounded to bf16, towards plus infinity. */
    public static int roundRpBf16(float a) {
        int bits = Float.floatToRawIntBits(a);
        return a == a ? bits + (~bits >> 31 & 0xffff) >>> 16 : Canonical.HALF;
    }

    /**
     * An f64 result as f32, rounded to odd: where bits are lost the last bit that stays is 1, so that rounding to fewer bits is as if
     * it were done from f64.
     */
    public static float toOdd(double a) {
        float nearest = (float) a;
        double missed = a - nearest;
        if (missed == 0 || missed != missed) {
            return nearest;
        }
        int bits = Float.floatToRawIntBits(nearest);
        return Float.intBitsToFloat((Math.abs((double) nearest) > Math.abs(a) ? bits - 1 : bits) | 1);
    }

    /** The sum of two numbers as f64, rounded to odd. */
    private static double oddSum(double a, double b) {
        double sum = a + b;
        double missed = RoundingF32.missedBySum(a, b, sum);
        long bits = Double.doubleToRawLongBits(sum);
        if ((bits & 1) != 0 || !(missed < 0 || missed > 0)) {
            return sum;
        }
        return Double.longBitsToDouble((missed < 0) == (sum < 0) ? bits + 1 : bits - 1);
    }

    // Clamps of results

    /** {@code .ftz} on an f16. */
    public static int ftzF16(int a) {
        return (a & F16_INFINITY) == 0 ? a & 0x8000 : a;
    }

    /** {@code .ftz} on a bf16. */
    public static int ftzBf16(int a) {
        return (a & BF16_INFINITY) == 0 ? a & 0x8000 : a;
    }

    /** {@code .sat} on an f16 result: clamped to [+0, 1], NaN becomes +0. */
    public static int satF16(int a) {
        return a > F16_INFINITY ? 0 : Math.min(a, 0x3c00);
    }

    /** {@code .relu} on a result: +0 where the sign is set; the canonical NaN stays. */
    public static int relu(int a) {
        return a > 0x7fff ? 0 : a;
    }

    /** {@code fma.oob}: +0 where a or b stands for an element beyond the bounds of its tensor. */
    public static int oob(int result, int a, int b) {
        return (a & 0x7fff) == OUT_OF_BOUNDS || (b & 0x7fff) == OUT_OF_BOUNDS ? 0 : result;
    }

    // f16

    /** {@code add.f16}; a tiny sum is exact, so that {@link #ftzF16} flushes it. */
    public static int addF16(int a, int b) {
        return roundF16(fromF16(a) + fromF16(b));
    }

    /** {@code sub.f16}. */
    public static int subF16(int a, int b) {
        return roundF16(fromF16(a) - fromF16(b));
    }

    /** {@code mul.f16}. */
    public static int mulF16(int a, int b) {
        return roundF16(fromF16(a) * fromF16(b));
    }

    /** {@code mul.ftz.f16}, of flushed sources. */
    public static int mulFtzF16(int a, int b) {
        float product = fromF16(a) * fromF16(b);
        return Math.abs(product) < F16_TINY ? (a ^ b) & 0x8000 : roundF16(product);
    }

    /** {@code fma.rn.f16}. */
    public static int fmaF16(int a, int b, int c) {
        float sum = Math.fma(fromF16(a), fromF16(b), fromF16(c));
        return roundsTwice(sum, F16_NORMAL) ? Float.floatToFloat16(sum) & 0xffff : fmaOnceF16(a, b, c);
    }

    /**
     * Whether an f32 sum, rounded again to f16, gives what the exact one does: it is no tie, and not so small that ties are elsewhere. Most
     * are such, also infinities, but no NaN.
     */
    private static boolean roundsTwice(float sum, int least) {
        int bits = Float.floatToRawIntBits(sum);
        return Integer.compareUnsigned((bits & Integer.MAX_VALUE) - least, F32_INFINITY + 1 - least) < 0 && (bits & 0x1fff) != 0x1000;
    }

    /** A sum that f64 does not hold is no tie of f16. */
    private static int fmaOnceF16(int a, int b, int c) {
        return roundF16(toOdd((double) fromF16(a) * fromF16(b) + fromF16(c)));
    }

    /** {@code fma.rn.ftz.f16}, of flushed sources. */
    public static int fmaFtzF16(int a, int b, int c) {
        float sum = Math.fma(fromF16(a), fromF16(b), fromF16(c));
        return roundsTwice(sum, F16_NORMAL + 1) ? Float.floatToFloat16(sum) & 0xffff : fmaOnceFtzF16(a, b, c);
    }

    /** A tiny sum is exact in f64. */
    private static int fmaOnceFtzF16(int a, int b, int c) {
        double sum = (double) fromF16(a) * fromF16(b) + fromF16(c);
        return Math.abs(sum) < F16_TINY ? (int) (Double.doubleToRawLongBits(sum) >>> 48) & 0x8000 : roundF16(toOdd(sum));
    }

    /** {@code ex2.approx.f16}. */
    public static int ex2F16(int a) {
        return roundF16(PortableApproximations.ex2F32(fromF16(a)));
    }

    /** {@code tanh.approx.f16}. */
    public static int tanhF16(int a) {
        return roundF16(PortableApproximations.tanhF32(fromF16(a)));
    }

    /** {@code abs.f16}. */
    public static int absF16(int a) {
        return (a & 0x7fff) > F16_INFINITY ? Canonical.HALF : a & 0x7fff;
    }

    /** {@code neg.f16}. */
    public static int negF16(int a) {
        return (a & 0x7fff) > F16_INFINITY ? Canonical.HALF : a ^ 0x8000;
    }

    /** {@code min.f16}. */
    public static int minF16(int a, int b) {
        return number(a, b, order(a) < order(b) ? a : b, F16_INFINITY);
    }

    /** {@code max.f16}. */
    public static int maxF16(int a, int b) {
        return number(a, b, order(a) > order(b) ? a : b, F16_INFINITY);
    }

    /** {@code min.NaN.f16}. */
    public static int minNanF16(int a, int b) {
        return nan(a, b, order(a) < order(b) ? a : b, F16_INFINITY);
    }

    /** {@code max.NaN.f16}. */
    public static int maxNanF16(int a, int b) {
        return nan(a, b, order(a) > order(b) ? a : b, F16_INFINITY);
    }

    // bf16

    /** {@code add.bf16}. */
    public static int addBf16(int a, int b) {
        return roundBf16(fromBf16(a) + fromBf16(b));
    }

    /** {@code sub.bf16}. */
    public static int subBf16(int a, int b) {
        return roundBf16(fromBf16(a) - fromBf16(b));
    }

    /** {@code mul.bf16}. */
    public static int mulBf16(int a, int b) {
        return roundBf16(fromBf16(a) * fromBf16(b));
    }

    /** {@code fma.rn.bf16}. */
    public static int fmaBf16(int a, int b, int c) {
        float sum = fusedTwice(a, b, c);
        return roundBf16((Float.floatToRawIntBits(sum) & 0xffff) != 0x8000 ? sum : fused(a, b, c));
    }

    /** {@code fma.rz.bf16}. */
    public static int fmaRzBf16(int a, int b, int c) {
        return roundRzBf16(fusedOffHalves(a, b, c));
    }

    /** {@code fma.rm.bf16}; an exact zero of a product and a sum with different signs is -0. */
    public static int fmaRmBf16(int a, int b, int c) {
        float sum = fusedOffHalves(a, b, c);
        return sum == 0 ? (a ^ b | c) & 0x8000 : roundRmBf16(sum);
    }

    /** {@code fma.rp.bf16}. */
    public static int fmaRpBf16(int a, int b, int c) {
        return roundRpBf16(fusedOffHalves(a, b, c));
    }

    private static float fusedTwice(int a, int b, int c) {
        return Math.fma(fromBf16(a), fromBf16(b), fromBf16(c));
    }

    /** A number on the same side of all bf16 numbers as the exact sum: the f32 sum, unless it is such a number itself. */
    private static float fusedOffHalves(int a, int b, int c) {
        float sum = fusedTwice(a, b, c);
        return (Float.floatToRawIntBits(sum) & 0xffff) != 0 ? sum : fused(a, b, c);
    }

    private static float fused(int a, int b, int c) {
        return toOdd(oddSum((double) fromBf16(a) * fromBf16(b), fromBf16(c)));
    }

    /** {@code ex2.approx.ftz.bf16}, with its {@code .ftz}. */
    public static int ex2Bf16(int a) {
        return ftzBf16(roundBf16(PortableApproximations.ex2F32(fromBf16(ftzBf16(a)))));
    }

    /** {@code tanh.approx.bf16}. */
    public static int tanhBf16(int a) {
        return roundBf16(PortableApproximations.tanhF32(fromBf16(a)));
    }

    /** {@code abs.bf16}. */
    public static int absBf16(int a) {
        return (a & 0x7fff) > BF16_INFINITY ? Canonical.HALF : a & 0x7fff;
    }

    /** {@code neg.bf16}. */
    public static int negBf16(int a) {
        return (a & 0x7fff) > BF16_INFINITY ? Canonical.HALF : a ^ 0x8000;
    }

    /** {@code min.bf16}. */
    public static int minBf16(int a, int b) {
        return number(a, b, order(a) < order(b) ? a : b, BF16_INFINITY);
    }

    /** {@code max.bf16}. */
    public static int maxBf16(int a, int b) {
        return number(a, b, order(a) > order(b) ? a : b, BF16_INFINITY);
    }

    /** {@code min.NaN.bf16}. */
    public static int minNanBf16(int a, int b) {
        return nan(a, b, order(a) < order(b) ? a : b, BF16_INFINITY);
    }

    /** {@code max.NaN.bf16}. */
    public static int maxNanBf16(int a, int b) {
        return nan(a, b, order(a) > order(b) ? a : b, BF16_INFINITY);
    }

    // Minima and maxima

    /** {@code .xorsign}: the extreme of two magnitudes with the sign of the product of the sources; NaN stays. */
    public static int xorsign(int magnitude, int a, int b) {
        return magnitude == Canonical.HALF ? magnitude : magnitude | (a ^ b) & 0x8000;
    }

    /** An integer that is less where the number is less, and for -0 less than for +0. */
    private static int order(int a) {
        int signed = (short) a;
        return signed ^ signed >> 15 & 0x7fff;
    }

    /** The extreme of two numbers, or the only number there is. */
    private static int number(int a, int b, int extreme, int infinity) {
        boolean isNumber = (a & 0x7fff) <= infinity;
        boolean isOtherNumber = (b & 0x7fff) <= infinity;
        return isNumber ? isOtherNumber ? extreme : a : isOtherNumber ? b : Canonical.HALF;
    }

    /** The extreme of two numbers, or NaN. */
    private static int nan(int a, int b, int extreme, int infinity) {
        return (a & 0x7fff) <= infinity && (b & 0x7fff) <= infinity ? extreme : Canonical.HALF;
    }
}
