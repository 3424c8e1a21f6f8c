package io.ptx4j.jit.support;

/**
 * The NaN that an instruction gives ({@code docs/numerics.md}, NaN results). The JVM leaves open which NaN its own arithmetic gives,
 * so every f32, f16, bf16 and f64 result that may be NaN passes through here.
 */
public final class Canonical {
    /** The only NaN of f32 arithmetic. */
    public static final float F32 = Float.intBitsToFloat(0x7fffffff);

    /** The NaN of f64 arithmetic on sources that are numbers. */
    public static final double F64 = Double.longBitsToDouble(0xfff8_0000_0000_0000L);

    /** The NaN of f16 and of bf16. */
    public static final int HALF = 0x7fff;

    /**
     * Whether the processor passes on the only NaN among the sources of a sum, quieted, and gives {@link #F64} where there is none, in every
     * compiler of the JVM: x86-64 does, with fused sums in hardware. Which of two NaNs it takes depends on the order in which a compiler
     * writes them.
     */
    public static final boolean PASSES_ON_NAN = "amd64".equals(System.getProperty("os.arch"))
            && Double.doubleToRawLongBits(Math.fma(Double.longBitsToDouble(0xfff0_0000_0000_0123L), 1, 1)) == 0xfff8_0000_0000_0123L;

    private Canonical() {}

    /** An f32 result: any NaN becomes 7fffffff. */
    public static float canonical(float result) {
        return result == result ? result : F32;
    }

    /** The result of an f64 instruction with one source. */
    public static double canonical(double result, double a) {
        return result == result ? result : nan(a);
    }

    /** The result of an f64 instruction with two sources; for {@code sub} b is the source before its sign is inverted. */
    public static double canonical(double result, double a, double b) {
        return result == result ? result : nan(a, b);
    }

    /** The result of {@code fma.f64} and {@code mad.f64}. */
    public static double canonical(double result, double a, double b, double c) {
        return result == result ? result : nan(a, b, c);
    }

    /** {@code add.rn.f64} where {@link #PASSES_ON_NAN} and only a changes often: nothing is asked of it. */
    public static double addFirstF64(double a, double b) {
        return b == b ? a + b : quiet(b);
    }

    /** The same, where only b changes often. */
    public static double addSecondF64(double a, double b) {
        return a == a ? a + b : nan(a, b);
    }

    /** {@code sub.rn.f64}, as {@link #addFirstF64}: a NaN keeps its sign. */
    public static double subFirstF64(double a, double b) {
        return b == b ? a - b : quiet(b);
    }

    /** The same, where only b changes often. */
    public static double subSecondF64(double a, double b) {
        return a == a ? a - b : nan(a, b);
    }

    /**
     * {@code mul.rn.f64}, as {@link #addFirstF64}. Compilers make of a product with one its other source, whose quiet bit may be missing: so a
     * factor of which they know that is looked at with the result.
     */
    public static double mulFirstF64(double a, double b) {
        return b == b && Math.abs(b) != 1 ? a * b : canonical(a * b, a, b);
    }

    /** The same, where only b changes often. */
    public static double mulSecondF64(double a, double b) {
        return a == a && Math.abs(a) != 1 ? a * b : canonical(a * b, a, b);
    }

    /** {@code fma.rn.f64}, as {@link #addFirstF64}, where only a changes often. */
    public static double fmaFirstF64(double a, double b, double c) {
        return b == b && c == c ? Math.fma(a, b, c) : nan(a, b, c);
    }

    /** The same, where only b changes often. */
    public static double fmaSecondF64(double a, double b, double c) {
        return a == a && c == c ? Math.fma(a, b, c) : nan(a, b, c);
    }

    /** The same, where only c changes often. */
    public static double fmaThirdF64(double a, double b, double c) {
        return a == a && b == b ? Math.fma(a, b, c) : nan(a, b, c);
    }

    /** Whether a source is not NaN. */
    public static boolean isNumber(double source) {
        return source == source;
    }

    /** That of b, else that of c, else that of a. */
    private static double nan(double a, double b, double c) {
        return b == b ? nan(a, c) : quiet(b);
    }

    private static double nan(double a) {
        return a == a ? F64 : quiet(a);
    }

    /** That of b, else that of a. */
    private static double nan(double a, double b) {
        return b == b ? nan(a) : quiet(b);
    }

    /** A NaN with its quiet bit set, payload and sign kept: {@code abs.f64}, {@code neg.f64} and conversions of a NaN to f64. */
    public static double quiet(double nan) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(nan) | 0x0008_0000_0000_0000L);
    }
}
