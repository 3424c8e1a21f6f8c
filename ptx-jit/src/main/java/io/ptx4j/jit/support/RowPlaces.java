package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/** As the accesses of {@link LanePlaces} at a constant distance from lane to lane, for groups of several rows of the block. */
public final class RowPlaces {
    private static final int LENGTH = INT.length();
    private static final long FULL = (1L << LENGTH) - 1;

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
        boolean goesOn = true;
        for (int row = 0; goesOn && row * width < count; row++) {
            int at = first + row * width;
            long start = offset + LanePlaces.distance(1, index, step * row, scale, signed);
            goesOn = LanePlaces.loadSteps(worker, frame, thread, ofRow(mask, at, width), segment, start, index + step * row, stride, scale, signed, at, width);
        }
    }

    private static long ofRow(long mask, int at, int width) {
        return mask >>> at & -1L >>> Long.SIZE - width;
    }

    /** As {@link #loadSteps}, leaving the words in {@link VectorFrame#words}: at each lane's number, or, where all rows have the same, at that within its row. */
    public static void loadStepsAside(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count, int width, int step, boolean shared) {
        loadSteps(worker, frame, thread, mask, segment, offset, index, stride, scale, signed, first, count, width, step);
        for (int lane = first; lane < first + count; lane += LENGTH) {
            VectorMask<Integer> some = VectorMask.fromLong(INT, mask >>> lane & FULL);
            IntVector.fromArray(INT, frame.laneInts, lane).intoMemorySegment(frame.words, 4L * (shared ? lane & width - 1 : lane), ORDER, some);
        }
    }

    /** As {@link #loadSteps} for a store from the frame's array, unless a lane before has failed. */
    public static void storeSteps(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long offset, int index, int stride,
            long scale, boolean signed, int first, int count, int width, int step) {
        long running = mask & ~frame.failed;
        boolean goesOn = true;
        for (int row = 0; goesOn && row * width < count; row++) {
            int at = first + row * width;
            long start = offset + LanePlaces.distance(1, index, step * row, scale, signed);
            goesOn = LanePlaces.storeSteps(worker, frame, thread, ofRow(running, at, width), segment, start, index + step * row, stride, scale, signed, at, width);
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
