package io.ptx4j.jit;

import io.ptx4j.engine.Worker;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs parts of a launch in both shapes, in rehearsals, until the vector shape has become the faster one. HotSpot compiles only what runs, and
 * cold vector code takes up to a thousand times as long, so the parts begin with one group of threads and grow.
 */
final class VectorTrial {
    private static final long SHORT_PART = 20_000;
    private static final int PARTS_PER_ROUND = 4;
    private static final int MOST_PARTS_IN_ORDER = 128;
    private static final int FAULTS_TO_STOP = 64;
    /** Nanoseconds for all blocks of a launch. */
    private static final long ALL = 2_000_000_000;
    private static final int FAILURES_TO_STOP = 8;

    private final Part.Code scalar;
    private final Part.Code vector;
    private final Part part;
    private final boolean inOrder;
    private boolean ranAll;
    private final Rounds rounds = new Rounds();
    /** Runs in a row of which every part has failed. */
    private int failures;
    private long patience = TimeUnit.SECONDS.toNanos(4);
    private double bestRatio = Double.MAX_VALUE;
    private long spent;
    private long spentAtBest;
    /** The same when it was last found to be cold. */
    private long spentCold;

    VectorTrial(ScalarExecutable scalar, VectorExecutable vector) {
        this.scalar = scalar.rehearsed();
        this.vector = vector.rehearsed();
        this.inOrder = scalar.waits();
        this.part = new Part(scalar.divisible() && !vector.renumbers() ? vector.lanes() : scalar.threads(), scalar.threads(), inOrder);
    }

    /** Nanoseconds since the vector shape last became notably faster. */
    long stagnant() {
        return spent - spentAtBest;
    }

    /** The same since HotSpot has compiled all of it that runs. */
    long stagnantWarm() {
        return spent - Math.max(spentAtBest, spentCold);
    }

    /** Whether rehearsals cannot tell ({@link Rounds#near}). */
    boolean near() {
        return rounds.near();
    }

    /** Nanoseconds of all rounds. */
    long spent() {
        return spent;
    }

    /** Whether nothing could be measured in the last run because every part of the launch failed. */
    boolean failing() {
        return failures > 0;
    }

    /** Whether that has been so too often to go on with a kernel that waits for other blocks: it may always wait for those. */
    boolean hopeless() {
        return failures >= FAILURES_TO_STOP;
    }

    /** Runs for about {@code nanos}, longer where a part takes longer; returns whether the vector shape is the faster one now. */
    boolean run(Rehearsal rehearsal, long nanos) {
        Worker worker = rehearsal.worker();
        part.restart();
        long start = OwnWork.nanos();
        CompletableFuture.delayedExecutor(Math.max(nanos, patience), TimeUnit.NANOSECONDS).execute(worker::cancel);
        boolean convinced = false;
        int faults = 0;
        failures++;
        while (!convinced && !worker.cancelled() && OwnWork.nanos() - start < nanos && faults < FAULTS_TO_STOP) {
            try {
                convinced = round(rehearsal);
                failures = 0;
                if (convinced && inOrder && !ranAll) {
                    // Rounds run half of the blocks in either shape: code must be compiled for the others too.
                    ranAll = true;
                    convinced = false;
                    rounds.begin();
                    restart(rehearsal);
                    part.runAll(worker, vector, ALL);
                    restart(rehearsal);
                }
            } catch (RuntimeException failed) {
                // The data of a rehearsal are not complete; and a part that takes too long is cancelled.
                faults++;
                part.next();
                restart(rehearsal);
            }
        }
        if (worker.cancelled()) {
            patience *= 2;
        }
        spent += OwnWork.nanos() - start;
        return convinced;
    }

    private void restart(Rehearsal rehearsal) {
        rehearsal.repeat();
        part.restart();
    }

    private boolean round(Rehearsal rehearsal) {
        Worker worker = rehearsal.worker();
        long vectorNanos = 0;
        long vectorBytes = 0;
        long scalarNanos = 0;
        int parts = 0;
        boolean end;
        do {
            // Each begins as often as the other: who comes first touches new memory.
            boolean second = parts++ % 4 >= 2;
            scalarNanos += second ? part.time(worker, scalar) : 0;
            long before = OwnWork.bytes();
            vectorNanos += part.time(worker, vector);
            vectorBytes = OwnWork.sum(vectorBytes, OwnWork.bytesSince(before));
            scalarNanos += second ? 0 : part.time(worker, scalar);
            part.next();
            end = part.atEnd(worker.grid.blocks());
            if (end) {
                restart(rehearsal);
            }
            // Blocks in order are all compared: only the first ones find the data that the launch has.
        } while (!end && parts < (inOrder ? MOST_PARTS_IN_ORDER : PARTS_PER_ROUND));
        double ratio = (double) vectorNanos / Math.max(1, scalarNanos);
        boolean cold = OwnWork.isCold(vectorNanos, vectorBytes, ratio);
        spentCold = cold ? spent : spentCold;
        if (ratio < 0.95 * bestRatio) {
            bestRatio = ratio;
            spentAtBest = spent;
        }
        if (vectorNanos < SHORT_PART * parts && part.grow()) {
            rounds.begin();
            return false;
        }
        rounds.add(ratio, cold);
        return rounds.won();
    }
}
