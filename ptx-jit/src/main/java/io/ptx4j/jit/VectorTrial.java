package io.ptx4j.jit;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.VectorFrame;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs parts of a launch in both shapes, in rehearsals, until the vector shape has become the faster one. HotSpot compiles only what runs, and
 * cold vector code takes up to a thousand times as long, so the parts begin with one group of threads and grow.
 */
final class VectorTrial {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SHORT_PART = 20_000;
    private static final int PARTS_PER_ROUND = 4;
    private static final int ROUNDS_TO_CONVINCE = 3;
    private static final double FASTER = 0.9;
    private static final int MOST_BLOCKS = 64;
    private static final int FAULTS_TO_STOP = 64;

    private final ScalarExecutable scalar;
    private final VectorExecutable vector;
    private final Frame scalarFrame;
    private final VectorFrame vectorFrame;
    /** Threads of a part, or all threads of that many blocks. */
    private int threads;
    private int blocks;
    private int part;
    private int won;
    private long patience = TimeUnit.SECONDS.toNanos(4);
    private double bestRatio = Double.MAX_VALUE;
    private long spent;
    private long spentAtBest;

    VectorTrial(ScalarExecutable scalar, VectorExecutable vector) {
        this.scalar = scalar;
        this.vector = vector;
        this.scalarFrame = scalar.newFrame();
        this.vectorFrame = vector.newFrame();
        this.threads = scalar.divisible() ? Math.min(vector.lanes(), scalar.threads()) : scalar.threads();
        this.blocks = 1;
    }

    /** Of this thread's work where the JVM can tell, so that other load of the machine does not count. */
    private static long now() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    /** Nanoseconds since the vector shape last became notably faster. */
    long stagnant() {
        return spent - spentAtBest;
    }

    /** Nanoseconds of all rounds. */
    long spent() {
        return spent;
    }

    /** Runs for about {@code nanos}, longer where a part takes longer; returns whether the vector shape is the faster one now. */
    boolean run(Worker worker, long nanos) {
        long start = now();
        CompletableFuture.delayedExecutor(Math.max(nanos, patience), TimeUnit.NANOSECONDS).execute(worker::cancel);
        boolean convinced = false;
        int faults = 0;
        while (!convinced && !worker.cancelled() && now() - start < nanos && faults < FAULTS_TO_STOP) {
            try {
                convinced = round(worker);
            } catch (RuntimeException failed) {
                // The data of a rehearsal are not complete; and a part that takes too long is cancelled.
                faults++;
                part++;
            }
        }
        if (worker.cancelled()) {
            patience *= 2;
        }
        spent += now() - start;
        return convinced;
    }

    private boolean round(Worker worker) {
        long vectorNanos = 0;
        long scalarNanos = 0;
        for (int i = 0; i < PARTS_PER_ROUND; i++, part++) {
            vectorNanos += time(worker, true);
            scalarNanos += time(worker, false);
        }
        double ratio = (double) vectorNanos / Math.max(1, scalarNanos);
        if (ratio < 0.95 * bestRatio) {
            bestRatio = ratio;
            spentAtBest = spent;
        }
        if (vectorNanos < SHORT_PART * PARTS_PER_ROUND && grow()) {
            won = 0;
            return false;
        }
        won = ratio < FASTER ? won + 1 : 0;
        return won >= ROUNDS_TO_CONVINCE;
    }

    private boolean grow() {
        if (threads < scalar.threads()) {
            threads = Math.min(scalar.threads(), 2 * threads);
            return true;
        }
        if (blocks < MOST_BLOCKS) {
            blocks *= 2;
            return true;
        }
        return false;
    }

    private long time(Worker worker, boolean inVectors) {
        long count = worker.grid.blocks();
        long first = part % Math.max(1, Math.min(count, MOST_BLOCKS) / blocks) * (long) blocks;
        long end = Math.min(count, first + blocks);
        long start = now();
        if (threads == scalar.threads()) {
            if (inVectors) {
                vector.run(worker, vectorFrame, first, end);
            } else {
                scalar.run(worker, scalarFrame, first, end);
            }
        } else {
            int parts = scalar.threads() / threads;
            int from = part / MOST_BLOCKS % parts * threads;
            if (inVectors) {
                vector.runThreads(worker, vectorFrame, first, from, from + threads);
            } else {
                scalar.runThreads(worker, scalarFrame, first, from, from + threads);
            }
        }
        return now() - start;
    }
}
