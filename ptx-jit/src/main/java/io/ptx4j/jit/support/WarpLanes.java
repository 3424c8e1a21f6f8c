package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;

import io.ptx4j.engine.Fault;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Warp operations of a group of one or two warps whose lanes are together, for code in the vector shape (manual: "shfl", "vote",
 * "match", "redux"). Vectors come and go in {@link VectorFrame#laneInts} and {@link VectorFrame#laneLongs}, whose slots have as many
 * elements as the group has lanes; lanes that take part are given as bits.
 */
public final class WarpLanes {
    private static final int LENGTH = INT.length();
    private static final long FULL = (1L << LENGTH) - 1;

    private WarpLanes() {
    }

    /** @throws Fault if {@code mask} lacks one of the {@code lanes} that came with it */
    public static void check(Frame frame, int thread, long lanes, int mask, int line, String text) {
        long lacking = lanes & ~mask;
        if (lacking != 0) {
            int lane = Long.numberOfTrailingZeros(lacking);
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, WarpOperations.lacks(mask, text, lane), line, frame.block, thread + lane);
        }
    }

    /** The lane from which a shuffle takes its value, -1 where it would lie out of range. */
    public static int source(PointKind kind, int lane, int b, int c) {
        int source = WarpOperations.source(kind, lane & 31, b, c);
        return source < 0 ? source : lane & ~31 | source;
    }

    /** Those of the lanes whose warp has none that failed, nor has one below it: that one ends the launch, and these wait for it in vain. */
    public static long besidesFailed(VectorFrame frame, long lanes) {
        return lanes & (1L << (Long.numberOfTrailingZeros(frame.failed) & 32)) - 1;
    }

    static int lanes(VectorFrame frame) {
        return frame.laneInts.length / VectorFrame.SLOTS;
    }

    /** Shuffles slot 0 into slot 1; gives the lanes whose source is in range. */
    public static long shuffle(VectorFrame frame, long here, PointKind kind, int b, int c) {
        IntVector distance = IntVector.broadcast(INT, b);
        IntVector control = IntVector.broadcast(INT, c);
        long inRange = 0;
        for (int at = 0; at < lanes(frame); at += LENGTH) {
            inRange |= shuffle(frame, here, kind, at, distance, control, -1);
        }
        return inRange;
    }

    /** As {@link #shuffle} with operands b and c in slots 2 and 3. */
    public static long shuffleEach(VectorFrame frame, long here, PointKind kind) {
        return shuffleEach(frame, here, kind, -1);
    }

    /** The same of lanes that have their member masks in a slot, all in one if it is negative; those with one mask are by themselves. */
    static long shuffleEach(VectorFrame frame, long here, PointKind kind, int masks) {
        int lanes = lanes(frame);
        long inRange = 0;
        for (int at = 0; at < lanes; at += LENGTH) {
            IntVector distance = IntVector.fromArray(INT, frame.laneInts, 2 * lanes + at);
            inRange |= shuffle(frame, here, kind, at, distance, IntVector.fromArray(INT, frame.laneInts, 3 * lanes + at), masks);
        }
        return inRange;
    }

    /** The lanes of a vector, of which the first is {@code at}: as {@link WarpOperations#source} for all of them. */
    private static long shuffle(VectorFrame frame, long here, PointKind kind, int at, IntVector b, IntVector c, int masks) {
        IntVector lane = IntVector.zero(INT).addIndex(1).add(at & 31);
        IntVector distance = b.and(31);
        IntVector segment = c.lanewise(VectorOperators.LSHR, 8).and(31);
        IntVector first = lane.and(segment);
        IntVector highest = first.or(c.and(31).and(segment.not()));
        IntVector wanted = switch (kind) {
            case SHFL_UP -> lane.sub(distance);
            case SHFL_DOWN -> lane.add(distance);
            case SHFL_BFLY -> lane.lanewise(VectorOperators.XOR, distance);
            default -> first.or(distance.and(segment.not()));
        };
        VectorMask<Integer> inRange = kind == PointKind.SHFL_UP ? wanted.compare(VectorOperators.GE, highest) : wanted.compare(VectorOperators.LE, highest);
        IntVector source = lane.blend(wanted, inRange);
        int lanes = lanes(frame);
        int warp = at & ~31;
        IntVector given = choose(frame.laneInts, warp, lanes - warp, source, here >>> warp);
        if (masks >= 0) {
            IntVector own = IntVector.fromArray(INT, frame.laneInts, masks * lanes + at);
            IntVector other = choose(frame.laneInts, masks * lanes + warp, lanes - warp, source, -1L);
            given = IntVector.zero(INT).blend(given, own.compare(VectorOperators.EQ, other));
        }
        given.intoArray(frame.laneInts, lanes + at);
        return inRange.toLong() << at;
    }

    /** Of the numbers of a warp, each lane's source; 0, as in {@link WarpOperations}, where that takes no part. */
    private static IntVector choose(int[] values, int from, int lanes, IntVector source, long here) {
        IntVector given = IntVector.zero(INT);
        IntVector index = source.and(LENGTH - 1);
        for (int s = 0; s < 32; s += LENGTH) {
            IntVector some = IntVector.zero(INT);
            if (s < lanes) {
                some = some.blend(IntVector.fromArray(INT, values, from + s), VectorMask.fromLong(INT, here >>> s & FULL));
            }
            given = given.blend(index.selectFrom(some), source.compare(VectorOperators.GE, s));
        }
        return given;
    }

    public static int all(long trues, long here) {
        return (trues & here) == here ? 1 : 0;
    }

    public static int any(long trues, long here) {
        return (trues & here) != 0 ? 1 : 0;
    }

    public static int uni(long trues, long here) {
        return all(trues, here) | 1 - any(trues, here);
    }

    /** The reduction of slot 0 over the lanes {@code here}. */
    public static int reduce(VectorFrame frame, long here, PointKind kind) {
        int value = frame.laneInts[Long.numberOfTrailingZeros(here)];
        for (long rest = here & here - 1; rest != 0; rest &= rest - 1) {
            value = WarpOperations.combine(kind, value, frame.laneInts[Long.numberOfTrailingZeros(rest)]);
        }
        return value;
    }

    /** Puts into slot 1 for each lane the lanes {@code here} that have its value of slot 0. */
    public static void matchInts(VectorFrame frame, long here) {
        for (long rest = here; rest != 0;) {
            long same = likeFirst(frame, rest);
            give(frame, same);
            rest &= ~same;
        }
    }

    /** As {@link #matchInts} for 64-bit values in slot 0 of the longs. */
    public static void matchLongs(VectorFrame frame, long here) {
        long[] values = frame.laneLongs;
        for (long rest = here; rest != 0;) {
            long value = values[Long.numberOfTrailingZeros(rest)];
            long same = 0;
            for (long others = rest; others != 0; others &= others - 1) {
                same |= values[Long.numberOfTrailingZeros(others)] == value ? Long.lowestOneBit(others) : 0;
            }
            give(frame, same);
            rest &= ~same;
        }
    }

    /** After {@link #matchInts} or {@link #matchLongs}: {@code here} if all of those lanes have one value, else 0. */
    public static int unanimous(VectorFrame frame, long here) {
        return frame.laneInts[lanes(frame) + Long.numberOfTrailingZeros(here)] == ofWarp(here) ? ofWarp(here) : 0;
    }

    /** The value of slot 0 in the first of the lanes. */
    public static int first(VectorFrame frame, long here) {
        return frame.laneInts[Long.numberOfTrailingZeros(here)];
    }

    /** The lanes {@code here} that have the value of the first one in slot 0. */
    public static long likeFirst(VectorFrame frame, long here) {
        return likeFirst(frame, here, 0);
    }

    /** The same for the values of another slot. */
    static long likeFirst(VectorFrame frame, long here, int slot) {
        int from = slot * lanes(frame);
        int value = frame.laneInts[from + Long.numberOfTrailingZeros(here)];
        long same = 0;
        for (int at = 0; at < lanes(frame); at += LENGTH) {
            same |= IntVector.fromArray(INT, frame.laneInts, from + at).compare(VectorOperators.EQ, value).toLong() << at;
        }
        return same & here;
    }

    // Numbers that grow from lane to lane: first + stride * lane, stride positive and stride * lanes below 2^31

    /** The lanes whose number is below {@code limit}, of signed numbers modulo 2^32. */
    public static long below(int first, int stride, int limit, int lanes) {
        return belowUnsigned(first ^ Integer.MIN_VALUE, stride, limit ^ Integer.MIN_VALUE, lanes);
    }

    /** As {@link #below} or equal. */
    public static long upTo(int first, int stride, int limit, int lanes) {
        return upToUnsigned(first ^ Integer.MIN_VALUE, stride, limit ^ Integer.MIN_VALUE, lanes);
    }

    public static long belowUnsigned(int first, int stride, int limit, int lanes) {
        return under(Integer.toUnsignedLong(first), stride, Integer.toUnsignedLong(limit), lanes);
    }

    public static long upToUnsigned(int first, int stride, int limit, int lanes) {
        return under(Integer.toUnsignedLong(first), stride, Integer.toUnsignedLong(limit) + 1, lanes);
    }

    /** The lanes whose number modulo 2^32 is below {@code limit}, at most 2^32. */
    private static long under(long first, int stride, long limit, int lanes) {
        long room = limit - first;
        long span = (long) stride * (lanes - 1);
        if (first + span < 1L << 32) {
            return room > span ? -1L >>> 64 - lanes : room <= 0 ? 0 : -1L >>> 64 - (int) ((room + stride - 1) / stride);
        }
        // Lanes that wrap around begin anew at the least number.
        int straight = (int) (((1L << 32) - first + stride - 1) / stride);
        long over = first + (long) stride * straight - (1L << 32);
        return under(first, stride, limit, straight) | under(over, stride, limit, lanes - straight) << straight;
    }

    /** The lanes whose number is {@code wanted}. */
    public static long equal(int first, int stride, int wanted, int lanes) {
        long away = Integer.toUnsignedLong(wanted - first);
        if (stride == 0) {
            return away == 0 ? -1L >>> 64 - lanes : 0;
        }
        return away <= (long) stride * (lanes - 1) && away % stride == 0 ? 1L << (int) (away / stride) : 0;
    }

    private static void give(VectorFrame frame, long same) {
        give(frame, same, ofWarp(same));
    }

    /** Puts a number into slot 1 for some lanes. */
    static void give(VectorFrame frame, long some, int number) {
        int lanes = lanes(frame);
        for (int at = 0; at < lanes; at += LENGTH) {
            // Not under a mask: loads wait for what was stored so.
            IntVector.fromArray(INT, frame.laneInts, lanes + at).blend(number, VectorMask.fromLong(INT, some >>> at & FULL)).intoArray(frame.laneInts, lanes + at);
        }
    }

    /** Of lanes of one warp their numbers within it. */
    public static int ofWarp(long lanes) {
        return (int) (lanes | lanes >>> 32);
    }

    /** A predicate for each lane of two warps. */
    public static long ofBoth(int first, int second) {
        return -(long) first & 0xFFFF_FFFFL | -(long) second << 32;
    }
}
