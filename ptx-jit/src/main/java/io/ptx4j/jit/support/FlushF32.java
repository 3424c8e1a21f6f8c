package io.ptx4j.jit.support;

/**
 * {@code .ftz} on f32 results. A result is flushed when it is tiny rounded with unbounded exponent ({@code docs/numerics.md}, Subnormal numbers): then
 * it has one more bit than subnormal numbers have, and may be less than the least normal number that it becomes without {@code .ftz}. So products, quotients
 * and fused sums need more than {@link #ftz}; sums, roots and everything rounded towards zero do not. Sources are flushed by the caller.
 */
public final class FlushF32 {
    /** What lies below is less than the least normal number when it is rounded to nearest with unbounded exponent. */
    static final double TINY = 0x1p-126 - 0x1p-151;

    /** Lifts numbers around the least normal one so far that all their bits have room. */
    private static final float SCALE = 0x1p30f;

    private FlushF32() {}

    /** A subnormal number becomes a zero of its sign. */
    public static float ftz(float a) {
        return Math.abs(a) < Float.MIN_NORMAL ? Float.intBitsToFloat(Float.floatToRawIntBits(a) & Integer.MIN_VALUE) : a;
    }

    /** {@code mul.rn.ftz.f32}. */
    public static float mulRnFtzF32(float a, float b) {
        float result = a * b;
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, a * SCALE * b);
    }

    /** {@code mul.rm.ftz.f32}. */
    public static float mulRmFtzF32(float a, float b) {
        float result = RoundingF32.mulRmF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.mulRmF32(a * SCALE, b));
    }

    /** {@code mul.rp.ftz.f32}. */
    public static float mulRpFtzF32(float a, float b) {
        float result = RoundingF32.mulRpF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.mulRpF32(a * SCALE, b));
    }

    /** {@code fma.rn.ftz.f32}. */
    public static float fmaRnFtzF32(float a, float b, float c) {
        float result = Math.fma(a, b, c);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, Math.fma(less(a, b) * SCALE, greater(a, b), c * SCALE));
    }

    /** {@code fma.rm.ftz.f32}. */
    public static float fmaRmFtzF32(float a, float b, float c) {
        float result = RoundingF32.fmaRmF32(a, b, c);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.fmaRmF32(less(a, b) * SCALE, greater(a, b), c * SCALE));
    }

    /** {@code fma.rp.ftz.f32}. */
    public static float fmaRpFtzF32(float a, float b, float c) {
        float result = RoundingF32.fmaRpF32(a, b, c);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.fmaRpF32(less(a, b) * SCALE, greater(a, b), c * SCALE));
    }

    /** {@code div.rn.ftz.f32}; {@code rcp.rn.ftz.f32} is 1 / b. */
    public static float divRnFtzF32(float a, float b) {
        float result = a / b;
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, a * SCALE / b);
    }

    /** {@code div.rm.ftz.f32}; {@code rcp.rm.ftz.f32} is 1 / b. */
    public static float divRmFtzF32(float a, float b) {
        float result = RoundingF32.divRmF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.divRmF32(a * SCALE, b));
    }

    /** {@code div.rp.ftz.f32}; {@code rcp.rp.ftz.f32} is 1 / b. */
    public static float divRpFtzF32(float a, float b) {
        float result = RoundingF32.divRpF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.divRpF32(a * SCALE, b));
    }

    /** The factor of a small product that there is room to lift. */
    private static float less(float a, float b) {
        return Math.abs(a) < Math.abs(b) ? a : b;
    }

    private static float greater(float a, float b) {
        return Math.abs(a) < Math.abs(b) ? b : a;
    }

    /** The result, or zero if it is tiny; {@code scaled} is it with unbounded exponent, times {@link #SCALE}. */
    private static float flush(float result, float scaled) {
        return Math.abs(scaled) < Float.MIN_NORMAL * SCALE
                ? Float.intBitsToFloat(Float.floatToRawIntBits(result) & Integer.MIN_VALUE)
                : Canonical.canonical(result);
    }
}
