package io.ptx4j.engine;

/** Threads of a block in each dimension; what compiled code is specialised on. */
public record BlockShape(int x, int y, int z) {
    public static final int WARP = 32;
    /** The most threads of a block, on all targets. */
    public static final int MOST_THREADS = 1024;

    public int threads() {
        return x * y * z;
    }

    public int warps() {
        return (threads() + WARP - 1) / WARP;
    }

    @Override
    public String toString() {
        return "(" + x + "," + y + "," + z + ")";
    }
}
