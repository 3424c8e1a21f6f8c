package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;

/**
 * {@code exch} and {@code cas} of {@code .b128}. Java has no atomic access to 128 bits: those to one place take turns. Each gives the
 * old bits, the low half first.
 */
public final class WideAtomics {
    private static final int BYTES = 16;
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

    private static long[] update(MemorySegment segment, long offset, boolean compares, long expectedLow, long expectedHigh, long low,
            long high) {
        long base = Memory.aligned(segment, offset, BYTES);
        synchronized (TURNS[(int) (segment.address() + base >>> 4) & TURNS.length - 1]) {
            long[] old = {OrderedMemory.loadAcquire64(segment, base), OrderedMemory.loadAcquire64(segment, base + 8)};
            if (!compares || old[0] == expectedLow && old[1] == expectedHigh) {
                OrderedMemory.storeRelease64(segment, base, low);
                OrderedMemory.storeRelease64(segment, base + 8, high);
            }
            return old;
        }
    }
}
