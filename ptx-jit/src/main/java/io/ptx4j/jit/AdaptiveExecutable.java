package io.ptx4j.jit;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.Rehearsal.Rehearsed;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.VectorFrame;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A kernel that begins in the scalar shape and goes over to the vector shape when that has become faster.
 *
 * <p>Launches run in the scalar shape until then. Once a kernel has run for a while, the vector shape is generated on a thread aside and
 * rehearsed there ({@link VectorTrial}), for a share of the time that launches take, until HotSpot has compiled it and it is measured to
 * be faster. Should it turn out to be slower in launches, they go back. Blocks that run in turns have no times of their own to compare: where
 * threads wait for other blocks, rehearsals alone decide, which begin when a launch does and run its blocks in order.
 */
final class AdaptiveExecutable implements Executable {
    /** Work in the scalar shape before the vector shape is generated: for each instruction, about a tenth of what HotSpot takes to compile it. */
    private static final long NANOS_BEFORE_TRYING = 20_000_000;
    private static final long NANOS_BEFORE_TRYING_PER_INSTRUCTION = 100_000;
    /** Kernels of more instructions wait until the scalar shape gets no faster: HotSpot takes seconds for it, and would take them in turn for both shapes. */
    private static final int LARGE = 2_000;
    /** Rehearsals take at most one part of so many of the time that launches have taken. */
    private static final int SHARE = 2;
    /** The same once the vector shape has turned out to be the slower one. */
    private static final int SHARE_AGAIN = 8;
    private static final long REHEARSAL = 100_000_000;
    /** A rehearsal that got no faster for so long ends until the kernel has run twice as long. */
    private static final long STAGNATION = 8_000_000_000L;
    private static final long STAGNATION_WITH_IDLE_COMPILERS = 3_000_000_000L;
    /** The same for each instruction, and at least, once HotSpot has compiled the vector shape. */
    private static final long STAGNATION_PER_INSTRUCTION = 40_000_000;
    private static final long LEAST_STAGNATION = 1_500_000_000;
    /** Work of a worker between two looks at the state. */
    private static final long SLICE = 50_000;
    /** Work that a worker counts by itself before it tells the others. */
    private static final long TOLD = 20_000;
    /** What part of that time launches may lose while the vector shape is on probation and gets no faster. */
    private static final int PATIENCE = 40;
    /** After so many times on probation in which its code was cold the kernel stays in the scalar shape until it has run twice as long; after one in which it was not, too. */
    private static final int SETBACKS = 8;
    /** Older times in the scalar shape count less and less. */
    private static final long LATELY = 500_000_000;

    private static final RehearsalTime TIME = new RehearsalTime(SHARE);
    private static final ExecutorService ASIDE = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("ptx4j-vector-shape").unstarted(task));

    private enum State { SCALAR, TRYING, PROBATION, VECTOR, NO_VECTORS }

    /** The frames of a worker that may use both shapes, and what it has not told yet of its work. */
    private static final class Frames {
        private Frame scalar;
        private VectorFrame vector;
        private CountedRun counted;
        private Probation probation;
        private Probation.Turn turn;
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
    /** Set before the state says so. */
    private volatile Probation probation;
    /** Guarded by this, as is all below. */
    private boolean busy;
    private VectorTrial trial;
    private long nextTry;
    private long scalarNanos;
    private long recentNanos;
    private long recentBlocks;
    private long trialStart;
    /** Of a large kernel; else null. */
    private final Steadiness steadiness;
    /** How often launches have gone back from the vector shape since it was last tried anew. */
    private int setbacks;
    private int share = SHARE;
    /** Whether the next launch is to be rehearsed from its start. */
    private volatile boolean awaitsLaunch;
    /** Whether the kernel is on probation since rehearsals say that the vector shape is faster. */
    private boolean convinced;

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
        this.steadiness = instructions > LARGE ? new Steadiness(nextTry) : null;
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
            next = switch (state) {
                case VECTOR -> runVector(worker, frames, next, end);
                case PROBATION -> runOnProbation(worker, frames, next, end);
                case SCALAR, TRYING, NO_VECTORS -> runScalar(worker, frames, next, end);
            };
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

    @Override
    public BlockRun begin(Worker worker, long block) {
        if (!scalar.waits() || worker.cluster().blocks() > 1) {
            return scalar.begin(worker, block);
        }
        if (awaitsLaunch && block == 0) {
            rehearseFromStart(worker);
        }
        Frames frames = idle.of(worker);
        if (state == State.VECTOR) {
            return vector.begin(worker, vectorFrame(frames), block);
        }
        BlockRun run = scalar.begin(worker, scalarFrame(frames), block);
        if (state == State.NO_VECTORS) {
            return run;
        }
        frames.counted = frames.counted == null ? new CountedRun() : frames.counted;
        return frames.counted.of(run, nanos -> ran(worker, frames, nanos, 1));
    }

    @Override
    public void rehearse(Worker worker, BooleanSupplier goOn) {
        if (scalar.waits()) {
            // Nothing of what blocks wait for has been written yet.
            return;
        }
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
                endProbation();
            }
            if (state == State.VECTOR || state == State.PROBATION) {
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
        } else {
            rehearseOn();
        }
        OtherWork others = new OtherWork();
        boolean able = true;
        while (able && state == State.TRYING && goOn.getAsBoolean()) {
            boolean compiled = others.idle() && trial.stagnant() > STAGNATION_WITH_IDLE_COMPILERS;
            able = rehearse(launch, compiled ? 0 : STAGNATION, true) && !trial.failing();
            others.look();
        }
    }

    /** Who prepares a kernel does not want to leave it to launches yet. */
    private synchronized void rehearseOn() {
        if (state == State.PROBATION && !convinced) {
            state = State.TRYING;
            trial = new VectorTrial(scalar, vector);
        }
    }

    /** Who prepares a kernel wants full speed from the next launch on, where rehearsals have convinced. */
    private synchronized void endProbation() {
        state = state == State.PROBATION && convinced ? State.VECTOR : state;
    }

    private long runVector(Worker worker, Frames frames, long first, long end) {
        vector.run(worker, vectorFrame(frames), first, end);
        return end;
    }

    private VectorFrame vectorFrame(Frames frames) {
        if (frames.vector == null) {
            frames.vector = vector.newFrame();
        }
        return frames.vector;
    }

    private long runOnProbation(Worker worker, Frames frames, long first, long end) {
        Probation now = probation;
        if (frames.probation != now) {
            frames.probation = now;
            frames.turn = new Probation.Turn();
        }
        Probation.Turn turn = frames.turn;
        now.next(turn, slice);
        long to = Math.min(end, first + Math.min(slice, turn.left()));
        long bytes = turn.vector() ? OwnWork.bytes() : 0;
        // A thread that others have sent away in the middle would tell of milliseconds for a block.
        long start = OwnWork.nanos();
        if (turn.vector()) {
            runVector(worker, frames, first, to);
        } else {
            scalar.run(worker, scalarFrame(frames), first, to);
        }
        turn.ran(OwnWork.nanos() - start, turn.vector() ? OwnWork.bytesSince(bytes) : 0, to - first);
        if (turn.toTell()) {
            judge(now, now.add(turn));
        }
        return to;
    }

    private long runScalar(Worker worker, Frames frames, long first, long end) {
        long to = Math.min(end, first + slice);
        long start = System.nanoTime();
        scalar.run(worker, scalarFrame(frames), first, to);
        ran(worker, frames, System.nanoTime() - start, to - first);
        return to;
    }

    /** Blocks have run in the scalar shape. */
    private void ran(Worker worker, Frames frames, long nanos, long blocks) {
        if (atOnce) {
            goOver();
            return;
        }
        frames.nanos += nanos;
        frames.blocks += blocks;
        if (frames.nanos >= TOLD) {
            count(worker, frames.nanos, frames.blocks);
            frames.nanos = 0;
            frames.blocks = 0;
        }
    }

    private Frame scalarFrame(Frames frames) {
        if (frames.scalar == null) {
            frames.scalar = scalar.newFrame();
        }
        return frames.scalar;
    }

    private synchronized void judge(Probation judged, Probation.Verdict verdict) {
        if (state != State.PROBATION || judged != probation) {
            return;
        }
        switch (verdict) {
            case OPEN -> { }
            case FASTER -> state = State.VECTOR;
            case SLOWER -> leaveAlone();
            case COLD -> goBack();
        }
    }

    /** To rehearsals: code may be compiled anew. */
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
        share = SHARE_AGAIN;
        nextTry = 2 * Math.max(scalarNanos, STAGNATION);
        state = State.SCALAR;
    }

    private synchronized void count(Worker worker, long nanos, long blocks) {
        TIME.launched(nanos);
        scalarNanos += nanos;
        recentNanos += nanos;
        recentBlocks += blocks;
        slice = Math.clamp(SLICE * recentBlocks / Math.max(1, recentNanos), 1, 4096);
        if (recentNanos > LATELY && recentBlocks > 1) {
            recentNanos /= 2;
            recentBlocks /= 2;
        }
        if (steadiness != null && !steadiness.reached()) {
            steadiness.ran(nanos, blocks);
        }
        if (busy) {
            return;
        }
        if (state == State.SCALAR && scalarNanos > nextTry && (steadiness == null || steadiness.reached())) {
            busy = true;
            ASIDE.execute(TIME.task(() -> busy(this::generateVector)));
        } else if (state == State.TRYING && mayRehearse(scalarNanos - trialStart)) {
            if (scalar.waits()) {
                awaitsLaunch = true;
            } else {
                Rehearsed launch = new Rehearsed(worker, false);
                rehearseAside(() -> rehearse(launch, STAGNATION, false));
            }
        }
    }

    /** A launch begins whose blocks may wait for each other. */
    private synchronized void rehearseFromStart(Worker worker) {
        if (!awaitsLaunch || busy || state != State.TRYING) {
            return;
        }
        awaitsLaunch = false;
        try {
            Rehearsal rehearsal = new Rehearsal(new Rehearsed(worker, false, true));
            rehearseAside(() -> rehearse(rehearsal, STAGNATION, false));
        } catch (RuntimeException none) {
            // The host has no memory for it: launches go on as they are.
        }
    }

    private void rehearseAside(Runnable task) {
        busy = true;
        ASIDE.execute(TIME.task(() -> busy(() -> {
            long before = trial.spent();
            task.run();
            TIME.rehearsed(trial.spent() - before);
        })));
    }

    /** @param ran nanoseconds of launches since rehearsals began */
    private boolean mayRehearse(long ran) {
        return share == SHARE ? TIME.left(trial.spent(), ran) : trial.spent() * share <= ran;
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
     * @param stagnation nanoseconds without getting faster after which it ends, however much is left to be compiled
     * @param patient whether it goes on so long where it cannot tell
     * @return whether it could
     */
    private boolean rehearse(Rehearsed launch, long stagnation, boolean patient) {
        Rehearsal rehearsal;
        try {
            rehearsal = new Rehearsal(launch);
        } catch (RuntimeException gone) {
            // The device was closed meanwhile, or the host has no memory for a rehearsal: launches go on as they are.
            return false;
        }
        return rehearse(rehearsal, stagnation, patient);
    }

    private boolean rehearse(Rehearsal given, long stagnation, boolean patient) {
        boolean faster;
        try (Rehearsal rehearsal = given) {
            faster = trial.run(rehearsal, REHEARSAL);
        } catch (RuntimeException gone) {
            return false;
        }
        synchronized (this) {
            // Where rehearsals cannot tell, launches do.
            boolean stagnant = trial.stagnant() > stagnation || trial.stagnantWarm() > stagnationOfCompiled;
            if (scalar.waits()) {
                if (faster) {
                    state = State.VECTOR;
                } else if (stagnant || trial.hopeless()) {
                    leaveAlone();
                }
            } else if (faster || trial.near() && recentBlocks > 0 && (stagnant || !patient)) {
                convinced = faster;
                probation = new Probation(recentBlocks == 0 ? 1 : (double) recentNanos / recentBlocks, faster ? 1 : Rounds.FASTER, stagnationOfCompiled / PATIENCE,
                        () -> ThreadLocalRandom.current().nextDouble());
                state = State.PROBATION;
            } else if (stagnant) {
                leaveAlone();
            }
        }
        return true;
    }
}
