package io.ptx4j.jit;

import java.util.Arrays;

/**
 * Finds the way among {@link StackSteps} on which the blocks of a kernel take least time, for one thread: where its stack stands is nowhere to be read, depends on
 * who called whom, and changes when HotSpot compiles callers. So all ways are tried in turn, now and then.
 */
final class StackPlace {
    /** To call the kernel without a step between. */
    static final int DIRECT = -1;
    private static final int ROUNDS = 6;
    /** Runs before the first trial, and between two: trials are to take a thirtieth of all runs at most. */
    private static final int FIRST = 64;
    private static final int RUNS = 1_000;
    private static final long NANOS = 1_000_000_000;
    /** Nanoseconds of a run at least, since a step takes some 100. */
    private static final long WORTH = 20_000;
    /** A step must take so much of the time without one. */
    private static final double GAIN = 0.98;

    private final int ways;
    private final double[] least;
    private int chosen = DIRECT;
    private long left = FIRST;
    /** Runs of the present trial, and what they took. */
    private int tried;
    private long nanos;

    /** @param steps how many there are; none is tried where they are not more than one */
    StackPlace(int steps) {
        ways = steps + 1;
        least = new double[ways];
        left = steps > 1 ? FIRST : Long.MAX_VALUE;
    }

    /** Whether {@link #took} is to be told what the next run takes. */
    boolean trying() {
        return left == 0;
    }

    /** The step for the next run, or {@link #DIRECT}. */
    int step() {
        if (left > 0) {
            left--;
            return chosen;
        }
        return way() - 1;
    }

    /** Each round begins with another way: blocks may take turns in what they take. */
    private int way() {
        return (tried + tried / ways) % ways;
    }

    /** Notes what a run took while {@link #trying}. */
    void took(long time, long blocks) {
        if (tried == 0) {
            nanos = 0;
            Arrays.fill(least, Double.MAX_VALUE);
        }
        int way = way();
        least[way] = Math.min(least[way], (double) time / blocks);
        nanos += time;
        if (++tried == ROUNDS * ways) {
            choose();
        }
    }

    private void choose() {
        long run = Math.max(1, nanos / tried);
        int best = 0;
        for (int way = 1; way < ways && run >= WORTH; way++) {
            best = least[way] < least[best] * (best == 0 ? GAIN : 1) ? way : best;
        }
        chosen = best - 1;
        left = Math.max(RUNS, NANOS / run);
        tried = 0;
    }
}
