package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.HALF_INT;
import static io.ptx4j.jit.support.VectorLanes.INT;
import static io.ptx4j.jit.support.VectorLanes.LONG;

import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;

/**
 * Which elements of two vectors come one after the other where the words of records are sorted by lanes, or put side by side again. Code in line names them: each must be
 * a constant of its own for HotSpot.
 */
@SuppressWarnings("exports")
public final class RecordOrder {
    /** The even elements of both, and the odd ones; in turn one from each, of the first and of the second halves. */
    public static final IntVector INT_EVEN = ints(l -> 2 * l);
    public static final IntVector INT_ODD = ints(l -> 2 * l + 1);
    public static final IntVector INT_LOW = ints(l -> l / 2 + l % 2 * INT.length());
    public static final IntVector INT_HIGH = ints(l -> (INT.length() + l) / 2 + l % 2 * INT.length());
    public static final IntVector HALF_INT_EVEN = halfInts(l -> 2 * l);
    public static final IntVector HALF_INT_ODD = halfInts(l -> 2 * l + 1);
    public static final IntVector HALF_INT_LOW = halfInts(l -> l / 2 + l % 2 * HALF_INT.length());
    public static final IntVector HALF_INT_HIGH = halfInts(l -> (HALF_INT.length() + l) / 2 + l % 2 * HALF_INT.length());
    public static final LongVector LONG_EVEN = longs(l -> 2 * l);
    public static final LongVector LONG_ODD = longs(l -> 2 * l + 1);
    public static final LongVector LONG_LOW = longs(l -> l / 2 + l % 2 * LONG.length());
    public static final LongVector LONG_HIGH = longs(l -> (LONG.length() + l) / 2 + l % 2 * LONG.length());

    /** Every third element, from one of the first three on, of three vectors: what the first two have, then that and what the last one has. */
    public static final IntVector INT_TAKE0 = ints(l -> taken(l, 0, INT.length()));
    public static final IntVector INT_TAKE1 = ints(l -> taken(l, 1, INT.length()));
    public static final IntVector INT_TAKE2 = ints(l -> taken(l, 2, INT.length()));
    public static final IntVector INT_REST0 = ints(l -> rest(l, 0, INT.length()));
    public static final IntVector INT_REST1 = ints(l -> rest(l, 1, INT.length()));
    public static final IntVector INT_REST2 = ints(l -> rest(l, 2, INT.length()));
    public static final LongVector LONG_TAKE0 = longs(l -> taken(l, 0, LONG.length()));
    public static final LongVector LONG_TAKE1 = longs(l -> taken(l, 1, LONG.length()));
    public static final LongVector LONG_TAKE2 = longs(l -> taken(l, 2, LONG.length()));
    public static final LongVector LONG_REST0 = longs(l -> rest(l, 0, LONG.length()));
    public static final LongVector LONG_REST1 = longs(l -> rest(l, 1, LONG.length()));
    public static final LongVector LONG_REST2 = longs(l -> rest(l, 2, LONG.length()));

    /** The other way, for each of the three vectors: the words of two, then those and the third. */
    public static final IntVector INT_PAIR0 = ints(l -> paired(l, 0, INT.length()));
    public static final IntVector INT_PAIR1 = ints(l -> paired(l, 1, INT.length()));
    public static final IntVector INT_PAIR2 = ints(l -> paired(l, 2, INT.length()));
    public static final IntVector INT_THIRD0 = ints(l -> completed(l, 0, INT.length()));
    public static final IntVector INT_THIRD1 = ints(l -> completed(l, 1, INT.length()));
    public static final IntVector INT_THIRD2 = ints(l -> completed(l, 2, INT.length()));
    public static final LongVector LONG_PAIR0 = longs(l -> paired(l, 0, LONG.length()));
    public static final LongVector LONG_PAIR1 = longs(l -> paired(l, 1, LONG.length()));
    public static final LongVector LONG_PAIR2 = longs(l -> paired(l, 2, LONG.length()));
    public static final LongVector LONG_THIRD0 = longs(l -> completed(l, 0, LONG.length()));
    public static final LongVector LONG_THIRD1 = longs(l -> completed(l, 1, LONG.length()));
    public static final LongVector LONG_THIRD2 = longs(l -> completed(l, 2, LONG.length()));

    private RecordOrder() {
    }

    // Records that are no words

    /** By lane of a vector: in which of the words from the first record on its element is, so many bytes behind the beginning of records of {@code size} bytes. */
    public static int[] elementWords(int size, int offset, int bits) {
        return IntStream.range(0, INT.length()).map(l -> (size * l + offset) / 4).toArray();
    }

    /** How far its {@code bits} lie below the word's highest. */
    public static int[] elementShifts(int size, int offset, int bits) {
        return IntStream.range(0, INT.length()).map(l -> 32 - bits - 8 * ((size * l + offset) % 4)).toArray();
    }

    /** By word of records of three bytes: the lane of its first byte. */
    public static int[] tripleFirst(int size, int offset, int bits) {
        return IntStream.range(0, INT.length()).map(w -> 4 * w / 3 % INT.length()).toArray();
    }

    /** That of its last one. */
    public static int[] tripleLast(int size, int offset, int bits) {
        return IntStream.range(0, INT.length()).map(w -> (4 * w / 3 + 1) % INT.length()).toArray();
    }

    /** Bits of the first lane that belong into the word before. */
    public static int[] tripleShifts(int size, int offset, int bits) {
        return IntStream.range(0, INT.length()).map(w -> 4 * w % 3 * 8).toArray();
    }

    /** Bits of the word below those of the last lane. */
    public static int[] tripleRests(int size, int offset, int bits) {
        return IntStream.range(0, INT.length()).map(w -> 24 - 4 * w % 3 * 8).toArray();
    }

    private static IntVector ints(IntUnaryOperator order) {
        return IntVector.fromArray(INT, IntStream.range(0, INT.length()).map(order).toArray(), 0);
    }

    private static IntVector halfInts(IntUnaryOperator order) {
        return IntVector.fromArray(HALF_INT, IntStream.range(0, HALF_INT.length()).map(order).toArray(), 0);
    }

    private static LongVector longs(IntUnaryOperator order) {
        return LongVector.fromArray(LONG, IntStream.range(0, LONG.length()).map(order).asLongStream().toArray(), 0);
    }

    private static int taken(int lane, int word, int length) {
        int element = 3 * lane + word;
        return element < 2 * length ? element : 0;
    }

    private static int rest(int lane, int word, int length) {
        int element = 3 * lane + word;
        return element < 2 * length ? lane : element - length;
    }

    private static int paired(int element, int vector, int length) {
        int n = vector * length + element;
        return n % 3 < 2 ? n % 3 * length + n / 3 : 0;
    }

    private static int completed(int element, int vector, int length) {
        int n = vector * length + element;
        return n % 3 < 2 ? element : length + n / 3;
    }
}
