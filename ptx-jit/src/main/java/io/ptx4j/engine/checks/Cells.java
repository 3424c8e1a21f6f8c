package io.ptx4j.engine.checks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Who touched each word of memory last: four {@code long}s for each four bytes, made where a kernel first goes.
 *
 * <p>A cell holds the last write and the last reads that nothing orders among themselves, each as a key and an info. A key is the block plus one
 * (29 bits), the thread (10 bits; of reads the first thread of the warp) and the thread's time (24 bits). An info is the PTX line (24 bits), which of
 * the four bytes (4 bits), whether the access was strong and in a scope beyond the block, and of reads the lanes. The sign of the first key is a lock.
 */
final class Cells {
    static final int CELL = 4;
    static final int WRITE_INFO = 1;
    static final int READ = 2;
    static final int READ_INFO = 3;

    private static final int CHUNK_BITS = 14;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final AtomicReferenceArray<long[]> chunks;
    private final long bytes;
    private final boolean concurrent;

    /** @param concurrent whether several threads of the host use it at once */
    Cells(long bytes, boolean concurrent) {
        this.bytes = bytes;
        this.concurrent = concurrent;
        this.chunks = new AtomicReferenceArray<>((int) ((bytes + (1 << CHUNK_BITS) - 1) >>> CHUNK_BITS));
    }

    boolean holds(long offset, int size) {
        return offset >= 0 && offset <= bytes - size;
    }

    /** The array with the cell of the word at {@code offset}. */
    long[] at(long offset) {
        int chunk = (int) (offset >>> CHUNK_BITS);
        long[] cells = chunks.getPlain(chunk);
        return cells != null ? cells : make(chunk);
    }

    private long[] make(int chunk) {
        long words = Math.min(1 << CHUNK_BITS - 2, bytes + 3 - ((long) chunk << CHUNK_BITS) >>> 2);
        long[] made = new long[CELL * (int) words];
        long[] before = chunks.compareAndExchange(chunk, null, made);
        return before == null ? made : before;
    }

    /** Where in that array its cell begins. */
    static int index(long offset) {
        return ((int) offset & (1 << CHUNK_BITS) - 1) >>> 2 << 2;
    }

    /** Takes the cell for this thread of the host; gives the key of its last write. */
    long lock(long[] cells, int index) {
        if (!concurrent) {
            return cells[index];
        }
        while (true) {
            long key = (long) LONGS.getOpaque(cells, index);
            if (key >= 0 && LONGS.compareAndSet(cells, index, key, key | Long.MIN_VALUE)) {
                return key;
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
        for (int chunk = 0; chunk < chunks.length(); chunk++) {
            long[] cells = chunks.getPlain(chunk);
            if (cells != null) {
                Arrays.fill(cells, 0);
            }
        }
    }
}
