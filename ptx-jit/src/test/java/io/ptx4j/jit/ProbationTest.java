package io.ptx4j.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.jit.Probation.Turn;
import io.ptx4j.jit.Probation.Verdict;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Shapes whose times are made up, and the same chance in each run. */
final class ProbationTest {
    private static final long PATIENCE = 37_000_000;
    private static final int GRAIN = 12;

    private final LongUnaryOperator scalar;
    private LongUnaryOperator vector;
    /** Whether its operations make objects, as before HotSpot has compiled them. */
    private boolean cold;
    /** Whether the JVM tells of objects. */
    private boolean told = true;
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
            turn.ran(nanos, !turn.vector() ? 0 : !told ? OwnWork.UNKNOWN : cold ? nanos : 0, count);
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
        cold = true;
        assertEquals(Verdict.OPEN, run(5_000));
        vector = b -> scalar.applyAsLong(b) / 4;
        cold = false;
        assertEquals(Verdict.FASTER, run(10_000_000));
    }

    /** A search that waits for memory takes only a few times as long before its vectors are compiled. */
    @Test
    void coldCodeSaysNothingOfTheShapeHoweverNearItIs() {
        vector = b -> 2 * scalar.applyAsLong(b);
        cold = true;
        assertEquals(Verdict.COLD, run(100_000_000));
        assertTrue(took < 1.15 * alone, () -> took + " ns instead of " + alone);
        assertTrue(took - alone < 20e6, () -> took - alone + " ns lost");
    }

    @Test
    void compiledCodeIsTheSlowerOneHoweverFarItIs() {
        vector = b -> 20 * scalar.applyAsLong(b);
        assertEquals(Verdict.SLOWER, run(100_000_000));
        assertTrue(took < 1.15 * alone, () -> took + " ns instead of " + alone);
    }

    /** As on virtual threads. */
    @Test
    void whereObjectsAreUnknownColdCodeIsWhatTakesManyTimesAsLong() {
        told = false;
        vector = b -> 20 * scalar.applyAsLong(b);
        assertEquals(Verdict.COLD, run(100_000_000));
    }

    @Test
    void whereObjectsAreUnknownCodeThatIsNearIsTheSlowerOne() {
        told = false;
        vector = b -> 2 * scalar.applyAsLong(b);
        assertEquals(Verdict.SLOWER, run(100_000_000));
    }

    @Test
    void codeThatStaysColdIsGivenUp() {
        vector = b -> 100 * scalar.applyAsLong(b);
        cold = true;
        assertEquals(Verdict.COLD, run(100_000_000));
        assertTrue(took - alone < 25e6, () -> took - alone + " ns lost");
    }

    /** What was slow at first, such as calls that HotSpot had not compiled, does not hold up for long a kernel of blocks that take little. */
    @Test
    void whatWasSlowInTheFirstRoundsIsSoonLookedAtAgain() {
        Probation quick = new Probation(300, 1, PATIENCE, new SplittableRandom(5)::nextDouble);
        long vectors = 0;
        double nanos = 0;
        Verdict verdict = Verdict.OPEN;
        while (verdict == Verdict.OPEN && nanos < 3e9) {
            quick.next(turn, 166);
            long count = turn.left();
            vectors += turn.vector() ? count : 0;
            long took = count * (!turn.vector() ? 300 : vectors < 150 ? 15_000 : 75);
            turn.ran(took, 0, count);
            nanos += took;
            verdict = turn.toTell() ? quick.add(turn) : Verdict.OPEN;
        }
        assertEquals(Verdict.FASTER, verdict);
        double all = nanos;
        assertTrue(all < 400e6, () -> all + " ns");
    }

    /** A worker's first blocks in the vector shape make its frame and load classes, which tells nothing of the others. */
    @Test
    void whatWorkersDoOnceDoesNotCount() {
        Probation some = new Probation(300, 1, PATIENCE, new SplittableRandom(5)::nextDouble);
        Probation.Turn[] workers = new Probation.Turn[16];
        boolean[] begun = new boolean[workers.length];
        Arrays.setAll(workers, worker -> new Probation.Turn());
        Verdict verdict = Verdict.OPEN;
        for (int n = 0; verdict == Verdict.OPEN && n < 1_000_000; n++) {
            int worker = n % workers.length;
            Probation.Turn now = workers[worker];
            some.next(now, 166);
            long count = now.left();
            boolean first = now.vector() && !begun[worker];
            begun[worker] |= now.vector();
            now.ran(first ? 20_000_000 : count * (now.vector() ? 75 : 300), 0, count);
            verdict = now.toTell() ? some.add(now) : Verdict.OPEN;
        }
        assertEquals(Verdict.FASTER, verdict);
    }

    /** The clock is not asked for each of many short blocks, in the first round either. */
    @Test
    void shortBlocksRunTogetherFromTheBeginning() {
        Probation some = new Probation(300, 1, PATIENCE, new SplittableRandom(5)::nextDouble);
        int turns = 0;
        Verdict verdict = Verdict.OPEN;
        while (verdict == Verdict.OPEN) {
            some.next(turn, 166);
            long count = turn.left();
            turn.ran(count * (turn.vector() ? 75 : 300), 0, count);
            turns++;
            verdict = turn.toTell() ? some.add(turn) : Verdict.OPEN;
        }
        assertEquals(Verdict.FASTER, verdict);
        int all = turns;
        assertTrue(all < 3_000, () -> all + " turns");
    }
}
