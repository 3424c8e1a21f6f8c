package io.ptx4j.jit;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.Rehearsal.Rehearsed;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.VectorFrame;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A kernel that begins in the scalar shape and goes over to the vector shape when that has become faster.
 *
 * <p>Launches run in the scalar shape until then. Once a kernel has run for a while, the vector shape is generated on a thread aside and
 * rehearsed there ({@link VectorTrial}), for a share of the time that launches take, until HotSpot has compiled it and it is measured to
 * be faster. Should it turn out to be slower in launches, they go back.
 */
final class AdaptiveExecutable implements Executable {
    /** Work in the scalar shape before the vector shape is generated: for each instruction, about a tenth of what HotSpot takes to compile it. */
    private static final long NANOS_BEFORE_TRYING = 20_000_000;
    private static final long NANOS_BEFORE_TRYING_PER_INSTRUCTION = 100_000;
    /** Rehearsals take at most one part of so many of the time that launches have taken. */
    private static final int SHARE = 2;
    private static final long REHEARSAL = 100_000_000;
    /** A rehearsal that got no faster for so long ends until the kernel has run twice as long. */
    private static final long STAGNATION = 8_000_000_000L;
    private static final long STAGNATION_WITH_IDLE_COMPILERS = 3_000_000_000L;
    /** The same for each instruction, and at least, once the vector shape is so near that HotSpot must have compiled it. */
    private static final long STAGNATION_PER_INSTRUCTION = 40_000_000;
    private static final long LEAST_STAGNATION = 1_500_000_000;
    /** Work of a worker between two looks at the state. */
    private static final long SLICE = 50_000;
    /** Work that a worker counts by itself before it tells the others. */
    private static final long TOLD = 20_000;
    /**
     * In launches the vector shape is watched for so long, and must not take so many times what the scalar one took lately: rehearsals have a part
     * of the data and see what one launch does.
     */
    private static final long WATCHED = 1_000_000_000;
    private static final double TOO_SLOW = 1.3;
    private static final double TOO_SLOW_AT_FIRST = 2;
    /** After so many times of going back the kernel stays in the scalar shape, until it has run twice as long. */
    private static final int SETBACKS = 4;
    /** Older times in the scalar shape count less and less. */
    private static final long LATELY = 500_000_000;

    private static final ExecutorService ASIDE = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("ptx4j-vector-shape").unstarted(task));

    private enum State { SCALAR, TRYING, VECTOR, NO_VECTORS }

    /** The frames of a worker that may use both shapes, and what it has not told yet of its work in the present one. */
    private static final class Frames {
        private Frame scalar;
        private VectorFrame vector;
        private State state;
        private long nanos;
        private long blocks;
    }

    private final ScalarExecutable scalar;
    private final long stagnationOfCompiled;
    private final Supplier<VectorExecutable> generator;
    /** Whether the kernel goes over behind its first block, however fast it is. */
    private final boolean atOnce;
    private volatile VectorExecutable vector;
    private final IdleFrames<Frames> idle = new IdleFrames<>(Frames.class, Frames::new);
    private volatile State state = State.SCALAR;
    /** So many blocks that the clock is not asked more often than every few microseconds. */
    private volatile int slice = 1;
    private volatile boolean watching = true;
    /** Guarded by this, as is all below. */
    private boolean busy;
    private VectorTrial trial;
    private long nextTry;
    private long scalarNanos;
    private long recentNanos;
    private long recentBlocks;
    private long trialStart;
    /** How often launches have gone back from the vector shape since it was last tried anew. */
    private int setbacks;
    /** What part of the scalar shape's time it may take in the end. */
    private double tooSlow;
    private long watchedNanos;
    private long watchedBlocks;

    /**
     * @param instructions of the kernel
     * @param atOnce whether the kernel goes over behind its first block, however fast it is
     * @param generator gives null when there is no vector shape
     */
    AdaptiveExecutable(ScalarExecutable scalar, int instructions, boolean atOnce, Supplier<VectorExecutable> generator) {
        this.scalar = scalar;
        this.stagnationOfCompiled = Math.clamp(instructions * STAGNATION_PER_INSTRUCTION, LEAST_STAGNATION, STAGNATION);
        this.atOnce = atOnce;
        this.generator = generator;
        this.nextTry = Math.max(NANOS_BEFORE_TRYING, instructions * NANOS_BEFORE_TRYING_PER_INSTRUCTION);
    }

    @Override
    public String shape() {
        return state == State.VECTOR ? "vector" : "scalar";
    }

    @Override
    public long localBytesPerThread() {
        return scalar.localBytesPerThread();
    }

    @Override
    public void run(Worker worker, long first, long end) {
        Frames frames = idle.of(worker);
        long next = first;
        while (next < end) {
            next = state == State.VECTOR ? runVector(worker, frames, next, end) : runScalar(worker, frames, next, end);
        }
    }

    @Override
    public void release(Worker worker) {
        idle.release(worker);
        scalar.release(worker);
    }

    @Override
    public boolean waits() {
        return scalar.waits();
    }

    /** In the scalar shape: blocks that run in turns have no times of their own to compare. */
    @Override
    public BlockRun begin(Worker worker, long block) {
        return scalar.begin(worker, block);
    }

    @Override
    public void rehearse(Worker worker, BooleanSupplier goOn) {
        Rehearsed launch = new Rehearsed(worker, true);
        try {
            occupy();
        } catch (InterruptedException wake) {
            Thread.currentThread().interrupt();
            return;
        }
        busy(() -> {
            if (state != State.VECTOR) {
                scalar.rehearse(launch, goOn);
                compete(launch, goOn);
            }
            if (state == State.VECTOR) {
                vector.rehearse(launch, goOn);
            }
        });
    }

    @Override
    public void generate() {
        try {
            occupy();
        } catch (InterruptedException wake) {
            Thread.currentThread().interrupt();
            return;
        }
        busy(() -> {
            if (state == State.SCALAR) {
                generateVector();
            }
        });
    }

    /** Waits until nothing is done aside, and keeps others from it. */
    private synchronized void occupy() throws InterruptedException {
        while (busy) {
            wait();
        }
        busy = true;
    }

    /** Rehearses both shapes until one has won. */
    private void compete(Rehearsed launch, BooleanSupplier goOn) {
        if (state == State.SCALAR) {
            generateVector();
        }
        OtherWork others = new OtherWork();
        boolean able = true;
        while (able && state == State.TRYING && goOn.getAsBoolean()) {
            boolean compiled = others.idle() && trial.stagnant() > STAGNATION_WITH_IDLE_COMPILERS;
            able = rehearse(launch, compiled ? 0 : STAGNATION) && !trial.failing();
            others.look();
        }
    }

    private long runVector(Worker worker, Frames frames, long first, long end) {
        if (frames.vector == null) {
            frames.vector = vector.newFrame();
        }
        if (!watching) {
            vector.run(worker, frames.vector, first, end);
            return end;
        }
        long to = Math.min(end, first + slice);
        long start = System.nanoTime();
        vector.run(worker, frames.vector, first, to);
        if (worked(frames, State.VECTOR, System.nanoTime() - start, to - first)) {
            watch(frames.nanos, frames.blocks);
            frames.state = null;
        }
        return to;
    }

    private long runScalar(Worker worker, Frames frames, long first, long end) {
        if (frames.scalar == null) {
            frames.scalar = scalar.newFrame();
        }
        long to = Math.min(end, first + slice);
        long start = System.nanoTime();
        scalar.run(worker, frames.scalar, first, to);
        if (atOnce) {
            goOver();
        } else if (worked(frames, State.SCALAR, System.nanoTime() - start, to - first)) {
            count(worker, frames.nanos, frames.blocks);
            frames.state = null;
        }
        return to;
    }

    /** Adds work to what the worker has not told; whether it is time to. */
    private static boolean worked(Frames frames, State shape, long nanos, long blocks) {
        boolean same = frames.state == shape;
        frames.state = shape;
        frames.nanos = nanos + (same ? frames.nanos : 0);
        frames.blocks = blocks + (same ? frames.blocks : 0);
        return frames.nanos >= TOLD;
    }

    private synchronized void watch(long nanos, long blocks) {
        watchedNanos += nanos;
        watchedBlocks += blocks;
        watching = watchedNanos < WATCHED;
        slice = Math.clamp(SLICE * watchedBlocks / Math.max(1, watchedNanos), 1, 4096);
        if (recentBlocks == 0) {
            // Prepared before the first launch: there is nothing to compare with.
            return;
        }
        double expected = (double) recentNanos / recentBlocks * watchedBlocks;
        if (state == State.VECTOR && watchedNanos > REHEARSAL && watchedNanos > (watching ? TOO_SLOW_AT_FIRST : tooSlow) * expected) {
            goBack();
        }
    }

    /** At first code may be compiled anew, or something else may have kept the processor busy; in the end rehearsals mislead. */
    private void goBack() {
        setbacks++;
        if (setbacks < SETBACKS) {
            state = State.TRYING;
            trial = new VectorTrial(scalar, vector);
        } else {
            leaveAlone();
        }
    }

    private void leaveAlone() {
        setbacks = 0;
        nextTry = 2 * Math.max(scalarNanos, STAGNATION);
        state = State.SCALAR;
    }

    private synchronized void count(Worker worker, long nanos, long blocks) {
        scalarNanos += nanos;
        recentNanos += nanos;
        recentBlocks += blocks;
        slice = Math.clamp(SLICE * recentBlocks / Math.max(1, recentNanos), 1, 4096);
        if (recentNanos > LATELY && recentBlocks > 1) {
            recentNanos /= 2;
            recentBlocks /= 2;
        }
        if (busy || state == State.NO_VECTORS || state == State.VECTOR) {
            return;
        }
        if (state == State.SCALAR && scalarNanos > nextTry) {
            busy = true;
            ASIDE.execute(() -> busy(this::generateVector));
        } else if (state == State.TRYING && trial.spent() * SHARE <= scalarNanos - trialStart) {
            Rehearsed launch = new Rehearsed(worker, false);
            busy = true;
            ASIDE.execute(() -> busy(() -> rehearse(launch, trial.compiled() ? stagnationOfCompiled : STAGNATION)));
        }
    }

    /** Does something aside from launches, of which nothing else is done meanwhile. */
    private void busy(Runnable task) {
        boolean done = false;
        try {
            task.run();
            done = true;
        } finally {
            synchronized (this) {
                busy = false;
                // What breaks once would break again; launches go on in the scalar shape.
                state = done ? state : State.NO_VECTORS;
                notifyAll();
            }
        }
    }

    private synchronized void goOver() {
        if (state == State.SCALAR) {
            generateVector();
            state = vector == null ? State.NO_VECTORS : State.VECTOR;
        }
    }

    private void generateVector() {
        if (vector == null) {
            vector = generator.get();
        }
        synchronized (this) {
            state = vector == null ? State.NO_VECTORS : State.TRYING;
            if (vector != null) {
                trial = new VectorTrial(scalar, vector);
                // From here on old times, of code that was not compiled yet, count little.
                nextTry = 2 * scalarNanos;
                trialStart = scalarNanos;
            }
        }
    }

    /**
     * @param stagnation nanoseconds without getting faster after which it ends
     * @return whether it could
     */
    private boolean rehearse(Rehearsed launch, long stagnation) {
        boolean faster;
        try (Rehearsal rehearsal = new Rehearsal(launch)) {
            faster = trial.run(rehearsal.worker(), REHEARSAL);
        } catch (RuntimeException gone) {
            // The device was closed meanwhile, or the host has no memory for a rehearsal: launches go on as they are.
            return false;
        }
        synchronized (this) {
            // Where rehearsals cannot tell, launches do.
            if (faster || trial.near() && recentBlocks > 0) {
                tooSlow = faster ? TOO_SLOW : Rounds.FASTER;
                watchedNanos = 0;
                watchedBlocks = 0;
                watching = true;
                state = State.VECTOR;
            } else if (trial.stagnant() > stagnation) {
                leaveAlone();
            }
        }
        return true;
    }
}
