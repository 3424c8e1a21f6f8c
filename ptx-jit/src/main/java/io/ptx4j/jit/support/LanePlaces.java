package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Accesses of a group's lanes to 32-bit elements wherever they lie: {@code tid ^ k}, every second element, the pairs of a bitonic sort. The lanes
 * of a vector often stay within a <em>window</em>, two vectors of memory. Then a load is the whole window, of which each lane chooses its element. A
 * store writes one vector if the elements are neighbours, upwards or downwards, and moves lanes apart if their elements ascend. What is
 * spread further goes one by one.
 *
 * <p>The frame has places, unsigned numbers of bytes, and values. An element lies a constant of bytes behind its place in the segment.
 */
public final class LanePlaces {
    private static final int LENGTH = INT.length();
    private static final long ALL = (1L << LENGTH) - 1;
    /** Bytes of a vector, and those bits of a distance from the window's beginning that no element of it has. */
    private static final int BYTES = 4 * LENGTH;
    private static final int OUTSIDE = -2 * BYTES | 3;
    /** HotSpot has an instruction to move lanes apart from 256 bits on. */
    private static final boolean MOVES_APART = LENGTH >= 8;

    private static final long APART = Long.MIN_VALUE;

    private static final IntVector LANES = IntVector.zero(INT).addIndex(1);
    private static final IntVector REVERSED = IntVector.broadcast(INT, LENGTH - 1).sub(LANES);
    /** Each lane's predecessor; the first one's is itself. */
    private static final IntVector BEFORE = LANES.sub(1).max(0);
    private static final IntVector ONES = IntVector.broadcast(INT, 1);
    /** Bytes from the lowest of neighbours to each. */
    private static final IntVector UPWARDS = LANES.mul(4);
    private static final IntVector DOWNWARDS = REVERSED.mul(4);

    private LanePlaces() {
    }

    /**
     * Loads the elements of executing lanes, up to the first whose element is not there or not aligned ({@link Faults#defer}).
     *
     * @param thread of the first lane
     * @param mask the executing lanes
     * @param places where those of the lanes begin in the frame's array
     */
    public static void load(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int places) {
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            long here = mask >>> at & ALL;
            if (here != 0 && !loadWindow(segment, offset, frame.places, places + at, frame.laneInts, at, here)) {
                loadEach(worker, frame, thread, here << at, segment, offset, places);
            }
        }
    }

    private static boolean loadWindow(MemorySegment segment, long offset, int[] places, int first, int[] lanes, int at, long here) {
        int one = places[first + Long.numberOfTrailingZeros(here)];
        int other = places[first + 63 - Long.numberOfLeadingZeros(here)];
        int lowest = Math.min(one, other);
        IntVector place = IntVector.fromArray(INT, places, first);
        long last = segment.byteSize() - 2 * BYTES;
        long window = Math.min(lowest + offset, last);
        IntVector distance = place.sub((int) (window - offset));
        if ((distance.and(OUTSIDE).compare(VectorOperators.NE, 0).toLong() & here) != 0) {
            // The lowest place may be that of a lane in between.
            window = Math.min((lowest & -BYTES) + offset, last);
            distance = place.sub((int) (window - offset));
            if ((distance.and(OUTSIDE).compare(VectorOperators.NE, 0).toLong() & here) != 0) {
                return false;
            }
        }
        if ((window | lowest) < 0 || (segment.address() + window & 3) != 0) {
            return false;
        }
        IntVector low = IntVector.fromMemorySegment(INT, segment, window, ORDER);
        IntVector high = IntVector.fromMemorySegment(INT, segment, window + BYTES, ORDER);
        distance.lanewise(VectorOperators.LSHR, 2).selectFrom(low, high).intoArray(lanes, at);
        return true;
    }

    private static void loadEach(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int places) {
        int lane = Long.numberOfTrailingZeros(mask);
        int end = Long.SIZE - Long.numberOfLeadingZeros(mask);
        try {
            for (; lane < end; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    frame.laneInts[lane] = Memory.loadI32(segment, (frame.places[places + lane] & 0xFFFF_FFFFL) + offset);
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /** As {@link #load} for stores; of lanes with one place the last one's value stays. */
    public static void store(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int places) {
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            long here = mask >>> at & ALL;
            if (here != ALL || !storeWindow(segment, offset, frame.places, places + at, frame.laneInts, at)) {
                storeEach(worker, frame, thread, here << at, segment, offset, places);
            }
        }
    }

    private static boolean storeWindow(MemorySegment segment, long offset, int[] places, int first, int[] lanes, int at) {
        int lowest = Math.min(places[first], places[first + LENGTH - 1]);
        long window = lowest + offset;
        long room = segment.byteSize() - window;
        if ((window | lowest | room - BYTES) < 0 || (segment.address() + window & 3) != 0) {
            return false;
        }
        IntVector value = IntVector.fromArray(INT, lanes, at);
        IntVector distance = IntVector.fromArray(INT, places, first).sub(lowest);
        if (distance.compare(VectorOperators.NE, UPWARDS).toLong() == 0) {
            value.intoMemorySegment(segment, window, ORDER);
            return true;
        }
        if (distance.compare(VectorOperators.NE, DOWNWARDS).toLong() == 0) {
            REVERSED.selectFrom(value).intoMemorySegment(segment, window, ORDER);
            return true;
        }
        IntVector element = distance.lanewise(VectorOperators.LSHR, 2);
        boolean ascends = BEFORE.selectFrom(element).compare(VectorOperators.LT, element).toLong() == ALL - 1;
        if (!MOVES_APART || !ascends || room < 2 * BYTES || distance.and(OUTSIDE).compare(VectorOperators.NE, 0).toLong() != 0) {
            return false;
        }
        int taken = ONES.lanewise(VectorOperators.LSHL, element).reduceLanes(VectorOperators.OR);
        long lowHalf = taken & ALL;
        VectorMask<Integer> low = VectorMask.fromLong(INT, lowHalf);
        VectorMask<Integer> high = VectorMask.fromLong(INT, taken >>> LENGTH & ALL);
        // Lanes that the first half has taken come last.
        IntVector rest = LANES.add(Long.bitCount(lowHalf)).selectFrom(value);
        value.expand(low).intoMemorySegment(segment, window, ORDER, low);
        rest.expand(high).intoMemorySegment(segment, window + BYTES, ORDER, high);
        return true;
    }

    private static void storeEach(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int places) {
        int lane = Long.numberOfTrailingZeros(mask);
        int end = Long.SIZE - Long.numberOfLeadingZeros(mask);
        try {
            for (; lane < end; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    Memory.storeI32(segment, (frame.places[places + lane] & 0xFFFF_FFFFL) + offset, frame.laneInts[lane]);
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /**
     * Loads neighbouring elements of executing lanes, as {@link #load} does. That of lane {@code l} lies {@code scale * (i(l) - i(0))} bytes behind the first lane's, with
     * {@code i(l)} the number {@code index + stride * l} of 32 bits, extended: 4 bytes from lane to lane unless the number wraps around.
     *
     * @param offset of the first lane's element, which need not be there if that lane does not execute
     * @param signed how the number is extended
     */
    public static void loadNeighbours(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed) {
        long begin = begin(mask, segment, offset, index, stride, scale, signed);
        if (begin != APART) {
            for (int at = 0; at < frame.lanes; at += LENGTH) {
                VectorMask<Integer> here = VectorMask.fromLong(INT, mask >>> at & ALL);
                IntVector.fromMemorySegment(INT, segment, begin + 4 * at, ORDER, here).intoArray(frame.laneInts, at);
            }
            return;
        }
        int lane = 0;
        try {
            for (; lane < frame.lanes; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    frame.laneInts[lane] = Memory.loadI32(segment, offset + distance(lane, index, stride, scale, signed));
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /** As {@link #loadNeighbours} for a store from the frame's array. */
    public static void storeNeighbours(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed) {
        long begin = begin(mask, segment, offset, index, stride, scale, signed);
        if (begin != APART) {
            for (int at = 0; at < frame.lanes; at += LENGTH) {
                VectorMask<Integer> here = VectorMask.fromLong(INT, mask >>> at & ALL);
                IntVector.fromArray(INT, frame.laneInts, at).intoMemorySegment(segment, begin + 4 * at, ORDER, here);
            }
            return;
        }
        int lane = 0;
        try {
            for (; lane < frame.lanes; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    Memory.storeI32(segment, offset + distance(lane, index, stride, scale, signed), frame.laneInts[lane]);
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    private static long distance(int lane, int index, int stride, long scale, boolean signed) {
        int other = index + stride * lane;
        return scale * (signed ? (long) other - index : (other & 0xFFFF_FFFFL) - (index & 0xFFFF_FFFFL));
    }

    /** Where the first lane's element would lie if those of executing lanes are there, aligned and neighbours; else {@link #APART}. */
    private static long begin(long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed) {
        int first = Long.numberOfTrailingZeros(mask);
        int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(mask);
        long low = offset + distance(first, index, stride, scale, signed);
        long high = offset + distance(last, index, stride, scale, signed);
        boolean there = low >= 0 && high <= segment.byteSize() - 4 && (segment.address() + low & 3) == 0;
        return there && high - low == 4L * (last - first) ? low - 4L * first : APART;
    }
}
