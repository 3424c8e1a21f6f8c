package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How long the blocks of a launch may take, from those before. */
final class BlockTimeTest {
    private static double expected(long... nanos) {
        BlockTime time = new BlockTime();
        for (long one : nanos) {
            time.note(10 * one, 10);
        }
        return time.expected(1);
    }

    @Test
    void nothingIsKnownBeforeTheFirstLaunchHasEnded() {
        assertEquals(Double.POSITIVE_INFINITY, expected());
        assertEquals(7, expected(7));
    }

    @Test
    void oneLaunchAmongFourMisleadsNobody() {
        assertEquals(5, expected(5, 5, 900, 5));
        assertEquals(900, expected(900, 5, 900, 900));
    }

    @Test
    void whatOneWorkerTakesAloneFollowsSlowly() {
        BlockTime time = new BlockTime();
        assertEquals(0, time.alone(10));
        time.noteAlone(80, 8);
        assertEquals(100, time.alone(10));
        time.noteAlone(8_000, 8);
        assertEquals(125, time.alone(10));
        time.noteAlone(36, 8);
        assertEquals(105, time.alone(10));
    }

    @Test
    void launchesLongAgoAreForgotten() {
        assertEquals(5, expected(900, 900, 900, 900, 5, 5, 5));
        assertEquals(900, expected(5, 5, 5, 5, 5, 5, 900, 900));
    }
}
