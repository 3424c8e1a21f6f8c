package io.ptx4j.engine.checks;

/**
 * Who touched the memory of a device last, kept from launch to launch so that words need not be cleared: every thread of every launch has a
 * number of its own, and what threads of other launches have left means nothing. Thread-safe.
 */
public final class RaceMemory {
    private static final int WARP = 32;
    /** Numbers that fit into the key of a cell. */
    private static final long NUMBERS = (1L << 39) - 1;
    private static final long PACKED = 1L << Packed.NUMBER_BITS;

    private final long bytes;
    private final boolean exclusive;
    private Cells cells;
    private long next = WARP;
    private int running;
    private Claim common = new Claim(null);

    /**
     * @param bytes of the device
     * @param concurrent whether several threads of the host may run blocks at once
     */
    public RaceMemory(long bytes, boolean concurrent) {
        this.bytes = bytes;
        this.exclusive = !concurrent;
    }

    /**
     * What one launch looks at.
     *
     * @param first number of its first thread
     * @param threads numbers of a block: its threads, and so many more that the next block's first warp begins with a multiple of 32
     * @param end number behind its last thread
     * @param common the claim of all workers together
     */
    record Part(Cells cells, long first, int threads, long end, Claim common) {
    }

    /** Numbers for the threads of a launch; null for more than there are. Each part is to be given back. */
    synchronized Part part(long blocks, int threadsOfBlock) {
        int threads = (threadsOfBlock + WARP - 1) / WARP * WARP;
        if (blocks >= NUMBERS / threads) {
            return null;
        }
        long count = blocks * threads;
        if (cells == null || next + count > PACKED) {
            cells = new Cells(bytes, exclusive);
            next = WARP;
        }
        Part part = new Part(cells, next, threads, next + count, common);
        next += count;
        running++;
        return part;
    }

    /** A launch has ended that had a part. */
    synchronized void ended() {
        if (--running == 0) {
            // What launches had in common may be claimed again.
            common.release();
            common = new Claim(null);
        }
    }
}
