package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Atomic sums of a group's lanes in 32-bit words of shared memory (manual: "atom", "red"), in the order of the lanes, where nobody asks for
 * the old values. One test tells of all lanes that their words are there and aligned; code that all kernels share does the rest.
 */
public final class LaneAtomics {
    private static final int LENGTH = INT.length();

    private LaneAtomics() {
    }

    /**
     * Adds the first values of the frame's array, one for each lane, up to the first whose word is not there or not aligned ({@link Faults#defer}).
     *
     * @param thread of the first lane
     * @param mask the executing lanes
     * @param slot has the places of the lanes
     * @param offset of the words from their places in the segment
     */
    public static void add(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot) {
        if (fit(segment, offset, frame, mask, slot.places)) {
            DirectMemory.addEach(segment, DirectMemory.base(segment), offset, slot.places, frame.laneInts, frame.lanes);
            return;
        }
        int lane = Long.numberOfTrailingZeros(mask);
        int end = Long.SIZE - Long.numberOfLeadingZeros(mask);
        try {
            for (; lane < end; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    SharedAtomics.add32(segment, slot.place(lane, offset), frame.laneInts[lane]);
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /** As {@link #add} with one value for all lanes. */
    public static void add(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, LaneSlot slot, int value) {
        if (fit(segment, offset, frame, mask, slot.places)) {
            DirectMemory.addSame(segment, DirectMemory.base(segment), offset, slot.places, value, frame.lanes);
            return;
        }
        Arrays.fill(frame.laneInts, 0, frame.lanes, value);
        add(worker, frame, thread, mask, segment, offset, slot);
    }

    /**
     * Adds a value to words that bytes choose, one after the other. All of them and the 256 words are known to be there.
     *
     * @param bytes where they lie, at {@code place}: as many as {@code count}, a multiple of eight
     * @param offset of the word that byte 0 chooses
     */
    public static void addByBytes(MemorySegment bytes, long place, int count, MemorySegment segment, long offset, int value) {
        DirectMemory.addByBytes(bytes, place, count, segment, DirectMemory.base(segment), offset, value);
    }

    /** Whether all lanes execute, and their words are there and aligned, as the segment's beginning is. */
    private static boolean fit(MemorySegment segment, long offset, VectorFrame frame, long mask, int[] places) {
        long room = segment.byteSize() - Integer.BYTES - offset;
        if (!frame.isFull(mask) || (offset | room) < 0 || room > Integer.MAX_VALUE || (offset & 3) != 0) {
            return false;
        }
        IntVector all = IntVector.fromArray(INT, places, 0);
        for (int at = LENGTH; at < frame.lanes; at += LENGTH) {
            all = all.or(IntVector.fromArray(INT, places, at));
        }
        // Only places that are not aligned, or not below the largest power of two that fits, have these bits: one test of most tables.
        int beyond = (int) -Long.highestOneBit(room + Integer.BYTES) | Integer.BYTES - 1;
        return all.and(beyond).eq(0).allTrue() || within(room, frame, places);
    }

    /** Whether all places are aligned and end within the room. */
    private static boolean within(long room, VectorFrame frame, int[] places) {
        IntVector all = IntVector.zero(INT);
        IntVector most = all;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector place = IntVector.fromArray(INT, places, at);
            all = all.or(place);
            most = most.max(place);
        }
        // A place of 2^31 or more is negative here.
        return (all.reduceLanes(VectorOperators.OR) & (Integer.MIN_VALUE | 3)) == 0 && most.reduceLanes(VectorOperators.MAX) <= room;
    }
}
