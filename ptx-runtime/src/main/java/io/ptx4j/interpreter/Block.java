package io.ptx4j.interpreter;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.ClusterShape;
import io.ptx4j.engine.EarliestFailure;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.ProgramLimits;
import io.ptx4j.engine.WarpgroupBarriers;
import io.ptx4j.engine.Worker;
import io.ptx4j.interpreter.ThreadState.Status;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The block that a worker runs. The worker uses it again for its next block. */
final class Block implements BlockRun, EarliestFailure.Failing {
    private static final int MOST_SOURCES = 8;

    final Worker worker;
    final Grid grid;
    final ProgramLimits limits;
    final long localBytesPerThread;
    final List<ThreadState> threads = new ArrayList<>();
    final List<Warp> warps = new ArrayList<>();
    final List<Barrier> barriers = new ArrayList<>();
    /** Where arithmetic gathers its sources, by their number. */
    final long[][] sources = new long[MOST_SOURCES + 1][];
    /** Linear index within the grid, and by dimension. */
    long index;
    int x;
    int y;
    int z;
    /** Whether memory may have changed since the block stopped before. */
    boolean written;
    /** Whether a thread has looked at a clock since the block gave way: time gets on by itself, so that a loop may end though nobody writes anything. */
    boolean timed;
    /** Times that barriers have opened. */
    int round;
    private Cluster cluster;
    private long fingerprint;
    /** Whether anything was written since it last let other blocks run. */
    private boolean moved;

    Block(Worker worker, long localBytesPerThread) {
        this.worker = worker;
        this.grid = worker.grid;
        this.limits = grid.program.limits();
        this.localBytesPerThread = localBytesPerThread;
        for (int i = 0; i < grid.block.threads(); i++) {
            threads.add(new ThreadState(this, i));
        }
        for (int first = 0; first < threads.size(); first += BlockShape.WARP) {
            warps.add(new Warp(List.copyOf(threads.subList(first, Math.min(first + BlockShape.WARP, threads.size())))));
        }
        for (int count = 0; count <= MOST_SOURCES; count++) {
            sources[count] = new long[count];
        }
        for (int number = 0; number < WarpgroupBarriers.ALL; number++) {
            barriers.add(new Barrier(number, this));
        }
    }

    /** Puts all threads of the block with linear index {@code number} at the start of {@code kernel}. */
    void begin(Code kernel, long number) {
        index = number;
        x = (int) (number % grid.x);
        y = (int) (number / grid.x % grid.y);
        z = (int) (number / ((long) grid.x * grid.y));
        barriers.forEach(Barrier::reset);
        threads.forEach(thread -> thread.start(kernel));
        warps.forEach(Warp::begin);
        round = 0;
        written = true;
        timed = false;
        if (worker.checks != null) {
            worker.checks.begin(number);
        }
        cluster = worker.cluster();
        cluster.begun(worker, this);
    }

    /** {@code %cluster_ctarank}. */
    int rankInCluster() {
        ClusterShape shape = grid.cluster;
        return (z % shape.z() * shape.y() + y % shape.y()) * shape.x() + x % shape.x();
    }

    @Override
    public State resume() {
        try {
            return goOn();
        } catch (Fault fault) {
            throw EarliestFailure.of(fault, warps.size(), this);
        }
    }

    @Override
    public boolean runBefore(EarliestFailure failure, int group) {
        return warps.get(group).runBefore(failure);
    }

    @Override
    public boolean stuck() {
        moved |= written;
        written = false;
        return sinceLast() == State.STUCK;
    }

    @Override
    public void note(Fault fault, EarliestFailure failure) {
        if (fault.kind() == Fault.Kind.CANCELLED) {
            throw fault;
        }
        ThreadState thread = fault.thread() < 0 ? null : threads.get(fault.thread());
        if (thread == null || thread.status == Status.BARRIER) {
            failure.note(fault, round, EarliestFailure.ALL);
            return;
        }
        Warp warp = warps.get(thread.index / BlockShape.WARP);
        boolean alone = thread.status == Status.RUNNING;
        failure.note(fault, alone ? thread.began : round, alone ? thread.index : warp.threads.getLast().index);
        warp.fail();
    }

    /** Threads of a warp wait for one that has let others run. */
    void waits() {
        moved = true;
    }

    private State goOn() {
        int idle = 0;
        while (anyLeft()) {
            if (worker.cancelled()) {
                throw Fault.at(Fault.Kind.CANCELLED, "the launch was cancelled", 0, index, -1);
            }
            boolean ran = false;
            for (Warp warp : warps) {
                ran |= warp.run();
            }
            if (written) {
                idle = 0;
                moved = true;
                written = false;
            }
            if (idle++ >= GivingWay.IDLE_BARRIERS) {
                return sinceLast();
            }
            if (openBarriers() || cluster.open() && passCluster()) {
                round++;
            } else if (anyLeft()) {
                boolean yielded = threads.stream().anyMatch(thread -> thread.status == Status.YIELDED);
                if (!yielded && cluster.blocks() == 1) {
                    throw deadlock();
                }
                if (yielded || !ran) {
                    return sinceLast();
                }
            }
        }
        if (worker.checks != null) {
            worker.checks.end();
        }
        return State.ENDED;
    }

    private boolean openBarriers() {
        boolean opened = false;
        for (Barrier barrier : barriers) {
            opened |= barrier.open();
        }
        return opened | passCluster();
    }

    /** Lets threads go on at the barrier of the cluster that it has opened for; whether any. */
    private boolean passCluster() {
        boolean any = false;
        for (ThreadState thread : threads) {
            if (thread.status == Status.BARRIER && thread.meeting instanceof ClusterWait) {
                any |= ClusterWait.pass(thread);
            }
        }
        return any;
    }

    /** Whether the block has got on since it gave way before. */
    private State sinceLast() {
        long now = 0;
        for (ThreadState thread : threads) {
            now = now * 0x9E3779B97F4A7C15L + thread.fingerprint();
        }
        State state = moved ? State.WAITING : now == fingerprint && !timed ? State.STUCK : State.COUNTING;
        fingerprint = now;
        moved = false;
        timed = false;
        return state;
    }

    @Override
    public boolean arrivedAtCluster() {
        for (ThreadState thread : threads) {
            if (thread.status != Status.ENDED && thread.atCluster != ThreadState.AtCluster.ARRIVED) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void openCluster() {
        for (ThreadState thread : threads) {
            if (thread.atCluster == ThreadState.AtCluster.ARRIVED) {
                thread.atCluster = ThreadState.AtCluster.MAY_PASS;
            }
        }
    }

    private boolean anyLeft() {
        for (ThreadState thread : threads) {
            if (thread.status != Status.ENDED) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Fault deadlock() {
        Map<String, List<ThreadState>> waiting = new LinkedHashMap<>();
        ThreadState first = null;
        for (ThreadState thread : threads) {
            if (thread.status != Status.ENDED) {
                first = first == null ? thread : first;
                waiting.computeIfAbsent(grid.program.module().place(thread.line()) + ": " + waitingFor(thread), key -> new ArrayList<>())
                        .add(thread);
            }
        }
        String places = waiting.entrySet().stream()
                .map(place -> ranges(place.getValue()) + " at " + place.getKey())
                .collect(Collectors.joining("; "));
        long ended = threads.stream().filter(thread -> thread.status == Status.ENDED).count();
        return first.fault(Fault.Kind.DEADLOCK,
                "threads wait for each other and none can go on: " + places + (ended == 0 ? "" : "; " + ended + " threads have ended"));
    }

    private static String waitingFor(ThreadState thread) {
        return thread.status == Status.YIELDED ? "a loop that waits" : thread.meeting.waitingFor(thread);
    }

    /** {@code "threads 0-7, 9"}. */
    private static String ranges(List<ThreadState> threads) {
        StringBuilder text = new StringBuilder(threads.size() == 1 ? "thread " : "threads ");
        for (int i = 0; i < threads.size(); i++) {
            int start = i;
            while (i + 1 < threads.size() && threads.get(i + 1).index == threads.get(i).index + 1) {
                i++;
            }
            text.append(start == 0 ? "" : ", ").append(threads.get(start).index);
            if (i > start) {
                text.append('-').append(threads.get(i).index);
            }
        }
        return text.toString();
    }
}
