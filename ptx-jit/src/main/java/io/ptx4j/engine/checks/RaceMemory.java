package io.ptx4j.engine.checks;

/**
 * Who touched the memory of a device last, kept from launch to launch so that cells need not be cleared: every block of every launch has a
 * number of its own, and what blocks of other launches have left means nothing. Thread-safe.
 */
public final class RaceMemory {
    /** Numbers that fit into the key of a cell. */
    private static final long NUMBERS = (1 << 29) - 1;

    private final long bytes;
    private final boolean concurrent;
    private Cells cells;
    private long next = 1;

    /**
     * @param bytes of the device
     * @param concurrent whether several threads of the host may run blocks at once
     */
    public RaceMemory(long bytes, boolean concurrent) {
        this.bytes = bytes;
        this.concurrent = concurrent;
    }

    /**
     * What one launch looks at.
     *
     * @param first number of its first block
     */
    record Part(Cells cells, long first) {
    }

    /** Numbers for the blocks of a launch; null for more blocks than there are numbers. */
    synchronized Part part(long blocks) {
        if (blocks >= NUMBERS) {
            return null;
        }
        if (cells == null || next + blocks > NUMBERS) {
            cells = new Cells(bytes, concurrent);
            next = 1;
        }
        Part part = new Part(cells, next);
        next += blocks;
        return part;
    }
}
