package io.ptx4j.jit.support;

import io.ptx4j.engine.Grid;

/**
 * Loads from a kernel's parameter block, from offsets that are known to lie in it and to be aligned when code is generated. They read the launch's own copy: an access to
 * memory takes some 550 of the nodes after which HotSpot's second compiler inlines no more ({@link LinkedCalls}), an element of an array few.
 */
public final class Parameters {
    private Parameters() {
    }

    private static long word(Grid grid, long offset) {
        return grid.parameterWords[(int) (offset >> 3)] >> (offset << 3);
    }

    public static int loadI8(Grid grid, long offset) {
        return (byte) word(grid, offset);
    }

    public static int loadI16(Grid grid, long offset) {
        return (short) word(grid, offset);
    }

    public static int loadI32(Grid grid, long offset) {
        return (int) word(grid, offset);
    }

    public static long loadI64(Grid grid, long offset) {
        return grid.parameterWords[(int) (offset >> 3)];
    }

    public static float loadF32(Grid grid, long offset) {
        return Float.intBitsToFloat((int) word(grid, offset));
    }

    public static double loadF64(Grid grid, long offset) {
        return Double.longBitsToDouble(grid.parameterWords[(int) (offset >> 3)]);
    }
}
