package io.ptx4j.runtime;

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
 * The blocks of a running grid. Workers take grains of them in ascending order from one counter; the calling thread begins, and calls
 * others unless it is about to be done before they have woken up. When a block fails, workers
 * above it are stopped and those below run on, so that the failure reported is the lowest one whatever the timing.
 */
final class Blocks implements GridWork {
    /** How long blocks below a failed one may still run: they may wait for something that only the failed one could give. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** Nanoseconds in which a worker wakes up, about. */
    private static final long WAKING = 20_000;
    /** Nanoseconds of a grain: enough that the counter costs nothing. */
    private static final long SHORT_GRAIN = 4_000;
    private static final long LONG_GRAIN = 32_000;
    /** At least so many grains for each worker are left behind the one taken, so that all end at about the same time. */
    private static final int GRAINS_LEFT = 4;

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
    private final PreparedKernel kernel;
    private final Consumer<Outcome> whenEnded;
    private final MemorySegment memory;
    private final MemorySegment constants;
    private final long count;
    private final AtomicLong next = new AtomicLong();
    /** Whether others than the calling thread may take blocks: written under the lock. */
    private volatile boolean called;
    private volatile long failedBlock = Long.MAX_VALUE;

    /** Guarded by this, as is all below. */
    private final List<Turn> turns = new ArrayList<>();
    private int inside;
    private long done;
    private long nanos;
    private boolean ended;
    private Fault fault;
    private Worker faultWorker;
    private Throwable notStarted;
    private Future<?> grace;

    /** @param whenEnded called once, by the last worker to leave */
    Blocks(Device device, Grid grid, PreparedKernel kernel, Allocation constants, Consumer<Outcome> whenEnded) {
        this.device = device;
        this.grid = grid;
        this.kernel = kernel;
        this.whenEnded = whenEnded;
        this.memory = device.memoryInUse();
        this.constants = device.slice(constants);
        this.count = grid.blocks();
    }

    @Override
    public void begin(Runnable stopOnInterrupt) {
        double expected = kernel.time().expected(count);
        if (expected > 2 * WAKING) {
            call(expected);
        }
        work(stopOnInterrupt);
    }

    /** Calls as many workers as find something to do in that many nanoseconds of work. */
    private void call(double expected) {
        synchronized (this) {
            if (called) {
                return;
            }
            called = true;
        }
        device.execute((int) Math.min(Math.min(device.workers(), count) - 1, expected / WAKING), () -> work(null));
    }

    private void work(Runnable stopOnInterrupt) {
        synchronized (this) {
            if (ended) {
                return;
            }
            inside++;
        }
        Windows.Pair windows = null;
        try {
            windows = device.windows().take(sharedBytes(), localBytes());
            Worker worker = workerWith(windows);
            try {
                if (takeGrains(new Turn(worker), stopOnInterrupt)) {
                    kernel.code().release(worker);
                }
            } finally {
                if (worker.checks != null) {
                    worker.checks.rest();
                }
            }
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
        return Math.multiplyExact(kernel.code().localBytesPerThread(), grid.block.threads());
    }

    private Worker workerWith(Windows.Pair windows) {
        Worker worker = new Worker(grid, memory,
                device.slice(windows.shared()).asSlice(0, sharedBytes()), windows.shared().address(),
                device.slice(windows.local()).asSlice(0, localBytes()), windows.local().address(),
                constants, windows.index);
        if (worker.checks != null) {
            worker.checks.runsThrough();
        }
        return worker;
    }

    /** Whether all blocks that were begun have ended well. */
    private boolean takeGrains(Turn turn, Runnable stopOnInterrupt) {
        synchronized (this) {
            turns.add(turn);
        }
        boolean well = true;
        long ran = 0;
        // Not all of them, since what launches before this one took may mislead.
        long grain = within((long) (SHORT_GRAIN * count / kernel.time().expected(count)), share(count));
        long began = System.nanoTime();
        long now = began;
        while (!grid.cancelled()) {
            long first = next.getAndAdd(grain);
            long end = Math.min(count, first + grain);
            turn.first = first;
            if (first >= count || first > failedBlock) {
                break;
            }
            try {
                kernel.code().run(turn.worker, first, end);
                ran += end - first;
            } catch (RuntimeException | Error failure) {
                failed(GridWork.faultOf(failure, first), turn);
                well = false;
                break;
            }
            if (stopOnInterrupt != null && Thread.currentThread().isInterrupted()) {
                stopOnInterrupt.run();
                break;
            }
            long before = now;
            now = System.nanoTime();
            grain = grainAfter(grain, now - before, count - end);
            if (now - began > WAKING && end < count) {
                call(Double.POSITIVE_INFINITY);
            }
        }
        synchronized (this) {
            turns.remove(turn);
            done += ran;
            nanos += System.nanoTime() - began;
        }
        return well;
    }

    private long grainAfter(long grain, long took, long left) {
        long wanted = took < SHORT_GRAIN ? 2 * grain : took > LONG_GRAIN ? grain / 2 : grain;
        // As long as nobody else has been called, nothing need be left for others.
        return within(wanted, called ? share(left) : left);
    }

    private long share(long blocks) {
        return blocks / GRAINS_LEFT / device.workers();
    }

    private static long within(long wanted, long most) {
        return Math.max(1, Math.min(wanted, most));
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
            if (done == count) {
                kernel.time().note(nanos, count);
            }
        }
        whenEnded.accept(new Outcome(done == count, fault, faultWorker, notStarted));
    }
}
