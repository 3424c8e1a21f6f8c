package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** What code in the vector shape needs beside the Vector API itself. */
@SuppressWarnings("exports")
public final class VectorLanes {
    /** All vectors of a kernel have one size in bits, or 32-bit lanes half of it: two sizes at one place would spoil its type profile. */
    public static final VectorSpecies<Integer> INT = IntVector.SPECIES_PREFERRED;
    public static final VectorSpecies<Float> FLOAT = FloatVector.SPECIES_PREFERRED;
    public static final VectorSpecies<Long> LONG = LongVector.SPECIES_PREFERRED;
    public static final VectorSpecies<Double> DOUBLE = DoubleVector.SPECIES_PREFERRED;
    /** As many as {@link #LONG} has lanes, for kernels whose groups are so small. */
    public static final VectorSpecies<Integer> HALF_INT = VectorSpecies.of(int.class, VectorShape.forBitSize(INT.vectorBitSize() / 2));
    public static final VectorSpecies<Float> HALF_FLOAT = VectorSpecies.of(float.class, VectorShape.forBitSize(INT.vectorBitSize() / 2));
    /** The classes of such vectors. */
    public static final Class<?> INT_CLASS = INT.vectorType();
    public static final Class<?> FLOAT_CLASS = FLOAT.vectorType();
    public static final Class<?> LONG_CLASS = LONG.vectorType();
    public static final Class<?> DOUBLE_CLASS = DOUBLE.vectorType();
    public static final Class<?> HALF_INT_CLASS = HALF_INT.vectorType();
    public static final Class<?> HALF_FLOAT_CLASS = HALF_FLOAT.vectorType();
    /** As many as {@link #INT} has lanes, or the shortest vector that there is; elements of memory only. */
    public static final VectorSpecies<Byte> BYTE = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, INT.vectorBitSize() / 4)));
    public static final VectorSpecies<Short> SHORT = VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64, INT.vectorBitSize() / 2)));
    public static final VectorSpecies<Byte> HALF_BYTE = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, INT.vectorBitSize() / 8)));
    public static final VectorSpecies<Short> HALF_SHORT = VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64, INT.vectorBitSize() / 4)));
    /** As many as a vector of words has room for, and one half as long. */
    public static final VectorSpecies<Short> HALVES = VectorSpecies.of(short.class, INT.vectorShape());
    public static final VectorSpecies<Short> HALF_HALVES = VectorSpecies.of(short.class, HALF_INT.vectorShape());
    public static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /**
     * Always false, which no compiler knows. What constant vectors choose has a class that HotSpot's first compiler knows, so it inlines all that is done with it, and has soon no
     * registers left. Where another vector might have come instead it calls.
     */
    public static boolean never;

    static {
        // With one size of vectors loaded, C1 takes each call of an abstract method of IntVector and so on for a call of the one class that
        // implements it, inlines all that is below (a hundred virtual registers each), runs out of them after some forty operations,
        // and the method then never leaves the interpreter. With a second size it leaves the call a call; C2 learns the class from profiles.
        IntVector.zero(IntVector.SPECIES_64);
        LongVector.zero(LongVector.SPECIES_64);
        FloatVector.zero(FloatVector.SPECIES_64);
        DoubleVector.zero(DoubleVector.SPECIES_64);
        ByteVector.zero(ByteVector.SPECIES_64);
        ByteVector.zero(ByteVector.SPECIES_128);
        ShortVector.zero(ShortVector.SPECIES_64);
        ShortVector.zero(ShortVector.SPECIES_128);
    }

    private VectorLanes() {
    }

    /** Lanes of the group from {@code thread} on that run: those below {@code end} that stand at {@code from}, unless it is negative. */
    public static long active(Frame frame, int thread, int end, int lanes, int from) {
        int count = Math.min(lanes, end - thread);
        long mask = count == 64 ? -1L : (1L << count) - 1;
        return from < 0 ? mask : standing(frame, thread, count, from);
    }

    /** {@link #active} where rows of the block are padded. */
    public static long present(VectorFrame frame, int thread, int end, int lanes, int from) {
        return active(frame, thread, end, lanes, from) & frame.present(thread);
    }

    private static long standing(Frame frame, int thread, int count, int from) {
        long mask = 0;
        for (int lane = 0; lane < count; lane++) {
            mask |= frame.point[thread + lane] == from ? 1L << lane : 0;
        }
        return mask;
    }

    /** Puts the constants, for which two vectors have room, where vectors are loaded from: their window may end before a vector does. */
    public static void takeConstants(Worker worker, VectorFrame frame) {
        MemorySegment.copy(worker.constants, 0, MemorySegment.ofArray(frame.constants), 0, worker.constants.byteSize());
    }

    /** Those of the lanes that go on where one of the group has failed. */
    public static long running(VectorFrame frame, long lanes) {
        return lanes & ~frame.failed;
    }

    /** Notes that a region begins for the threads from {@code low} to {@code end - 1} that stand at {@code from}, or all of them if it is negative. */
    public static void begin(VectorFrame frame, int low, int end, int from) {
        frame.common = VectorFrame.NONE;
        frame.low = low;
        frame.regionEnd = end;
        frame.from = from;
        if (frame.split != null) {
            frame.split.begin();
        }
    }

    /** Whether a region runs for all threads of the block, and nobody watches them. */
    public static boolean together(Worker worker, Frame frame, int low, int end, int from) {
        return from < 0 && low == 0 && end == frame.threads && worker.checks == null;
    }

    /** Notes that lanes have stopped at a point; as long as that is one for all, in {@link VectorFrame#common} alone. */
    public static void stop(VectorFrame frame, int thread, long mask, int point) {
        if (frame.common == VectorFrame.NONE) {
            frame.common = point;
        } else if (frame.common != point) {
            part(frame, thread);
            fill(frame.point, thread, mask, point);
        }
    }

    /** The same where it must be known of each of them: who has given way, should another one fail. */
    public static void stopEach(VectorFrame frame, int thread, long mask, int point) {
        stop(frame, thread, mask, point);
        fill(frame.point, thread, mask, point);
    }

    /** {@link #active} where groups may part: lanes whose registers the frame has then. */
    public static long activePart(VectorFrame frame, int thread, int end, int from) {
        return frame.split.active(thread, end, from);
    }

    /** The same for a region that counts on all lanes of the group that have not ended. */
    public static long activeAll(VectorFrame frame, int thread, int end, int from) {
        return frame.split.activeAll(thread, end, from);
    }

    /** Whether more lanes of the group are to go on from where the region began. */
    public static boolean moreParts(VectorFrame frame, int thread, int end, int from) {
        return frame.split.more(thread, end, from);
    }

    /** {@link #stopEach} where groups may part: what is left in the frame is kept aside unless the whole group stops. */
    public static void stopPart(VectorFrame frame, int thread, long mask, int point) {
        stopEach(frame, thread, mask, point);
        frame.split.stop(thread, mask, point);
    }

    /**
     * Whether lanes need not stop at a warp operation, since all that their member mask names have come with them or have ended.
     *
     * @param point that of the operation, if lanes go on only when it is their turn; -1 if nobody can tell when they do
     */
    public static boolean meet(VectorFrame frame, int thread, long lanes, int point, int mask) {
        boolean next = point < 0 ? (lanes & ~Integer.toUnsignedLong(mask)) == 0 : frame.split.isNext(thread, lanes, point);
        return frame.failed == 0 && next && frame.split.meet(thread, lanes, mask);
    }

    /** Notes for each thread where those have stopped that have run, and those that run at present: they will stop yet. Others of their group may have their turn later. */
    private static void part(VectorFrame frame, int thread) {
        int end = Math.min(frame.regionEnd, thread + frame.lanes);
        long waiting = frame.split == null ? 0 : frame.split.waiting(thread);
        for (int t = frame.low; t < end && frame.common != Frame.MIXED; t++) {
            boolean waits = t >= thread && (waiting >>> t - thread & 1) != 0;
            if (!waits && (frame.from < 0 || frame.point[t] == frame.from)) {
                frame.point[t] = frame.common;
            }
        }
        frame.leaveOutPadding(frame.low, end);
        frame.common = Frame.MIXED;
    }

    /** Fills lanes of an array from {@code at} on. */
    public static void fill(int[] array, int at, long mask, int value) {
        if (Long.bitCount(mask) == Long.SIZE - Long.numberOfLeadingZeros(mask)) {
            Arrays.fill(array, at, at + Long.bitCount(mask), value);
            return;
        }
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            array[at + Long.numberOfTrailingZeros(rest)] = value;
        }
    }

    /** Puts the bits of all lanes into the first two elements of a slot. */
    public static void saveBits(int[] array, int at, long bits) {
        array[at] = (int) bits;
        array[at + 1] = (int) (bits >>> 32);
    }

    public static long restoreBits(int[] array, int at) {
        return Integer.toUnsignedLong(array[at]) | (long) array[at + 1] << 32;
    }
}
