package io.ptx4j.jit.support;

/**
 * {@code cvt} between f32, f64 and integers (manual: "cvt"). Floating-point values come to integers as doubles that are integral
 * already, or that {@code .rzi} rounds by the way; every f32 and f16 is a double.
 */
public final class Conversions {
    private Conversions() {}

    // To integers: clamped to the range of the type. NaN gives 0 but where the method says otherwise.

    /** To u32. */
    public static int toU32(double a) {
        return (int) Math.max(0, Math.min((long) a, 0xffff_ffffL));
    }

    /** To s64; NaN gives the least number. */
    public static long toS64(double a) {
        return a == a ? (long) a : Long.MIN_VALUE;
    }

    /** To u64; NaN gives 2^63. */
    public static long toU64(double a) {
        if (a < 0x1p63) {
            return Math.max(0, (long) a);
        }
        return a < 0x1p64 ? (long) (a - 0x1p63) ^ Long.MIN_VALUE : a == a ? -1 : Long.MIN_VALUE;
    }

    /** What an integer of {@code bits} bits becomes that was converted from an f64 {@code a}: of NaN only the highest bit is set. */
    public static int orHighestBit(int converted, double a, int highest) {
        return a == a ? converted : highest;
    }

    /** An unsigned integer clamped to {@code greatest}. */
    public static long clampUnsigned(long a, long greatest) {
        return Long.compareUnsigned(a, greatest) > 0 ? greatest : a;
    }

    // From integers of 64 bits

    /** {@code cvt.rn.f32.u64}. */
    public static float fromU64RnF32(long a) {
        return a >= 0 ? (float) a : (float) (a >>> 1 | a & 1) * 2;
    }

    /** {@code cvt.rn.f64.u64}. */
    public static double fromU64RnF64(long a) {
        return a >= 0 ? (double) a : (double) (a >>> 1 | a & 1) * 2;
    }

    // Between f32 and f64: a NaN keeps its sign and the payload bits that both have, and becomes quiet.

    /** {@code cvt.f64.f32}. */
    public static double widen(float a) {
        return a == a ? a : wideNan(Float.floatToRawIntBits(a));
    }

    private static double wideNan(int bits) {
        long sign = (long) bits << 32 & Long.MIN_VALUE;
        return Double.longBitsToDouble(sign | 0x7ff8_0000_0000_0000L | (bits & 0x7f_ffffL) << 29);
    }

    /** {@code cvt.rn.f32.f64}. */
    public static float narrowRn(double a) {
        return a == a ? (float) a : narrowNan(a);
    }

    /** {@code cvt.rz.f32.f64}. */
    public static float narrowRz(double a) {
        return a == a ? RoundingF32.roundRzF32(a) : narrowNan(a);
    }

    /** {@code cvt.rm.f32.f64}. */
    public static float narrowRm(double a) {
        return a == a ? RoundingF32.roundRmF32(a) : narrowNan(a);
    }

    /** {@code cvt.rp.f32.f64}. */
    public static float narrowRp(double a) {
        return a == a ? RoundingF32.roundRpF32(a) : narrowNan(a);
    }

    private static float narrowNan(double a) {
        long bits = Double.doubleToRawLongBits(a);
        return Float.intBitsToFloat((int) (bits >>> 32) & Integer.MIN_VALUE | 0x7fc0_0000 | (int) (bits >>> 29) & 0x7f_ffff);
    }

    // Sources that .ftz makes zero: tiny means below 2^-126 after rounding to 24 bits with unbounded exponent.

    /** The source of {@code cvt.rn.ftz.f32.f64}. */
    public static double flushRn(double a) {
        return Math.abs(a) < 0x1p-126 - 0x1p-151 ? zeroLike(a) : a;
    }

    /** The source of {@code cvt.rz.ftz.f32.f64}. */
    public static double flushRz(double a) {
        return Math.abs(a) < 0x1p-126 ? zeroLike(a) : a;
    }

    /** The source of {@code cvt.rm.ftz.f32.f64}. */
    public static double flushRm(double a) {
        return a < 0x1p-126 && a >= -(0x1p-126 - 0x1p-150) ? zeroLike(a) : a;
    }

    /** The source of {@code cvt.rp.ftz.f32.f64}. */
    public static double flushRp(double a) {
        return a > -0x1p-126 && a <= 0x1p-126 - 0x1p-150 ? zeroLike(a) : a;
    }

    private static double zeroLike(double a) {
        return Math.copySign(0d, a);
    }
}
