package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.BlockChecks;

/**
 * Operations in which the threads of a warp take part together (manual: "shfl", "vote", "match", "activemask", "redux",
 * "elect"). Lanes are given as bits, lane 0 lowest.
 */
public final class WarpOperations {
    private WarpOperations() {
    }

    /** @throws Fault if the member mask that the thread of a lane has come with lacks the lane */
    static void checkMember(Point point, Frame frame, int low, int lane) {
        if (point.mask() < 0) {
            return;
        }
        int mask = frame.operands[point.mask() * frame.threads + low + lane];
        if ((mask >>> lane & 1) == 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, lacks(mask, point.text(), lane), point.line(), frame.block, low + lane);
        }
    }

    /**
     * Of the lanes {@code here} those that can execute now, 0 for none. Lanes with one member mask execute together when all lanes
     * it names have come with that mask or have ended; of several such masks it is the turn of the one with the lowest lane in {@code first}.
     */
    static int ready(Point point, Frame frame, int low, int here, int first, int alive) {
        if (point.kind() == PointKind.MATRIX) {
            return wholeWarp(point, frame, low, here, alive) ? here : 0;
        }
        if (point.mask() < 0 || here == 0) {
            return here;
        }
        int base = point.mask() * frame.threads + low;
        int common = frame.operands[base + Integer.numberOfTrailingZeros(here)];
        int different = 0;
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            checkMember(point, frame, low, lane);
            different |= frame.operands[base + lane] ^ common;
        }
        if (different == 0) {
            return (common & alive & ~here) == 0 ? here : 0;
        }
        return readyOfSeveralMasks(frame, base, here, first, alive);
    }

    static String lacks(int mask, String text, int lane) {
        return String.format("member mask 0x%08x of '%s' lacks the thread's own lane %d", mask, text, lane);
    }

    private static int readyOfSeveralMasks(Frame frame, int base, int here, int first, int alive) {
        int rest = first;
        while (rest != 0) {
            int mask = frame.operands[base + Integer.numberOfTrailingZeros(rest)];
            int same = 0;
            for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
                int lane = Integer.numberOfTrailingZeros(lanes);
                same |= frame.operands[base + lane] == mask ? 1 << lane : 0;
            }
            if ((mask & alive & ~same) == 0) {
                return same;
            }
            rest &= ~same;
        }
        return 0;
    }

    private static boolean wholeWarp(Point point, Frame frame, int low, int here, int alive) {
        if (alive != -1 && here == alive) {
            throw incomplete(point, frame, low, here);
        }
        return here == -1;
    }

    /** What a matrix instruction fails by to which these lanes alone come, since others have ended. */
    static Fault incomplete(Point point, Frame frame, int low, int here) {
        return Fault.at(Fault.Kind.ILLEGAL_OPERAND, String.format("'%s' needs all 32 threads of a warp; lanes 0x%08x have ended or never were", point.text(), ~here),
                point.line(), frame.block, low + Integer.numberOfTrailingZeros(here));
    }

    /** Executes the operation of {@code point} for the lanes {@code here} of the warp whose first thread is {@code low}. */
    static void execute(Point point, Worker worker, Frame frame, int low, int here) {
        if (worker.checks != null) {
            watch(point, worker.checks, frame, low, here);
        }
        switch (point.kind()) {
            case MATRIX -> point.action().execute(point, worker, frame, low, frame.words(low));
            case SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX -> shuffle(point.kind(), frame, low, here);
            case VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT -> vote(point, frame, low, here);
            case ACTIVEMASK -> give(frame, low, here, here);
            case MATCH_ANY_32, MATCH_ALL_32 -> match(point, frame, low, here, false);
            case MATCH_ANY_64, MATCH_ALL_64 -> match(point, frame, low, here, true);
            case REDUX_ADD, REDUX_MIN_S, REDUX_MAX_S, REDUX_MIN_U, REDUX_MAX_U, REDUX_AND, REDUX_OR, REDUX_XOR,
                    REDUX_MIN_F32, REDUX_MAX_F32, REDUX_MIN_NAN_F32, REDUX_MAX_NAN_F32 ->
                    redux(point, frame, low, here);
            case ELECT -> elect(point, frame, low, here);
            case WARP_SYNC -> { }
            case PASS, SPIN, ASK, CLUSTER_WAIT, BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED_POPC, BARRIER_RED_AND, BARRIER_RED_OR ->
                    throw new IllegalStateException("not a warp operation: " + point.kind());
        }
    }

    private static void watch(Point point, BlockChecks checks, Frame frame, int low, int here) {
        if (point.mask() >= 0) {
            int first = low + Integer.numberOfTrailingZeros(here);
            checks.members(low, here, frame.operands[point.mask() * frame.threads + first], first, point.stand(0));
        }
        if (point.kind() == PointKind.WARP_SYNC) {
            // Without a member mask it is a step, for which all threads of the warp have stopped.
            checks.warpBarrier(low, point.mask() >= 0 ? here : -1 >>> Math.max(0, low + 32 - frame.threads));
        }
    }

    private static void give(Frame frame, int low, int here, int result) {
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            frame.results[low + Integer.numberOfTrailingZeros(lanes)] = result;
        }
    }

    private static void shuffle(PointKind kind, Frame frame, int low, int here) {
        int n = frame.threads;
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            int b = frame.operands[n + low + lane];
            int c = frame.operands[2 * n + low + lane];
            int source = source(kind, lane, b, c);
            boolean inRange = source >= 0;
            source = inRange ? source : lane;
            // What a lane gives that takes no part is undefined; sums over part of a warp, as NVIDIA's samples have them, count on 0.
            frame.results[low + lane] = (here >>> source & 1) != 0 ? frame.operands[low + source] : 0;
            frame.results[n + low + lane] = inRange ? 1 : 0;
        }
    }

    /** The lane from which a shuffle takes its value, -1 where it would lie out of range. */
    static int source(PointKind kind, int lane, int b, int c) {
        int distance = b & 31;
        int segment = c >>> 8 & 31;
        int clamp = c & 31;
        int highest = lane & segment | clamp & ~segment;
        int source = switch (kind) {
            case SHFL_UP -> lane - distance;
            case SHFL_DOWN -> lane + distance;
            case SHFL_BFLY -> lane ^ distance;
            default -> lane & segment | distance & ~segment;
        };
        return (kind == PointKind.SHFL_UP ? source >= highest : source <= highest) ? source : -1;
    }

    private static int members(Point point, Frame frame, int low, int here, int lane) {
        return point.mask() < 0 ? here : here & frame.operands[point.mask() * frame.threads + low + lane];
    }

    private static void vote(Point point, Frame frame, int low, int here) {
        int trues = 0;
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            trues |= frame.operands[low + lane] << lane;
        }
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            int members = members(point, frame, low, here, lane);
            int yes = trues & members;
            frame.results[low + lane] = switch (point.kind()) {
                case VOTE_ALL -> yes == members ? 1 : 0;
                case VOTE_ANY -> yes != 0 ? 1 : 0;
                case VOTE_UNI -> yes == members || yes == 0 ? 1 : 0;
                default -> yes;
            };
        }
    }

    private static void match(Point point, Frame frame, int low, int here, boolean wide) {
        boolean all = point.kind() == PointKind.MATCH_ALL_32 || point.kind() == PointKind.MATCH_ALL_64;
        int n = frame.threads;
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            int members = members(point, frame, low, here, lane);
            int same = 0;
            for (int others = members; others != 0; others &= others - 1) {
                int other = Integer.numberOfTrailingZeros(others);
                boolean equal = frame.operands[low + other] == frame.operands[low + lane]
                        && (!wide || frame.operands[n + low + other] == frame.operands[n + low + lane]);
                same |= equal ? 1 << other : 0;
            }
            frame.results[low + lane] = !all || same == members ? same : 0;
            frame.results[n + low + lane] = same == members ? 1 : 0;
        }
    }

    private static void redux(Point point, Frame frame, int low, int here) {
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            int members = members(point, frame, low, here, lane);
            int value = frame.operands[low + Integer.numberOfTrailingZeros(members)];
            for (int others = members & members - 1; others != 0; others &= others - 1) {
                int other = frame.operands[low + Integer.numberOfTrailingZeros(others)];
                value = combine(point.kind(), value, other);
            }
            frame.results[low + lane] = value;
        }
    }

    /** Two values of a reduction become one. */
    public static int combine(PointKind kind, int value, int other) {
        return switch (kind) {
            case REDUX_ADD -> value + other;
            case REDUX_MIN_S -> Math.min(value, other);
            case REDUX_MAX_S -> Math.max(value, other);
            case REDUX_MIN_U -> Integer.compareUnsigned(value, other) < 0 ? value : other;
            case REDUX_MAX_U -> Integer.compareUnsigned(value, other) > 0 ? value : other;
            case REDUX_AND -> value & other;
            case REDUX_OR -> value | other;
            case REDUX_MIN_F32 -> bits(FloatOps.minF32(Float.intBitsToFloat(value), Float.intBitsToFloat(other)));
            case REDUX_MAX_F32 -> bits(FloatOps.maxF32(Float.intBitsToFloat(value), Float.intBitsToFloat(other)));
            case REDUX_MIN_NAN_F32 -> bits(FloatOps.minNanF32(Float.intBitsToFloat(value), Float.intBitsToFloat(other)));
            case REDUX_MAX_NAN_F32 -> bits(FloatOps.maxNanF32(Float.intBitsToFloat(value), Float.intBitsToFloat(other)));
            default -> value ^ other;
        };
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(Canonical.canonical(value));
    }

    private static void elect(Point point, Frame frame, int low, int here) {
        for (int lanes = here; lanes != 0; lanes &= lanes - 1) {
            int lane = Integer.numberOfTrailingZeros(lanes);
            int leader = Integer.numberOfTrailingZeros(members(point, frame, low, here, lane));
            frame.results[low + lane] = leader;
            frame.results[frame.threads + low + lane] = leader == lane ? 1 : 0;
        }
    }
}
