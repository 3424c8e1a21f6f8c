package io.ptx4j.engine;

/** Barriers of warpgroups, four warps each, at {@code wgmma.wait_group}: they are numbered behind those of the block that a program names. */
public final class WarpgroupBarriers {
    /** Threads of a warpgroup. */
    public static final int THREADS = 128;
    /** Barriers that a program names. */
    public static final int NAMED = 16;
    /** All, of blocks of up to 1,024 threads. */
    public static final int ALL = NAMED + 1024 / THREADS;

    private WarpgroupBarriers() {
    }

    /** The barrier of the warpgroup of a thread. */
    public static int number(int thread) {
        return NAMED + thread / THREADS;
    }

    /** Threads of that warpgroup in a block, in whole warps. */
    public static int threads(int ofBlock, int thread) {
        int first = thread / THREADS * THREADS;
        return (Math.min(THREADS, ofBlock - first) + 31) / 32 * 32;
    }
}
