package io.ptx4j.jit.support;

/**
 * The approximate functions ({@code docs/numerics.md}, "PortableApproximations"): every operation below rounds once, in the order defined
 * there. {@code .ftz} on sources and results is the caller's where nothing else is said.
 */
public final class PortableApproximations {
    static final float TWO_OVER_PI = Float.intBitsToFloat(0x3f22f983);
    static final float MINUS_HALF_PI_HIGH = Float.intBitsToFloat(0xbfc90fdb);
    static final float MINUS_HALF_PI_LOW = Float.intBitsToFloat(0x333bbd2e);
    static final float ROUNDER = 0x1.8p23f;
    static final int ROOT_OF_HALF = 0x3f3504f3;
    static final double GROSS_NAN = Double.longBitsToDouble(0x7fff_ffff_0000_0000L);

    private PortableApproximations() {}

    private static float f(int bits) {
        return Float.intBitsToFloat(bits);
    }

    /** {@code div.approx.f32}. */
    public static float divF32(float a, float b) {
        return isFar(b) ? far(a, b) : Canonical.canonical(a / b);
    }

    /** {@code div.approx.ftz.f32}, of flushed sources. */
    public static float divFtzF32(float a, float b) {
        return isFar(b) ? far(a, b) : FlushF32.divRnFtzF32(a, b);
    }

    private static boolean isFar(float b) {
        return Math.abs(b) > 0x1p126f && Math.abs(b) <= Float.MAX_VALUE;
    }

    /** The quotient by a number beyond 2^126: NaN or a zero of the quotient's sign. */
    private static float far(float a, float b) {
        return Canonical.canonical(a * Math.copySign(0f, b));
    }

    /** {@code ex2.approx.f32}. */
    public static float ex2F32(float a) {
        float x = Math.min(Math.max(a, -152f), 129f);
        float n = (x + ROUNDER) - ROUNDER;
        float f = x - n;
        float p = Math.fma(f, f(0x3920bd2e), f(0x3aaf84a3));
        p = Math.fma(f, p, f(0x3c1d96e9));
        p = Math.fma(f, p, f(0x3d6357bd));
        p = Math.fma(f, p, f(0x3e75fdee));
        p = Math.fma(f, p, f(0x3f317218));
        p = Math.fma(f, p, 1f);
        int whole = (int) n;
        int half = whole >> 1;
        float result = p * f(half + 127 << 23) * f(whole - half + 127 << 23);
        return Canonical.canonical(result);
    }

    /** {@code lg2.approx.f32}. */
    public static float lg2F32(float a) {
        if (!(a > 0 && a <= Float.MAX_VALUE)) {
            return a == 0 ? Float.NEGATIVE_INFINITY : a > 0 ? a : Canonical.F32;
        }
        boolean subnormal = a < Float.MIN_NORMAL;
        int bits = Float.floatToRawIntBits(subnormal ? a * 0x1p24f : a);
        int e = bits - ROOT_OF_HALF >> 23;
        float f = f(bits - (e << 23)) - 1f;
        float p = Math.fma(f, f(0x3e00d04a), f(0xbe53bcd2));
        p = Math.fma(f, p, f(0x3e5caa2d));
        p = Math.fma(f, p, f(0xbe74c0df));
        p = Math.fma(f, p, f(0x3e936e81));
        p = Math.fma(f, p, f(0xbeb8adbc));
        p = Math.fma(f, p, f(0x3ef639b4));
        p = Math.fma(f, p, f(0xbf38aa39));
        p = Math.fma(f, p, f(0x3fb8aa3b));
        return Math.fma(f, p, (float) (subnormal ? e - 24 : e));
    }

    /** {@code sin.approx.f32}. */
    public static float sinF32(float a) {
        float magnitude = sine(Math.abs(a), 0);
        return magnitude == magnitude ? f(Float.floatToRawIntBits(magnitude) ^ Float.floatToRawIntBits(a) & Integer.MIN_VALUE) : magnitude;
    }

    /** {@code cos.approx.f32}. */
    public static float cosF32(float a) {
        return sine(Math.abs(a), 1);
    }

    /** The sine of an angle that is not negative, {@code quarters} quarter turns further. */
    private static float sine(float a, int quarters) {
        if (!(a <= Float.MAX_VALUE)) {
            return Canonical.F32;
        }
        float near = a <= 0x1p22f ? a : 0f;
        float n = (near * TWO_OVER_PI + ROUNDER) - ROUNDER;
        float r = Math.fma(n, MINUS_HALF_PI_LOW, Math.fma(n, MINUS_HALF_PI_HIGH, near));
        int q = (int) n + quarters;
        float s = r * r;
        float w;
        if ((q & 1) == 0) {
            w = Math.fma(s, Math.fma(s, f(0xb94caae6), f(0x3c0883be)), f(0xbe2aaaa3));
            w = r * Math.fma(s, w, 1f);
        } else {
            w = Math.fma(s, Math.fma(s, f(0xbab23c12), f(0x3d2a9fd5)), f(0xbeffffdd));
            w = Math.fma(s, w, 1f);
        }
        return f(Float.floatToRawIntBits(w) ^ (q & 2) << 30);
    }

    /** {@code tanh.approx.f32}. */
    public static float tanhF32(float a) {
        if (Math.abs(a) >= 6f) {
            return Math.copySign(1f, a);
        }
        float s = a * a;
        float above = Math.fma(s, Math.fma(s, f(0x3ac79a4f), f(0x3deb7c9a)), 1f);
        float below = Math.fma(s, f(0x386e03ee), f(0x3c90b537));
        below = Math.fma(s, Math.fma(s, below, f(0x3ee58552)), 1f);
        return Canonical.canonical(a * above / below);
    }

    /** {@code rcp.approx.ftz.f64}: from the upper word of the source to the upper word of the result. */
    public static double rcpFtzF64(double a) {
        double h = cut(a);
        return h == h ? upper(1 / h) : GROSS_NAN;
    }

    /** {@code rsqrt.approx.ftz.f64}. */
    public static double rsqrtFtzF64(double a) {
        double h = cut(a);
        if (!(h >= 0)) {
            return GROSS_NAN;
        }
        return upper(1 / Math.sqrt(h));
    }

    /** A source flushed and without its lower word. */
    private static double cut(double a) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(ftz(a)) & -1L << 32);
    }

    /** A result flushed and rounded to its upper word. */
    private static double upper(double y) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(ftz(y)) + 0x8000_0000L & -1L << 32);
    }

    private static double ftz(double a) {
        return Math.abs(a) < Double.MIN_NORMAL ? Math.copySign(0d, a) : a;
    }
}
