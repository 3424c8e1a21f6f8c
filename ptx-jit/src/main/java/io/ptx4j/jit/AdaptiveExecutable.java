package io.ptx4j.jit;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.VectorFrame;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A kernel that begins in the scalar shape and goes over to the vector shape when that has become faster.
 *
 * <p>Vector code is slow, up to a thousand times, until HotSpot has compiled it for good, and HotSpot compiles only what runs. So once
 * a kernel has run for a while the vector shape is generated aside and given a small share of the time, block by block, until
 * its blocks take less time than those of the scalar shape. A kernel for which that never happens stays in the scalar shape.
 */
final class AdaptiveExecutable implements Executable {
    private static final long NANOS_BEFORE_TRYING = 20_000_000;
    /** The vector shape gets one part of so many of the time while it warms up. */
    private static final int SHARE = 6;
    private static final long NANOS_BEFORE_GIVING_UP = 20_000_000_000L;
    /** Blocks of the vector shape that must have been faster on the average. */
    private static final int BLOCKS_TO_CONVINCE = 32;

    private static final ExecutorService ASIDE = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("ptx4j-vector-shape").unstarted(task));

    private enum State { SCALAR, TRYING, VECTOR }

    /** The frames of a worker that may use both shapes. */
    private static final class Frames {
        private Frame scalar;
        private VectorFrame vector;
    }

    private final ScalarExecutable scalar;
    private final Supplier<VectorExecutable> generator;
    private volatile VectorExecutable vector;
    private volatile State state = State.SCALAR;
    /** Guarded by this, as is all below. */
    private boolean asked;
    private long scalarNanos;
    private long scalarBlocks;
    private long vectorNanos;
    private long recentNanos;
    private int recentBlocks;

    /** @param generator gives null when there is no vector shape */
    AdaptiveExecutable(ScalarExecutable scalar, Supplier<VectorExecutable> generator) {
        this.scalar = scalar;
        this.generator = generator;
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
        if (!(worker.frame instanceof Frames)) {
            worker.frame = new Frames();
        }
        Frames frames = (Frames) worker.frame;
        long next = first;
        while (next < end) {
            next = switch (state) {
                case VECTOR -> runVector(worker, frames, next, end);
                case TRYING -> vectorsTurn() ? runVector(worker, frames, next, next + 1)
                        : runScalar(worker, frames, next, Math.min(end, next + scalarSlice()));
                case SCALAR -> runScalar(worker, frames, next, end);
            };
        }
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

    private long runVector(Worker worker, Frames frames, long first, long end) {
        if (frames.vector == null) {
            frames.vector = vector.newFrame();
        }
        long start = System.nanoTime();
        vector.run(worker, frames.vector, first, end);
        if (state == State.TRYING) {
            tried(System.nanoTime() - start);
        }
        return end;
    }

    private long runScalar(Worker worker, Frames frames, long first, long end) {
        if (frames.scalar == null) {
            frames.scalar = scalar.newFrame();
        }
        long start = System.nanoTime();
        scalar.run(worker, frames.scalar, first, end);
        count(System.nanoTime() - start, end - first);
        return end;
    }

    private synchronized void count(long nanos, long blocks) {
        scalarNanos += nanos;
        scalarBlocks += blocks;
        if (!asked && scalarNanos > NANOS_BEFORE_TRYING) {
            asked = true;
            ASIDE.execute(this::generate);
        }
    }

    private void generate() {
        VectorExecutable made = generator.get();
        if (made != null) {
            synchronized (this) {
                // From here on old times, of code that was not compiled yet, count little.
                scalarNanos = scalarNanos / Math.max(1, scalarBlocks);
                scalarBlocks = 1;
            }
            vector = made;
            state = State.TRYING;
        }
    }

    private synchronized boolean vectorsTurn() {
        return vectorNanos * SHARE <= scalarNanos + vectorNanos;
    }

    /** So many blocks that the clock is not asked more often than every few microseconds. */
    private synchronized long scalarSlice() {
        return Math.clamp(20_000 * scalarBlocks / Math.max(1, scalarNanos), 1, 256);
    }

    private synchronized void tried(long nanos) {
        vectorNanos += nanos;
        recentNanos += nanos;
        if (++recentBlocks < BLOCKS_TO_CONVINCE) {
            return;
        }
        if (state == State.TRYING && scalarBlocks > BLOCKS_TO_CONVINCE
                && (double) recentNanos / recentBlocks < 0.9 * scalarNanos / scalarBlocks) {
            state = State.VECTOR;
        } else if (vectorNanos > NANOS_BEFORE_GIVING_UP) {
            state = State.SCALAR;
        }
        recentNanos = 0;
        recentBlocks = 0;
    }
}
