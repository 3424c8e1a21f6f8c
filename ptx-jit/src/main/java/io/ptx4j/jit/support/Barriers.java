package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;

import java.util.LinkedHashMap;
import java.util.Map;

/** CTA barriers 0 to 15 (manual: "bar, barrier"). Operand 0 of each point is the barrier's number. */
final class Barriers {
    static final int COUNT = 16;

    private Barriers() {
    }

    private static int number(Frame frame, int thread) {
        int number = frame.operands[thread];
        if (number < 0 || number >= COUNT) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "barrier " + number + " does not exist; there are barriers 0 to 15", 0,
                    frame.block, thread);
        }
        return number;
    }

    /** Counts threads that stand at {@code at} (-1: all) as arrived. */
    static void arrive(Frame frame, int low, int high, int at) {
        for (int t = low; t < high; t++) {
            if (at < 0 || frame.point[t] == at) {
                frame.arrived[number(frame, t)]++;
            }
        }
    }

    /** Whether all threads wait at the same barrier, at which nobody has arrived before. */
    static boolean uniform(Frame frame) {
        int number = number(frame, 0);
        for (int t = 1; t < frame.threads; t++) {
            if (frame.operands[t] != number) {
                return false;
            }
        }
        return frame.arrived[number] == 0;
    }

    /** Gives the result of a barrier reduction to the threads that stand at {@code at} (-1: all). */
    static void reduce(Point point, Frame frame, int low, int high, int at) {
        if (point.predicate() < 0) {
            return;
        }
        int trues = 0;
        int threads = 0;
        int base = point.predicate() * frame.threads;
        for (int t = low; t < high; t++) {
            if (at < 0 || frame.point[t] == at) {
                trues += frame.operands[base + t];
                threads++;
            }
        }
        give(point, frame, low, high, at, trues, threads);
    }

    private static void give(Point point, Frame frame, int low, int high, int at, int trues, int threads) {
        int result = switch (point.kind()) {
            case BARRIER_RED_AND -> trues == threads ? 1 : 0;
            case BARRIER_RED_OR -> trues > 0 ? 1 : 0;
            default -> trues;
        };
        for (int t = low; t < high; t++) {
            if (at < 0 || frame.point[t] == at) {
                frame.results[t] = result;
            }
        }
    }

    /** Opens every barrier at which all threads it counts have come; their threads' points are marked released. */
    static boolean open(Point[] points, Frame frame) {
        int alive = 0;
        for (int t = 0; t < frame.threads; t++) {
            alive += frame.point[t] != Frame.ENDED ? 1 : 0;
        }
        boolean opened = false;
        for (int number = 0; number < COUNT; number++) {
            opened |= open(points, frame, number, alive);
        }
        return opened;
    }

    private static boolean open(Point[] points, Frame frame, int number, int alive) {
        int waiting = 0;
        int trues = 0;
        int expected = alive;
        for (int t = 0; t < frame.threads; t++) {
            Point point = waitsAt(points, frame, t, number);
            if (point != null) {
                waiting++;
                expected = point.count() < 0 ? alive : frame.operands[point.count() * frame.threads + t];
                trues += point.predicate() < 0 ? 0 : frame.operands[point.predicate() * frame.threads + t];
            }
        }
        if (waiting == 0 || waiting + frame.arrived[number] < expected) {
            return false;
        }
        frame.arrived[number] = 0;
        for (int t = 0; t < frame.threads; t++) {
            Point point = waitsAt(points, frame, t, number);
            if (point != null) {
                give(point, frame, t, t + 1, -1, trues, waiting);
                frame.point[t] |= Scheduler.RELEASED;
            }
        }
        return true;
    }

    private static Point waitsAt(Point[] points, Frame frame, int thread, int number) {
        int at = frame.point[thread];
        if (at < 0 || (at & Scheduler.RELEASED) != 0) {
            return null;
        }
        Point point = points[at];
        boolean waits = point.kind().ofBlock() && point.kind() != PointKind.BARRIER_ARRIVE;
        return waits && number(frame, thread) == number ? point : null;
    }

    /** Who waits where, for the error that ends a launch nobody can continue. */
    static String describe(Point[] points, Frame frame) {
        Map<Integer, StringBuilder> waiting = new LinkedHashMap<>();
        int ended = 0;
        for (int t = 0; t < frame.threads; t++) {
            if (frame.point[t] == Frame.ENDED) {
                ended++;
                continue;
            }
            int from = t;
            while (t + 1 < frame.threads && frame.point[t + 1] == frame.point[from]) {
                t++;
            }
            StringBuilder list = waiting.computeIfAbsent(frame.point[from], k -> new StringBuilder());
            list.append(list.isEmpty() ? "" : ", ").append(from).append(t > from ? "-" + t : "");
        }
        StringBuilder text = new StringBuilder("no thread can go on:");
        waiting.forEach((point, threads) -> text.append(" threads ").append(threads).append(" wait at line ")
                .append(points[point].line()).append(" (").append(points[point].text()).append(");"));
        return text.append(' ').append(ended).append(" threads have ended").toString();
    }
}
