package io.ptx4j.runtime;

import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The blocks of a running grid. Workers take grains of them in ascending order from one counter. When a block fails, workers
 * above it are stopped and those below run on, so that the failure reported is the lowest one whatever the timing.
 */
final class Blocks implements GridWork {
    /** How long blocks below a failed one may still run: they may wait for something that only the failed one could give. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final int GRAINS_PER_WORKER = 64;

    /** A worker and the first block of the grain it is at. */
    private static final class Turn {
        private final Worker worker;
        private volatile long first;

        private Turn(Worker worker) {
            this.worker = worker;
        }
    }

    private final Device device;
    private final Grid grid;
    private final Executable code;
    private final Consumer<Outcome> whenEnded;
    private final MemorySegment memory;
    private final MemorySegment constants;
    private final long count;
    private final long grain;
    private final AtomicLong next = new AtomicLong();
    private volatile long failedBlock = Long.MAX_VALUE;

    /** Guarded by this, as is all below. */
    private final List<Turn> turns = new ArrayList<>();
    private int inside;
    private long done;
    private boolean ended;
    private Fault fault;
    private Worker faultWorker;
    private Throwable notStarted;
    private Future<?> grace;

    /** @param whenEnded called once, by the last worker to leave */
    Blocks(Device device, Grid grid, Executable code, Allocation constants, Consumer<Outcome> whenEnded) {
        this.device = device;
        this.grid = grid;
        this.code = code;
        this.whenEnded = whenEnded;
        this.memory = device.memoryInUse();
        this.constants = device.slice(constants);
        this.count = grid.blocks();
        this.grain = Math.max(1, count / ((long) GRAINS_PER_WORKER * device.workers()));
    }

    @Override
    public int usefulWorkers() {
        return (int) Math.min(device.workers(), (count + grain - 1) / grain);
    }

    @Override
    public void work(Runnable stopOnInterrupt) {
        synchronized (this) {
            if (ended) {
                return;
            }
            inside++;
        }
        Windows.Pair windows = null;
        try {
            windows = device.windows().take(sharedBytes(), localBytes());
            takeGrains(new Turn(workerWith(windows)), stopOnInterrupt);
        } catch (RuntimeException | Error failure) {
            synchronized (this) {
                notStarted = failure;
            }
        } finally {
            if (windows != null) {
                device.windows().give(windows);
            }
            leave();
        }
    }

    private long sharedBytes() {
        return SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes);
    }

    private long localBytes() {
        return Math.multiplyExact(code.localBytesPerThread(), grid.block.threads());
    }

    private Worker workerWith(Windows.Pair windows) {
        return new Worker(grid, memory,
                device.slice(windows.shared()).asSlice(0, sharedBytes()), windows.shared().address(),
                device.slice(windows.local()).asSlice(0, localBytes()), windows.local().address(),
                constants, windows.index);
    }

    private void takeGrains(Turn turn, Runnable stopOnInterrupt) {
        synchronized (this) {
            turns.add(turn);
        }
        long ran = 0;
        while (!grid.cancelled()) {
            long first = next.getAndAdd(grain);
            long end = Math.min(count, first + grain);
            turn.first = first;
            if (first >= count || first > failedBlock) {
                break;
            }
            try {
                code.run(turn.worker, first, end);
                ran += end - first;
            } catch (RuntimeException | Error failure) {
                failed(GridWork.faultOf(failure, first), turn);
                break;
            }
            if (stopOnInterrupt != null && Thread.currentThread().isInterrupted()) {
                stopOnInterrupt.run();
                break;
            }
        }
        synchronized (this) {
            turns.remove(turn);
            done += ran;
        }
    }

    private synchronized void failed(Fault found, Turn failing) {
        long block = found.block() < 0 ? failing.first : found.block();
        if (found.kind() == Fault.Kind.CANCELLED || block >= failedBlock) {
            return;
        }
        fault = found;
        faultWorker = failing.worker;
        failedBlock = block;
        for (Turn turn : turns) {
            if (turn.first > block) {
                turn.worker.cancel();
            }
        }
        if (grace == null) {
            grace = Timer.after(GRACE, grid::cancel);
        }
    }

    private void leave() {
        synchronized (this) {
            if (--inside > 0) {
                return;
            }
            ended = true;
            if (grace != null) {
                grace.cancel(false);
            }
        }
        whenEnded.accept(new Outcome(done == count, fault, faultWorker, notStarted));
    }
}
