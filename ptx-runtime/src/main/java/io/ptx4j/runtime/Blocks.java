package io.ptx4j.runtime;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The blocks of a running grid. Workers take grains of them in ascending order, each from its own portion and then from others'; the calling thread begins, those who are
 * awake help it, and it calls others unless it is about to be done before they have woken up. When a block fails, workers
 * above it are stopped and those below run on, so that the failure reported is the lowest one whatever the timing: the calling thread goes through the
 * portions from the first one on, so no block below it is left to begin.
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
        /** Those who began earlier. */
        private Turn earlier;
        /** Its blocks that have ended well, and what all took; the last worker to leave reads them. */
        private long ran;
        private long nanos;

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
    private final long began;
    private final long sharedBytes;
    private final long localBytes;
    /** Nanoseconds of one worker that all blocks may take. */
    private final double expected;
    private final AtomicReference<Turn> turns = new AtomicReference<>();
    /** Workers that may run blocks, the calling thread from the beginning; once there are none nobody comes any more. */
    private final AtomicInteger inside = new AtomicInteger(1);
    /** Set before anybody else sees the launch. */
    private Portions portions;
    /** Workers that were awake at the beginning. */
    private int awake;
    /** Workers that the calling thread has called; whether it has called all. */
    private volatile int called;
    private boolean calledAll;
    private volatile long failedBlock = Long.MAX_VALUE;

    /** Written under the lock, as is all below; the last worker to leave reads them behind all others. */
    private Fault fault;
    private Worker faultWorker;
    private Throwable notStarted;
    private Future<?> grace;

    /**
     * @param began when the launch began, as {@link System#nanoTime} tells
     * @param whenEnded called once, by the last worker to leave
     */
    Blocks(Device device, Grid grid, PreparedKernel kernel, Allocation constants, long began, Consumer<Outcome> whenEnded) {
        this.device = device;
        this.grid = grid;
        this.kernel = kernel;
        this.whenEnded = whenEnded;
        this.memory = device.areas().inUse();
        this.constants = device.areas().slice(constants);
        this.count = grid.blocks();
        this.began = began;
        this.sharedBytes = SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes);
        this.localBytes = Math.multiplyExact(kernel.code().localBytesPerThread(), grid.block.threads());
        this.expected = kernel.time().expected(count);
    }

    @Override
    public void begin(Runnable stopOnInterrupt) {
        AwakeWorkers others = device.awake();
        others.begins(began);
        if (wanted() == 0) {
            portions = new Portions(count, 1);
        } else {
            awake = Math.min(others.of(expected), wanted());
            int more = expected > 2 * WAKING ? Math.max(0, (int) Math.min(wanted(), expected / WAKING) - awake) : 0;
            portions = new Portions(count, 1 + awake + more);
            if (awake > 0) {
                others.offer(this);
            }
            if (expected > 2 * WAKING) {
                call(more);
            } else if (others.worthWaking(expected)) {
                if (others.inTheWay()) {
                    device.threads().executeAfresh(this::help);
                } else {
                    device.threads().execute(1, this::help);
                }
            }
        }
        work(stopOnInterrupt, true);
    }

    /** Workers beside the calling thread that could run a block. */
    private int wanted() {
        return (int) Math.min(device.workers(), count) - 1;
    }

    private void call(int workers) {
        if (workers > 0) {
            called = workers;
            device.threads().execute(workers, this::help);
        }
    }

    /** Lends the calling thread's hand until no block is left to begin; false if there is none. */
    boolean help() {
        while (portions.left()) {
            int others = inside.get();
            if (others == 0) {
                return false;
            }
            if (inside.compareAndSet(others, others + 1)) {
                work(null, false);
                return true;
            }
        }
        return false;
    }

    /** @param calls whether the thread calls others where they are of use */
    private void work(Runnable stopOnInterrupt, boolean calls) {
        Windows.Pair windows = null;
        try {
            windows = device.windows().take(sharedBytes, localBytes);
            Worker worker = workerWith(windows);
            try {
                if (takeGrains(new Turn(worker), stopOnInterrupt, calls)) {
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
            if (stopOnInterrupt != null) {
                letOthersEnd();
            }
            leave();
        }
    }

    private Worker workerWith(Windows.Pair windows) {
        Worker worker = new Worker(grid, memory,
                device.areas().slice(windows.shared()).asSlice(0, sharedBytes), windows.shared().address(),
                device.areas().slice(windows.local()).asSlice(0, localBytes), windows.local().address(),
                constants, windows.index);
        if (worker.checks != null) {
            worker.checks.runsThrough();
        }
        return worker;
    }

    /** Whether all blocks that were begun have ended well. */
    private boolean takeGrains(Turn turn, Runnable stopOnInterrupt, boolean calls) {
        turns.updateAndGet(earlier -> {
            turn.earlier = earlier;
            return turn;
        });
        boolean well = true;
        int portion = calls ? 0 : portions.claim(turn.worker.index);
        boolean neighbours = expected > 2 * WAKING && turn.worker.checks != null && turn.worker.checks.watchesRaces();
        long grain = neighbours ? within(count, share(portions.size(portion))) : firstGrain(portions.size(portion));
        long least = awake > 0 && expected < 2 * WAKING ? grain : 1;
        long from = calls ? began : System.nanoTime();
        long now = from;
        while (!grid.cancelled()) {
            long first = portions.take(portion, grain);
            long last = portions.end(portion);
            turn.first = first;
            if (first >= last || first > failedBlock) {
                int before = portion;
                portion = portions.leftBehind(portion);
                if (portion < 0 || portion < before && !goesDown(turn, portion)) {
                    break;
                }
                continue;
            }
            long end = Math.min(last, first + grain);
            try {
                kernel.code().run(turn.worker, first, end);
                turn.ran += end - first;
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
            turn.nanos = now - from;
            // What blocks side by side share need then not be claimed by one worker after the other.
            grain = neighbours ? within(last - end, share(last - end)) : grainAfter(grain, now - before, last - end, least);
            if (calls && !calledAll && now - from > WAKING && portions.left()) {
                calledAll = true;
                call(wanted() - Math.max(called, inside.get() - 1));
            }
        }
        return well;
    }

    /** Whether a worker may go on with blocks below its own: not where one has failed, since it may have been stopped for those above it. */
    private synchronized boolean goesDown(Turn turn, int portion) {
        turn.first = portions.first(portion);
        return failedBlock == Long.MAX_VALUE;
    }

    /** Not all blocks, since what launches before this one took may mislead; equal parts where that is a short grain and others are awake. */
    private long firstGrain(long own) {
        long wanted = (long) (SHORT_GRAIN * count / expected);
        return awake > 0 && wanted >= own ? own : within(wanted, share(own));
    }

    private long grainAfter(long grain, long took, long left, long least) {
        long wanted = took < SHORT_GRAIN ? 2 * grain : took > LONG_GRAIN ? grain / 2 : grain;
        // As long as there is nobody else, nothing need be left for others.
        return within(wanted, awake + called > 0 ? Math.max(least, share(left)) : left);
    }

    /** Of the blocks of a portion, which is for one worker if there is one for each. */
    private long share(long blocks) {
        return blocks / GRAINS_LEFT / Math.max(1, device.workers() / portions.count());
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
        for (Turn turn = turns.get(); turn != null; turn = turn.earlier) {
            if (turn.first > block) {
                turn.worker.cancel();
            }
        }
        if (grace == null) {
            grace = Timer.after(GRACE, grid::cancel);
        }
    }

    /** What follows the last block is done faster by the calling thread, which has done it before, than by another one. */
    private void letOthersEnd() {
        if (inside.get() > 1) {
            for (long end = System.nanoTime() + WAKING; inside.get() > 1 && System.nanoTime() - end < 0;) {
                Thread.onSpinWait();
            }
        }
    }

    private void leave() {
        if (inside.decrementAndGet() > 0) {
            return;
        }
        long done = 0;
        long nanos = 0;
        for (Turn turn = turns.get(); turn != null; turn = turn.earlier) {
            done += turn.ran;
            nanos += turn.nanos;
        }
        if (grace != null) {
            grace.cancel(false);
        }
        AwakeWorkers others = device.awake();
        boolean alone = done == count && turns.get().earlier == null;
        long now = alone ? began + nanos : System.nanoTime();
        if (done == count) {
            noteTime(nanos, now - began, alone);
        }
        others.ended(now);
        whenEnded.accept(new Outcome(done == count, fault, faultWorker, notStarted));
    }

    private void noteTime(long nanos, long clock, boolean alone) {
        BlockTime time = kernel.time();
        time.note(nanos, count);
        if (expected < WAKING && wanted() > 0) {
            if (alone) {
                time.noteAlone(clock, count);
            } else if (awake > 0) {
                device.awake().shared((long) time.alone(count) - clock);
            }
        }
    }
}
