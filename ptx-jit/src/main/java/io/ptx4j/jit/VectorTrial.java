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
    private static final int FAULTS_TO_STOP = 64;
    private static final int FAILURES_TO_STOP = 8;

    private final Part.Code scalar;
    private final Part.Code vector;
    private final Part part;
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
        this.part = new Part(scalar.divisible() ? vector.lanes() : scalar.threads(), scalar.threads());
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
    boolean run(Worker worker, long nanos) {
        long start = OwnWork.nanos();
        CompletableFuture.delayedExecutor(Math.max(nanos, patience), TimeUnit.NANOSECONDS).execute(worker::cancel);
        boolean convinced = false;
        int faults = 0;
        failures++;
        while (!convinced && !worker.cancelled() && OwnWork.nanos() - start < nanos && faults < FAULTS_TO_STOP) {
            try {
                convinced = round(worker);
                failures = 0;
            } catch (RuntimeException failed) {
                // The data of a rehearsal are not complete; and a part that takes too long is cancelled.
                faults++;
                part.next();
            }
        }
        if (worker.cancelled()) {
            patience *= 2;
        }
        spent += OwnWork.nanos() - start;
        return convinced;
    }

    private boolean round(Worker worker) {
        long vectorNanos = 0;
        long vectorBytes = 0;
        long scalarNanos = 0;
        for (int i = 0; i < PARTS_PER_ROUND; i++, part.next()) {
            // Each begins as often as the other: who comes first touches new memory.
            boolean second = i % 4 >= 2;
            scalarNanos += second ? part.time(worker, scalar) : 0;
            long before = OwnWork.bytes();
            vectorNanos += part.time(worker, vector);
            vectorBytes = OwnWork.sum(vectorBytes, OwnWork.bytesSince(before));
            scalarNanos += second ? 0 : part.time(worker, scalar);
        }
        double ratio = (double) vectorNanos / Math.max(1, scalarNanos);
        boolean cold = OwnWork.isCold(vectorNanos, vectorBytes, ratio);
        spentCold = cold ? spent : spentCold;
        if (ratio < 0.95 * bestRatio) {
            bestRatio = ratio;
            spentAtBest = spent;
        }
        if (vectorNanos < SHORT_PART * PARTS_PER_ROUND && part.grow()) {
            rounds.begin();
            return false;
        }
        rounds.add(ratio, cold);
        return rounds.won();
    }
}
