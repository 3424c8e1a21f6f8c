package io.ptx4j.jit.support;

/**
 * Floating-point instructions that do not round: clamps, minima and maxima, tests, the halves of f32x2, and
 * {@code mad.f32} of PTX 1.x. {@code .ftz} on sources is the caller's.
 */
public final class FloatOps {
    private FloatOps() {}

    /** {@code .sat} on an f32 result: clamped to [+0, 1], NaN becomes +0. */
    public static float sat(float a) {
        return a > 0 ? Math.min(a, 1) : 0;
    }

    /** {@code .sat} on an f64 result, of {@code cvt}. */
    public static double sat(double a) {
        return a > 0 ? Math.min(a, 1) : 0;
    }

    /** Rounded towards zero to an integral number: {@code .rzi}. */
    public static double trunc(double a) {
        return a < 0 ? Math.ceil(a) : Math.floor(a);
    }

    /** {@code min.f32}: of a number and NaN the number; -0 is less than +0. Three sources are two minima. */
    public static float minF32(float a, float b) {
        return a == a ? b == b ? Math.min(a, b) : a : Canonical.canonical(b);
    }

    /** {@code max.f32}. */
    public static float maxF32(float a, float b) {
        return a == a ? b == b ? Math.max(a, b) : a : Canonical.canonical(b);
    }

    /** {@code min.NaN.f32}. */
    public static float minNanF32(float a, float b) {
        return Canonical.canonical(Math.min(a, b));
    }

    /** {@code max.NaN.f32}. */
    public static float maxNanF32(float a, float b) {
        return Canonical.canonical(Math.max(a, b));
    }

    /** {@code min.xorsign.abs.f32}: the lesser magnitude with the product's sign. */
    public static float minXorsignAbsF32(float a, float b) {
        return xorsign(minF32(Math.abs(a), Math.abs(b)), a, b);
    }

    /** {@code max.xorsign.abs.f32}. */
    public static float maxXorsignAbsF32(float a, float b) {
        return xorsign(maxF32(Math.abs(a), Math.abs(b)), a, b);
    }

    /** {@code min.NaN.xorsign.abs.f32}. */
    public static float minNanXorsignAbsF32(float a, float b) {
        return xorsign(minNanF32(Math.abs(a), Math.abs(b)), a, b);
    }

    /** {@code max.NaN.xorsign.abs.f32}. */
    public static float maxNanXorsignAbsF32(float a, float b) {
        return xorsign(maxNanF32(Math.abs(a), Math.abs(b)), a, b);
    }

    private static float xorsign(float magnitude, float a, float b) {
        int sign = (Float.floatToRawIntBits(a) ^ Float.floatToRawIntBits(b)) & Integer.MIN_VALUE;
        return magnitude == magnitude ? Float.intBitsToFloat(Float.floatToRawIntBits(magnitude) | sign) : magnitude;
    }

    /** {@code min.f64}; of two NaN the second, quieted. */
    public static double minF64(double a, double b) {
        return a == a ? b == b ? Math.min(a, b) : a : b == b ? b : Canonical.quiet(b);
    }

    /** {@code max.f64}. */
    public static double maxF64(double a, double b) {
        return a == a ? b == b ? Math.max(a, b) : a : b == b ? b : Canonical.quiet(b);
    }

    /** {@code abs.f64}: a NaN keeps its sign. */
    public static double absF64(double a) {
        return a == a ? Math.abs(a) : Canonical.quiet(a);
    }

    /** {@code neg.f64}: a NaN keeps its sign. */
    public static double negF64(double a) {
        return a == a ? -a : Canonical.quiet(a);
    }

    /** {@code copysign.f32}: the magnitude of b with the sign of a. */
    public static float copysignF32(float a, float b) {
        return Float.intBitsToFloat(Float.floatToRawIntBits(a) & Integer.MIN_VALUE | Float.floatToRawIntBits(b) & Integer.MAX_VALUE);
    }

    /** {@code copysign.f64}. */
    public static double copysignF64(double a, double b) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(a) & Long.MIN_VALUE | Double.doubleToRawLongBits(b) & Long.MAX_VALUE);
    }

    /** {@code testp.finite.f32}. */
    public static boolean testpFiniteF32(float a) {
        return Math.abs(a) <= Float.MAX_VALUE;
    }

    /** {@code testp.infinite.f32}. */
    public static boolean testpInfiniteF32(float a) {
        return Math.abs(a) > Float.MAX_VALUE;
    }

    /** {@code testp.number.f32}. */
    public static boolean testpNumberF32(float a) {
        return a == a;
    }

    /** {@code testp.notanumber.f32}. */
    public static boolean testpNotanumberF32(float a) {
        return a != a;
    }

    /** {@code testp.normal.f32}, which zeros are. */
    public static boolean testpNormalF32(float a) {
        return a == 0 || Math.abs(a) >= Float.MIN_NORMAL && Math.abs(a) <= Float.MAX_VALUE;
    }

    /** {@code testp.subnormal.f32}. */
    public static boolean testpSubnormalF32(float a) {
        return a != 0 && Math.abs(a) < Float.MIN_NORMAL;
    }

    /** {@code testp.finite.f64}. */
    public static boolean testpFiniteF64(double a) {
        return Math.abs(a) <= Double.MAX_VALUE;
    }

    /** {@code testp.infinite.f64}. */
    public static boolean testpInfiniteF64(double a) {
        return Math.abs(a) > Double.MAX_VALUE;
    }

    /** {@code testp.number.f64}. */
    public static boolean testpNumberF64(double a) {
        return a == a;
    }

    /** {@code testp.notanumber.f64}. */
    public static boolean testpNotanumberF64(double a) {
        return a != a;
    }

    /** {@code testp.normal.f64}, which zeros are. */
    public static boolean testpNormalF64(double a) {
        return a == 0 || Math.abs(a) >= Double.MIN_NORMAL && Math.abs(a) <= Double.MAX_VALUE;
    }

    /** {@code testp.subnormal.f64}. */
    public static boolean testpSubnormalF64(double a) {
        return a != 0 && Math.abs(a) < Double.MIN_NORMAL;
    }

    /** The lower number of an f32x2. */
    public static float lowF32x2(long a) {
        return Float.intBitsToFloat((int) a);
    }

    /** The upper number of an f32x2. */
    public static float highF32x2(long a) {
        return Float.intBitsToFloat((int) (a >>> 32));
    }

    /** The f32x2 of two numbers. */
    public static long packF32x2(float low, float high) {
        return (long) Float.floatToRawIntBits(high) << 32 | Float.floatToRawIntBits(low) & 0xffff_ffffL;
    }

    /**
     * {@code mad.f32} of targets before sm_20: the product is cut to 24 bits with unbounded exponent, then the sum is rounded to
     * nearest; with a zero c the product is rounded to nearest. {@code .ftz}, implied there, is done on the result.
     */
    public static float madF32(float a, float b, float c) {
        if (c == 0) {
            return Canonical.canonical(FlushF32.mulRnFtzF32(a, b) + c);
        }
        double product = Double.longBitsToDouble(Double.doubleToRawLongBits((double) a * b) & -1L << 29);
        double sum = product + c;
        boolean tiny = Math.abs(sum) < FlushF32.TINY
                || Math.abs(sum) == FlushF32.TINY && RoundingF32.missedBySum(product, c, sum) * sum < 0;
        return tiny ? (float) (sum * 0) : Canonical.canonical((float) sum);
    }

    /** The exact sum rounded once to single precision: first to odd in double precision. */
    public static float roundedSum(double a, double b) {
        double sum = a + b;
        double ofB = sum - a;
        double missed = a - (sum - ofB) + (b - ofB);
        long bits = Double.doubleToRawLongBits(sum);
        if ((missed < 0 || missed > 0) && (bits & 1) == 0) {
            bits += missed > 0 == sum > 0 ? 1 : -1;
        }
        return (float) Double.longBitsToDouble(bits);
    }
}
