package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/**
 * Accesses of a group's lanes to 32-bit words of which the compiler knows how they lie but for one number {@code m}: lane {@code l}'s place is that of
 * lane 0 and {@code stride * l + factor * (l & m)}. What the lanes of a vector take from memory and bring there is then known before, in a
 * {@link LanePattern}; all others go through {@link LanePlaces}.
 */
@SuppressWarnings("exports")
public final class PatternPlaces {
    private static final int LENGTH = INT.length();
    private static final int BYTES = 4 * LENGTH;
    private static final int ALL = (int) ((1L << LENGTH) - 1);

    private PatternPlaces() {
    }

    /** Places of the lanes of a vector, from lane {@code first} of the group on. */
    public static IntVector places(int place, int stride, int factor, int m, int first) {
        IntVector lane = IntVector.broadcast(INT, first).addIndex(1);
        return lane.mul(stride).add(lane.and(m).mul(factor)).add(place);
    }

    /** A number for two of 16 bits. */
    public static int shape(int stride, int factor) {
        return stride << 16 | factor & 0xFFFF;
    }

    /**
     * Finds out where the lanes have their elements.
     *
     * @param place of lane 0, an unsigned number of bytes, whether it executes or not
     * @param offset bytes from a lane's place to its element
     * @param shape stride and factor ({@link #shape})
     * @param number of the place in the kernel, for which patterns are kept apart
     */
    public static void find(VectorFrame frame, MemorySegment segment, int place, long offset, int shape, int m, int number, PatternSlot slot) {
        int bits = m & frame.lanes - 1;
        int at = (number & VectorFrame.PATTERNS - 1) * frame.lanes + bits;
        long first = place & 0xFFFF_FFFFL;
        long start = first + offset;
        long key = (long) shape << 16 | bits << 8 | (int) start & BYTES - 1;
        LanePattern pattern = frame.patterns[at];
        if (pattern == null || pattern.key != key) {
            pattern = add(frame, at, key, shape, bits, (int) start & BYTES - 1);
        }
        // All windows must lie in the segment, and no place beyond 32 bits.
        long beyond = first + pattern.least | 0xFFFF_FFFFL - first - pattern.most | start + pattern.least | segment.byteSize() - start - pattern.most;
        slot.place = place;
        slot.offset = offset;
        slot.shape = shape;
        slot.m = m;
        slot.from = DirectMemory.place(segment, start);
        slot.pattern = (beyond | segment.address() << 62 | segment.address() << 63) < 0 ? null : pattern;
    }

    private static LanePattern add(VectorFrame frame, int at, long key, int shape, int bits, int phase) {
        LanePattern pattern = new LanePattern(key, frame.lanes, shape >> 16, (short) shape, bits, phase);
        frame.patterns[at] = pattern;
        return pattern;
    }

    /**
     * Loads the elements of executing lanes, up to the first whose element is not there or not aligned ({@link Faults#defer}).
     *
     * @param thread of the first lane
     * @param mask the executing lanes
     * @param slot as {@link #find} left it
     */
    public static void load(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, PatternSlot slot) {
        LanePattern pattern = slot.pattern;
        int[] values = frame.laneInts;
        if (pattern == null || mask != pattern.all) {
            leave(frame, slot);
            LanePlaces.load(worker, frame, thread, mask, segment, slot.offset, frame.slotOfPatterns);
            return;
        }
        MemorySegment memory = DirectMemory.whole(segment);
        long from = slot.from;
        int[] words = pattern.words;
        take(memory, from, pattern.first, words, 0, values);
        if (words.length > LENGTH) {
            take(memory, from, pattern.second, words, LENGTH, values);
            for (int i = 0; i < pattern.others.length; i++) {
                take(memory, from, pattern.others[i], words, (i + 2) * LENGTH, values);
            }
        }
    }

    private static void take(MemorySegment memory, long from, LanePattern.Window window, int[] words, int at, int[] values) {
        IntVector low = IntVector.fromMemorySegment(INT, memory, from + window.low, ORDER);
        IntVector high = IntVector.fromMemorySegment(INT, memory, from + window.high, ORDER);
        IntVector.fromArray(INT, words, at).selectFrom(low, high).intoArray(values, at);
    }

    /** As {@link #load} for stores; of lanes with one place the last one's value stays. */
    public static void store(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, PatternSlot slot) {
        LanePattern pattern = slot.pattern;
        if (pattern == null || mask != pattern.all) {
            leave(frame, slot);
            LanePlaces.store(worker, frame, thread, mask, segment, slot.offset, frame.slotOfPatterns);
            return;
        }
        MemorySegment memory = DirectMemory.whole(segment);
        long from = slot.from;
        int[] values = frame.laneInts;
        put(memory, from, pattern, pattern.first, 0, values);
        if (pattern.words.length > LENGTH) {
            put(memory, from, pattern, pattern.second, LENGTH, values);
            for (int i = 0; i < pattern.others.length; i++) {
                put(memory, from, pattern, pattern.others[i], (i + 2) * LENGTH, values);
            }
        }
    }

    /** Stores whole vectors, which nobody else writes to meanwhile. */
    private static void put(MemorySegment memory, long from, LanePattern pattern, LanePattern.Window window, int at, int[] values) {
        IntVector value = IntVector.fromArray(INT, values, at);
        IntVector low = IntVector.fromArray(INT, pattern.lowLanes, at).selectFrom(value);
        long place = from + window.low;
        if (window.lowWords == ALL) {
            low.intoMemorySegment(memory, place, ORDER);
        } else {
            IntVector.fromMemorySegment(INT, memory, place, ORDER).blend(low, VectorMask.fromLong(INT, window.lowWords)).intoMemorySegment(memory, place, ORDER);
        }
        if (window.highWords != 0) {
            IntVector high = IntVector.fromArray(INT, pattern.highLanes, at).selectFrom(value);
            IntVector.fromMemorySegment(INT, memory, place + BYTES, ORDER).blend(high, VectorMask.fromLong(INT, window.highWords))
                    .intoMemorySegment(memory, place + BYTES, ORDER);
        }
    }

    private static void leave(VectorFrame frame, PatternSlot slot) {
        int[] places = frame.slotOfPatterns.places;
        for (int lane = 0; lane < places.length; lane++) {
            places[lane] = slot.place + LanePattern.distance(lane, slot.shape >> 16, (short) slot.shape, slot.m);
        }
    }
}
