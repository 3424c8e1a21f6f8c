package io.ptx4j.runtime;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The blocks of a grid whose threads may wait for those of other blocks. A block that waits gives its worker to others: new ones
 * and those that wait take turns, so that any number of workers gets on. When all blocks wait, nothing changes any more and that
 * lasts, the launch fails with the list of who waits where.
 */
final class SuspendableBlocks implements GridWork {
    /** Blocks that may be under way together: about what the largest devices hold. */
    static final int MOST = 4096;
    /** For so long all blocks must have waited without a change: until then the host may still write what they wait for. */
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** For how long a block runs that waits, but gets on, before others get a turn; and one that only counts. */
    private static final long SLICE_NANOS = 10_000_000;
    private static final long COUNTING_NANOS = 50_000;
    /** After which time the others hear that a block gets on, while it does. */
    private static final long TELLING_NANOS = 20_000;
    private static final int MILLISECONDS_BETWEEN_LOOKS = 2;
    /** For each block that waits: asking one takes some microseconds. */
    private static final long NANOS_BETWEEN_QUESTIONS = 50_000;

    private final Device device;
    private final Grid grid;
    private final Executable code;
    private final GridRun launch;
    private final Consumer<Outcome> whenEnded;
    private final MemorySegment memory;
    private final MemorySegment constants;
    private final long count;
    private final int most;

    /** Guarded by this, as is all below. */
    private final Deque<ClusterTurn> waiting = new ArrayDeque<>();
    private final List<ClusterTurn> running = new ArrayList<>();
    private final Deque<ClusterTurn> idle = new ArrayDeque<>();
    private long next;
    private long done;
    private int underWay;
    private boolean full;
    private boolean takeWaiting;
    private long changes;
    private long quietSince;
    /** When those that wait may look again though nobody has told of a change, as {@link System#nanoTime} tells. */
    private long askAt = System.nanoTime();
    private int inside;
    private int threads;
    private boolean ended;
    private Fault fault;
    private Worker faultWorker;
    private long failed = Long.MAX_VALUE;
    private Throwable notStarted;
    private Future<?> grace;

    /** @param whenEnded called once, by the last worker to leave */
    SuspendableBlocks(
            Device device, Grid grid, Executable code, Allocation constants, GridRun launch, Consumer<Outcome> whenEnded) {
        this.device = device;
        this.grid = grid;
        this.code = code;
        this.launch = launch;
        this.whenEnded = whenEnded;
        this.memory = device.areas().inUse();
        this.constants = device.areas().slice(constants);
        this.count = grid.blocks() / grid.cluster.blocks();
        this.most = Math.max(1, MOST / grid.cluster.blocks());
    }

    @Override
    public void begin(Runnable stopOnInterrupt) {
        device.threads().execute((int) Math.min(device.workers(), count) - 1, () -> work(null));
        work(stopOnInterrupt);
    }

    private void work(Runnable stopOnInterrupt) {
        int index;
        synchronized (this) {
            if (ended) {
                return;
            }
            inside++;
            index = threads++;
        }
        try {
            ClusterTurn turn = take(index, stopOnInterrupt);
            while (turn != null) {
                run(turn);
                turn = take(index, stopOnInterrupt);
            }
        } catch (RuntimeException | Error failure) {
            synchronized (this) {
                notStarted = failure;
            }
            grid.cancel();
        } finally {
            leave();
        }
    }

    private void run(ClusterTurn turn) {
        BlockRun.State state;
        boolean untold = false;
        try {
            int share = share();
            long begin = System.nanoTime();
            long told = begin;
            long now;
            do {
                state = turn.resume();
                now = System.nanoTime();
                untold |= state.mayGoOn();
                if (untold && now - told >= TELLING_NANOS) {
                    gotOn(turn);
                    told = now;
                    untold = false;
                }
            } while (state.mayGoOn() && now - begin < share * (state == BlockRun.State.COUNTING ? COUNTING_NANOS : SLICE_NANOS));
        } catch (RuntimeException | Error broken) {
            failed(GridWork.faultOf(broken, ClusterTurn.block(grid, turn.number, 0)), turn);
            return;
        }
        ran(turn, state, untold);
    }

    /** How many times its time a block has: more with the blocks under way, so that many long ones do not all begin at once. */
    private synchronized int share() {
        return 1 + underWay / (4 * device.workers());
    }

    /** A block goes on: others may wait for what it has written until now. */
    private synchronized void gotOn(ClusterTurn turn) {
        changed();
        turn.changesBefore = changes;
        notifyAll();
    }

    /** @param gotOn whether it has got on since that was last told */
    private synchronized void ran(ClusterTurn turn, BlockRun.State state, boolean gotOn) {
        running.remove(turn);
        if (gotOn) {
            changed();
        }
        switch (state) {
            case ENDED -> {
                done++;
                underWay--;
                full = false;
                idle.push(turn);
                changed();
            }
            case WAITING, COUNTING -> {
                turn.stuckAt = -1;
                waiting.add(turn);
            }
            case STUCK -> {
                turn.stuckAt = turn.changesBefore;
                waiting.add(turn);
            }
        }
        notifyAll();
    }

    private void changed() {
        changes++;
        quietSince = 0;
        launch.gettingOn(true);
    }

    private synchronized void failed(Fault found, ClusterTurn turn) {
        running.remove(turn);
        underWay--;
        idle.push(turn);
        changed();
        notifyAll();
        if (found.kind() == Fault.Kind.CANCELLED || turn.number >= failed) {
            return;
        }
        failed = turn.number;
        fault = found;
        faultWorker = turn.worker(grid, found.block());
        running.stream().filter(other -> other.number > failed).forEach(ClusterTurn::cancel);
        if (grace == null) {
            grace = Timer.after(GRACE, grid::cancel);
        }
    }

    /** What to run next; waits where others may have something soon. Null when there is nothing left. */
    private synchronized ClusterTurn take(int index, Runnable stopOnInterrupt) {
        while (!grid.cancelled()) {
            if (stopOnInterrupt != null && Thread.currentThread().isInterrupted()) {
                stopOnInterrupt.run();
                return null;
            }
            if (fault != null) {
                waiting.removeIf(turn -> turn.number > failed);
            }
            ClusterTurn turn = takeWaiting || !mayBegin() ? firstThatMayGoOn() : null;
            takeWaiting = !takeWaiting;
            turn = turn == null && mayBegin() ? begin(index) : turn;
            turn = turn == null ? firstThatMayGoOn() : turn;
            if (turn != null) {
                turn.changesBefore = changes;
                running.add(turn);
                return turn;
            }
            if (!running.isEmpty()) {
                askAgain();
            } else if (waiting.isEmpty() || !stillHope()) {
                return null;
            }
            pause();
        }
        return null;
    }

    private boolean mayBegin() {
        return next < count && !full && fault == null;
    }

    private ClusterTurn begin(int index) {
        if (underWay >= most) {
            full = true;
            return null;
        }
        ClusterTurn turn = idle.isEmpty() ? newTurn(index) : idle.pop();
        if (turn == null) {
            full = true;
            return null;
        }
        turn.begin(code, grid, next++);
        underWay++;
        changed();
        return turn;
    }

    /** Null when there is no memory, but others are under way that will give theirs back. */
    private ClusterTurn newTurn(int index) {
        int blocks = grid.cluster.blocks();
        long shared = SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes);
        long local = Math.multiplyExact(code.localBytesPerThread(), grid.block.threads());
        Windows.Pair[] windows = new Windows.Pair[blocks];
        Worker[] workers = new Worker[blocks];
        for (int rank = 0; rank < blocks; rank++) {
            try {
                windows[rank] = device.windows().take(shared, local);
            } catch (OutOfDeviceMemoryException none) {
                for (int taken = 0; taken < rank; taken++) {
                    device.windows().give(windows[taken]);
                }
                if (underWay == 0) {
                    throw none;
                }
                return null;
            }
            workers[rank] = new Worker(grid, memory, device.areas().slice(windows[rank].shared()).asSlice(0, shared),
                    windows[rank].shared().address(), device.areas().slice(windows[rank].local()).asSlice(0, local),
                    windows[rank].local().address(), constants, index);
        }
        return new ClusterTurn(workers, windows);
    }

    private ClusterTurn firstThatMayGoOn() {
        for (int looked = waiting.size(); looked > 0; looked--) {
            ClusterTurn turn = waiting.poll();
            if (turn.stuckAt != changes) {
                return turn;
            }
            waiting.add(turn);
        }
        return null;
    }

    /** Lets all that wait look again now and then: those that run may write what they wait for long before they stop. */
    private void askAgain() {
        long now = System.nanoTime();
        if (now - askAt >= 0) {
            waiting.forEach(turn -> turn.stuckAt = -1);
            askAt = now + NANOS_BETWEEN_QUESTIONS * waiting.size();
        }
    }

    /** All that is left is stuck. Lets it look again, but not for ever; false when that is over. */
    private boolean stillHope() {
        long now = System.nanoTime();
        if (quietSince == 0) {
            quietSince = now;
            launch.gettingOn(false);
        }
        if (now - quietSince < QUIET.toNanos() || device.launches().anyGettingOn()) {
            waiting.forEach(turn -> turn.stuckAt = -1);
            return true;
        }
        if (fault == null) {
            ClusterTurn first = waiting.stream().min((a, b) -> Long.compare(a.number, b.number)).orElseThrow();
            Fault found = first.first().deadlock();
            fault = Fault.at(found.kind(), found.getMessage() + others(), found.line(), found.block(), found.thread());
            faultWorker = first.worker(grid, found.block());
            failed = first.number;
        }
        return false;
    }

    private String others() {
        String cluster = grid.cluster.blocks() > 1 ? "clusters" : "blocks";
        return (waiting.size() == 1 ? "" : "; " + (waiting.size() - 1) + " other " + cluster + " wait too")
                + (next == count ? "" : "; " + (count - next) + " " + cluster + " have not begun, since no more than " + underWay
                        + " can be under way together");
    }

    private void pause() {
        try {
            wait(MILLISECONDS_BETWEEN_LOOKS);
        } catch (InterruptedException wake) {
            Thread.currentThread().interrupt();
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
            idle.addAll(waiting);
            for (ClusterTurn turn : idle) {
                for (Windows.Pair pair : turn.windows()) {
                    device.windows().give(pair);
                }
            }
        }
        whenEnded.accept(new Outcome(done == count, fault, faultWorker, notStarted));
    }
}
