package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Which lines are touched: of a window full of ones the sum says how many, around it lie twos. */
final class PrefetchTest {
    private static final int WINDOW = 1 << 20;
    private static final int STEP = 1 << 14;

    private static int touched(long offset, long last, int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3 * WINDOW, 64).fill((byte) 2);
            return Prefetch.turns(memory.asSlice(WINDOW, WINDOW).fill((byte) 1), offset, last, bytes);
        }
    }

    @Test
    void theNextTurnsAreTouchedLineByLine() {
        assertEquals(Prefetch.TURNS, touched(STEP, 0, 64));
        assertEquals(4 * Prefetch.TURNS, touched(STEP, 0, 256));
        assertEquals(Prefetch.TURNS, touched(40 * STEP, 41 * STEP, 64));
    }

    @Test
    void turnsOutsideOfTheWindowAreNot() {
        assertEquals(3, touched(WINDOW - 4 * STEP, WINDOW - 5 * STEP, STEP) / (STEP / 64));
        assertEquals(2, touched(WINDOW - 4 * STEP + 1, WINDOW - 5 * STEP + 1, STEP) / (STEP / 64));
        assertEquals(2, touched(2 * STEP, 3 * STEP, 64));
        assertEquals(0, touched(0, STEP, 64));
        assertEquals(0, touched(STEP, Long.MIN_VALUE + 2 * STEP, 64));
        assertEquals(0, touched(Long.MAX_VALUE, 0, 64));
        assertEquals(0, touched(Long.MIN_VALUE, 0, 64));
        assertEquals(0, touched(STEP, 0, 2 * WINDOW));
    }

    @Test
    void turnsSideBySideAreLeftToTheProcessor() {
        assertEquals(0, touched(64, 0, 64));
    }
}
