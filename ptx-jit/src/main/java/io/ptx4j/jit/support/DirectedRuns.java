package io.ptx4j.jit.support;

/**
 * Pieces of {@code add}, {@code sub} and {@code fma} of f32, rounded in one direction, whose sources are known to be neither far from 1
 * nor, where it matters, of different signs. Numbers stay doubles from one instruction to the next; each is exactly an f32.
 */
public final class DirectedRuns {
    /** The window: sources are at least 2 to the minus this and less than 2 to this; then sums of up to 2^6 of them are exact in f64. */
    public static final int WINDOW = 12;
    /** Bits of a double below those of a float in its normal range. */
    private static final long BELOW = 0x1fff_ffffL;
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

    /** The sign of a source as {@link #fits(float, int)} wants it. */
    public static int sign(float source) {
        return Float.floatToRawIntBits(source) & Integer.MIN_VALUE;
    }

    /** What {@link #cut(double, long)} adds where magnitudes go up if numbers have this sign. */
    public static long up(int sign) {
        return sign >> 31 & BELOW;
    }

    /** The f32 next to a number on the way to zero, or itself. */
    public static double cut(double number) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) & ~BELOW);
    }

    /** The f32 next to a number in the direction of which {@link #up} was asked, or itself. */
    public static double cut(double number, long up) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) + up & ~BELOW);
    }

    /** Whether a sum that was rounded to f64 lies between two f32, as the exact one then does. */
    public static boolean isBetween(double sum) {
        return (Double.doubleToRawLongBits(sum) & BELOW) != 0;
    }
}
