package io.ptx4j.jit;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.Rehearsal.Rehearsed;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Rehearses a launch in one shape until HotSpot has compiled its code and it gets no faster. */
final class WarmUp {
    private static final long REHEARSAL = 100_000_000;
    /** A part is made larger while it takes less. */
    private static final long SHORT_PART = 100_000;
    private static final int PARTS_PER_ROUND = 4;
    /** What counts as faster, and for how long it must not have got faster: with compilers idle, and with compilers that may be at work. */
    private static final double FASTER = 0.97;
    private static final long STEADY = 400_000_000;
    private static final long STAGNATION = 8_000_000_000L;
    /** A launch that fails so often in a row cannot be rehearsed with the data that there are. */
    private static final int FAULTS_TO_STOP = 64;

    private final Part.Code code;
    private final Part part;
    private final OtherWork others = new OtherWork();
    private double best = Double.MAX_VALUE;
    private long spent;
    private long spentAtBest;
    private long patience = TimeUnit.SECONDS.toNanos(4);
    private int faults;

    /** @param part the smallest that there is */
    WarmUp(Part.Code code, Part part) {
        this.code = code;
        this.part = part;
    }

    /** Goes on until it is steady, or {@code goOn} says no. */
    void run(Rehearsed launch, BooleanSupplier goOn) {
        while (goOn.getAsBoolean() && !steady()) {
            try (Rehearsal rehearsal = new Rehearsal(launch)) {
                run(rehearsal.worker());
            }
            others.look();
        }
    }

    private boolean steady() {
        long stagnant = spent - spentAtBest;
        return faults >= FAULTS_TO_STOP || stagnant > STAGNATION || stagnant > STEADY && others.idle();
    }

    private void run(Worker worker) {
        long start = OwnWork.nanos();
        CompletableFuture.delayedExecutor(Math.max(REHEARSAL, patience), TimeUnit.NANOSECONDS).execute(worker::cancel);
        while (!worker.cancelled() && OwnWork.nanos() - start < REHEARSAL && faults < FAULTS_TO_STOP) {
            try {
                round(worker, start);
                faults = 0;
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
    }

    private void round(Worker worker, long start) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < PARTS_PER_ROUND; i++, part.next()) {
            least = Math.min(least, part.time(worker, code));
        }
        double each = (double) least / part.threads(worker.grid.blocks());
        if (least < SHORT_PART && part.grow() || each < FASTER * best) {
            spentAtBest = spent + OwnWork.nanos() - start;
        }
        best = Math.min(best, each);
    }
}
