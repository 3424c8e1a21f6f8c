package io.ptx4j.jit.support;

/**
 * {@code .ftz} on f32 results. A result is flushed when the exact result is tiny, also if rounding carries it up to the least normal
 * number ({@code docs/numerics.md}, Subnormal numbers), so products, quotients and fused sums need more than {@link #ftz}; sums, roots
 * and everything rounded towards zero do not. Sources are flushed by the caller.
 */
public final class FlushF32 {
    private FlushF32() {}

    /** A subnormal number becomes a zero of its sign. */
    public static float ftz(float a) {
        return Math.abs(a) < Float.MIN_NORMAL ? Float.intBitsToFloat(Float.floatToRawIntBits(a) & Integer.MIN_VALUE) : a;
    }

    /** {@code mul.rn.ftz.f32}. */
    public static float mulRnFtzF32(float a, float b) {
        float result = a * b;
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.mulRzF32(a, b));
    }

    /** {@code mul.rm.ftz.f32}. */
    public static float mulRmFtzF32(float a, float b) {
        float result = RoundingF32.mulRmF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.mulRzF32(a, b));
    }

    /** {@code mul.rp.ftz.f32}. */
    public static float mulRpFtzF32(float a, float b) {
        float result = RoundingF32.mulRpF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.mulRzF32(a, b));
    }

    /** {@code fma.rn.ftz.f32}. */
    public static float fmaRnFtzF32(float a, float b, float c) {
        float result = Math.fma(a, b, c);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.fmaRzF32(a, b, c));
    }

    /** {@code fma.rm.ftz.f32}. */
    public static float fmaRmFtzF32(float a, float b, float c) {
        float result = RoundingF32.fmaRmF32(a, b, c);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.fmaRzF32(a, b, c));
    }

    /** {@code fma.rp.ftz.f32}. */
    public static float fmaRpFtzF32(float a, float b, float c) {
        float result = RoundingF32.fmaRpF32(a, b, c);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.fmaRzF32(a, b, c));
    }

    /** {@code div.rn.ftz.f32}; {@code rcp.rn.ftz.f32} is 1 / b. */
    public static float divRnFtzF32(float a, float b) {
        float result = a / b;
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.divRzF32(a, b));
    }

    /** {@code div.rm.ftz.f32}; {@code rcp.rm.ftz.f32} is 1 / b. */
    public static float divRmFtzF32(float a, float b) {
        float result = RoundingF32.divRmF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.divRzF32(a, b));
    }

    /** {@code div.rp.ftz.f32}; {@code rcp.rp.ftz.f32} is 1 / b. */
    public static float divRpFtzF32(float a, float b) {
        float result = RoundingF32.divRpF32(a, b);
        return Math.abs(result) > Float.MIN_NORMAL ? result : flush(result, RoundingF32.divRzF32(a, b));
    }

    /** The result, or zero if the same result rounded towards zero is subnormal. */
    private static float flush(float result, float towardsZero) {
        return Math.abs(towardsZero) < Float.MIN_NORMAL
                ? Float.intBitsToFloat(Float.floatToRawIntBits(result) & Integer.MIN_VALUE)
                : Canonical.canonical(result);
    }
}
