package io.ptx4j.engine.checks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Who touched each word of memory last: a {@code long} for each four bytes ({@link Packed}), made where a kernel first goes, and a cell of four
 * where one does not say it all. {@link Claim}s say who may look at which.
 *
 * <p>A cell holds the last write and the last reads that nothing orders among themselves, each as a key and an info. A key is the number of the thread
 * (39 bits; of reads the first thread of the warp) and the thread's time (24 bits). An info is the PTX line (24 bits), which of
 * the four bytes (4 bits), whether the access was strong and in a scope beyond the block, and of reads the lanes.
 */
final class Cells {
    static final int CELL = 4;
    static final int WRITE = 0;
    static final int WRITE_INFO = 1;
    static final int READ = 2;
    static final int READ_INFO = 3;
    static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    static final VarHandle CLAIMS = MethodHandles.arrayElementVarHandle(Claim[].class);
    /** Bytes of memory that a worker claims together: a kibibyte. */
    static final int PART_BITS = 10;

    private static final int WORDS = 1 << PART_BITS - 2;

    /** By part: its words; null until a kernel goes there. An array is zero for whoever sees it, so that it may be handed over without more ado. */
    final long[][] words;
    /** By part: who has its words. */
    final Claim[] owners;
    /** By part: the cells of its words; null until one needs it. */
    private final long[][] cells;
    /** Whether one thread of the host uses it alone. */
    final boolean exclusive;
    private final long bytes;

    Cells(long bytes, boolean exclusive) {
        int parts = (int) ((bytes + (1 << PART_BITS) - 1) >>> PART_BITS);
        this.bytes = bytes;
        this.exclusive = exclusive;
        this.words = new long[parts][];
        this.owners = new Claim[parts];
        this.cells = new long[parts][];
    }

    boolean holds(long offset, long size) {
        return offset >= 0 && offset <= bytes - size;
    }

    static int part(long offset) {
        return (int) (offset >>> PART_BITS);
    }

    /** Where in its part a word stands. */
    static int word(long offset) {
        return (int) offset >>> 2 & WORDS - 1;
    }

    /** The words of a part. */
    long[] words(int part) {
        long[] made = words[part];
        return made != null ? made : make(words, part, WORDS);
    }

    /** The array with the cells of a part's words. */
    long[] cells(int part) {
        long[] made = cells[part];
        return made != null ? made : make(cells, part, CELL * WORDS);
    }

    private static synchronized long[] make(long[][] all, int part, int size) {
        if (all[part] == null) {
            all[part] = new long[size];
        }
        return all[part];
    }

    /** Forgets everything; for memory that one thread of the host uses. */
    void clear() {
        for (long[] part : words) {
            if (part != null) {
                Arrays.fill(part, 0);
            }
        }
    }
}
