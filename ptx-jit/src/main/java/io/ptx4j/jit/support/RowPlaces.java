package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** As the accesses of {@link LanePlaces} at a constant distance from lane to lane, for groups of several rows of the block. */
public final class RowPlaces {
    private RowPlaces() {
    }

    /**
     * Loads the elements of executing lanes, up to the first that fails. That of lane {@code x} of row {@code y} belongs to the number
     * {@code index + stride * x + step * y} ({@link LanePlaces#loadSteps}).
     *
     * @param offset of the element of the first lane
     * @param first lane
     * @param count lanes of one row, or of all
     * @param width lanes of a row
     */
    public static void loadSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count, int width, int step) {
        int lane = first;
        try {
            for (; lane < first + count; lane++) {
                if ((mask >>> lane & 1) != 0) {
                    frame.laneInts[lane] = Memory.loadI32(segment, offset + distance(lane - first, index, stride, scale, signed, width, step));
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    private static long distance(int lane, int index, int stride, long scale, boolean signed, int width, int step) {
        return LanePlaces.distance(1, index, stride * (lane & width - 1) + step * (lane / width), scale, signed);
    }

    /** As {@link #loadSteps}, leaving the words in {@link VectorFrame#words}: at each lane's number, or, where all rows have the same, at that within its row. */
    public static void loadStepsAside(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count, int width, int step, boolean shared) {
        loadSteps(worker, frame, thread, mask, segment, offset, index, stride, scale, signed, first, count, width, step);
        for (int lane = first; lane < first + count; lane++) {
            if ((mask >>> lane & 1) != 0) {
                frame.words.setAtIndex(ValueLayout.JAVA_INT, shared ? lane & width - 1 : lane, frame.laneInts[lane]);
            }
        }
    }

    /** As {@link #loadSteps} for a store from the frame's array, unless a lane before has failed. */
    public static void storeSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count, int width, int step) {
        int lane = first;
        long running = mask & ~frame.failed;
        try {
            for (; lane < first + count; lane++) {
                if ((running >>> lane & 1) != 0) {
                    Memory.storeI32(segment, offset + distance(lane - first, index, stride, scale, signed, width, step), frame.laneInts[lane]);
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    /**
     * Loads a word for each row that has executing lanes, up to the first that fails.
     *
     * @param offset of the first row's word
     * @param step from row to row
     * @param narrow whether the offset is one of 32 bits, which wraps around
     * @param to where in {@link VectorFrame#sameInts} or {@link VectorFrame#sameFloats} the first row's word goes, one vector before the next row's
     */
    public static void loadOnce(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int width, int step, boolean narrow,
            int to, boolean floats) {
        long rest = mask;
        try {
            while (rest != 0) {
                int row = Long.numberOfTrailingZeros(rest) / width;
                long distance = narrow ? LanePlaces.distance(row, (int) offset, step, 1, false) : (long) step * row;
                int word = Memory.loadI32(segment, offset + distance);
                int at = to + row * VectorLanes.INT.length();
                if (floats) {
                    frame.sameFloats[at] = Float.intBitsToFloat(word);
                } else {
                    frame.sameInts[at] = word;
                }
                rest &= -1L << row * width << width;
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, Long.numberOfTrailingZeros(rest));
        }
    }
}
