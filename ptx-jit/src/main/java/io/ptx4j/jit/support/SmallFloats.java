package io.ptx4j.jit.support;

/**
 * Conversions to floating-point types of at most 16 bits and to tf32 (manual: "cvt", "Alternate Floating-Point Data Formats").
 *
 * <p>A source is a double: all of f16, f32 and 32-bit integers are, and {@link #odd} keeps of a 64-bit integer what rounding needs.
 * It is rounded once, by adding and taking away a number so large that only multiples of the destination's least step remain.
 * {@code .sat}, {@code .relu} and {@code .satfinite} clamp the source before: they commute with rounding.
 */
public final class SmallFloats {
    private static final double F16_LEAST = 0x1p-14;
    private static final double F16_STEP = 0x1p-10;
    private static final double F16_GREATEST = 65504;
    private static final double BF16_LEAST = 0x1p-126;
    private static final double BF16_STEP = 0x1p-7;
    private static final double BF16_GREATEST = 0x1.fep127;
    /** Beyond every format here. */
    private static final double HUGE = 0x1p130;
    private static final int TF32_GREATEST = 0x7f7f_e000;
    private static final int TF32_NAN = 0x7fff_e000;

    private SmallFloats() {}

    // Sources

    /** An f16 as a float. */
    public static float fromF16(int bits) {
        return Float.float16ToFloat((short) bits);
    }

    /** {@code .relu}: what is not above zero becomes +0; NaN stays. */
    public static double relu(double a) {
        return a <= 0 ? 0 : a;
    }

    /** {@code .satfinite}; NaN stays. */
    public static double clamp(double a, double greatest) {
        return clamp(a, -greatest, greatest);
    }

    private static double clamp(double a, double least, double greatest) {
        return Math.max(least, Math.min(a, greatest));
    }

    /** A double that rounds to any type here as the signed integer does. */
    public static double odd(long a) {
        return a < 0 ? -oddUnsigned(-a) : oddUnsigned(a);
    }

    /** A double that rounds to any type here as the unsigned integer does: bits that do not fit leave a trace in the last one. */
    public static double oddUnsigned(long a) {
        return a >>> 53 == 0 ? a : (double) (a >>> 11 | ((a & 0x7ff) + 0x7ff) >>> 11) * 0x1p11;
    }

    // To f16

    /** {@code cvt.rn.f16.f32}. */
    public static int f16Rn(float a) {
        return a == a ? Float.floatToFloat16(a) & 0xffff : Canonical.HALF;
    }

    /** {@code cvt.rn.f16}. */
    public static int f16Rn(double a) {
        double x = clamp(a, HUGE);
        return f16(nearest(x, step(x, F16_LEAST, F16_STEP)), a);
    }

    /** {@code cvt.rz.f16}. */
    public static int f16Rz(double a) {
        double x = clamp(notAbove(notBelow(a, -F16_GREATEST), F16_GREATEST), HUGE);
        return f16(towardsZero(x, step(x, F16_LEAST, F16_STEP)), a);
    }

    /** {@code cvt.rm.f16}. */
    public static int f16Rm(double a) {
        double x = clamp(notAbove(a, F16_GREATEST), HUGE);
        return f16(down(x, step(x, F16_LEAST, F16_STEP)), a);
    }

    /** {@code cvt.rp.f16}. */
    public static int f16Rp(double a) {
        double x = clamp(notBelow(a, -F16_GREATEST), HUGE);
        return f16(-down(-x, step(x, F16_LEAST, F16_STEP)), a);
    }

    /** The f16 NaN that a conversion of an f64 NaN gives: its sign and leading payload bits, quiet. */
    public static int f16Nan(int converted, double a) {
        long bits = Double.doubleToRawLongBits(a);
        return a == a ? converted : (int) (bits >>> 48) & 0x8000 | 0x7e00 | (int) (bits >>> 42) & 0x3ff;
    }

    private static int f16(double rounded, double a) {
        return a == a ? sign(a, 0x8000) | Float.floatToFloat16((float) Math.abs(rounded)) & 0x7fff : Canonical.HALF;
    }

    // To bf16

    /** {@code cvt.rn.bf16.f32}. */
    public static int bf16Rn(float a) {
        int bits = Float.floatToRawIntBits(a);
        return a == a ? bits + 0x7fff + (bits >>> 16 & 1) >>> 16 : Canonical.HALF;
    }

    /** {@code cvt.rz.bf16.f32}. */
    public static int bf16Rz(float a) {
        return a == a ? Float.floatToRawIntBits(a) >>> 16 : Canonical.HALF;
    }

    /** {@code cvt.rn.bf16}. */
    public static int bf16Rn(double a) {
        double x = clamp(a, HUGE);
        return bf16(nearest(x, step(x, BF16_LEAST, BF16_STEP)), a);
    }

    /** {@code cvt.rz.bf16}. */
    public static int bf16Rz(double a) {
        double x = clamp(notAbove(notBelow(a, -BF16_GREATEST), BF16_GREATEST), HUGE);
        return bf16(towardsZero(x, step(x, BF16_LEAST, BF16_STEP)), a);
    }

    /** {@code cvt.rm.bf16}. */
    public static int bf16Rm(double a) {
        double x = clamp(notAbove(a, BF16_GREATEST), HUGE);
        return bf16(down(x, step(x, BF16_LEAST, BF16_STEP)), a);
    }

    /** {@code cvt.rp.bf16}. */
    public static int bf16Rp(double a) {
        double x = clamp(notBelow(a, -BF16_GREATEST), HUGE);
        return bf16(-down(-x, step(x, BF16_LEAST, BF16_STEP)), a);
    }

    /** The bf16 NaN that a conversion of an f64 NaN gives: its sign and leading payload bits, quiet. */
    public static int bf16Nan(int converted, double a) {
        long bits = Double.doubleToRawLongBits(a);
        return a == a ? converted : (int) (bits >>> 48) & 0x8000 | 0x7fc0 | (int) (bits >>> 45) & 0x7f;
    }

    private static int bf16(double rounded, double a) {
        return a == a ? sign(a, 0x8000) | Float.floatToRawIntBits((float) Math.abs(rounded)) >>> 16 : Canonical.HALF;
    }

    // To tf32

    /** {@code cvt.rn.tf32.f32}. */
    public static int tf32Rn(float a) {
        int bits = Float.floatToRawIntBits(a);
        return a == a ? bits + 0xfff + (bits >>> 13 & 1) & ~0x1fff : TF32_NAN;
    }

    /** {@code cvt.rz.tf32.f32}. */
    public static int tf32Rz(float a) {
        return a == a ? Float.floatToRawIntBits(a) & ~0x1fff : TF32_NAN;
    }

    /** {@code cvt.rna.tf32.f32}: halves go away from zero; of a NaN the low bits are cleared. */
    public static int tf32Rna(float a) {
        int bits = Float.floatToRawIntBits(a);
        return (a == a ? bits + 0x1000 : bits) & ~0x1fff;
    }

    /** {@code .satfinite} on any of these; {@code relu} has been before. */
    public static int tf32Finite(int tf32) {
        return (tf32 & Integer.MAX_VALUE) == 0x7f80_0000 ? tf32 & Integer.MIN_VALUE | TF32_GREATEST : tf32;
    }

    /** {@code cvt.rna.satfinite.tf32.f32}. */
    public static int tf32RnaFinite(float a) {
        int tf32 = tf32Rna(a);
        return a == a ? tf32Finite(tf32) : tf32 - 0x2000;
    }

    // To 8 bits and fewer, always saturating

    /** To e4m3, rounded to nearest. */
    public static int e4m3Rn(double a) {
        double x = clamp(a, 448);
        return small(nearest(x, step(x, 0x1p-6, 0x1p-3)), a, 0x1p-120, 20, 0x80, 0x7f);
    }

    /** To e5m2, rounded to nearest. */
    public static int e5m2Rn(double a) {
        double x = clamp(a, 57344);
        return small(nearest(x, step(x, 0x1p-14, 0x1p-2)), a, 0x1p-112, 21, 0x80, 0x7f);
    }

    /** To e2m1, rounded to nearest. */
    public static int e2m1Rn(double a) {
        double x = clamp(a, 6);
        return small(nearest(x, step(x, 1, 0x1p-1)), a, 0x1p-126, 22, 8, 7);
    }

    /** To e2m3, rounded to nearest. */
    public static int e2m3Rn(double a) {
        double x = clamp(a, 7.5);
        return small(nearest(x, step(x, 1, 0x1p-3)), a, 0x1p-126, 20, 0x20, 0x1f);
    }

    /** To e3m2, rounded to nearest. */
    public static int e3m2Rn(double a) {
        double x = clamp(a, 28);
        return small(nearest(x, step(x, 0x1p-2, 0x1p-2)), a, 0x1p-124, 21, 0x20, 0x1f);
    }

    /**
     * The bits of a number that the type has: where f32 has the same exponent field they are f32's leading ones.
     *
     * @param scale two to the difference of the biases
     * @param dropped how many bits less the fraction has than f32's
     */
    private static int small(double rounded, double a, double scale, int dropped, int signBit, int nan) {
        return a == a ? sign(a, signBit) | Float.floatToRawIntBits((float) (Math.abs(rounded) * scale)) >>> dropped : nan;
    }

    // Stochastic rounding: random bits are added below the last bit kept, as a fraction of its step.

    /** {@code cvt.rs.f16x2.f32} of one number, with 13 random bits. */
    public static int f16Rs(double a, int random) {
        double x = clamp(a, HUGE);
        return f16(stochastic(x, step(x, F16_LEAST, F16_STEP), random * 0x1p-13), a);
    }

    /** {@code cvt.rs.bf16x2.f32} of one number, with 16 random bits. */
    public static int bf16Rs(double a, int random) {
        double x = clamp(a, HUGE);
        return bf16(stochastic(x, step(x, BF16_LEAST, BF16_STEP), random * 0x1p-16), a);
    }

    /** To e4m3 with 16 random bits. */
    public static int e4m3Rs(double a, int random) {
        double x = clamp(a, 448);
        return small(stochastic(x, step(x, 0x1p-6, 0x1p-3), random * 0x1p-16), a, 0x1p-120, 20, 0x80, 0x7f);
    }

    /** To e5m2 with 16 random bits. */
    public static int e5m2Rs(double a, int random) {
        double x = clamp(a, 57344);
        return small(stochastic(x, step(x, 0x1p-14, 0x1p-2), random * 0x1p-16), a, 0x1p-112, 21, 0x80, 0x7f);
    }

    /** To e2m1 with 16 random bits. */
    public static int e2m1Rs(double a, int random) {
        double x = clamp(a, 6);
        return small(stochastic(x, step(x, 1, 0x1p-1), random * 0x1p-16), a, 0x1p-126, 22, 8, 7);
    }

    /** To e2m3 with 16 random bits. */
    public static int e2m3Rs(double a, int random) {
        double x = clamp(a, 7.5);
        return small(stochastic(x, step(x, 1, 0x1p-3), random * 0x1p-16), a, 0x1p-126, 20, 0x20, 0x1f);
    }

    /** To e3m2 with 16 random bits. */
    public static int e3m2Rs(double a, int random) {
        double x = clamp(a, 28);
        return small(stochastic(x, step(x, 0x1p-2, 0x1p-2), random * 0x1p-16), a, 0x1p-124, 21, 0x20, 0x1f);
    }

    /** The random bits of the upper two lanes of e2m1x4: the upper bytes of both halves. */
    public static int highBytes(int random) {
        return random >>> 16 & 0xff00 | random >>> 8 & 0xff;
    }

    /** The random bits of the lower two lanes of e2m1x4. */
    public static int lowBytes(int random) {
        return random >>> 8 & 0xff00 | random & 0xff;
    }

    // ue8m0: the exponent alone

    /** {@code cvt.rz.ue8m0x2} of one number. */
    public static int ue8m0Rz(float a) {
        return Float.floatToRawIntBits(a) >>> 23 & 0xff;
    }

    /** {@code cvt.rp.ue8m0x2} of one number. */
    public static int ue8m0Rp(float a) {
        int bits = Float.floatToRawIntBits(a) & Integer.MAX_VALUE;
        return bits > 0x7f00_0000 ? 0xff : bits <= 0x40_0000 ? 0 : bits + 0x7f_ffff >>> 23;
    }

    /** {@code .satfinite} on either. */
    public static int ue8m0Finite(int converted, float a) {
        return a == a ? Math.min(converted, 0xfe) : 0xff;
    }

    /** {@code cvt.rn.bf16x2.ue8m0x2} of one number. */
    public static int ue8m0ToBf16(int code) {
        return code == 0xff ? Canonical.HALF : code == 0 ? 0x40 : code << 7;
    }

    // s2f6: a signed byte times 2^-6, scaled by powers of two

    /** {@code cvt.rn.satfinite.s2f6x2} of one number, divided by the ue8m0 number {@code scale}. NaN gives the greatest number. */
    public static int s2f6Rn(double a, int scale) {
        double steps = Math.rint(a * 64 / power(scale));
        return steps != steps ? 0x7f : (int) clamp(steps, -128, 127) & 0xff;
    }

    /** {@code cvt.rn.bf16x2.s2f6x2} of one number, multiplied by the ue8m0 number {@code scale}; only -2 times 2^127 does not fit. */
    public static int s2f6ToBf16(int code, int scale) {
        double product = (byte) code * 0x1p-6 * power(scale);
        return product != product ? Canonical.HALF : Float.floatToRawIntBits((float) product) >>> 16;
    }

    /** {@code .satfinite} on a bf16. */
    public static int bf16Finite(int bits) {
        return (bits & 0x7fff) == 0x7f80 ? bits - 1 : bits;
    }

    private static double power(int scale) {
        return scale == 0xff ? Double.NaN : Double.longBitsToDouble((long) (scale - 127 + 1023) << 52);
    }

    // From 8 bits and fewer, to f16

    /** {@code cvt.rn.f16x2.e4m3x2} of one number. */
    public static int e4m3ToF16(int code) {
        return (code & 0x7f) == 0x7f ? Canonical.HALF : (code & 0x80) << 8 | wider(code & 0x7f, 20, 0x1p120f);
    }

    /** {@code cvt.rn.f16x2.e5m2x2} of one number: f16 without eight bits. */
    public static int e5m2ToF16(int code) {
        return (code & 0x7f) > 0x7c ? Canonical.HALF : code << 8 & 0xffff;
    }

    /** {@code cvt.rn.f16x2.e2m1x2} of one number. */
    public static int e2m1ToF16(int code) {
        return (code & 8) << 12 | wider(code & 7, 22, 0x1p126f);
    }

    /** {@code cvt.rn.f16x2.e2m3x2} of one number. */
    public static int e2m3ToF16(int code) {
        return (code & 0x20) << 10 | wider(code & 0x1f, 20, 0x1p126f);
    }

    /** {@code cvt.rn.f16x2.e3m2x2} of one number. */
    public static int e3m2ToF16(int code) {
        return (code & 0x20) << 10 | wider(code & 0x1f, 21, 0x1p124f);
    }

    private static int wider(int magnitude, int dropped, float scale) {
        return Float.floatToFloat16(Float.intBitsToFloat(magnitude << dropped) * scale);
    }

    // The same to bf16, the upper half of an f32

    /** {@code cvt.rn.bf16x2.e4m3x2} of one number. */
    public static int e4m3ToBf16(int code) {
        return (code & 0x7f) == 0x7f ? Canonical.HALF : (code & 0x80) << 8 | upper(code & 0x7f, 20, 0x1p120f);
    }

    /** {@code cvt.rn.bf16x2.e5m2x2} of one number. */
    public static int e5m2ToBf16(int code) {
        int magnitude = code & 0x7f;
        return magnitude > 0x7c ? Canonical.HALF : (code & 0x80) << 8 | (magnitude == 0x7c ? 0x7f80 : upper(magnitude, 21, 0x1p112f));
    }

    /** {@code cvt.rn.bf16x2.e2m1x2} of one number. */
    public static int e2m1ToBf16(int code) {
        return (code & 8) << 12 | upper(code & 7, 22, 0x1p126f);
    }

    /** {@code cvt.rn.bf16x2.e2m3x2} of one number. */
    public static int e2m3ToBf16(int code) {
        return (code & 0x20) << 10 | upper(code & 0x1f, 20, 0x1p126f);
    }

    /** {@code cvt.rn.bf16x2.e3m2x2} of one number. */
    public static int e3m2ToBf16(int code) {
        return (code & 0x20) << 10 | upper(code & 0x1f, 21, 0x1p124f);
    }

    private static int upper(int magnitude, int dropped, float scale) {
        return Float.floatToRawIntBits(Float.intBitsToFloat(magnitude << dropped) * scale) >>> 16;
    }

    /** A bf16 multiplied by the ue8m0 number {@code scale}. */
    public static int bf16Scaled(int bits, int scale) {
        double product = (double) Float.intBitsToFloat(bits << 16) * power(scale);
        return product != product ? Canonical.HALF : bf16Rn(product);
    }

    /** {@code .relu} on an f16 or bf16: what has its sign set becomes +0. NaN has none here. */
    public static int reluHalf(int bits) {
        return (bits & 0x8000) != 0 ? 0 : bits;
    }

    // Rounding

    private static int sign(double a, int bit) {
        return Double.doubleToRawLongBits(a) < 0 ? bit : 0;
    }

    /** Finite numbers above {@code greatest} become that: where rounding goes down. */
    private static double notAbove(double a, double greatest) {
        return a > greatest && a <= Double.MAX_VALUE ? greatest : a;
    }

    private static double notBelow(double a, double least) {
        return a < least && a >= -Double.MAX_VALUE ? least : a;
    }

    /**
     * The distance of a's neighbours in a type.
     *
     * @param least the least normal number
     * @param fraction the distance of the neighbours of 1
     */
    private static double step(double a, double least, double fraction) {
        return Math.max(Double.longBitsToDouble(Double.doubleToRawLongBits(a) & 0x7ff0_0000_0000_0000L), least) * fraction;
    }

    private static double nearest(double a, double step) {
        double large = step * 0x1.8p52;
        return (a + large) - large;
    }

    private static double towardsZero(double a, double step) {
        double rounded = nearest(a, step);
        return Math.abs(rounded) > Math.abs(a) ? rounded - Math.copySign(step, a) : rounded;
    }

    private static double down(double a, double step) {
        double rounded = nearest(a, step);
        return rounded > a ? rounded - step : rounded;
    }

    private static double stochastic(double a, double step, double random) {
        return Math.floor(Math.abs(a) / step + random) * step;
    }
}
