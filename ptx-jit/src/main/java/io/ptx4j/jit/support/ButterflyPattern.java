package io.ptx4j.jit.support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;

/**
 * How the words of two places of a group's lanes lie in memory, where the lanes of each vector have all words of two whole vectors of it: a butterfly
 * loads those two, and stores them again as a whole. Lane {@code l}'s word of a place is {@code stride * l + factor * (l & m)} bytes behind lane 0's.
 */
public final class ButterflyPattern {
    private static final int LENGTH = VectorLanes.INT.length();
    private static final int BYTES = 4 * LENGTH;
    /** Vectors for each vector of lanes: numbers of words of the first place and of the second, numbers of lanes of either vector of memory. */
    public static final int NUMBERS = 4;

    /** All that it depends on: both shapes, where lane 0's words lie within vectors, and bytes from one to the other unless the places lie apart. */
    private final long shapes;
    private final int phases;
    private final long distance;
    /** Whether all words of one place lie below all of the other. */
    private final boolean apart;
    /** Whether the lanes have whole vectors, each vector of lanes its own. */
    final boolean fits;
    /** Bytes from lane 0's word to the first word of any lane, and behind the last, for each place. */
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    int otherLeast = Integer.MAX_VALUE;
    int otherMost = Integer.MIN_VALUE;
    /** By vector of lanes: bytes to the two vectors of memory, from lane 0's word of the first place; where the places lie apart, the second is seen from the other one. */
    public final int[] low;
    public final int[] high;
    /** By lane: the number of its word of either place in those two. */
    private final int[] words;
    private final int[] otherWords;
    /** By word of either vector of memory: the number of the lane that has it, counted on in the second place. */
    private final int[] lowLanes;
    private final int[] highLanes;
    /** The same numbers, {@link #NUMBERS} vectors one after the other for each vector of lanes, and where they begin. */
    public final MemorySegment numbers;
    public final long at;

    ButterflyPattern(int lanes, int shape, int otherShape, int m, int phases, long distance) {
        this.shapes = shapes(shape, otherShape);
        this.phases = phases;
        this.distance = distance;
        int vectors = lanes / LENGTH;
        this.low = new int[vectors];
        this.high = new int[vectors];
        this.words = new int[lanes];
        this.otherWords = new int[lanes];
        this.lowLanes = new int[lanes];
        this.highLanes = new int[lanes];
        long[] bytes = new long[lanes];
        long[] otherBytes = new long[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            int one = LanePattern.distance(lane, shape >> 16, (short) shape, m);
            int two = LanePattern.distance(lane, otherShape >> 16, (short) otherShape, m);
            least = Math.min(least, one);
            most = Math.max(most, one + 4);
            otherLeast = Math.min(otherLeast, two);
            otherMost = Math.max(otherMost, two + 4);
            bytes[lane] = one;
            otherBytes[lane] = two;
        }
        this.apart = liesApart(distance);
        int phase = phases / BYTES;
        int otherPhase = apart ? phases % BYTES : phase;
        for (int lane = 0; lane < lanes; lane++) {
            bytes[lane] += phase;
            otherBytes[lane] += otherPhase + (apart ? 0 : distance);
        }
        Set<Long> taken = new HashSet<>();
        Set<Long> takenApart = apart ? new HashSet<>() : taken;
        boolean whole = true;
        for (int v = 0; v < vectors && whole; v++) {
            whole = find(v, bytes, otherBytes, taken, takenApart);
            low[v] -= phase;
            high[v] -= otherPhase;
        }
        this.fits = whole;
        this.numbers = Arena.ofAuto().allocate((long) NUMBERS * vectors * BYTES, BYTES);
        int[][] all = {words, otherWords, lowLanes, highLanes};
        for (int n = 0; n < NUMBERS * vectors; n++) {
            MemorySegment.copy(all[n % NUMBERS], n / NUMBERS * LENGTH, numbers, ValueLayout.JAVA_INT, (long) n * BYTES, LENGTH);
        }
        this.at = DirectMemory.place(numbers, 0);
    }

    private static long shapes(int shape, int otherShape) {
        return (long) shape << 32 | otherShape & 0xFFFF_FFFFL;
    }

    /** @param phases lane 0's word of either place beyond a multiple of a vector's size, the first place's times that size */
    boolean is(int shape, int otherShape, int phases, long distance) {
        return shapes == shapes(shape, otherShape) && this.phases == phases && (apart ? liesApart(distance) : this.distance == distance);
    }

    boolean isApart() {
        return apart;
    }

    private boolean liesApart(long distance) {
        return distance + otherLeast >= most || distance + otherMost <= least;
    }

    /** The two vectors of memory of one vector of lanes; whether they are whole and nobody else's. */
    private boolean find(int v, long[] bytes, long[] otherBytes, Set<Long> taken, Set<Long> takenApart) {
        int at = v * LENGTH;
        long one = Math.floorDiv(bytes[at], BYTES);
        long two = apart ? Math.floorDiv(otherBytes[at], BYTES) : one;
        for (int lane = at; lane < at + LENGTH && !apart && two == one; lane++) {
            long window = Math.floorDiv(bytes[lane], BYTES);
            two = window == one ? Math.floorDiv(otherBytes[lane], BYTES) : window;
        }
        long found = 0;
        for (int lane = at; lane < at + LENGTH; lane++) {
            int word = word(bytes[lane], one, apart ? one : two, 0);
            int otherWord = word(otherBytes[lane], apart ? two : one, two, apart ? LENGTH : 0);
            if (word < 0 || otherWord < 0) {
                return false;
            }
            words[lane] = word;
            otherWords[lane] = otherWord;
            found |= 1L << word | 1L << otherWord;
            note(at, word, lane - at);
            note(at, otherWord, lane - at + LENGTH);
        }
        low[v] = (int) one * BYTES;
        high[v] = (int) two * BYTES;
        return found == (1L << 2 * LENGTH) - 1 && taken.add(one) && takenApart.add(two);
    }

    /** The number of a word in the two vectors of memory; that in one of them alone comes {@code behind} it. */
    private static int word(long bytes, long one, long two, int behind) {
        long window = Math.floorDiv(bytes, BYTES);
        if ((bytes & 3) != 0 || window != one && window != two) {
            return -1;
        }
        return (window == one ? behind : LENGTH) + Math.floorMod(bytes, BYTES) / 4;
    }

    private void note(int at, int word, int lane) {
        if (word < LENGTH) {
            lowLanes[at + word] = lane;
        } else {
            highLanes[at + word - LENGTH] = lane;
        }
    }
}
