package io.ptx4j.runtime;

import java.io.Serializable;

/**
 * Three counts or indices: of blocks in a grid, of threads in a block (manual: "Thread Hierarchy"). {@code x} runs fastest.
 */
public record Dim3(int x, int y, int z) implements Serializable {
    public long count() {
        return (long) x * y * z;
    }

    /** The indices of element {@code linear} in an arrangement of this size. */
    public Dim3 at(long linear) {
        return new Dim3((int) (linear % x), (int) (linear / x % y), (int) (linear / ((long) x * y)));
    }

    @Override
    public String toString() {
        return "(" + x + "," + y + "," + z + ")";
    }
}
