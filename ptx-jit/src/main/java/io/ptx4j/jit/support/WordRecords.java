package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ADDRESSES;
import static io.ptx4j.jit.support.DirectMemory.ALL;
import static io.ptx4j.jit.support.DirectMemory.I32;
import static io.ptx4j.jit.support.DirectMemory.I64;
import static io.ptx4j.jit.support.RecordOrder.INT_EVEN;
import static io.ptx4j.jit.support.RecordOrder.INT_HIGH;
import static io.ptx4j.jit.support.RecordOrder.INT_LOW;
import static io.ptx4j.jit.support.RecordOrder.INT_ODD;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import java.lang.foreign.MemorySegment;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Words of records, once it is known where these are. Records that lie side by side and have no other words are whole vectors of memory, out of which words
 * are sorted by lanes. Of others each lane's words are copied side by side first.
 */
final class WordRecords {
    private static final int LENGTH = INT.length();
    private static final int BYTES = 4 * LENGTH;
    /**
     * By words of a record, for each word: which element of the vectors of memory each lane's word is.
     */
    private static final int[][] SORTED = new int[LaneRecords.WORDS + 1][];
    /** The same for each vector of memory: which lane of the words' vectors each element comes from. */
    private static final int[][] MERGED = new int[LaneRecords.WORDS + 1][];
    private static final int PAIR = Integer.numberOfTrailingZeros(2 * LENGTH);

    static {
        for (int words = 2; words <= LaneRecords.WORDS; words++) {
            SORTED[words] = new int[words * LENGTH];
            MERGED[words] = new int[words * LENGTH];
            for (int n = 0; n < words * LENGTH; n++) {
                SORTED[words][n % words * LENGTH + n / words] = n;
                MERGED[words][n] = n % words * LENGTH + n / words;
            }
        }
    }

    private WordRecords() {
    }

    // Records apart

    /** The power of two that so many words fit into. */
    static int chunk(int words) {
        return words <= 2 ? words : words <= 4 ? 4 : 8;
    }

    /**
     * Loads the words at all lanes' places.
     *
     * @param room whether there is memory behind each for as many words as {@link #chunk}
     */
    static void gather(VectorFrame frame, int words, int slot, boolean room) {
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
        for (int w = 0; w < words; w++) {
            gather(frame.places, 4L * w, frame.records, (slot + w) * lanes, lanes);
        }
    }

    /** Loads one word of each lane, so many bytes behind its place. */
    static void gather(long[] places, long behind, int[] values, int at, int lanes) {
        for (int lane = 0; lane < lanes; lane++) {
            values[at + lane] = ALL.get(I32, places[lane] + behind & ADDRESSES);
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
    static void scatter(VectorFrame frame, long mask, int words, int some, int slot) {
        int lanes = frame.lanes;
        long chunks = frame.chunks.address() & ADDRESSES;
        int chunk = chunk(words);
        merge(chunks, chunk, frame.records, slot * lanes, lanes);
        if (LaneRecords.isWhole(frame, mask, words, some) && chunk == words) {
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
    static void sort(long place, int size, int words, int[] values, int at, int lanes) {
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
        INT_EVEN.selectFrom(low, high).intoArray(values, at);
        if (words > 1) {
            INT_ODD.selectFrom(low, high).intoArray(values, at + lanes);
        }
    }

    private static void sortFour(MemorySegment memory, long from, int words, int[] values, int at, int lanes) {
        IntVector a = vector(memory, from);
        IntVector b = vector(memory, from + BYTES);
        IntVector c = vector(memory, from + 2 * BYTES);
        IntVector d = vector(memory, from + 3 * BYTES);
        IntVector even = INT_EVEN.selectFrom(a, b);
        IntVector odd = INT_ODD.selectFrom(a, b);
        IntVector otherEven = INT_EVEN.selectFrom(c, d);
        IntVector otherOdd = INT_ODD.selectFrom(c, d);
        INT_EVEN.selectFrom(even, otherEven).intoArray(values, at);
        INT_EVEN.selectFrom(odd, otherOdd).intoArray(values, at + lanes);
        INT_ODD.selectFrom(even, otherEven).intoArray(values, at + 2 * lanes);
        if (words > 3) {
            INT_ODD.selectFrom(odd, otherOdd).intoArray(values, at + 3 * lanes);
        }
    }

    /** Twice four vectors are sorted as if records had four words, then what comes from both. */
    private static void sortEight(MemorySegment memory, long from, int words, int[] values, int at, int lanes) {
        IntVector a = vector(memory, from);
        IntVector b = vector(memory, from + BYTES);
        IntVector c = vector(memory, from + 2 * BYTES);
        IntVector d = vector(memory, from + 3 * BYTES);
        IntVector even = INT_EVEN.selectFrom(a, b);
        IntVector odd = INT_ODD.selectFrom(a, b);
        IntVector otherEven = INT_EVEN.selectFrom(c, d);
        IntVector otherOdd = INT_ODD.selectFrom(c, d);
        IntVector first = INT_EVEN.selectFrom(even, otherEven);
        IntVector second = INT_EVEN.selectFrom(odd, otherOdd);
        IntVector third = INT_ODD.selectFrom(even, otherEven);
        IntVector fourth = INT_ODD.selectFrom(odd, otherOdd);
        a = vector(memory, from + 4 * BYTES);
        b = vector(memory, from + 5 * BYTES);
        c = vector(memory, from + 6 * BYTES);
        d = vector(memory, from + 7 * BYTES);
        even = INT_EVEN.selectFrom(a, b);
        odd = INT_ODD.selectFrom(a, b);
        otherEven = INT_EVEN.selectFrom(c, d);
        otherOdd = INT_ODD.selectFrom(c, d);
        a = INT_EVEN.selectFrom(even, otherEven);
        b = INT_EVEN.selectFrom(odd, otherOdd);
        c = INT_ODD.selectFrom(even, otherEven);
        d = INT_ODD.selectFrom(odd, otherOdd);
        INT_EVEN.selectFrom(first, a).intoArray(values, at);
        INT_EVEN.selectFrom(second, b).intoArray(values, at + lanes);
        INT_EVEN.selectFrom(third, c).intoArray(values, at + 2 * lanes);
        INT_EVEN.selectFrom(fourth, d).intoArray(values, at + 3 * lanes);
        if (words > 4) {
            INT_ODD.selectFrom(first, a).intoArray(values, at + 4 * lanes);
        }
        if (words > 5) {
            INT_ODD.selectFrom(second, b).intoArray(values, at + 5 * lanes);
        }
        if (words > 6) {
            INT_ODD.selectFrom(third, c).intoArray(values, at + 6 * lanes);
        }
        if (words > 7) {
            INT_ODD.selectFrom(fourth, d).intoArray(values, at + 7 * lanes);
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
    static void merge(long place, int words, int[] values, int at, int lanes) {
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
        INT_LOW.selectFrom(first, second).intoMemorySegment(memory, to, ORDER);
        INT_HIGH.selectFrom(first, second).intoMemorySegment(memory, to + BYTES, ORDER);
    }

    private static void mergeFour(MemorySegment memory, long to, int[] values, int at, int lanes) {
        IntVector a = IntVector.fromArray(INT, values, at);
        IntVector b = IntVector.fromArray(INT, values, at + lanes);
        IntVector c = IntVector.fromArray(INT, values, at + 2 * lanes);
        IntVector d = IntVector.fromArray(INT, values, at + 3 * lanes);
        IntVector lowEven = INT_LOW.selectFrom(a, c);
        IntVector highEven = INT_HIGH.selectFrom(a, c);
        IntVector lowOdd = INT_LOW.selectFrom(b, d);
        IntVector highOdd = INT_HIGH.selectFrom(b, d);
        INT_LOW.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to, ORDER);
        INT_HIGH.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to + BYTES, ORDER);
        INT_LOW.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 2 * BYTES, ORDER);
        INT_HIGH.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 3 * BYTES, ORDER);
    }

    /** Words four apart are put beside each other; then records are twice as many, of four such words. */
    private static void mergeEight(MemorySegment memory, long to, int[] values, int at, int lanes) {
        mergeHalf(memory, to, INT_LOW, values, at, lanes);
        mergeHalf(memory, to + 4 * BYTES, INT_HIGH, values, at, lanes);
    }

    private static void mergeHalf(MemorySegment memory, long to, IntVector half, int[] values, int at, int lanes) {
        IntVector a = half.selectFrom(IntVector.fromArray(INT, values, at), IntVector.fromArray(INT, values, at + 4 * lanes));
        IntVector b = half.selectFrom(IntVector.fromArray(INT, values, at + lanes), IntVector.fromArray(INT, values, at + 5 * lanes));
        IntVector c = half.selectFrom(IntVector.fromArray(INT, values, at + 2 * lanes), IntVector.fromArray(INT, values, at + 6 * lanes));
        IntVector d = half.selectFrom(IntVector.fromArray(INT, values, at + 3 * lanes), IntVector.fromArray(INT, values, at + 7 * lanes));
        IntVector lowEven = INT_LOW.selectFrom(a, c);
        IntVector highEven = INT_HIGH.selectFrom(a, c);
        IntVector lowOdd = INT_LOW.selectFrom(b, d);
        IntVector highOdd = INT_HIGH.selectFrom(b, d);
        INT_LOW.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to, ORDER);
        INT_HIGH.selectFrom(lowEven, lowOdd).intoMemorySegment(memory, to + BYTES, ORDER);
        INT_LOW.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 2 * BYTES, ORDER);
        INT_HIGH.selectFrom(highEven, highOdd).intoMemorySegment(memory, to + 3 * BYTES, ORDER);
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
