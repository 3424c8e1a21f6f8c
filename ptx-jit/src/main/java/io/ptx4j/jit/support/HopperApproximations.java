package io.ptx4j.jit.support;

import io.ptx4j.engine.SpecialFunction;

/**
 * The approximate functions as an H100 gives them ({@code docs/numerics.md}, "What an H100 approximates"), on doubles: coefficients are scaled so that a result's unit is 1, and no
 * product or sum below needs more than 53 bits, so that every one is exact and only the last step, to {@code int}, cuts off. Sources need no flushing.
 */
public final class HopperApproximations {
    private static final int FRACTION = 0x7fffff;
    private static final int ONE = 1 << 23;
    private static final int INFINITY = 0x7f800000;
    private static final int TANH_LEAST = 119;
    private static final int TANH_ENOUGH = 130;

    static final double[] RCP = scaled(SpecialFunction.RCP, 0x1p13, 0x7e7, 1, 0x1p-15);
    static final double[] RSQRT = scaled(SpecialFunction.RSQRT, 0x1p14, 0x3fff, 4, 0x1p-16);
    static final double[] SQRT = roots();
    static final double[] EX2 = scaled(SpecialFunction.EX2, 0x1p13, 0x17e2, 1, 0x1p-15);
    static final double[] LG2 = scaled(SpecialFunction.LG2, 0x1p12, 0x345, 2, 0.25);
    static final double[] SIN = scaled(SpecialFunction.SIN, 0x1p11, 0, 1, 0x1p-37);
    static final double[] TANH = scaled(SpecialFunction.TANH, 0x1p16, 0, 1, 0x1p-40);
    /** By how many bits fractions of each binade from 2^-8 on are cut, and the binade's first interval. */
    static final int[] TANH_CUT = {6, 6, 6, 5, 5, 4, 4, 4, 3, 2, 3};
    static final int[] TANH_FIRST = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};

    private HopperApproximations() {}

    /** Three numbers for each interval: the constant, the factors of the place and of its square. */
    private static double[] scaled(SpecialFunction function, double constant, int bias, double square, double unit) {
        double[] numbers = new double[3 * function.intervals()];
        for (int i = 0; i < function.intervals(); i++) {
            numbers[3 * i] = (function.coefficient(i, 0) * constant + bias) * unit;
            numbers[3 * i + 1] = function.coefficient(i, 1) * unit;
            numbers[3 * i + 2] = function.coefficient(i, 2) * square * unit;
        }
        return numbers;
    }

    /** Intervals from 2 on are twice as wide. */
    private static double[] roots() {
        double[] below2 = scaled(SpecialFunction.SQRT, 0x1p15, 0x7fff, 1, 0x1p-17);
        double[] from2 = scaled(SpecialFunction.SQRT, 0x1p14, 0x3fff, 1, 0x1p-16);
        System.arraycopy(from2, from2.length / 2, below2, from2.length / 2, from2.length / 2);
        return below2;
    }

    /** The square of 17 bits, divided by 2^19, without what the unit does not add up: bits of each partial product below 2^18. */
    static int square(int x) {
        int sum = 0;
        for (int i = 2; i < 17; i++) {
            sum += -(x >> i & 1) & x >> 18 - i;
        }
        return sum >> 1;
    }

    private static double value(double[] table, int interval, int place, int square) {
        int at = 3 * interval;
        return table[at] + (table[at + 1] * place + table[at + 2] * square);
    }

    /** The value at a fraction of 23 bits, or 24 for roots, in intervals of 17. */
    private static double value(double[] table, int fraction) {
        int place = fraction & 0x1ffff;
        return value(table, fraction >> 17, place, square(place));
    }

    private static float f(int bits) {
        return Float.intBitsToFloat(bits);
    }

    /** A double's bits as those of a float, cut off. */
    private static int cut(double a) {
        return a == 0 ? 0 : (int) (Double.doubleToRawLongBits(a) - (1023L - 127 << 52) >> 29);
    }

    private static boolean isSubnormal(float a) {
        return Math.abs(a) < Float.MIN_NORMAL;
    }

    /** The significand of a reciprocal, whose intervals have 16 bits. */
    private static int reciprocal(int fraction) {
        int place = fraction & 0xffff;
        return (int) value(RCP, fraction >> 16, place, square(place << 1));
    }

    /** {@code rcp.approx.ftz.f32}. */
    public static float rcpFtzF32(float a) {
        int bits = Float.floatToRawIntBits(a);
        int sign = bits & Integer.MIN_VALUE;
        int exponent = bits >>> 23 & 0xff;
        int fraction = bits & FRACTION;
        if (exponent == 0) {
            return f(sign | INFINITY);
        }
        if (exponent == 0xff) {
            return fraction == 0 ? f(sign) : Canonical.F32;
        }
        int result = (253 - exponent << 23) + reciprocal(fraction) - ONE;
        return f(result < ONE ? sign : sign | result);
    }

    /** {@code rcp.approx.f32}. */
    public static float rcpF32(float a) {
        float scale = isSubnormal(a) ? 0x1p24f : Math.abs(a) > 0x1p126f ? 0.25f : 1f;
        return Canonical.canonical(rcpFtzF32(a * scale) * scale);
    }

    /** {@code rsqrt.approx.ftz.f32}. */
    public static float rsqrtFtzF32(float a) {
        int bits = Float.floatToRawIntBits(a);
        int exponent = (bits >>> 23 & 0xff) - 127;
        if (exponent == -127) {
            return f(bits & Integer.MIN_VALUE | INFINITY);
        }
        if (!(a > 0 && a <= Float.MAX_VALUE)) {
            return a > 0 ? 0f : Canonical.F32;
        }
        int fraction = bits & FRACTION | (exponent & 1) << 23;
        int half = 126 - (exponent >> 1);
        // The unit gives powers of four their roots without a table.
        return f(fraction == 0 ? half + 1 << 23 : (half << 23) + (int) value(RSQRT, fraction) - ONE);
    }

    /** {@code rsqrt.approx.f32}. */
    public static float rsqrtF32(float a) {
        return isSubnormal(a) ? Canonical.canonical(rsqrtFtzF32(a * 0x1p24f) * 0x1p12f) : rsqrtFtzF32(a);
    }

    /** {@code sqrt.approx.ftz.f32}. */
    public static float sqrtFtzF32(float a) {
        int bits = Float.floatToRawIntBits(a);
        int exponent = (bits >>> 23 & 0xff) - 127;
        if (exponent == -127) {
            return f(bits & Integer.MIN_VALUE);
        }
        if (!(a > 0 && a <= Float.MAX_VALUE)) {
            return a > 0 ? a : Canonical.F32;
        }
        return f(((exponent >> 1) + 127 << 23) + (int) value(SQRT, bits & FRACTION | (exponent & 1) << 23) - ONE);
    }

    /** {@code sqrt.approx.f32}. */
    public static float sqrtF32(float a) {
        return isSubnormal(a) ? Canonical.canonical(sqrtFtzF32(a * 0x1p24f) * 0x1p-12f) : sqrtFtzF32(a);
    }

    /** {@code ex2.approx.ftz.f32}. */
    public static float ex2FtzF32(float a) {
        if (!(Math.abs(a) < 0x1p8f)) {
            return a > 0 ? Float.POSITIVE_INFINITY : a < 0 ? 0f : Canonical.F32;
        }
        // Cut off to 23 bits behind the point; of a negative number the complement, but for whole ones.
        int magnitude = (int) (Math.abs(a) * 0x1p23);
        int fixed = a >= 0 ? magnitude : (magnitude & FRACTION) == 0 ? -magnitude : ~magnitude;
        int result = ((fixed >> 23) + 127 << 23) + (int) value(EX2, fixed & FRACTION) - ONE;
        int exponent = (fixed >> 23) + 127;
        return exponent > 254 ? Float.POSITIVE_INFINITY : exponent < 0 || result < ONE ? 0f : f(result);
    }

    /** {@code ex2.approx.f32}. */
    public static float ex2F32(float a) {
        if (a < -126) {
            float root = ex2FtzF32(a * 0.5f);
            return root * root;
        }
        return ex2FtzF32(a);
    }

    /** {@code lg2.approx.ftz.f32}. */
    public static float lg2FtzF32(float a) {
        if (isSubnormal(a)) {
            return Float.NEGATIVE_INFINITY;
        }
        if (!(a > 0 && a <= Float.MAX_VALUE)) {
            return a > 0 ? a : Canonical.F32;
        }
        int bits = Float.floatToRawIntBits(a);
        int exponent = (bits >>> 23) - 127;
        int fraction = bits & FRACTION;
        // The logarithm in units of 2^-36.
        double logarithm = exponent * 0x1p36 + (exponent == 0 && fraction == 0 ? 0 : (long) value(LG2, fraction));
        return f(logarithm < 0 ? cut((-1 - logarithm) * 0x1p-36) | Integer.MIN_VALUE : cut(logarithm * 0x1p-36));
    }

    /** {@code lg2.approx.f32}. */
    public static float lg2F32(float a) {
        return isSubnormal(a) ? Canonical.canonical(lg2FtzF32(a * 0x1p24f) - 24f) : lg2FtzF32(a);
    }

    /** {@code sin.approx.f32}, with and without {@code .ftz}. */
    public static float sinF32(float a) {
        return sine(a, 0, Float.floatToRawIntBits(a) & Integer.MIN_VALUE);
    }

    /** {@code cos.approx.f32}, with and without {@code .ftz}. */
    public static float cosF32(float a) {
        return sine(a, 1, 0);
    }

    /** The sine of an angle's magnitude, {@code quarters} quarter turns further. */
    private static float sine(float a, int quarters, int sign) {
        if (!(Math.abs(a) <= Float.MAX_VALUE)) {
            return Canonical.F32;
        }
        // Turns, cut off to 24 bits, then to 25 bits behind the point.
        double turns = RoundingF32.mulRzF32(Math.abs(a), f(0x3e22f983)) * 0x1p25;
        int fixed = turns < 0x1p62 ? (int) (long) turns : 0;
        int quarter = (fixed >> 23) + quarters;
        int fraction = (quarter & 1) == 0 ? fixed & FRACTION : ~fixed & FRACTION;
        return f(cut(value(SIN, fraction)) | sign ^ (quarter & 2) << 30);
    }

    /** {@code tanh.approx.f32}. */
    public static float tanhF32(float a) {
        int bits = Float.floatToRawIntBits(a);
        int exponent = bits >>> 23 & 0xff;
        if (exponent < TANH_LEAST) {
            return a;
        }
        int sign = bits & Integer.MIN_VALUE;
        if (exponent >= TANH_ENOUGH) {
            return a == a ? f(sign | 127 << 23) : Canonical.F32;
        }
        int binade = exponent - TANH_LEAST;
        int fraction = (TANH_FIRST[binade] << 17) + ((bits & FRACTION) >> TANH_CUT[binade]);
        int result = cut(value(TANH, fraction));
        // A unit of the table is the binade's, up to that of numbers just below 1.
        return f(sign | result + (Math.min(exponent, 126) - 126 << 23));
    }

    /** {@code div.approx.f32}. */
    public static float divF32(float a, float b) {
        return isSubnormal(b) ? Canonical.canonical(rcpFtzF32(b * 0x1p24f) * (a * 0x1p24f)) : Canonical.canonical(rcpFtzF32(b) * a);
    }

    /** {@code div.approx.ftz.f32}. */
    public static float divFtzF32(float a, float b) {
        return Canonical.canonical(FlushF32.mulRnFtzF32(FlushF32.ftz(a), rcpFtzF32(b)));
    }

    /** {@code div.full.f32}. */
    public static float divFullF32(float a, float b) {
        return Math.abs(b) > 0x1p126f ? Canonical.canonical(rcpFtzF32(b * 0.25f) * (a * 0.25f)) : divF32(a, b);
    }

    /** {@code div.full.ftz.f32}. */
    public static float divFullFtzF32(float a, float b) {
        return Math.abs(b) > 0x1p126f ? divFtzF32(FlushF32.mulRnFtzF32(FlushF32.ftz(a), 0.25f), b * 0.25f) : divFtzF32(a, b);
    }

    /** {@code rcp.approx.ftz.f64}: of upper words. */
    public static double rcpFtzF64(double a) {
        long bits = Double.doubleToRawLongBits(a);
        long sign = bits & Long.MIN_VALUE;
        int exponent = (int) (bits >>> 52) & 0x7ff;
        int fraction = (int) (bits >>> 29) & 0x7ffff8;
        if (exponent == 0) {
            return Math.copySign(Double.POSITIVE_INFINITY, a);
        }
        if (exponent == 0x7ff) {
            return fraction == 0 ? Double.longBitsToDouble(sign) : PortableApproximations.GROSS_NAN;
        }
        long result = (2045L - exponent << 20) + (reciprocal(fraction) >> 3) - (1 << 20);
        return Double.longBitsToDouble(result < 1 << 20 ? sign : sign | result << 32);
    }

    /** {@code rsqrt.approx.ftz.f64}: of upper words. */
    public static double rsqrtFtzF64(double a) {
        long bits = Double.doubleToRawLongBits(a);
        int exponent = ((int) (bits >>> 52) & 0x7ff) - 1023;
        int fraction = (int) (bits >>> 29) & 0x7ffff8;
        if (exponent == -1023) {
            return Math.copySign(Double.POSITIVE_INFINITY, a);
        }
        if (exponent == 1024 && fraction != 0 || bits < 0) {
            return PortableApproximations.GROSS_NAN;
        }
        if (exponent == 1024) {
            return 0;
        }
        fraction |= (exponent & 1) << 23;
        long half = 1022 - (exponent >> 1);
        return Double.longBitsToDouble(fraction == 0 ? half + 1 << 52 : (half << 20) + ((int) value(RSQRT, fraction) >> 3) - (1 << 20) << 32);
    }

    /** {@code rsqrt.approx.f64}: one step of an iteration from {@link #rsqrtFtzF64}. */
    public static double rsqrtF64(double a) {
        if (!(a > 0 && a <= Double.MAX_VALUE)) {
            return a == 0 ? 1 / a : a > 0 ? 0 : a == a ? Canonical.F64 : Canonical.canonical(a, a);
        }
        return a < Double.MIN_NORMAL ? step(a * 0x1p54) * 0x1p27 : step(a);
    }

    private static double step(double a) {
        double y = rsqrtFtzF64(a);
        double error = Math.fma(a, -(y * y), 1);
        return Math.fma(Math.fma(error, 0.375, 0.5), y * error, y);
    }

    /** {@code ex2.approx.f16}. */
    public static int ex2F16(int a) {
        return cutF16(ex2FtzF32(HalfOps.fromF16(a)));
    }

    /** {@code tanh.approx.f16}. */
    public static int tanhF16(int a) {
        return cutF16(tanhF32(HalfOps.fromF16(a)));
    }

    /** {@code ex2.approx.ftz.bf16}. */
    public static int ex2Bf16(int a) {
        return cutBf16(ex2FtzF32(HalfOps.fromBf16(a)));
    }

    /** {@code tanh.approx.bf16}. */
    public static int tanhBf16(int a) {
        return cutBf16(tanhF32(HalfOps.fromBf16(a)));
    }

    static int cutBf16(float a) {
        return a == a ? Float.floatToRawIntBits(a) >>> 16 : Canonical.HALF;
    }

    static int cutF16(float a) {
        int bits = Float.floatToRawIntBits(a);
        int sign = bits >>> 16 & 0x8000;
        int exponent = (bits >>> 23 & 0xff) - 127;
        if (a != a) {
            return Canonical.HALF;
        }
        if (exponent > 15) {
            return sign | 0x7c00;
        }
        return exponent >= -14 ? sign | exponent + 15 << 10 | (bits & FRACTION) >> 13 : sign | (bits & FRACTION | ONE) >> Math.min(-1 - exponent, 31);
    }
}
