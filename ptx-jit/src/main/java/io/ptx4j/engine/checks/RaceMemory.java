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

    private final boolean exclusive;
    private Cells cells;
    private long next = WARP;
    private int running;
    private Claim common = new Claim(null);

    /** @param concurrent whether several threads of the host may run blocks at once */
    public RaceMemory(boolean concurrent) {
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

    /**
     * Numbers for the threads of a launch; null for more than there are. Each part is to be given back.
     *
     * @param bytes of memory that the launch can access, from the device's first one on. Cells are made for as much, not for the whole device: most
     *     of its address space is never used, and cells of 64 GiB would take 768 MiB of the heap
     */
    synchronized Part part(long blocks, int threadsOfBlock, long bytes) {
        int threads = (threadsOfBlock + WARP - 1) / WARP * WARP;
        if (blocks >= NUMBERS / threads) {
            return null;
        }
        long count = blocks * threads;
        if (cells == null || !cells.holds(0, bytes) || next + count > PACKED) {
            // For a quarter more, so that not every buffer that is added makes new ones.
            cells = new Cells(bytes + bytes / 4, exclusive);
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
