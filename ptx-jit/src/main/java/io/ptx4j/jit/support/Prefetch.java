package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Loads what a loop will load in its next turns, so that they wait for memory together and not one by one. */
public final class Prefetch {
    /** Turns that wait together: a cache has room for few lines at equal distances. */
    public static final int TURNS = 8;
    private static final int LINE = 64;
    /** Turns that lie no further apart the processor foresees. */
    private static final long NEAR = 1024;

    private Prefetch() {
    }

    /**
     * Touches the lines of the next turns whose elements lie in the window.
     *
     * @param offset of this turn's elements, which may lie anywhere
     * @param last of those of the turn before
     * @param bytes of a turn's elements
     * @return something that depends on all loads, so that HotSpot does not leave them out
     */
    public static int turns(MemorySegment window, long offset, long last, int bytes) {
        long step = offset - last;
        if (Math.abs(step) < NEAR) {
            return 0;
        }
        MemorySegment all = DirectMemory.whole(window);
        int turns = TurnCount.within(TURNS, offset + step, step, 0, window.byteSize() - bytes);
        int sum = 0;
        for (int turn = 1; turn <= turns; turn++) {
            for (int line = 0; line < bytes; line += LINE) {
                sum += all.get(ValueLayout.JAVA_BYTE, DirectMemory.place(window, offset + turn * step + line));
            }
        }
        return sum;
    }
}
