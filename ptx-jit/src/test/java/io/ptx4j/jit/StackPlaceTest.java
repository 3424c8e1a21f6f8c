package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class StackPlaceTest {
    private static final int STEPS = 4;
    private static final long MILLISECOND = 1_000_000;

    /** Runs by step, the first place for none, in so many runs of so many blocks that take {@code nanos} of their step. */
    private static int[] runs(StackPlace place, int count, long blocks, IntToLongFunction nanos) {
        int[] runs = new int[STEPS + 1];
        for (int i = 0; i < count; i++) {
            boolean trying = place.trying();
            int step = place.step();
            runs[step + 1]++;
            if (trying) {
                place.took(blocks * nanos.applyAsLong(step), blocks);
            }
        }
        return runs;
    }

    @Test
    void takesTheFastestStepAfterATrialOfEach() {
        StackPlace place = new StackPlace(STEPS);
        assertEquals(64, runs(place, 64, 1, step -> MILLISECOND)[0]);
        int[] trial = runs(place, 30, 1, step -> step == 2 ? MILLISECOND : 2 * MILLISECOND);
        assertEquals("[6, 6, 6, 6, 6]", Arrays.toString(trial));
        assertEquals(1000, runs(place, 1000, 1, step -> MILLISECOND)[3]);
    }

    @Test
    void triesAgain() {
        StackPlace place = new StackPlace(STEPS);
        runs(place, 94 + 1000, 1, step -> step == 2 ? MILLISECOND : 2 * MILLISECOND);
        runs(place, 30, 1, step -> step == 0 ? MILLISECOND : 2 * MILLISECOND);
        assertEquals(1000, runs(place, 1000, 1, step -> MILLISECOND)[1]);
    }

    @Test
    void comparesBlocksNotRuns() {
        StackPlace place = new StackPlace(STEPS);
        runs(place, 64, 1, step -> MILLISECOND);
        for (int i = 0; i < 30; i++) {
            int step = place.step();
            place.took((step == 3 ? 10 : 9) * MILLISECOND, step == 3 ? 10 : 1);
        }
        assertEquals(3, place.step());
    }

    @Test
    void callsWithoutAStepWhereItGainsNothing() {
        StackPlace place = new StackPlace(STEPS);
        runs(place, 94, 1, step -> step == StackPlace.DIRECT ? MILLISECOND : MILLISECOND - MILLISECOND / 100);
        assertEquals(StackPlace.DIRECT, place.step());
    }

    @Test
    void callsWithoutAStepWhereRunsAreShort() {
        StackPlace place = new StackPlace(STEPS);
        runs(place, 94, 1, step -> step == 1 ? 5_000 : 20_000);
        int[] later = runs(place, 50_000, 1, step -> 5_000);
        assertEquals(50_000, later[0], "and not tried again within a second");
    }

    @Test
    void blocksThatTakeTurnsMeetAllSteps() {
        StackPlace place = new StackPlace(STEPS);
        runs(place, 64, 1, step -> MILLISECOND);
        for (int i = 0; i < 30; i++) {
            int step = place.step();
            place.took((i % 5 == 1 ? 1 : 10) * MILLISECOND * (step == 3 ? 8 : 10), 1);
        }
        assertEquals(3, place.step());
    }

    @Test
    void neverTriesWhereVectorsLieWithinOneLineAnyway() {
        StackPlace place = new StackPlace(1);
        assertEquals(100_000, runs(place, 100_000, 1, step -> MILLISECOND)[0]);
        assertFalse(place.trying());
    }
}
