package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.WarpgroupBarriers;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.ir.Module;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * CTA barriers 0 to 15 of a block (manual: "bar, barrier"). A thread count is
 * in whole warps: a warp all of whose remaining threads have come counts in full.
 */
public final class Barriers {
    static final String NONE_CAN_GO_ON = "threads wait for each other and none can go on: ";

    private static final int COUNT = Point.BARRIERS;
    private static final int WARP = 32;

    private final Point[] points;
    private final Frame frame;
    private final int warps;
    /** Lanes that have arrived without waiting, by barrier and warp. */
    private final int[] arrived;
    /** Arrivals of lanes that had arrived already, by barrier. */
    private final int[] repeated = new int[COUNT];
    private final int[] come;
    private boolean anyArrived;
    /** What watches the block; null where nobody asked for it. */
    private BlockChecks checks;

    Barriers(Point[] points, Frame frame) {
        this.points = points;
        this.frame = frame;
        this.warps = (frame.threads + WARP - 1) / WARP;
        this.arrived = new int[COUNT * warps];
        this.come = new int[warps];
    }

    /** Forgets the block before; {@code watching} may be null. */
    void reset(BlockChecks watching) {
        checks = watching;
        if (anyArrived) {
            Arrays.fill(arrived, 0);
            Arrays.fill(repeated, 0);
            anyArrived = false;
        }
    }

    private int number(Point point, int thread) {
        return point.barrier() >= 0 ? point.barrier() : frame.operands[thread];
    }

    private int count(Point point, int thread) {
        int count = frame.operands[point.count() * frame.threads + thread];
        // From 2^31 on it is as unreachable as the greatest number.
        return count > 0 ? count : Integer.MAX_VALUE;
    }

    /** A thread brings its barrier's number, or its thread count: where it waits it fails on its way, before threads that come after it do. */
    public static int checkNumber(int number, String text) {
        if (number < 0 || number >= WarpgroupBarriers.NAMED) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "barrier " + Integer.toUnsignedString(number) + " of '" + text + "' is not one of 0 to 15", 0, -1, -1);
        }
        return number;
    }

    public static int checkCount(int count, String text) {
        if (count == 0 || count % WARP != 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "thread count " + Integer.toUnsignedString(count) + " of '" + text
                    + "' is not a positive multiple of 32", 0, -1, -1);
        }
        return count;
    }

    /** A thread that waits for its cluster must have arrived. */
    public static void checkArrived(Frame frame, int thread, String text) {
        if (frame.atCluster[thread] == Frame.ABSENT) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, text + " without an arrive before it", 0, -1, -1);
        }
    }

    /** Threads that stand at {@code at} (-1: all) arrive and go on. */
    void arrive(Point point, int low, int high, int at) {
        anyArrived = true;
        for (int t = low; t < high; t++) {
            if (at >= 0 && frame.point[t] != at) {
                continue;
            }
            int number = number(point, t);
            try {
                checkNumber(number, point.text());
                checkCount(frame.operands[point.count() * frame.threads + t], point.text());
            } catch (Fault wrong) {
                throw Fault.at(wrong.kind(), wrong.getMessage(), point.line(), frame.block, t);
            }
            int place = number * warps + t / WARP;
            if ((arrived[place] >>> t & 1) != 0) {
                repeated[number]++;
            }
            arrived[place] |= 1 << t;
            if (checks != null) {
                checks.arrive(number, t);
            }
        }
    }

    /** Tells what watches the block who leaves barrier {@code number}. */
    private void watch(int number) {
        BitSet waiting = new BitSet();
        BitSet ended = new BitSet();
        for (int t = 0; t < frame.threads; t++) {
            waiting.set(t, waitsAt(t, number) != null);
            ended.set(t, frame.point[t] == Frame.ENDED);
        }
        boolean arrivals = repeated[number] != 0;
        for (int w = 0; w < warps; w++) {
            arrivals |= arrived[number * warps + w] != 0;
        }
        checks.barrier(number, waiting, ended, arrivals, t -> {
            Point point = points[frame.point[t]];
            return point.stand(point.count() < 0 ? 0 : count(point, t));
        });
    }

    /** Whether all threads, which stand at one point, wait at the same barrier, at which nobody has arrived before. */
    boolean uniform(Point point) {
        if (point.barrier() >= 0) {
            return !anyArrived;
        }
        int number = number(point, 0);
        int[] operands = frame.operands;
        int threads = frame.threads;
        int differing = 0;
        // To the end in any case: HotSpot makes vectors of such a loop.
        for (int t = 1; t < threads; t++) {
            differing |= operands[t] ^ number;
        }
        return differing == 0 && !anyArrived;
    }

    /** Gives all threads, which stand at one point, the result of its reduction. */
    void reduceAll(Point point) {
        if (point.predicate() < 0) {
            return;
        }
        int trues = 0;
        int base = point.predicate() * frame.threads;
        for (int t = 0; t < frame.threads; t++) {
            trues += frame.operands[base + t];
        }
        for (int t = 0; t < frame.threads; t++) {
            give(point, t, trues, frame.threads);
        }
    }

    private void give(Point point, int thread, int trues, int threads) {
        frame.results[thread] = switch (point.kind()) {
            case BARRIER_RED_AND -> trues == threads ? 1 : 0;
            case BARRIER_RED_OR -> trues > 0 ? 1 : 0;
            default -> trues;
        };
    }

    /** Opens the barrier at which all threads stand that have not ended, if they bring nothing to it; whether they do. */
    boolean openForRest() {
        if (anyArrived || checks != null) {
            return false;
        }
        int[] point = frame.point;
        int common = Frame.ENDED;
        for (int at : point) {
            if (at != common && at != Frame.ENDED) {
                if (common != Frame.ENDED) {
                    return false;
                }
                common = at;
            }
        }
        if (common == Frame.ENDED || (common & Scheduler.RELEASED) != 0 || !points[common].isPlainBarrier()) {
            return false;
        }
        for (int t = 0; t < point.length; t++) {
            point[t] |= point[t] == common ? Scheduler.RELEASED : 0;
        }
        return true;
    }

    /** Opens every barrier at which all threads it counts have come; their threads' points are marked released. */
    boolean open() {
        boolean opened = false;
        for (int number = 0; number < COUNT; number++) {
            opened |= open(number);
        }
        return opened;
    }

    /** Lets go on who waits for the cluster and may pass; whether anyone. */
    boolean openCluster() {
        boolean opened = false;
        for (int t = 0; t < frame.threads; t++) {
            int at = frame.point[t];
            if (at < 0 || (at & Scheduler.RELEASED) != 0 || points[at].kind() != PointKind.CLUSTER_WAIT) {
                continue;
            }
            if (frame.atCluster[t] == Frame.MAY_PASS) {
                frame.atCluster[t] = Frame.ABSENT;
                frame.point[t] = at | Scheduler.RELEASED;
                opened = true;
                if (checks != null) {
                    checks.leaveCluster(t);
                }
            }
        }
        return opened;
    }

    private boolean open(int number) {
        int waiting = 0;
        int trues = 0;
        int voters = 0;
        int expected = 0;
        int again = repeated[number];
        System.arraycopy(arrived, number * warps, come, 0, warps);
        for (int t = 0; t < frame.threads; t++) {
            Point point = waitsAt(t, number);
            if (point == null) {
                continue;
            }
            waiting++;
            again += come[t / WARP] >>> t & 1;
            come[t / WARP] |= 1 << t;
            expected = point.count() < 0 ? expected : count(point, t);
            if (point.predicate() >= 0) {
                voters++;
                trues += frame.operands[point.predicate() * frame.threads + t];
            }
        }
        if (waiting == 0 || !complete(expected, again)) {
            return false;
        }
        if (checks != null) {
            watch(number);
        }
        Arrays.fill(arrived, number * warps, (number + 1) * warps, 0);
        repeated[number] = 0;
        for (int t = 0; t < frame.threads; t++) {
            Point point = waitsAt(t, number);
            if (point != null) {
                if (point.predicate() >= 0) {
                    give(point, t, trues, voters);
                }
                frame.point[t] |= Scheduler.RELEASED;
            }
        }
        return true;
    }

    private boolean complete(int expected, int again) {
        int arrivals = again;
        boolean all = true;
        for (int w = 0; w < warps; w++) {
            boolean whole = (come[w] | ended(w)) == -1;
            all &= whole;
            arrivals += whole && come[w] != 0 ? WARP : Integer.bitCount(come[w]);
        }
        return expected == 0 ? all : arrivals >= expected;
    }

    /** Lanes of a warp whose threads have ended or never were. */
    private int ended(int warp) {
        int ended = 0;
        for (int lane = 0; lane < WARP; lane++) {
            int t = warp * WARP + lane;
            ended |= t >= frame.threads || frame.point[t] == Frame.ENDED ? 1 << lane : 0;
        }
        return ended;
    }

    private Point waitsAt(int thread, int number) {
        int at = frame.point[thread];
        if (at < 0 || (at & Scheduler.RELEASED) != 0) {
            return null;
        }
        Point point = points[at];
        boolean waits = point.kind().ofBlock() && point.kind() != PointKind.BARRIER_ARRIVE && point.kind() != PointKind.CLUSTER_WAIT;
        return waits && number(point, thread) == number ? point : null;
    }

    /** Who waits where in the text of the module, for the error that ends a launch nobody can continue. */
    String describe(Module module) {
        Map<String, List<String>> waiting = new LinkedHashMap<>();
        int ended = 0;
        int[] places = IntStream.range(0, frame.threads).filter(frame::hasThread).toArray();
        for (int t = 0; t < places.length; t++) {
            if (frame.point[places[t]] == Frame.ENDED) {
                ended++;
                continue;
            }
            String stop = stop(places[t], module);
            int from = t;
            while (t + 1 < places.length && frame.point[places[t + 1]] != Frame.ENDED && stop(places[t + 1], module).equals(stop)) {
                t++;
            }
            waiting.computeIfAbsent(stop, k -> new ArrayList<>()).add(t > from ? from + "-" + t : "" + from);
        }
        StringBuilder text = new StringBuilder(NONE_CAN_GO_ON);
        String separator = "";
        for (Map.Entry<String, List<String>> entry : waiting.entrySet()) {
            String ranges = String.join(", ", entry.getValue());
            text.append(separator).append(ranges.matches("\\d+") ? "thread " : "threads ").append(ranges).append(" at ").append(entry.getKey());
            separator = "; ";
        }
        return text.append(ended == 0 ? "" : "; " + ended + " threads have ended").toString();
    }

    private String stop(int thread, Module module) {
        Point point = points[frame.point[thread] & ~Scheduler.RELEASED];
        String text = module.place(point.line()) + ": " + point.text();
        if (point.kind().spins()) {
            return text;
        }
        if (!point.kind().ofBlock() || point.kind() == PointKind.CLUSTER_WAIT) {
            return point.mask() < 0 ? text
                    : text + String.format(" with member mask 0x%08x", frame.operands[point.mask() * frame.threads + thread]);
        }
        int number = number(point, thread);
        int here = repeated[number];
        for (int w = 0; w < warps; w++) {
            here += Integer.bitCount(arrived[number * warps + w]);
        }
        for (int t = 0; t < frame.threads; t++) {
            here += waitsAt(t, number) != null ? 1 : 0;
        }
        long expected = point.count() < 0 ? IntStream.range(0, frame.threads).filter(frame::hasThread).count() : count(point, thread);
        return text + " " + number + " (" + here + " of " + expected + " threads have come)";
    }
}
