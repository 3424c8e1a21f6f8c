package io.ptx4j.engine.checks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Who touched each word of memory last: four {@code long}s for each four bytes, made where a kernel first goes.
 *
 * <p>A cell holds the last write and the last reads that nothing orders among themselves, each as a key and an info. A key is the number of the block
 * (29 bits), the thread (10 bits; of reads the first thread of the warp) and the thread's time (24 bits). An info is the PTX line (24 bits), which of
 * the four bytes (4 bits), whether the access was strong and in a scope beyond the block, and of reads the lanes. The sign of the first key is a lock.
 */
final class Cells {
    static final int CELL = 4;
    static final int WRITE_INFO = 1;
    static final int READ = 2;
    static final int READ_INFO = 3;

    private static final int CHUNK_BITS = 14;
    private static final int SPINS = 64;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** An array is zero for whoever sees it, so that it may be handed over without more ado. */
    private final long[][] chunks;
    private final long bytes;
    private final boolean concurrent;

    /** @param concurrent whether several threads of the host use it at once */
    Cells(long bytes, boolean concurrent) {
        this.bytes = bytes;
        this.concurrent = concurrent;
        this.chunks = new long[(int) ((bytes + (1 << CHUNK_BITS) - 1) >>> CHUNK_BITS)][];
    }

    boolean holds(long offset, int size) {
        return offset >= 0 && offset <= bytes - size;
    }

    /** The array with the cell of the word at {@code offset}. */
    long[] at(long offset) {
        int chunk = (int) (offset >>> CHUNK_BITS);
        long[] cells = chunks[chunk];
        return cells != null ? cells : make(chunk);
    }

    private synchronized long[] make(int chunk) {
        if (chunks[chunk] != null) {
            return chunks[chunk];
        }
        long words = Math.min(1 << CHUNK_BITS - 2, bytes + 3 - ((long) chunk << CHUNK_BITS) >>> 2);
        chunks[chunk] = new long[CELL * (int) words];
        return chunks[chunk];
    }

    /** Where in that array its cell begins. */
    static int index(long offset) {
        return ((int) offset & (1 << CHUNK_BITS) - 1) >>> 2 << 2;
    }

    /** The key of its last write; negative while another thread of the host has the cell. */
    long key(long[] cells, int index) {
        return concurrent ? (long) LONGS.getOpaque(cells, index) : cells[index];
    }

    /** Takes the cell for this thread of the host; gives the key of its last write. */
    long lock(long[] cells, int index) {
        if (!concurrent) {
            return cells[index];
        }
        for (int spins = 1;; spins++) {
            long key = (long) LONGS.getOpaque(cells, index);
            if (key >= 0 && LONGS.compareAndSet(cells, index, key, key | Long.MIN_VALUE)) {
                return key;
            }
            if (spins % SPINS == 0) {
                // Who has it may not be running.
                Thread.yield();
            }
            Thread.onSpinWait();
        }
    }

    /** Gives the cell back, with the key of its last write. */
    void unlock(long[] cells, int index, long key) {
        if (concurrent) {
            LONGS.setRelease(cells, index, key);
        } else {
            cells[index] = key;
        }
    }

    /** Forgets everything; for memory that one thread of the host uses. */
    void clear() {
        for (long[] cells : chunks) {
            if (cells != null) {
                Arrays.fill(cells, 0);
            }
        }
    }
}
