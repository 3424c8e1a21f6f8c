package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ADDRESSES;
import static io.ptx4j.jit.support.DirectMemory.ALL;
import static io.ptx4j.jit.support.DirectMemory.I64;
import static io.ptx4j.jit.support.RecordOrder.LONG_EVEN;
import static io.ptx4j.jit.support.RecordOrder.LONG_HIGH;
import static io.ptx4j.jit.support.RecordOrder.LONG_LOW;
import static io.ptx4j.jit.support.RecordOrder.LONG_ODD;
import static io.ptx4j.jit.support.VectorLanes.LONG;
import static io.ptx4j.jit.support.VectorLanes.ORDER;

import jdk.incubator.vector.LongVector;

/** As {@link WordRecords}, for words of 64 bits. The first of a record's words lie at {@code from} in an array, each of the others {@code 2 * lanes} behind the one before. */
final class WideRecords {
    private static final int LENGTH = LONG.length();
    private static final int BYTES = 8 * LENGTH;

    private WideRecords() {
    }

    /** Whether records of so many words, side by side, are sorted as whole vectors. */
    static boolean areSorted(int size) {
        return size == 2 || size == 4;
    }

    /**
     * Sorts words out of records that lie side by side.
     *
     * @param size words of a record, of which {@code words} are wanted
     */
    static void sort(long place, int size, int words, long[] to, int from, int lanes) {
        if (size == 2) {
            for (int lane = 0; lane < lanes; lane += LENGTH) {
                LongVector first = load(place + 16L * lane);
                LongVector second = load(place + 16L * lane + BYTES);
                LONG_EVEN.selectFrom(first, second).intoArray(to, from + lane);
                if (words > 1) {
                    LONG_ODD.selectFrom(first, second).intoArray(to, from + 2 * lanes + lane);
                }
            }
            return;
        }
        for (int lane = 0; lane < lanes; lane += LENGTH) {
            LongVector first = load(place + 32L * lane);
            LongVector second = load(place + 32L * lane + BYTES);
            LongVector third = load(place + 32L * lane + 2 * BYTES);
            LongVector fourth = load(place + 32L * lane + 3 * BYTES);
            LongVector even = LONG_EVEN.selectFrom(first, second);
            LongVector evenToo = LONG_EVEN.selectFrom(third, fourth);
            LongVector odd = LONG_ODD.selectFrom(first, second);
            LongVector oddToo = LONG_ODD.selectFrom(third, fourth);
            int at = from + lane;
            LONG_EVEN.selectFrom(even, evenToo).intoArray(to, at);
            if (words > 1) {
                LONG_EVEN.selectFrom(odd, oddToo).intoArray(to, at + 2 * lanes);
            }
            if (words > 2) {
                LONG_ODD.selectFrom(even, evenToo).intoArray(to, at + 4 * lanes);
            }
            if (words > 3) {
                LONG_ODD.selectFrom(odd, oddToo).intoArray(to, at + 6 * lanes);
            }
        }
    }

    /** Puts all words of records side by side. */
    static void merge(long place, int size, long[] words, int from, int lanes) {
        if (size == 2) {
            for (int lane = 0; lane < lanes; lane += LENGTH) {
                LongVector first = LongVector.fromArray(LONG, words, from + lane);
                LongVector second = LongVector.fromArray(LONG, words, from + 2 * lanes + lane);
                store(LONG_LOW.selectFrom(first, second), place + 16L * lane);
                store(LONG_HIGH.selectFrom(first, second), place + 16L * lane + BYTES);
            }
            return;
        }
        for (int lane = 0; lane < lanes; lane += LENGTH) {
            int at = from + lane;
            LongVector first = LongVector.fromArray(LONG, words, at);
            LongVector second = LongVector.fromArray(LONG, words, at + 2 * lanes);
            LongVector third = LongVector.fromArray(LONG, words, at + 4 * lanes);
            LongVector fourth = LongVector.fromArray(LONG, words, at + 6 * lanes);
            LongVector even = LONG_LOW.selectFrom(first, third);
            LongVector odd = LONG_LOW.selectFrom(second, fourth);
            store(LONG_LOW.selectFrom(even, odd), place + 32L * lane);
            store(LONG_HIGH.selectFrom(even, odd), place + 32L * lane + BYTES);
            even = LONG_HIGH.selectFrom(first, third);
            odd = LONG_HIGH.selectFrom(second, fourth);
            store(LONG_LOW.selectFrom(even, odd), place + 32L * lane + 2 * BYTES);
            store(LONG_HIGH.selectFrom(even, odd), place + 32L * lane + 3 * BYTES);
        }
    }

    private static LongVector load(long place) {
        return LongVector.fromMemorySegment(LONG, ALL, place & ADDRESSES, ORDER);
    }

    private static void store(LongVector vector, long place) {
        vector.intoMemorySegment(ALL, place & ADDRESSES, ORDER);
    }

    /** Loads the words at all lanes' places. */
    static void gather(long[] places, int words, long[] to, int from, int lanes) {
        for (int word = 0; word < words; word++) {
            int at = from + 2 * word * lanes;
            long behind = 8L * word;
            for (int lane = 0; lane < lanes; lane++) {
                to[at + lane] = ALL.get(I64, places[lane] + behind & ADDRESSES);
            }
        }
    }

    /** Stores some of the words, as bits, at executing lanes' places. */
    static void scatter(long[] places, long mask, int some, long[] words, int from, int lanes) {
        for (int left = some; left != 0; left &= left - 1) {
            int word = Integer.numberOfTrailingZeros(left);
            int at = from + 2 * word * lanes;
            long behind = 8L * word;
            if ((mask & mask + 1) == 0) {
                for (int lane = 0; lane < Long.bitCount(mask); lane++) {
                    ALL.set(I64, places[lane] + behind & ADDRESSES, words[at + lane]);
                }
                continue;
            }
            for (long rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Long.numberOfTrailingZeros(rest);
                ALL.set(I64, places[lane] + behind & ADDRESSES, words[at + lane]);
            }
        }
    }
}
