package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ADDRESSES;
import static io.ptx4j.jit.support.DirectMemory.ALL;
import static io.ptx4j.jit.support.RecordOrder.INT_EVEN;
import static io.ptx4j.jit.support.RecordOrder.INT_ODD;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Bytes and 16-bit elements of records that lie side by side, such as the colours of pixels: each lane takes its word out of one or two vectors of memory, and shifts it. */
final class NarrowRecords {
    /** Bytes from lane to lane for which two vectors have the elements of as many lanes as one vector has. */
    static final int STEP = 8;
    private static final int LENGTH = INT.length();
    private static final int BYTES = 4 * LENGTH;
    /** By bytes from lane to lane: the word in which each lane's element is. */
    private static final int[][] WORDS = new int[STEP + 1][LENGTH];
    /** The same: the bits below it. */
    private static final int[][] BITS = new int[STEP + 1][LENGTH];
    /** By word of three bytes a lane, of so many lanes as two vectors have: the lane of its first byte, that of its last one, bits of the first lane that belong below, and bits below the last one's. */
    private static final int[][] TRIPLES = new int[4][2 * LENGTH];
    private static final VectorMask<Integer> LOW_HALF = VectorMask.fromLong(INT, (1L << LENGTH / 2) - 1);

    static {
        for (int step = 0; step <= STEP; step++) {
            for (int lane = 0; lane < LENGTH; lane++) {
                WORDS[step][lane] = step * lane / 4;
                BITS[step][lane] = step * lane % 4 * 8;
            }
        }
        for (int word = 0; word < 3 * LENGTH / 2; word++) {
            int lane = 4 * word / 3;
            TRIPLES[0][word] = lane;
            TRIPLES[1][word] = lane + 1;
            TRIPLES[2][word] = 4 * word % 3 * 8;
            TRIPLES[3][word] = 24 - 4 * word % 3 * 8;
        }
    }

    private NarrowRecords() {
    }

    /** @param place of the first element of the first lane; up to two vectors behind those of the last lane there is memory too */
    static void sort(long place, int step, int units, int bytes, boolean extend, int[] values, int at, int lanes) {
        int rest = 32 - 8 * bytes;
        for (int lane = 0; lane < lanes; lane += LENGTH) {
            IntVector word = IntVector.fromArray(INT, WORDS[step], 0);
            // The bits above go first.
            IntVector above = IntVector.broadcast(INT, rest).sub(IntVector.fromArray(INT, BITS[step], 0));
            for (int u = 0; u < units; u++) {
                long from = place + (long) step * lane + (long) u * bytes & ADDRESSES;
                IntVector low = IntVector.fromMemorySegment(INT, ALL, from, ORDER);
                IntVector high = IntVector.fromMemorySegment(INT, ALL, from + BYTES, ORDER);
                IntVector shifted = word.selectFrom(low, high).lanewise(VectorOperators.LSHL, above);
                (extend ? shifted.lanewise(VectorOperators.ASHR, rest) : shifted.lanewise(VectorOperators.LSHR, rest)).intoArray(values, at + u * lanes + lane);
            }
        }
    }

    /** Bytes of the words that so many elements fit into. */
    static int chunk(int units, int bytes) {
        return units * bytes + 3 & -4;
    }

    /**
     * Loads the elements at all lanes' places.
     *
     * @param room whether there is memory behind each for as many bytes as {@link #chunk}
     */
    static void gather(VectorFrame frame, int units, int bytes, boolean extend, int slot, boolean room) {
        int lanes = frame.lanes;
        if (units == 1 || !room) {
            for (int u = 0; u < units; u++) {
                gather(frame.places, (long) u * bytes, bytes, extend, frame.records, (slot + u) * lanes, lanes);
            }
            return;
        }
        for (int word = 0; word < chunk(units, bytes) / 4; word++) {
            WordRecords.gather(frame.places, 4L * word, frame.laneInts, word * lanes, lanes);
        }
        for (int u = 0; u < units; u++) {
            cut(frame.laneInts, u * bytes / 4 * lanes, 32 - 8 * (u * bytes % 4 + bytes), 32 - 8 * bytes, extend, frame.records, (slot + u) * lanes, lanes);
        }
    }

    private static void gather(long[] places, long behind, int bytes, boolean extend, int[] values, int at, int lanes) {
        int cut = extend ? -1 : (1 << 8 * bytes) - 1;
        for (int lane = 0; lane < lanes; lane++) {
            long from = places[lane] + behind & ADDRESSES;
            values[at + lane] = (bytes == 1 ? ALL.get(DirectMemory.I8, from) : ALL.get(DirectMemory.I16, from)) & cut;
        }
    }

    /** Cuts an element out of each lane's word: bits above it go first, then those below. */
    private static void cut(int[] words, int from, int above, int rest, boolean extend, int[] values, int at, int lanes) {
        for (int lane = 0; lane < lanes; lane += LENGTH) {
            IntVector shifted = IntVector.fromArray(INT, words, from + lane).lanewise(VectorOperators.LSHL, above);
            (extend ? shifted.lanewise(VectorOperators.ASHR, rest) : shifted.lanewise(VectorOperators.LSHR, rest)).intoArray(values, at + lane);
        }
    }

    /** Stores records of two, three or four bytes, which have no others, of as many lanes as vectors in pairs have. */
    static void merge(long place, int units, int bytes, int[] values, int at, int lanes) {
        int size = units * bytes;
        for (int lane = 0; lane < lanes; lane += 2 * LENGTH) {
            long to = place + (long) size * lane & ADDRESSES;
            IntVector first = record(units, bytes, values, at + lane, lanes);
            IntVector second = record(units, bytes, values, at + lane + LENGTH, lanes);
            if (size == 4) {
                first.intoMemorySegment(ALL, to, ORDER);
                second.intoMemorySegment(ALL, to + BYTES, ORDER);
            } else if (size == 2) {
                INT_EVEN.selectFrom(first, second).or(INT_ODD.selectFrom(first, second).lanewise(VectorOperators.LSHL, 16)).intoMemorySegment(ALL, to, ORDER);
            } else {
                triples(first, second, 0).intoMemorySegment(ALL, to, ORDER);
                triples(first, second, LENGTH).intoMemorySegment(ALL, to + BYTES, ORDER, LOW_HALF);
            }
        }
    }

    /** Each lane's record as a word. */
    private static IntVector record(int units, int bytes, int[] values, int at, int lanes) {
        int bits = 8 * bytes;
        int cut = (1 << bits) - 1;
        IntVector record = IntVector.fromArray(INT, values, at).and(cut);
        if (units > 1) {
            record = record.or(IntVector.fromArray(INT, values, at + lanes).and(cut).lanewise(VectorOperators.LSHL, bits));
        }
        if (units > 2) {
            record = record.or(IntVector.fromArray(INT, values, at + 2 * lanes).and(cut).lanewise(VectorOperators.LSHL, 2 * bits));
        }
        if (units > 3) {
            record = record.or(IntVector.fromArray(INT, values, at + 3 * lanes).and(cut).lanewise(VectorOperators.LSHL, 3 * bits));
        }
        return record;
    }

    private static IntVector triples(IntVector first, IntVector second, int word) {
        IntVector low = IntVector.fromArray(INT, TRIPLES[0], word).selectFrom(first, second).lanewise(VectorOperators.LSHR, IntVector.fromArray(INT, TRIPLES[2], word));
        IntVector high = IntVector.fromArray(INT, TRIPLES[1], word).selectFrom(first, second).lanewise(VectorOperators.LSHL, IntVector.fromArray(INT, TRIPLES[3], word));
        return low.or(high);
    }

    static void scatter(long[] places, long mask, long behind, int bytes, int[] values, int at) {
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Long.numberOfTrailingZeros(rest);
            long to = places[lane] + behind & ADDRESSES;
            if (bytes == 1) {
                ALL.set(DirectMemory.I8, to, (byte) values[at + lane]);
            } else {
                ALL.set(DirectMemory.I16, to, (short) values[at + lane]);
            }
        }
    }
}
