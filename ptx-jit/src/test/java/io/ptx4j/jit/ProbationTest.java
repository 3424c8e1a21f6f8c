package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.jit.Probation.Turn;
import io.ptx4j.jit.Probation.Verdict;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Shapes whose times are made up, and the same chance in each run. */
final class ProbationTest {
    private static final long PATIENCE = 37_000_000;
    private static final int GRAIN = 12;

    private final LongUnaryOperator scalar;
    private LongUnaryOperator vector;
    private final Probation probation;
    private final Turn turn = new Turn();
    private long block;
    /** Nanoseconds of all blocks, and what they would take in the scalar shape. */
    private double took;
    private double alone;

    /** Of eight kinds of blocks, a run of 500 each, one takes a hundred times as long as the others. */
    ProbationTest() {
        scalar = b -> b / 500 % 8 == 7 ? 20_000 : 200;
        probation = new Probation(2_675, 1, PATIENCE, new SplittableRandom(5)::nextDouble);
    }

    private Verdict run(int most) {
        Verdict verdict = Verdict.OPEN;
        for (int i = 0; i < most && verdict == Verdict.OPEN; i++) {
            probation.next(turn, 20);
            long count = Math.min(GRAIN, turn.left());
            long nanos = 0;
            for (long end = block + count; block < end; block++) {
                nanos += (turn.vector() ? vector : scalar).applyAsLong(block);
                alone += scalar.applyAsLong(block);
            }
            turn.ran(nanos, count);
            took += nanos;
            if (turn.toTell()) {
                verdict = probation.add(turn);
            }
        }
        return verdict;
    }

    @Test
    void aShapeThatIsFasterWinsSoon() {
        vector = b -> scalar.applyAsLong(b) / 8;
        assertEquals(Verdict.FASTER, run(1_000_000));
        assertTrue(alone < 200e6, () -> alone + " ns of work");
    }

    /** Most blocks end at once, where vectors win, as in searches of a graph. */
    @Test
    void whatCountsIsAllBlocksTogether() {
        vector = b -> scalar.applyAsLong(b) == 200 ? 100 : 60_000;
        assertEquals(Verdict.SLOWER, run(10_000_000));
        assertTrue(took < 1.15 * alone, () -> took + " ns instead of " + alone);
    }

    @Test
    void coldCodeCostsLaunchesLittleAndMayGetWarm() {
        vector = b -> 20 * scalar.applyAsLong(b);
        assertEquals(Verdict.OPEN, run(5_000));
        vector = b -> scalar.applyAsLong(b) / 4;
        assertEquals(Verdict.FASTER, run(10_000_000));
    }

    @Test
    void codeThatStaysColdIsGivenUp() {
        vector = b -> 100 * scalar.applyAsLong(b);
        assertEquals(Verdict.COLD, run(100_000_000));
        assertTrue(took < 1.15 * alone, () -> took + " ns instead of " + alone);
    }
}
