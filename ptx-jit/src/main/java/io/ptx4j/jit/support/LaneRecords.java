package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ADDRESSES;
import static io.ptx4j.jit.support.DirectMemory.ALL;
import static io.ptx4j.jit.support.DirectMemory.I32;
import static io.ptx4j.jit.support.DirectMemory.I64;
import static io.ptx4j.jit.support.VectorLanes.EVEN;
import static io.ptx4j.jit.support.VectorLanes.HIGH;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.LONG;
import static io.ptx4j.jit.support.VectorLanes.LOW;
import static io.ptx4j.jit.support.VectorLanes.ODD;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Loads and stores of several 32-bit words by each lane: a record of an array of structures, a part of a row, the words of a large number. Records that lie
 * side by side and have no other words are whole vectors of memory, out of which words are sorted by lanes. Of others each lane's words are copied side by
 * side first.
 *
 * <p>The words lie in {@link VectorFrame#records}: word {@code w} of the lanes is a slot of its own, {@code slot + w}.
 */
public final class LaneRecords {
    /** Words that a record may have. */
    public static final int WORDS = 8;
    /** Bytes from lane to lane up to which vectors have shorter elements. */
    public static final int NARROW = NarrowRecords.STEP;
    private static final int LENGTH = INT.length();
    private static final int BYTES = 4 * LENGTH;
    private static final int HALF = LONG.length();
    /**
     * By words of a record, for each word: which element of the vectors of memory each lane's word is.
     */
    private static final int[][] SORTED = new int[WORDS + 1][];
    /** The same for each vector of memory: which lane of the words' vectors each element comes from. */
    private static final int[][] MERGED = new int[WORDS + 1][];
    private static final int PAIR = Integer.numberOfTrailingZeros(2 * LENGTH);

    static {
        for (int words = 2; words <= WORDS; words++) {
            SORTED[words] = new int[words * LENGTH];
            MERGED[words] = new int[words * LENGTH];
            for (int n = 0; n < words * LENGTH; n++) {
                SORTED[words][n % words * LENGTH + n / words] = n;
                MERGED[words][n] = n % words * LENGTH + n / words;
            }
        }
    }

    private LaneRecords() {
    }

    /**
     * Loads words of the executing lanes' records, which lie as the words of {@link LanePlaces#loadSteps} do.
     *
     * @param words that are loaded, 1 to {@link #WORDS}, which lie side by side
     * @param alignment of the first, in bytes
     * @return whether they are all there, aligned and at one distance from lane to lane; else the lanes' offsets are left in {@link VectorFrame#addresses}, from
     *     {@code slot} on
     */
    public static boolean load(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int words,
            int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, 4 * words, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        if (step > 4 && step <= 4 * WORDS && begin >= 0 && begin + step * lanes <= segment.byteSize()) {
            sort(segment.address() + begin, (int) step >> 2, words, frame.records, slot * lanes, lanes);
        } else {
            findPlaces(frame, mask, segment.address() + begin, step);
            int last = Long.SIZE - 1 - Long.numberOfLeadingZeros(mask);
            gather(frame, words, slot, begin + step * last + 4 * chunk(words) <= segment.byteSize());
        }
        return true;
    }

    /** As {@link #load}, with the lanes' addresses in {@link VectorFrame#laneLongs} and {@code delta} what makes them offsets of the words in the segment. */
    public static boolean loadAt(VectorFrame frame, long mask, MemorySegment segment, long delta, int words, int alignment, int slot) {
        LaneMemory.Lie lie = LaneMemory.find(frame, mask, segment, delta, 4 * chunk(words), alignment);
        boolean room = lie != LaneMemory.Lie.UNKNOWN;
        if (!room) {
            lie = find(frame, mask, segment, delta, words, alignment, slot);
        }
        if (lie == LaneMemory.Lie.UNKNOWN) {
            return false;
        }
        if (lie == LaneMemory.Lie.SIDE_BY_SIDE && words > 1 && words == chunk(words)) {
            sort(frame.places[0], words, words, frame.records, slot * frame.lanes, frame.lanes);
        } else {
            gather(frame, words, slot, room);
        }
        return true;
    }

    /**
     * Loads what one access does, where not all words are there.
     *
     * @param delta from what {@link #load} has left to the offset in the segment
     * @param bits of an element, 8 to 64
     * @param cut as for {@link LaneMemory#load}
     * @param from the slot at which addresses lie
     */
    public static void loadOne(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements, int cut, int from,
            int slot) {
        int lanes = frame.lanes;
        System.arraycopy(frame.addresses, from * lanes, frame.laneLongs, 0, lanes);
        if (bits < 64) {
            LaneMemory.load(worker, frame, thread, mask, segment, delta, bits, elements, cut);
            System.arraycopy(frame.laneInts, 0, frame.records, slot * lanes, elements * lanes);
            return;
        }
        LaneMemory.load64(worker, frame, thread, mask, segment, delta, elements);
        for (int e = 0; e < elements; e++) {
            for (int lane = 0; lane < lanes; lane++) {
                long value = frame.laneLongs[(1 + e) * lanes + lane];
                frame.records[(slot + 2 * e) * lanes + lane] = (int) value;
                frame.records[(slot + 2 * e + 1) * lanes + lane] = (int) (value >>> 32);
            }
        }
    }

    /**
     * As {@link #load} for a store.
     *
     * @param words from the first that is stored to the last
     * @param some those that are stored, as bits
     */
    public static boolean store(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int words,
            int some, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, 4 * words, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        if (step == 4L * words && isWhole(frame, mask, words, some)) {
            merge(segment.address() + begin, words, frame.records, slot * frame.lanes, frame.lanes);
        } else {
            findPlaces(frame, mask, segment.address() + begin, step);
            scatter(frame, mask, words, some, slot);
        }
        return true;
    }

    /** As {@link #loadAt} for a store. */
    public static boolean storeAt(VectorFrame frame, long mask, MemorySegment segment, long delta, int words, int some, int alignment, int slot) {
        LaneMemory.Lie lie = find(frame, mask, segment, delta, words, alignment, slot);
        if (lie == LaneMemory.Lie.UNKNOWN) {
            return false;
        }
        if (lie == LaneMemory.Lie.SIDE_BY_SIDE && words > 1 && isWhole(frame, mask, words, some)) {
            merge(frame.places[0], words, frame.records, slot * frame.lanes, frame.lanes);
        } else {
            scatter(frame, mask, words, some, slot);
        }
        return true;
    }

    /** As {@link #loadOne} for a store. */
    public static void storeOne(Worker worker, VectorFrame frame, int thread, long mask, MemorySegment segment, long delta, int bits, int elements, int cut, int from,
            int slot) {
        int lanes = frame.lanes;
        System.arraycopy(frame.addresses, from * lanes, frame.laneLongs, 0, lanes);
        if (bits < 64) {
            System.arraycopy(frame.records, slot * lanes, frame.laneInts, 0, elements * lanes);
            LaneMemory.store(worker, frame, thread, mask, segment, delta, bits, elements);
            return;
        }
        for (int e = 0; e < elements; e++) {
            for (int lane = 0; lane < lanes; lane++) {
                frame.laneLongs[(1 + e) * lanes + lane] = frame.records[(slot + 2 * e) * lanes + lane] & 0xFFFF_FFFFL
                        | (long) frame.records[(slot + 2 * e + 1) * lanes + lane] << 32;
            }
        }
        LaneMemory.store64(worker, frame, thread, mask, segment, delta, elements);
    }

    /**
     * As {@link #load} for bytes, or 16-bit elements, which become words.
     *
     * @param units how many, 1 to {@link #WORDS}
     * @param bytes of each
     * @param extend whether signs are extended
     */
    public static boolean loadNarrow(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int units,
            int bytes, boolean extend, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, units * bytes, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        long place = segment.address() + begin;
        if (step <= NarrowRecords.STEP && begin >= 0 && begin + step * lanes + units * bytes + 2 * BYTES <= segment.byteSize()) {
            NarrowRecords.sort(place, (int) step, units, bytes, extend, frame.records, slot * lanes, lanes);
            return true;
        }
        findPlaces(frame, mask, place, step);
        for (int u = 0; u < units; u++) {
            NarrowRecords.gather(frame.places, (long) u * bytes, bytes, extend, frame.records, (slot + u) * lanes, lanes);
        }
        return true;
    }

    /** As {@link #loadNarrow} for a store of all elements of a record. */
    public static boolean storeNarrow(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int units,
            int bytes, int alignment, int slot) {
        long step = scale * stride;
        long begin = begin(frame, mask, segment, offset, index, stride, scale, signed, units * bytes, alignment, slot);
        if (begin == LanePlaces.APART) {
            return false;
        }
        int lanes = frame.lanes;
        if (step == (long) units * bytes && isWhole(frame, mask, units, (1 << units) - 1) && lanes % (2 * LENGTH) == 0) {
            NarrowRecords.merge(segment.address() + begin, units, bytes, frame.records, slot * lanes, lanes);
            return true;
        }
        findPlaces(frame, mask, segment.address() + begin, step);
        for (int u = 0; u < units; u++) {
            NarrowRecords.scatter(frame.places, mask, (long) u * bytes, bytes, frame.records, (slot + u) * lanes);
        }
        return true;
    }

    private static boolean isWhole(VectorFrame frame, long mask, int words, int some) {
        return some == (1 << words) - 1 && mask == -1L >>> Long.SIZE - frame.lanes;
    }

    // Where records lie

    private static long begin(VectorFrame frame, long mask, MemorySegment segment, long offset, int index, int stride, long scale, boolean signed, int bytes,
            int alignment, int slot) {
        long begin = DirectMemory.isDirect() ? LanePlaces.begin(mask, segment, offset, index, stride, scale, signed, bytes, alignment) : LanePlaces.APART;
        for (int lane = 0; begin == LanePlaces.APART && lane < frame.lanes; lane++) {
            frame.addresses[slot * frame.lanes + lane] = offset + LanePlaces.distance(lane, index, stride, scale, signed);
        }
        return begin;
    }

    private static LaneMemory.Lie find(VectorFrame frame, long mask, MemorySegment segment, long delta, int words, int alignment, int slot) {
        LaneMemory.Lie lie = LaneMemory.find(frame, mask, segment, delta, 4 * words, alignment);
        if (lie == LaneMemory.Lie.UNKNOWN) {
            System.arraycopy(frame.laneLongs, 0, frame.addresses, slot * frame.lanes, frame.lanes);
        }
        return lie;
    }

    /** Leaves the places of the executing lanes' records; lanes that do not execute get that of one that does. */
    private static void findPlaces(VectorFrame frame, long mask, long begin, long step) {
        boolean full = mask == -1L >>> Long.SIZE - frame.lanes;
        long first = begin + step * Long.numberOfTrailingZeros(mask);
        LongVector place = LaneMemory.LANE.mul(step).add(begin);
        for (int at = 0; at < frame.lanes; at += HALF) {
            LongVector here = full ? place : LongVector.broadcast(LONG, first).blend(place, VectorMask.fromLong(LONG, mask >>> at & (1L << HALF) - 1));
            here.intoArray(frame.places, at);
            place = place.add(step * HALF);
        }
    }

    // Records apart

    /** The power of two that so many words fit into. */
    private static int chunk(int words) {
        return words <= 2 ? words : words <= 4 ? 4 : 8;
    }

    /**
     * Loads the words at all lanes' places.
     *
     * @param room whether there is memory behind each for as many words as {@link #chunk}
     */
    private static void gather(VectorFrame frame, int words, int slot, boolean room) {
        int lanes = frame.lanes;
        if (words > 1 && room) {
            long chunks = frame.chunks.address() & ADDRESSES;
            switch (chunk(words)) {
                case 2 -> gatherTwo(frame.places, chunks, lanes);
                case 4 -> gatherFour(frame.places, chunks, lanes);
                default -> gatherEight(frame.places, chunks, lanes);
            }
            sort(chunks, chunk(words), words, frame.records, slot * lanes, lanes);
            return;
        }
        long[] places = frame.places;
        int[] values = frame.records;
        for (int w = 0; w < words; w++) {
            int at = (slot + w) * lanes;
            long behind = 4L * w & ADDRESSES;
            for (int lane = 0; lane < lanes; lane++) {
                values[at + lane] = ALL.get(I32, (places[lane] & ADDRESSES) + behind);
            }
        }
    }

    private static void gatherTwo(long[] places, long to, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            ALL.set(I64, (to & ADDRESSES) + 8L * lane, ALL.get(I64, places[lane] & ADDRESSES));
        }
    }

    private static void gatherFour(long[] places, long to, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            long from = places[lane] & ADDRESSES;
            ALL.set(I64, (to & ADDRESSES) + 16L * lane, ALL.get(I64, from));
            ALL.set(I64, (to & ADDRESSES) + 16L * lane + 8, ALL.get(I64, from + 8));
        }
    }

    private static void gatherEight(long[] places, long to, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            long from = places[lane] & ADDRESSES;
            ALL.set(I64, (to & ADDRESSES) + 32L * lane, ALL.get(I64, from));
            ALL.set(I64, (to & ADDRESSES) + 32L * lane + 8, ALL.get(I64, from + 8));
            ALL.set(I64, (to & ADDRESSES) + 32L * lane + 16, ALL.get(I64, from + 16));
            ALL.set(I64, (to & ADDRESSES) + 32L * lane + 24, ALL.get(I64, from + 24));
        }
    }

    /** Stores some of the words at executing lanes' places. */
    private static void scatter(VectorFrame frame, long mask, int words, int some, int slot) {
        int lanes = frame.lanes;
        long chunks = frame.chunks.address() & ADDRESSES;
        int chunk = chunk(words);
        merge(chunks, chunk, frame.records, slot * lanes, lanes);
        if (isWhole(frame, mask, words, some) && chunk == words) {
            switch (chunk) {
                case 2 -> scatterTwo(frame.places, chunks, lanes);
                case 4 -> scatterFour(frame.places, chunks, lanes);
                default -> scatterEight(frame.places, chunks, lanes);
            }
            return;
        }
        for (int left = some; left != 0; left &= left - 1) {
            int word = Integer.numberOfTrailingZeros(left);
            if ((left >>> word & 3) == 3) {
                left &= left - 1;
                scatterPair(frame.places, mask, chunks + 4 * word, 4 * chunk, 4 * word);
            } else {
                scatterWord(frame.places, mask, chunks + 4 * word, 4 * chunk, 4 * word);
            }
        }
    }

    private static void scatterPair(long[] places, long mask, long from, int size, int behind) {
        if ((mask & mask + 1) == 0) {
            long at = from;
            for (int lane = 0; lane < Long.bitCount(mask); lane++) {
                ALL.set(I64, places[lane] + behind & ADDRESSES, ALL.get(I64, at & ADDRESSES));
                at += size;
            }
            return;
        }
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Long.numberOfTrailingZeros(rest);
            ALL.set(I64, places[lane] + behind & ADDRESSES, ALL.get(I64, from + size * lane & ADDRESSES));
        }
    }

    private static void scatterWord(long[] places, long mask, long from, int size, int behind) {
        if ((mask & mask + 1) == 0) {
            long at = from;
            for (int lane = 0; lane < Long.bitCount(mask); lane++) {
                ALL.set(I32, places[lane] + behind & ADDRESSES, ALL.get(I32, at & ADDRESSES));
                at += size;
            }
            return;
        }
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Long.numberOfTrailingZeros(rest);
            ALL.set(I32, places[lane] + behind & ADDRESSES, ALL.get(I32, from + size * lane & ADDRESSES));
        }
    }

    private static void scatterTwo(long[] places, long from, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            ALL.set(I64, places[lane] & ADDRESSES, ALL.get(I64, (from & ADDRESSES) + 8L * lane));
        }
    }

    private static void scatterFour(long[] places, long from, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            long to = places[lane] & ADDRESSES;
            ALL.set(I64, to, ALL.get(I64, (from & ADDRESSES) + 16L * lane));
            ALL.set(I64, to + 8, ALL.get(I64, (from & ADDRESSES) + 16L * lane + 8));
        }
    }

    private static void scatterEight(long[] places, long from, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            long to = places[lane] & ADDRESSES;
            ALL.set(I64, to, ALL.get(I64, (from & ADDRESSES) + 32L * lane));
            ALL.set(I64, to + 8, ALL.get(I64, (from & ADDRESSES) + 32L * lane + 8));
            ALL.set(I64, to + 16, ALL.get(I64, (from & ADDRESSES) + 32L * lane + 16));
            ALL.set(I64, to + 24, ALL.get(I64, (from & ADDRESSES) + 32L * lane + 24));
        }
    }

    // Records side by side

    /** Sorts the first words of records that have {@code size} words each. */
    private static void sort(long place, int size, int words, int[] values, int at, int lanes) {
        MemorySegment memory = ALL;
        for (int lane = 0; lane < lanes; lane += LENGTH) {
            long from = place + 4L * size * lane & ADDRESSES;
            if (size == 2) {
                sortTwo(memory, from, words, values, at + lane, lanes);
            } else if (size == 4 && words > 2) {
                sortFour(memory, from, words, values, at + lane, lanes);
            } else if (size == 8 && words > 3) {
                sortEight(memory, from, words, values, at + lane, lanes);
            } else {
                for (int w = 0; w < words; w++) {
                    sort(memory, from, SORTED[size], w, size, values, at + w * lanes + lane);
                }
            }
        }
    }

    private static IntVector vector(MemorySegment memory, long from) {
        return IntVector.fromMemorySegment(INT, memory, from, ORDER);
    }

    private static void sortTwo(MemorySegment memory, long from, int words, int[] values, int at, int lanes) {
        IntVector low = vector(memory, from);
        IntVector high = vector(memory, from + BYTES);
        EVEN.selectFrom(low, high).intoArray(values, at);
        if (words > 1) {
            ODD.selectFrom(low, high).intoArray(values, at + lanes);
        }
    }

    private static void sortFour(MemorySegment memory, long from, int words, int[] values, int at, int lanes) {
        IntVector a = vector(memory, from);
        IntVector b = vector(memory, from + BYTES);
        IntVector c = vector(memory, from + 2 * BYTES);
        IntVector d = vector(memory, from + 3 * BYTES);
        IntVector even = EVEN.selectFrom(a, b);
        IntVector odd = ODD.selectFrom(a, b);
        IntVector otherEven = EVEN.selectFrom(c, d);
        IntVector otherOdd = ODD.selectFrom(c, d);
        EVEN.selectFrom(even, otherEven).intoArray(values, at);
        EVEN.selectFrom(odd, otherOdd).intoArray(values, at + lanes);
        ODD.selectFrom(even, otherEven).intoArray(values, at + 2 * lanes);
        if (words > 3) {
            ODD.selectFrom(odd, otherOdd).intoArray(values, at + 3 * lanes);
        }
    }

    /** Twice four vectors are sorted as if records had four words, then what comes from both. */
    private static void sortEight(MemorySegment memory, long from, int words, int[] values, int at, int lanes) {
        IntVector a = vector(memory, from);
        IntVector b = vector(memory, from + BYTES);
        IntVector c = vector(memory, from + 2 * BYTES);
        IntVector d = vector(memory, from + 3 * BYTES);
        IntVector even = EVEN.selectFrom(a, b);
        IntVector odd = ODD.selectFrom(a, b);
        IntVector otherEven = EVEN.selectFrom(c, d);
        IntVector otherOdd = ODD.selectFrom(c, d);
        IntVector first = EVEN.selectFrom(even, otherEven);
        IntVector second = EVEN.selectFrom(odd, otherOdd);
        IntVector third = ODD.selectFrom(even, otherEven);
        IntVector fourth = ODD.selectFrom(odd, otherOdd);
        a = vector(memory, from + 4 * BYTES);
        b = vector(memory, from + 5 * BYTES);
        c = vector(memory, from + 6 * BYTES);
        d = vector(memory, from + 7 * BYTES);
        even = EVEN.selectFrom(a, b);
        odd = ODD.selectFrom(a, b);
        otherEven = EVEN.selectFrom(c, d);
        otherOdd = ODD.selectFrom(c, d);
        a = EVEN.selectFrom(even, otherEven);
        b = EVEN.selectFrom(odd, otherOdd);
        c = ODD.selectFrom(even, otherEven);
        d = ODD.selectFrom(odd, otherOdd);
        EVEN.selectFrom(first, a).intoArray(values, at);
        EVEN.selectFrom(second, b).intoArray(values, at + lanes);
        EVEN.selectFrom(third, c).intoArray(values, at + 2 * lanes);
        EVEN.selectFrom(fourth, d).intoArray(values, at + 3 * lanes);
        if (words > 4) {
            ODD.selectFrom(first, a).intoArray(values, at + 4 * lanes);
        }
        if (words > 5) {
            ODD.selectFrom(second, b).intoArray(values, at + 5 * lanes);
        }
        if (words > 6) {
            ODD.selectFrom(third, c).intoArray(values, at + 6 * lanes);
        }
        if (words > 7) {
            ODD.selectFrom(fourth, d).intoArray(values, at + 7 * lanes);
        }
    }

    /** One word of the records of one vector's lanes, out of as many vectors as records have words, two by two; of a loop HotSpot makes three. */
    private static void sort(MemorySegment memory, long from, int[] elements, int word, int size, int[] values, int at) {
        IntVector element = IntVector.fromArray(INT, elements, word * LENGTH);
        IntVector pair = element.lanewise(VectorOperators.LSHR, PAIR);
        IntVector number = element.and(2 * LENGTH - 1);
        IntVector chosen = number.selectFrom(vector(memory, from), vector(memory, from + BYTES));
        if (size > 2) {
            IntVector next = number.selectFrom(vector(memory, from + 2 * BYTES), vector(memory, from + Math.min(3, size - 1) * BYTES));
            chosen = chosen.blend(next, pair.compare(VectorOperators.EQ, 1));
        }
        if (size > 4) {
            IntVector next = number.selectFrom(vector(memory, from + 4 * BYTES), vector(memory, from + Math.min(5, size - 1) * BYTES));
            chosen = chosen.blend(next, pair.compare(VectorOperators.EQ, 2));
        }
        if (size > 6) {
            IntVector next = number.selectFrom(vector(memory, from + 6 * BYTES), vector(memory, from + Math.min(7, size - 1) * BYTES));
            chosen = chosen.blend(next, pair.compare(VectorOperators.EQ, 3));
        }
        chosen.intoArray(values, at);
    }

    /** Merges the words of lanes to records that lie side by side. */
    private static void merge(long place, int words, int[] values, int at, int lanes) {
        MemorySegment memory = ALL;
        for (int lane = 0; lane < lanes; lane += LENGTH) {
            long to = place + 4L * words * lane & ADDRESSES;
            if (words == 2) {
                mergeTwo(memory, to, values, at + lane, lanes);
            } else if (words == 4) {
                mergeFour(memory, to, values, at + lane, lanes);
            } else if (words == 8) {
                mergeEight(memory, to, values, at + lane, lanes);
            } else {
                for (int v = 0; v < words; v++) {
                    merge(memory, to + (long) v * BYTES, MERGED[words], v, words, values, at + lane, lanes);
                }
            }
        }
    }

    private static void mergeTwo(MemorySegment memory, long to, int[] values, int at, int lanes) {
        IntVector first = IntVector.fromArray(INT, values, at);
        IntVector second = IntVector.fromArray(INT, values, at + lanes);
        LOW.selectFrom(first, second).intoMemorySegment(memory, to, ORDER);
        HIGH.selectFrom(first, second).intoMemorySegment(memory, to + BYTES, ORDER);
    }

    private static void mergeFour(MemorySegment memory, long to, int[] values, int at, int lanes) {
        IntVector a = IntVector.fromArray(INT, values, at);
        IntVector b = IntVector.fromArray(INT, values, at + lanes);
        IntVector c = IntVector.fromArray(INT, values, at + 2 * lanes);
        IntVector d = IntVector.fromArray(INT, values, at + 3 * lanes);
        IntVector lowEven = LOW.selectFrom(a, c);
        IntVector highEven = HIGH.selectFrom(a, c);
        IntVector lowOdd = LOW.selectFrom(b, d);
        IntVector highOdd = HIGH.selectFrom(b, d);
        LOW.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to, ORDER);
        HIGH.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to + BYTES, ORDER);
        LOW.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 2 * BYTES, ORDER);
        HIGH.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 3 * BYTES, ORDER);
    }

    /** Words four apart are put beside each other; then records are twice as many, of four such words. */
    private static void mergeEight(MemorySegment memory, long to, int[] values, int at, int lanes) {
        mergeHalf(memory, to, LOW, values, at, lanes);
        mergeHalf(memory, to + 4 * BYTES, HIGH, values, at, lanes);
    }

    private static void mergeHalf(MemorySegment memory, long to, IntVector half, int[] values, int at, int lanes) {
        IntVector a = half.selectFrom(IntVector.fromArray(INT, values, at), IntVector.fromArray(INT, values, at + 4 * lanes));
        IntVector b = half.selectFrom(IntVector.fromArray(INT, values, at + lanes), IntVector.fromArray(INT, values, at + 5 * lanes));
        IntVector c = half.selectFrom(IntVector.fromArray(INT, values, at + 2 * lanes), IntVector.fromArray(INT, values, at + 6 * lanes));
        IntVector d = half.selectFrom(IntVector.fromArray(INT, values, at + 3 * lanes), IntVector.fromArray(INT, values, at + 7 * lanes));
        IntVector lowEven = LOW.selectFrom(a, c);
        IntVector highEven = HIGH.selectFrom(a, c);
        IntVector lowOdd = LOW.selectFrom(b, d);
        IntVector highOdd = HIGH.selectFrom(b, d);
        LOW.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to, ORDER);
        HIGH.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to + BYTES, ORDER);
        LOW.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 2 * BYTES, ORDER);
        HIGH.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 3 * BYTES, ORDER);
    }

    /** One vector of memory, out of the words of one vector's lanes. */
    private static void merge(MemorySegment memory, long to, int[] lanesOfWords, int vector, int words, int[] values, int at, int lanes) {
        IntVector element = IntVector.fromArray(INT, lanesOfWords, vector * LENGTH);
        IntVector pair = element.lanewise(VectorOperators.LSHR, PAIR);
        IntVector number = element.and(2 * LENGTH - 1);
        IntVector chosen = number.selectFrom(IntVector.fromArray(INT, values, at), IntVector.fromArray(INT, values, at + lanes));
        if (words > 2) {
            IntVector next = number.selectFrom(IntVector.fromArray(INT, values, at + 2 * lanes), IntVector.fromArray(INT, values, at + Math.min(3, words - 1) * lanes));
            chosen = chosen.blend(next, pair.compare(VectorOperators.EQ, 1));
        }
        if (words > 4) {
            IntVector next = number.selectFrom(IntVector.fromArray(INT, values, at + 4 * lanes), IntVector.fromArray(INT, values, at + Math.min(5, words - 1) * lanes));
            chosen = chosen.blend(next, pair.compare(VectorOperators.EQ, 2));
        }
        if (words > 6) {
            IntVector next = number.selectFrom(IntVector.fromArray(INT, values, at + 6 * lanes), IntVector.fromArray(INT, values, at + Math.min(7, words - 1) * lanes));
            chosen = chosen.blend(next, pair.compare(VectorOperators.EQ, 3));
        }
        chosen.intoMemorySegment(memory, to, ORDER);
    }
}
