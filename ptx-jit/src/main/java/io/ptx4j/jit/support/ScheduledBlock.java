package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.Scheduler.POLL_STEPS;
import static io.ptx4j.jit.support.Scheduler.RELEASED;
import static io.ptx4j.jit.support.Scheduler.WARP;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.EarliestFailure;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.engine.Worker;

import java.util.Arrays;

/**
 * One block on its way, and after it the next one of its worker. Its threads run in groups from stop to stop, as {@link Scheduler} says; it can give way to other blocks where they wait for those.
 */
final class ScheduledBlock implements BlockRun, EarliestFailure.Failing {
    private final ScalarKernel kernel;
    private final Worker worker;
    private final Frame frame;
    private final Barriers barriers;
    private final Cluster cluster;
    private final Point[] points;
    private final int[] order;
    private final int[] rank;
    private final int[] place;
    private final int[] meeting;
    private final int threads;
    private final int groupSize;
    private final int groups;
    private final boolean spins;
    private final boolean cut;
    private final boolean asks;
    /** Whether threads stop nowhere but at barriers for all of the block. */
    private final boolean plain;
    private int steps;
    private boolean begun;
    private long fingerprint;
    /** Whether anything was written since the block last gave way. */
    private boolean moved;
    /** Whether a group has been stopped between its warp operations since the block went on. */
    private boolean paused;
    /** By group: for how many rounds on end threads of it have given way. */
    private final int[] roundsWithSpinning;
    /** Times that barriers have opened, and by thread when it began to run from where it stood last; kept where threads may give way. */
    private int round;
    private final int[] began;
    /** Whether threads run, and the point at which all of them stood; -1 for all of their group. */
    private boolean running;
    private int runningFrom;
    /** By group: a thread has failed, and only those before it that had given way go on. */
    private final boolean[] failed;

    ScheduledBlock(Scheduler scheduler, ScalarKernel kernel, Worker worker, Frame frame) {
        this.points = scheduler.points;
        this.order = scheduler.order;
        this.rank = scheduler.rank;
        this.place = scheduler.place;
        this.meeting = scheduler.meeting;
        this.threads = scheduler.threads;
        this.groupSize = scheduler.groupSize;
        this.spins = scheduler.spins;
        this.cut = scheduler.cut;
        this.asks = scheduler.asks;
        this.plain = scheduler.plain;
        this.groups = (threads + groupSize - 1) / groupSize;
        this.roundsWithSpinning = new int[groups];
        this.began = new int[spins ? threads : 0];
        this.failed = new boolean[groups];
        this.kernel = kernel;
        this.worker = worker;
        this.frame = frame;
        if (frame.barriers == null) {
            frame.barriers = new Barriers(points, frame);
        }
        this.barriers = frame.barriers;
        this.cluster = worker.cluster();
    }

    boolean isOf(Worker other) {
        return worker == other;
    }

    void begin() {
        steps = 0;
        begun = false;
        fingerprint = 0;
        Arrays.fill(roundsWithSpinning, 0);
        Arrays.fill(frame.groupPoint, 0, groups, Frame.ENDED);
        Arrays.fill(failed, false);
        round = 0;
        running = false;
        cluster.begun(worker, this);
        barriers.reset(worker.checks);
        Arrays.fill(frame.atCluster, Frame.ABSENT);
        frame.written = false;
        frame.timed = false;
        frame.beginBlock();
        moved = true;
    }

    /** The block has begun already, and its threads stand at {@code point}. */
    void goOnFrom(int point) {
        begun = true;
        frame.groupPoint[0] = point;
    }

    @Override
    public State resume() {
        try {
            return goOn();
        } catch (Fault fault) {
            throw spins ? EarliestFailure.of(fault, groups, this) : fault;
        }
    }

    @Override
    public boolean stuck() {
        moved |= frame.written;
        frame.written = false;
        Polls.goOn(worker);
        return sinceLast() == State.STUCK;
    }

    @Override
    public void note(Fault fault, EarliestFailure failure) {
        if (fault.kind() == Fault.Kind.CANCELLED) {
            throw fault;
        }
        int thread = fault.thread();
        if (thread < 0) {
            failure.note(fault, round, EarliestFailure.ALL);
            return;
        }
        int g = thread / groupSize;
        int high = Math.min(threads, (g + 1) * groupSize);
        failure.note(fault, running ? began[thread] : round, running ? thread : high - 1);
        if (!running) {
            spread(g);
        }
        failed[g] = true;
        for (int t = g * groupSize; t < high; t++) {
            boolean begins = running && t >= thread && (runningFrom < 0 || frame.point[t] == runningFrom);
            int at = begins ? runningFrom : frame.point[t];
            boolean released = begins || at >= 0 && (at & RELEASED) != 0;
            frame.point[t] = !released ? at : t != thread && gaveWay(at) ? at & ~RELEASED : Frame.ENDED;
        }
        frame.groupPoint[g] = Frame.MIXED;
        running = false;
    }

    /** Whether threads that have given way stand at a point. */
    private boolean gaveWay(int at) {
        return at >= 0 && points[at & ~RELEASED].kind().spins();
    }

    @Override
    public boolean runBefore(EarliestFailure failure, int g) {
        int low = g * groupSize;
        int high = Math.min(threads, low + groupSize);
        boolean any = false;
        spread(g);
        for (int t = low; t < high; t++) {
            if (gaveWay(frame.point[t])) {
                boolean before = failure.isAfter(began[t], t);
                frame.point[t] = frame.point[t] & ~RELEASED | (before ? RELEASED : 0);
                any |= before;
            }
        }
        if (any && failed[g]) {
            runReleased(g, low, high);
        } else if (any) {
            settle(g);
        }
        return any;
    }

    private State goOn() {
        paused = false;
        if (begun) {
            releaseSpinning();
            barriers.openCluster();
        }
        for (int idle = 0;; idle++) {
            boolean wrote = false;
            for (int g = 0; g < groups; g++) {
                if (!begun) {
                    int low = g * groupSize;
                    frame.groupPoint[g] = run(0, low, Math.min(threads, low + groupSize), -1);
                }
                wrote |= settle(g);
            }
            begun = true;
            if (ended()) {
                if (worker.checks != null) {
                    worker.checks.end();
                }
                return State.ENDED;
            }
            idle = wrote ? 0 : idle;
            if (spins && idle >= GivingWay.IDLE_BARRIERS) {
                return givesWay();
            }
            if (!openBarrier() && !(cluster.open() && barriers.openCluster())) {
                return waiting();
            }
            frame.countWaitingAnew();
            round++;
        }
    }

    private boolean ended() {
        for (int g = 0; g < groups; g++) {
            if (frame.groupPoint[g] != Frame.ENDED) {
                return false;
            }
        }
        return true;
    }

    /** No thread can go on but those that spin and those that wait for other blocks. */
    private State waiting() {
        boolean hopeless = cluster.blocks() == 1 && !paused;
        for (int t = 0; t < threads && hopeless; t++) {
            hopeless = frame.point[t] < 0 || !points[frame.point[t]].kind().spins();
        }
        if (hopeless) {
            throw deadlock();
        }
        return givesWay();
    }

    /** The block lets others run; where these cannot change what its threads wait for, it must have got on. */
    private State givesWay() {
        State state = sinceLast();
        if (state == State.STUCK && asks && cluster.blocks() == 1) {
            throw deadlock();
        }
        return state;
    }

    /** Whether the block has got on since it gave way before. */
    private State sinceLast() {
        long now = frame.fingerprint();
        State state = moved ? State.WAITING : now == fingerprint && !frame.timed ? State.STUCK : State.COUNTING;
        fingerprint = now;
        moved = false;
        frame.timed = false;
        return state;
    }

    @Override
    public boolean arrivedAtCluster() {
        if (!begun) {
            return false;
        }
        spread();
        for (int t = 0; t < threads; t++) {
            if (frame.point[t] != Frame.ENDED && frame.atCluster[t] != Frame.ARRIVED) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void openCluster() {
        for (int t = 0; t < threads; t++) {
            frame.atCluster[t] = frame.atCluster[t] == Frame.ARRIVED ? Frame.MAY_PASS : frame.atCluster[t];
        }
    }

    @Override
    public Fault deadlock() {
        spread();
        return Fault.at(Fault.Kind.DEADLOCK, barriers.describe(worker.grid.program.module()), firstWaitingLine(), frame.block, frame.threadAt(firstWaiting()));
    }

    /**
     * Runs a group until all its threads wait for threads of other groups or have ended, or its threads have met many times without writing
     * anything: they may wait in a loop that has the warp operation, and no thread of it would ever come to the loop's stop. Returns whether anything
     * was written.
     */
    private boolean settle(int g) {
        int low = g * groupSize;
        int high = Math.min(threads, low + groupSize);
        boolean wrote = false;
        for (int idle = 0; !spins || idle <= GivingWay.IDLE_MEETINGS || anyReleased(g, low, high); idle++) {
            if (++steps % POLL_STEPS == 0) {
                Polls.goOn(worker);
            }
            boolean goesOn = step(g, low, high);
            if (frame.written) {
                wrote = true;
                moved = true;
                frame.written = false;
                idle = 0;
            }
            if (!goesOn) {
                return wrote;
            }
        }
        paused = true;
        return wrote;
    }

    private boolean anyReleased(int g, int low, int high) {
        int at = frame.groupPoint[g];
        if (at != Frame.MIXED) {
            return at >= 0 && (at & RELEASED) != 0;
        }
        for (int t = low; t < high; t++) {
            if (frame.point[t] >= 0 && (frame.point[t] & RELEASED) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Lets threads of a group meet, where they can, and run to where they stop next; whether any could. */
    private boolean step(int g, int low, int high) {
        int at = frame.groupPoint[g];
        if (at == Frame.ENDED) {
            return false;
        }
        if (at == Frame.MIXED) {
            return stepMixed(g, low, high);
        }
        Point point = points[at & ~RELEASED];
        if ((at & RELEASED) == 0 && !executeTogether(g, point, low, high)) {
            return frame.groupPoint[g] == Frame.MIXED;
        }
        frame.groupPoint[g] = run(point.region(), low, high, -1);
        return true;
    }

    /**
     * Runs threads through a region, those that stand at {@code from} or all of them if it is negative, and where code is cut each of them on to
     * where it stops: the next one begins then. Returns the point of all of them, as {@link ScalarKernel#region} does.
     */
    private int run(int region, int low, int high, int from) {
        if (!spins) {
            return runThrough(region, low, high, from);
        }
        for (int t = low; t < high && !gaveWay(from); t++) {
            if (from < 0 || frame.point[t] == from) {
                began[t] = round;
            }
        }
        running = true;
        runningFrom = from;
        int stop = runThrough(region, low, high, from);
        running = false;
        return stop;
    }

    private int runThrough(int region, int low, int high, int from) {
        if (!cut) {
            return kernel.region(region, worker, frame, low, high, from);
        }
        int common = Frame.MIXED;
        boolean any = false;
        for (int t = low; t < high; t++) {
            if (from >= 0 && frame.point[t] != from) {
                continue;
            }
            frame.waited = false;
            int stop = runOn(kernel.region(region, worker, frame, t, t + 1, -1), t);
            frame.point[t] = stop;
            common = any && stop != common ? Frame.MIXED : stop;
            any = true;
        }
        return common;
    }

    /** Runs a thread on that has come to the end of a piece of cut code; there a jump back may be one at the first turn of a waiting loop, unless the thread has waited for long. */
    private int runOn(int stop, int thread) {
        for (int turns = 0; stop >= 0 && (points[stop].kind() == PointKind.PASS || gaveWay(stop) && !frame.waited && turns++ < GivingWay.TURNS);) {
            if (++steps % POLL_STEPS == 0) {
                Polls.goOn(worker);
            }
            frame.waited = false;
            stop = kernel.region(points[stop].region(), worker, frame, thread, thread + 1, -1);
        }
        return stop;
    }

    /** The threads of a whole group stand at one point. Returns whether they can go on; member masks may part the group. */
    private boolean executeTogether(int g, Point point, int low, int high) {
        if (point.kind().spins()) {
            return false;
        }
        if (point.kind().ofBlock()) {
            if (point.kind() == PointKind.BARRIER_ARRIVE) {
                barriers.arrive(point, low, high, -1);
                return true;
            }
            return false;
        }
        int lanes = high - low == WARP ? -1 : (1 << high - low) - 1;
        int ready = WarpOperations.ready(point, frame, low, lanes, lanes, lanes);
        if (ready != lanes) {
            spread(g);
            return false;
        }
        WarpOperations.execute(point, worker, frame, low, lanes);
        return true;
    }

    /** Lets the threads go on that may, else those at the first point that can execute. Returns false when there is none. */
    private boolean stepMixed(int g, int low, int high) {
        if (runReleased(g, low, high)) {
            return true;
        }
        if (plain) {
            return false;
        }
        boolean waits = roundsWithSpinning[g] <= GivingWay.ROUNDS && anySpinning(low, high);
        int next = -1;
        while (true) {
            next = nextRank(low, high, next);
            if (next < 0) {
                return false;
            }
            int p = order[next];
            if (points[p].kind().ofWarp() && !points[p].kind().ofBlock()) {
                int lanes = executeApart(p, low, high, waits);
                if (lanes != 0) {
                    runLanes(g, lanes, p, low, high);
                    return true;
                }
            } else if (points[p].kind() == PointKind.BARRIER_ARRIVE && waits) {
                moved = true;
            } else if (points[p].kind() == PointKind.BARRIER_ARRIVE) {
                barriers.arrive(points[p], low, high, p);
                runFrom(g, p, low, high);
                return true;
            }
        }
    }

    /** Runs the threads on that are released, in ascending order wherever they stand; whether there were any. */
    private boolean runReleased(int g, int low, int high) {
        int from = Frame.ENDED;
        for (int t = low; t < high; t++) {
            int at = frame.point[t];
            if (at >= 0 && (at & RELEASED) != 0 && at != from) {
                if (from >= 0) {
                    runStanding(from, low, t);
                }
                from = at;
            }
        }
        if (from < 0) {
            return false;
        }
        runStanding(from, low, high);
        noteTogether(g, low, high);
        return true;
    }

    /** Runs threads that have met on: together where they stand at one copy of the instruction, else one after the other. */
    private void runLanes(int g, int lanes, int p, int low, int high) {
        int standing = standing(p, low, high);
        if (lanes == standing) {
            runFrom(g, p, low, high);
            return;
        }
        if ((lanes & ~standing) == 0) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                frame.point[low + Integer.numberOfTrailingZeros(rest)] = p | RELEASED;
            }
            runFrom(g, p | RELEASED, low, high);
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int thread = low + Integer.numberOfTrailingZeros(rest);
            int at = frame.point[thread];
            frame.groupPoint[g] = Frame.MIXED;
            frame.point[thread] = at | RELEASED;
            runFrom(g, at | RELEASED, low, high);
        }
    }

    private void runFrom(int g, int from, int low, int high) {
        runStanding(from, low, high);
        noteTogether(g, low, high);
    }

    /** Runs the threads on that stand at exactly {@code from}. */
    private void runStanding(int from, int low, int high) {
        int stop = run(points[from & ~RELEASED].region(), low, high, from);
        if (stop != Frame.MIXED) {
            for (int t = low; t < high; t++) {
                if (frame.point[t] == from) {
                    frame.point[t] = stop;
                }
            }
        }
    }

    /** Notes where a group stands if all of it stands at one point. */
    private void noteTogether(int g, int low, int high) {
        int first = frame.point[low];
        for (int t = low + 1; t < high; t++) {
            if (frame.point[t] != first) {
                return;
            }
        }
        frame.groupPoint[g] = first;
    }

    /** The first place in the order behind {@code after} at which a thread stands, or -1. */
    private int nextRank(int low, int high, int after) {
        int next = Integer.MAX_VALUE;
        for (int t = low; t < high; t++) {
            int p = frame.point[t];
            if (p != Frame.ENDED && rank[p] > after) {
                next = Math.min(next, rank[p]);
            }
        }
        return next == Integer.MAX_VALUE ? -1 : next;
    }

    private boolean anySpinning(int low, int high) {
        for (int t = low; t < high && spins; t++) {
            if (gaveWay(frame.point[t])) {
                return true;
            }
        }
        return false;
    }

    /** Executes the warp operation at which the threads of {@code p} stand if it can; gives the lanes that took part. None do while it waits. */
    private int executeApart(int p, int low, int high, boolean waits) {
        int here = 0;
        int first = 0;
        int alive = 0;
        for (int t = low; t < high; t++) {
            int at = frame.point[t];
            boolean stands = at >= 0 && (at & RELEASED) == 0;
            if (stands && meeting[at] == meeting[p]) {
                WarpOperations.checkMember(points[at], frame, low, t - low);
                here |= 1 << t - low;
                first |= place[at] == place[p] ? 1 << t - low : 0;
            }
            alive |= at != Frame.ENDED ? 1 << t - low : 0;
        }
        int ready = WarpOperations.ready(points[p], frame, low, here, first, alive);
        if (ready != 0 && waits) {
            moved = true;
            return 0;
        }
        if (ready != 0) {
            WarpOperations.execute(points[p], worker, frame, low, ready);
        }
        return ready;
    }

    /** Lanes of the threads that stand at exactly that point. */
    private int standing(int at, int low, int high) {
        int lanes = 0;
        for (int t = low; t < high; t++) {
            lanes |= frame.point[t] == at ? 1 << t - low : 0;
        }
        return lanes;
    }

    /** Opens what can be opened once no group can go on; whether anything could. */
    private boolean openBarrier() {
        int first = frame.groupPoint[0];
        boolean together = first >= 0 && (points[first].kind() == PointKind.BARRIER_SYNC
                || points[first].kind() == PointKind.BARRIER_RED_POPC || points[first].kind() == PointKind.BARRIER_RED_AND
                || points[first].kind() == PointKind.BARRIER_RED_OR) && points[first].count() < 0;
        for (int g = 1; g < groups; g++) {
            together &= frame.groupPoint[g] == first;
        }
        if (together && barriers.uniform(points[first])) {
            barriers.reduceAll(points[first]);
            if (worker.checks != null) {
                worker.checks.barrier();
            }
            Arrays.fill(frame.groupPoint, 0, groups, first | RELEASED);
            return true;
        }
        spread();
        return barriers.openForRest() || barriers.open() | barriers.openCluster();
    }

    private void spread() {
        for (int g = 0; g < groups; g++) {
            spread(g);
        }
    }

    private void spread(int g) {
        int at = frame.groupPoint[g];
        if (at != Frame.MIXED) {
            int low = g * groupSize;
            int high = Math.min(threads, low + groupSize);
            Arrays.fill(frame.point, low, high, at);
            frame.leaveOutPadding(low, high);
            frame.groupPoint[g] = at == Frame.ENDED ? at : Frame.MIXED;
        }
    }

    private void releaseSpinning() {
        for (int g = 0; g < groups; g++) {
            int low = g * groupSize;
            boolean any = false;
            for (int t = low; t < Math.min(threads, low + groupSize); t++) {
                int p = frame.point[t];
                if (p >= 0 && points[p].kind().spins()) {
                    frame.point[t] = p | RELEASED;
                    any = true;
                }
            }
            roundsWithSpinning[g] = any ? roundsWithSpinning[g] + 1 : 0;
        }
        Polls.goOn(worker);
    }

    private int firstWaiting() {
        for (int t = 0; t < threads; t++) {
            if (frame.point[t] != Frame.ENDED) {
                return t;
            }
        }
        return -1;
    }

    private int firstWaitingLine() {
        return points[frame.point[firstWaiting()] & ~RELEASED].line();
    }
}
