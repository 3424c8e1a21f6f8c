package io.ptx4j.jit.support;

/**
 * Pieces of {@code add}, {@code sub} and {@code fma} of f32, rounded in one direction, whose sources are known to be neither far from 1
 * nor, where it matters, of different signs. Numbers stay doubles from one instruction to the next.
 */
public final class DirectedRuns {
    /** The window: sources are at least 2 to the minus this and less than 2 to this; then sums of up to 2^6 of them are exact in f64. */
    public static final int WINDOW = 12;
    /** Bits of a double below those of a float in its normal range. */
    public static final long BELOW = 0x1fff_ffffL;
    private static final int LEAST = Float.floatToRawIntBits(0x1p-12f);
    private static final int SPAN = Float.floatToRawIntBits(0x1p12f) - LEAST;

    private DirectedRuns() {}

    /** Whether a source is in the window. */
    public static boolean fits(float source) {
        return Integer.compareUnsigned((Float.floatToRawIntBits(source) << 1) - (LEAST << 1), SPAN << 1) < 0;
    }

    /** @param sign that the source must have: the least int or 0 */
    public static boolean fits(float source, int sign) {
        return Integer.compareUnsigned((Float.floatToRawIntBits(source) ^ sign) - LEAST, SPAN) < 0;
    }

    /** Whether a sum that was rounded to f64 lies between two f32, as the exact one then does. */
    public static boolean isBetween(double sum) {
        return (Double.doubleToRawLongBits(sum) & BELOW) != 0;
    }
}
