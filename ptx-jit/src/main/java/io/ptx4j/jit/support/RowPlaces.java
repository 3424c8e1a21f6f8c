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
        for (int row = 0; row * width < count; row++) {
            int at = first + row * width;
            long here = mask >>> at & -1L >>> Long.SIZE - width;
            int number = index + step * row;
            long start = offset + LanePlaces.distance(1, index, step * row, scale, signed);
            long begin = LanePlaces.begin(here, segment, start, number, stride, scale, signed, 4, 4);
            if (begin == LanePlaces.APART) {
                if (!loadRow(worker, frame, thread, here, segment, start, number, stride, scale, signed, at)) {
                    return;
                }
            } else if (scale * stride == 4) {
                for (int x = 0; x < width; x += LENGTH) {
                    VectorMask<Integer> some = VectorMask.fromLong(INT, here >>> x & FULL);
                    IntVector.fromMemorySegment(INT, segment, begin + 4 * x, ORDER, some).intoArray(frame.laneInts, at + x);
                }
            } else {
                int lane = Long.numberOfTrailingZeros(here);
                DirectMemory.loadEach(DirectMemory.place(segment, 0) + begin + scale * stride * lane, scale * stride, frame.laneInts, at + lane, at + Long.SIZE - Long.numberOfLeadingZeros(here));
            }
        }
    }

    /** The lanes of a row, one after the other; false if one has failed. */
    private static boolean loadRow(Worker worker, VectorFrame frame, int thread, long here, MemorySegment segment, long start, int number, int stride, long scale, boolean signed, int at) {
        int lane = 0;
        try {
            for (long rest = here; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                frame.laneInts[at + lane] = Memory.loadI32(segment, start + LanePlaces.distance(lane, number, stride, scale, signed));
            }
            return true;
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, at + lane);
            return false;
        }
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
        for (int row = 0; row * width < count; row++) {
            int at = first + row * width;
            long here = running >>> at & -1L >>> Long.SIZE - width;
            int number = index + step * row;
            long start = offset + LanePlaces.distance(1, index, step * row, scale, signed);
            long begin = LanePlaces.begin(here, segment, start, number, stride, scale, signed, 4, 4);
            if (begin == LanePlaces.APART) {
                if (!storeRow(worker, frame, thread, here, segment, start, number, stride, scale, signed, at)) {
                    return;
                }
            } else if (scale * stride == 4) {
                LanePlaces.storeBeside(frame, here, segment, begin, segment == worker.shared, at, width);
            } else {
                DirectMemory.storeEach(DirectMemory.place(segment, 0) + begin - scale * stride * at, scale * stride, frame.laneInts, here << at);
            }
        }
    }

    private static boolean storeRow(Worker worker, VectorFrame frame, int thread, long here, MemorySegment segment, long start, int number, int stride, long scale, boolean signed, int at) {
        int lane = 0;
        try {
            for (long rest = here; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                Memory.storeI32(segment, start + LanePlaces.distance(lane, number, stride, scale, signed), frame.laneInts[at + lane]);
            }
            return true;
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, at + lane);
            return false;
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
