package io.ptx4j.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What a tensor map says about copies of pixels (manual: "im2col mode"): the dimensions are channels, then one to three of W, H and
 * D, then images; a copy moves the channels of one pixel after the other, within a box of W, H and D, and then of the next image.
 *
 * @param lower where the box begins in W, H and D, from the first pixel on; negative before it
 * @param upper where it ends, that pixel included, from the last pixel on; negative before it
 * @param channels elements of a pixel that are moved, 1 to 256
 * @param count pixels that are moved, 1 to 1024
 * @param wide whether they go along W and images alone (manual: "im2col::w and im2col::w::128 modes")
 */
public record TensorPixels(int[] lower, int[] upper, int channels, int count, boolean wide) {
    public static final int MOST_CHANNELS = 256;
    public static final int MOST_PIXELS = 1024;
    /** Swizzles of fewer bytes are not for copies along W. */
    public static final int LEAST_WIDE_SWIZZLE = 2;
    private static final int SPACE = 3;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** What the map at {@code at} has; null for a map of tiles. */
    static TensorPixels read(MemorySegment memory, long at) {
        int kind = memory.get(ValueLayout.JAVA_BYTE, at + 106);
        if (kind == 0) {
            return null;
        }
        int[] lower = new int[SPACE];
        int[] upper = new int[SPACE];
        for (int k = 0; k < SPACE; k++) {
            lower[k] = memory.get(SHORT, at + 108 + 2 * k);
            upper[k] = memory.get(SHORT, at + 114 + 2 * k);
        }
        return new TensorPixels(lower, upper, Short.toUnsignedInt(memory.get(SHORT, at + 122)),
                Short.toUnsignedInt(memory.get(SHORT, at + 120)), kind == 2);
    }

    void write(MemorySegment to) {
        to.set(ValueLayout.JAVA_BYTE, 106, (byte) (wide ? 2 : 1));
        for (int k = 0; k < lower.length; k++) {
            to.set(SHORT, 108 + 2L * k, (short) lower[k]);
            to.set(SHORT, 114 + 2L * k, (short) upper[k]);
        }
        to.set(SHORT, 120, (short) count);
        to.set(SHORT, 122, (short) channels);
    }

    boolean usable(int dimensions, int swizzle) {
        return dimensions >= 3 && channels >= 1 && channels <= MOST_CHANNELS && count >= 1 && count <= MOST_PIXELS
                && (!wide || swizzle >= LEAST_WIDE_SWIZZLE);
    }
}
