package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ADDRESSES;
import static io.ptx4j.jit.support.DirectMemory.ALL;
import static io.ptx4j.jit.support.VectorLanes.BYTE;
import static io.ptx4j.jit.support.VectorLanes.HALF_INT;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.LONG;
import static io.ptx4j.jit.support.VectorLanes.ORDER;
import static io.ptx4j.jit.support.VectorLanes.SHORT;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Loads and stores of a group's lanes wherever their addresses are. One test on vectors tells that all executing lanes' elements are there and aligned; then
 * elements of neighbouring lanes that turn out to lie side by side, or to be one and the same, go as vectors, the others one by one without a test of their own.
 * Otherwise each lane is tested by itself, which finds the first that fails ({@link Faults#defer}).
 *
 * <p>Addresses lie in {@link VectorFrame#laneLongs} from the first element on. Elements of 64 bits lie there too, behind them: element {@code e} of lane
 * {@code l} is number {@code (1 + e) * lanes + l}. Shorter elements lie in {@link VectorFrame#laneInts}, number {@code e * lanes + l}.
 */
public final class LaneMemory {
    private static final int LENGTH = INT.length();
    private static final int HALF = LONG.length();
    /** The lane's number. A constant, of which the compiler knows the class. */
    static final LongVector LANE = LongVector.zero(LONG).addIndex(1);

    private LaneMemory() {
    }

    /**
     * Computes the lanes' addresses.
     *
     * @param base of all lanes; added is the lane's word in {@link VectorFrame#laneInts}, extended, times {@code scale}
     */
    public static void address(VectorFrame frame, long base, long scale, boolean signed) {
        int[] indices = frame.laneInts;
        long[] addresses = frame.laneLongs;
        for (int at = 0; at < frame.lanes; at += HALF) {
            LongVector index = (LongVector) IntVector.fromArray(HALF_INT, indices, at).convertShape(VectorOperators.I2L, LONG, 0);
            LongVector extended = signed ? index : index.and(0xFFFF_FFFFL);
            extended.mul(scale).add(base).intoArray(addresses, at);
        }
    }

    /**
     * Finds the places of the executing lanes' elements in the process's memory, and leaves them in {@link VectorFrame#places}; lanes that do not execute get that
     * of one that does.
     *
     * @param delta what makes an address an offset in the segment
     * @param bytes that each lane accesses
     * @param alignment of its place, a power of two
     */
    static Lie find(VectorFrame frame, long mask, MemorySegment segment, long delta, int bytes, int alignment) {
        long limit = segment.byteSize() - bytes;
        if (ALL == null || !segment.isNative() || limit < 0 || mask == 0) {
            return Lie.UNKNOWN;
        }
        long[] addresses = frame.laneLongs;
        long first = addresses[Long.numberOfTrailingZeros(mask)] + delta;
        boolean all = frame.isFull(mask);
        long origin = segment.address();
        LongVector wrong = LongVector.zero(LONG);
        LongVector apart = LongVector.zero(LONG);
        LongVector different = LongVector.zero(LONG);
        LongVector distance = LANE.mul(bytes);
        for (int at = 0; at < frame.lanes; at += HALF) {
            LongVector offset = LongVector.fromArray(LONG, addresses, at).add(delta);
            if (!all) {
                offset = LongVector.broadcast(LONG, first).blend(offset, VectorMask.fromLong(LONG, mask >>> at & (1L << HALF) - 1));
            }
            // Negative where an offset is, or lies behind the last element, or is not aligned.
            wrong = wrong.or(offset).or(LongVector.broadcast(LONG, limit).sub(offset)).or(offset.and(alignment - 1).neg());
            LongVector behind = offset.sub(first);
            different = different.or(behind);
            apart = apart.or(behind.sub(distance));
            distance = distance.add((long) HALF * bytes);
            offset.add(origin).intoArray(frame.places, at);
        }
        if (wrong.compare(VectorOperators.LT, 0).toLong() != 0 || (origin & alignment - 1) != 0) {
            return Lie.UNKNOWN;
        }
        return apart.compare(VectorOperators.NE, 0).toLong() == 0 ? Lie.SIDE_BY_SIDE
                : different.compare(VectorOperators.NE, 0).toLong() == 0 ? Lie.SAME : Lie.APART;
    }

    /**
     * As {@link #find} for elements at {@code start} plus the lane's word in {@link VectorFrame#laneInts}, extended and shifted left, in a test on vectors of words.
     * Words of lanes that do not execute become those of one that does. Where no lane's index is too large, nobody looks how the elements lie.
     */
    private static Lie findIndexed(VectorFrame frame, long mask, MemorySegment segment, long start, int shift, boolean signed, int most, int bytes) {
        long room = segment.byteSize() - bytes - start;
        long lowest = lowest(start, shift, signed);
        long highest = Math.min(room >> shift, signed ? Integer.MAX_VALUE : 0xFFFF_FFFFL);
        boolean aligned = ((segment.address() + start | 1L << shift) & bytes - 1) == 0;
        if (ALL == null || !segment.isNative() || !aligned || highest < lowest || mask == 0 || frame.lanes < LENGTH) {
            return Lie.UNKNOWN;
        }
        if (most >= 0 && lowest <= 0 && most <= highest) {
            return Lie.APART;
        }
        int[] indices = frame.laneInts;
        int first = indices[Long.numberOfTrailingZeros(mask)];
        boolean all = frame.isFull(mask);
        long wrong = 0;
        IntVector different = IntVector.zero(INT);
        IntVector apart = IntVector.zero(INT);
        IntVector distance = IntVector.zero(INT).addIndex(1);
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            IntVector index = IntVector.fromArray(INT, indices, at);
            if (!all) {
                index = IntVector.broadcast(INT, first).blend(index, VectorMask.fromLong(INT, mask >>> at & (1L << LENGTH) - 1));
                index.intoArray(indices, at);
            }
            wrong |= index.sub((int) lowest).compare(VectorOperators.UGT, (int) (highest - lowest)).toLong();
            IntVector behind = index.sub(first);
            different = different.or(behind);
            apart = apart.or(behind.sub(distance));
            distance = distance.add(LENGTH);
        }
        if (wrong != 0) {
            return Lie.UNKNOWN;
        }
        return 1 << shift == bytes && apart.compare(VectorOperators.NE, 0).toLong() == 0 ? Lie.SIDE_BY_SIDE
                : different.compare(VectorOperators.NE, 0).toLong() == 0 ? Lie.SAME : Lie.APART;
    }

    /** The lowest index of an element in a segment. */
    private static long lowest(long start, int shift, boolean signed) {
        return Math.max(-(start >> shift), signed ? Integer.MIN_VALUE : 0);
    }

    private static long place(long from, int index, int shift, long extension) {
        return from + ((index & extension) << shift) & ADDRESSES;
    }

    /**
     * Loads elements of 8, 16 or 32 bits at {@code start} plus the lane's word in {@link VectorFrame#laneInts}, extended and shifted left.
     *
     * @param start an offset in the segment
     * @param most the largest word of all lanes, executing or not, none of which is negative; negative if that is not known
     * @param cut as for {@link #load}
     */
    public static void loadIndexed(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long start, int shift, boolean signed, int most, int bits,
            int cut) {
        Lie lie = findIndexed(frame, mask, segment, start, shift, signed, most, bits / 8);
        if (lie == Lie.UNKNOWN) {
            address(frame, start, 1L << shift, signed);
            load(worker, frame, thread, mask, segment, 0, bits, 1, cut);
            return;
        }
        int[] values = frame.laneInts;
        long from = segment.address() + start;
        long extension = signed ? -1 : 0xFFFF_FFFFL;
        long first = place(from, values[0], shift, extension);
        if (lie == Lie.APART && bits == 32) {
            long lowest = lowest(start, shift, signed);
            loadWords(values, frame.lanes, from + (lowest << shift), (int) lowest, shift);
            return;
        }
        if (lie == Lie.APART || lie == Lie.SIDE_BY_SIDE && !hasVectors(bits)) {
            for (int lane = 0; lane < frame.lanes; lane++) {
                values[lane] = word(bits, place(from, values[lane], shift, extension)) & cut;
            }
            return;
        }
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            if (lie == Lie.SAME) {
                IntVector.broadcast(INT, word(bits, first) & cut).intoArray(values, at);
            } else {
                loadVector(bits, first + (long) at * bits / 8, cut, values, at);
            }
        }
    }

    /**
     * Each lane's index becomes the word that it is the index of.
     *
     * @param from place of the word with the lowest index: what is added to it is not negative, so that nothing need be cut off the sum
     */
    private static void loadWords(int[] values, int lanes, long from, int lowest, int shift) {
        long start = from & ADDRESSES;
        for (int lane = 0; lane < lanes; lane++) {
            values[lane] = ALL.get(DirectMemory.I32, start + ((values[lane] - lowest & 0xFFFF_FFFFL) << shift));
        }
    }

    /** As {@link #loadIndexed} for elements of 64 bits. */
    public static void loadIndexed64(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long start, int shift, boolean signed, int most) {
        Lie lie = findIndexed(frame, mask, segment, start, shift, signed, most, 8);
        if (lie == Lie.UNKNOWN) {
            address(frame, start, 1L << shift, signed);
            load64(worker, frame, thread, mask, segment, 0, 1);
            return;
        }
        int[] indices = frame.laneInts;
        long[] values = frame.laneLongs;
        long from = segment.address() + start;
        long extension = signed ? -1 : 0xFFFF_FFFFL;
        long first = place(from, indices[0], shift, extension);
        if (lie == Lie.APART) {
            for (int lane = 0; lane < frame.lanes; lane++) {
                values[frame.lanes + lane] = ALL.get(DirectMemory.I64, place(from, indices[lane], shift, extension));
            }
            return;
        }
        for (int at = 0; at < frame.lanes; at += HALF) {
            LongVector loaded = lie == Lie.SAME ? LongVector.broadcast(LONG, ALL.get(DirectMemory.I64, first)) : LongVector.fromMemorySegment(LONG, ALL, first + 8L * at, ORDER);
            loaded.intoArray(values, frame.lanes + at);
        }
    }

    /** How the lanes' elements lie. */
    enum Lie {
        /** Not all of them are there and aligned, or nobody may look. */
        UNKNOWN,
        APART,
        /** Each lane's behind that of the lane before. */
        SIDE_BY_SIDE,
        /** One for all lanes. */
        SAME
    }

    /** Whether the elements of a vector of lanes lie at a distance of so many bytes from lane to lane, of which the first and the last one say so. */
    private static boolean steps(long[] places, int at, int bytes) {
        long first = places[at];
        if (places[at + LENGTH - 1] - first != (long) (LENGTH - 1) * bytes) {
            return false;
        }
        LongVector distance = LANE.mul(bytes).add(first);
        return LongVector.fromArray(LONG, places, at).compare(VectorOperators.NE, distance).toLong() == 0
                && LongVector.fromArray(LONG, places, at + HALF).compare(VectorOperators.NE, distance.add((long) HALF * bytes)).toLong() == 0;
    }

    /** Whether vectors of words have vectors of as many elements of so many bits beside them. */
    private static boolean hasVectors(int bits) {
        return bits > 8 || BYTE.length() == LENGTH;
    }

    /** The element at a place, sign-extended. */
    private static int word(int bits, long place) {
        return bits == 32 ? ALL.get(DirectMemory.I32, place) : bits == 16 ? ALL.get(DirectMemory.I16, place) : ALL.get(DirectMemory.I8, place);
    }

    /** Elements side by side, the first of which is at {@code place}, become words of an array. */
    private static void loadVector(int bits, long place, int cut, int[] values, int at) {
        switch (bits) {
            case 8 -> ByteVector.fromMemorySegment(BYTE, ALL, place, ORDER).convertShape(VectorOperators.B2I, INT, 0).reinterpretAsInts().and(cut).intoArray(values, at);
            case 16 -> ShortVector.fromMemorySegment(SHORT, ALL, place, ORDER).convertShape(VectorOperators.S2I, INT, 0).reinterpretAsInts().and(cut).intoArray(values, at);
            default -> IntVector.fromMemorySegment(INT, ALL, place, ORDER).intoArray(values, at);
        }
    }

    /** As {@link #loadVector} the other way. */
    private static void storeVector(int bits, long place, int[] values, int at) {
        IntVector words = IntVector.fromArray(INT, values, at);
        switch (bits) {
            case 8 -> ((ByteVector) words.convertShape(VectorOperators.I2B, BYTE, 0)).intoMemorySegment(ALL, place, ORDER);
            case 16 -> ((ShortVector) words.convertShape(VectorOperators.I2S, SHORT, 0)).intoMemorySegment(ALL, place, ORDER);
            default -> words.intoMemorySegment(ALL, place, ORDER);
        }
    }

    /**
     * Loads elements of 8, 16 or 32 bits.
     *
     * @param cut bits of a sign-extended element that are kept
     */
    public static void load(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements, int cut) {
        Lie lie = find(frame, mask, segment, delta, bits / 8 * elements, bits / 8 * elements);
        if (lie == Lie.UNKNOWN) {
            loadEach(worker, frame, thread, mask, segment, delta, bits, elements, cut);
            return;
        }
        long[] places = frame.places;
        int[] values = frame.laneInts;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            boolean whole = elements == 1 && at + LENGTH <= frame.lanes;
            if (whole && hasVectors(bits) && (lie == Lie.SIDE_BY_SIDE || lie == Lie.APART && steps(places, at, bits / 8))) {
                loadVector(bits, places[at] & ADDRESSES, cut, values, at);
            } else if (whole && (lie == Lie.SAME || lie == Lie.APART && steps(places, at, 0))) {
                IntVector.broadcast(INT, word(bits, places[at] & ADDRESSES) & cut).intoArray(values, at);
            } else {
                loadLanes(frame, at, bits, elements, cut);
            }
        }
    }

    /** Loads the elements of the lanes of one vector, or of all if these are fewer. */
    private static void loadLanes(VectorFrame frame, int at, int bits, int elements, int cut) {
        long[] places = frame.places;
        int[] values = frame.laneInts;
        int end = Math.min(at + LENGTH, frame.lanes);
        for (int e = 0; e < elements; e++) {
            for (int lane = at; lane < end; lane++) {
                values[e * frame.lanes + lane] = word(bits, (places[lane] & ADDRESSES) + (long) e * bits / 8) & cut;
            }
        }
    }

    /** Loads elements of 64 bits. */
    public static void load64(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int elements) {
        Lie lie = find(frame, mask, segment, delta, 8 * elements, 8 * elements);
        if (lie == Lie.UNKNOWN) {
            loadEach(worker, frame, thread, mask, segment, delta, 64, elements, -1);
            return;
        }
        long[] places = frame.places;
        long[] values = frame.laneLongs;
        if (elements == 1 && lie != Lie.APART) {
            for (int at = 0; at < frame.lanes; at += HALF) {
                long place = places[at] & ADDRESSES;
                LongVector loaded = lie == Lie.SAME ? LongVector.broadcast(LONG, ALL.get(DirectMemory.I64, place)) : LongVector.fromMemorySegment(LONG, ALL, place, ORDER);
                loaded.intoArray(values, frame.lanes + at);
            }
            return;
        }
        for (int e = 0; e < elements; e++) {
            for (int lane = 0; lane < frame.lanes; lane++) {
                values[(1 + e) * frame.lanes + lane] = ALL.get(DirectMemory.I64, (places[lane] & ADDRESSES) + 8L * e);
            }
        }
    }

    private static void loadEach(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements, int cut) {
        int lane = 0;
        try {
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                long offset = offset(segment, frame.laneLongs[lane] + delta, bits / 8, elements);
                for (int e = 0; e < elements; e++) {
                    long at = offset + (long) e * bits / 8;
                    switch (bits) {
                        case 8 -> frame.laneInts[e * frame.lanes + lane] = Memory.loadI8(segment, at) & cut;
                        case 16 -> frame.laneInts[e * frame.lanes + lane] = Memory.loadI16(segment, at) & cut;
                        case 32 -> frame.laneInts[e * frame.lanes + lane] = Memory.loadI32(segment, at);
                        default -> frame.laneLongs[(1 + e) * frame.lanes + lane] = Memory.loadI64(segment, at);
                    }
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }

    private static long offset(MemorySegment segment, long offset, int bytes, int elements) {
        return elements > 1 ? Memory.aligned(segment, offset, bytes * elements) : offset;
    }

    /** Stores elements of 8, 16 or 32 bits; of lanes with one place the last one's stays. */
    public static void store(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements) {
        Lie lie = find(frame, mask, segment, delta, bits / 8 * elements, bits / 8 * elements);
        if (lie == Lie.UNKNOWN) {
            storeEach(worker, frame, thread, mask, segment, delta, bits, elements);
            return;
        }
        long[] places = frame.places;
        int[] values = frame.laneInts;
        for (int at = 0; at < frame.lanes; at += LENGTH) {
            long here = mask >>> at & (1L << LENGTH) - 1;
            if (elements == 1 && hasVectors(bits) && here == (1L << LENGTH) - 1 && (lie == Lie.SIDE_BY_SIDE || lie == Lie.APART && steps(places, at, bits / 8))) {
                storeVector(bits, places[at] & ADDRESSES, values, at);
                continue;
            }
            for (; here != 0; here &= here - 1) {
                int lane = at + Long.numberOfTrailingZeros(here);
                for (int e = 0; e < elements; e++) {
                    storeWord(bits, (places[lane] & ADDRESSES) + (long) e * bits / 8, values[e * frame.lanes + lane]);
                }
            }
        }
    }

    private static void storeWord(int bits, long place, int value) {
        switch (bits) {
            case 8 -> ALL.set(DirectMemory.I8, place, (byte) value);
            case 16 -> ALL.set(DirectMemory.I16, place, (short) value);
            default -> ALL.set(DirectMemory.I32, place, value);
        }
    }

    /** As {@link #store} for elements of 64 bits. */
    public static void store64(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int elements) {
        Lie lie = find(frame, mask, segment, delta, 8 * elements, 8 * elements);
        if (lie == Lie.UNKNOWN) {
            storeEach(worker, frame, thread, mask, segment, delta, 64, elements);
            return;
        }
        long[] places = frame.places;
        long[] values = frame.laneLongs;
        for (int at = 0; at < frame.lanes; at += HALF) {
            long here = mask >>> at & (1L << HALF) - 1;
            if (elements == 1 && here == (1L << HALF) - 1 && lie == Lie.SIDE_BY_SIDE) {
                LongVector.fromArray(LONG, values, frame.lanes + at).intoMemorySegment(ALL, places[at] & ADDRESSES, ORDER);
                continue;
            }
            for (; here != 0; here &= here - 1) {
                int lane = at + Long.numberOfTrailingZeros(here);
                for (int e = 0; e < elements; e++) {
                    ALL.set(DirectMemory.I64, (places[lane] & ADDRESSES) + 8L * e, values[(1 + e) * frame.lanes + lane]);
                }
            }
        }
    }

    private static void storeEach(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements) {
        int lane = 0;
        try {
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                lane = Long.numberOfTrailingZeros(rest);
                long offset = offset(segment, frame.laneLongs[lane] + delta, bits / 8, elements);
                for (int e = 0; e < elements; e++) {
                    long at = offset + (long) e * bits / 8;
                    switch (bits) {
                        case 8 -> Memory.storeI8(segment, at, frame.laneInts[e * frame.lanes + lane]);
                        case 16 -> Memory.storeI16(segment, at, frame.laneInts[e * frame.lanes + lane]);
                        case 32 -> Memory.storeI32(segment, at, frame.laneInts[e * frame.lanes + lane]);
                        default -> Memory.storeI64(segment, at, frame.laneLongs[(1 + e) * frame.lanes + lane]);
                    }
                }
            }
        } catch (RuntimeException failure) {
            Faults.defer(failure, worker, frame, thread, lane);
        }
    }
}
