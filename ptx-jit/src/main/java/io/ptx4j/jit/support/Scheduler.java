package io.ptx4j.jit.support;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.engine.Worker;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Runs the threads of a block from stop to stop in the order that {@link io.ptx4j.engine} fixes. Threads run in groups: warps
 * when the kernel has warp operations, else the whole block at once. As long as all threads of a group stand at one point,
 * that is all there is to know; only where they part does {@link Frame#point} hold each one's.
 */
public final class Scheduler {
    /** Added to the point of a thread whose barrier has opened or whose turn to spin has come. */
    static final int RELEASED = 1 << 24;
    static final int WARP = 32;
    /** Regions run between two questions whether to go on: each may be in an endless loop, and run a thousand threads. */
    public static final int POLL_STEPS = 8;

    final Point[] points;
    /** Points in the order of the text, in which those that can execute do. */
    final int[] order;
    /** By point: its place in {@link #order}. */
    final int[] rank;
    /** By point: the first at which threads stand at the same place of the text. */
    final int[] place;
    /** By point: the first whose threads it meets: those of copies, and of all with its qualifiers where member masks say who meets. */
    final int[] meeting;
    final int threads;
    final int groupSize;
    /** Whether a loop may wait for other threads. */
    final boolean spins;
    /** Whether all such loops ask mbarriers alone. */
    final boolean asks;
    /** Whether there are points at which threads only change regions. */
    final boolean cut;
    /** Whether threads stop nowhere but at barriers for all of the block. */
    final boolean plain;

    public Scheduler(List<Point> points, int threads) {
        this.points = points.toArray(Point[]::new);
        this.threads = threads;
        boolean warps = points.stream().anyMatch(p -> p.kind().ofWarp());
        this.spins = points.stream().anyMatch(p -> p.kind().spins());
        this.asks = spins && points.stream().noneMatch(p -> p.kind() == PointKind.SPIN);
        this.cut = points.stream().anyMatch(p -> p.kind() == PointKind.PASS);
        this.plain = points.stream().allMatch(Point::isPlainBarrier);
        this.groupSize = warps ? Math.min(WARP, threads) : threads;
        this.order = IntStream.range(0, points.size()).boxed().sorted(Comparator
                .comparingInt((Integer p) -> this.points[p].line()).thenComparingInt(p -> this.points[p].column())).mapToInt(p -> p).toArray();
        this.rank = new int[order.length];
        this.place = new int[order.length];
        this.meeting = new int[order.length];
        Map<String, Integer> bySpelling = new HashMap<>();
        for (int i = 0; i < order.length; i++) {
            int p = order[i];
            rank[p] = i;
            place[p] = i > 0 && isCopy(order[i - 1], p) ? place[order[i - 1]] : p;
            boolean byMask = this.points[p].mask() >= 0 && this.points[p].kind() != PointKind.MATRIX;
            meeting[p] = byMask ? bySpelling.computeIfAbsent(this.points[p].text(), text -> p) : place[p];
        }
    }

    private boolean isCopy(int one, int other) {
        return points[one].column() > 0 && points[one].line() == points[other].line() && points[one].column() == points[other].column();
    }

    /** Whether threads never stop before they end. */
    public boolean pointless() {
        return points.length == 0;
    }

    /** Whether threads that stand at one point have no turn before those that come to a warp operation at another. */
    boolean isBehind(int standing, int coming) {
        PointKind kind = points[standing].kind();
        return kind.ofBlock() ? kind != PointKind.BARRIER_ARRIVE : !kind.spins() && rank[standing] > rank[coming];
    }

    /** Runs a block to its end. */
    void runBlock(ScalarKernel kernel, Worker worker, Frame frame) {
        if (points.length == 0) {
            kernel.region(0, worker, frame, 0, threads, -1);
            if (worker.checks != null) {
                worker.checks.end();
            }
            return;
        }
        ScheduledBlock block;
        if (plain && worker.checks == null && worker.cluster().blocks() == 1) {
            int at = runTogether(kernel, worker, frame);
            if (at == Frame.ENDED) {
                return;
            }
            block = begin(kernel, worker, frame);
            block.goOnFrom(at);
        } else {
            block = begin(kernel, worker, frame);
        }
        BlockRun.State state = block.resume();
        for (int rounds = 0; state != BlockRun.State.ENDED; rounds++) {
            if (frame.alone && (state == BlockRun.State.STUCK || rounds >= GivingWay.ROUNDS)) {
                throw block.deadlock();
            }
            Thread.onSpinWait();
            state = block.resume();
        }
    }

    /** Runs a block from barrier to barrier while all its threads come to the same one; gives where they stand then, as {@link ScalarKernel#region} does. */
    private int runTogether(ScalarKernel kernel, Worker worker, Frame frame) {
        int at = kernel.region(0, worker, frame, 0, threads, -1);
        for (int step = 1; at >= 0; step++) {
            if (step % POLL_STEPS == 0) {
                Polls.goOn(worker);
            }
            at = kernel.region(points[at].region(), worker, frame, 0, threads, -1);
        }
        return at;
    }

    /** Begins a block that can give way to others where its threads wait for them. */
    ScheduledBlock begin(ScalarKernel kernel, Worker worker, Frame frame) {
        ScheduledBlock block = frame.run instanceof ScheduledBlock before && before.isOf(worker) ? before : new ScheduledBlock(this, kernel, worker, frame);
        frame.run = block;
        block.begin();
        return block;
    }
}
