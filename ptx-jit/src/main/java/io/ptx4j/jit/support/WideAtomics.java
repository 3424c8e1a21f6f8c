package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;

/**
 * {@code exch} and {@code cas} of {@code .b128}, and loads and stores of 16 and 32 bytes that are not weak. Java has no atomic access to so
 * many: those to one place take turns. What was read comes as words, the lowest first.
 */
public final class WideAtomics {
    private static final int BYTES = 16;
    private static final int LONGEST = 32;
    private static final Object[] TURNS = new Object[64];

    static {
        for (int i = 0; i < TURNS.length; i++) {
            TURNS[i] = new Object();
        }
    }

    private WideAtomics() {
    }

    public static long[] exchange(MemorySegment segment, long offset, long low, long high) {
        return update(segment, offset, false, 0, 0, low, high);
    }

    public static long[] cas(MemorySegment segment, long offset, long expectedLow, long expectedHigh, long low, long high) {
        return update(segment, offset, true, expectedLow, expectedHigh, low, high);
    }

    /** A load of 16 or 32 bytes with any order but weak. */
    public static long[] load(MemorySegment segment, long offset, int bytes) {
        long base = Memory.aligned(segment, offset, bytes);
        synchronized (turn(segment, base)) {
            return read(segment, base, bytes);
        }
    }

    /** A store with any order but weak. */
    public static void store(MemorySegment segment, long offset, long low, long high) {
        long base = Memory.aligned(segment, offset, BYTES);
        synchronized (turn(segment, base)) {
            write(segment, base, low, high);
        }
    }

    /** As {@link #store} with 32 bytes. */
    public static void storeFour(MemorySegment segment, long offset, long first, long second, long third, long fourth) {
        long base = Memory.aligned(segment, offset, LONGEST);
        synchronized (turn(segment, base)) {
            write(segment, base, first, second);
            write(segment, base + BYTES, third, fourth);
        }
    }

    private static long[] update(MemorySegment segment, long offset, boolean compares, long expectedLow, long expectedHigh, long low,
            long high) {
        long base = Memory.aligned(segment, offset, BYTES);
        synchronized (turn(segment, base)) {
            long[] old = read(segment, base, BYTES);
            if (!compares || old[0] == expectedLow && old[1] == expectedHigh) {
                write(segment, base, low, high);
            }
            return old;
        }
    }

    private static Object turn(MemorySegment segment, long base) {
        return TURNS[(int) ((segment.address() + base) / LONGEST) & TURNS.length - 1];
    }

    private static long[] read(MemorySegment segment, long base, int bytes) {
        long[] words = new long[bytes / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = OrderedMemory.loadAcquire64(segment, base + (long) i * Long.BYTES);
        }
        return words;
    }

    private static void write(MemorySegment segment, long base, long low, long high) {
        OrderedMemory.storeRelease64(segment, base, low);
        OrderedMemory.storeRelease64(segment, base + 8, high);
    }
}
