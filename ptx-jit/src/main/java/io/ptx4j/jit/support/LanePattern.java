package io.ptx4j.jit.support;

import java.util.stream.IntStream;

/**
 * How the words of a group's lanes lie in memory, the same for all groups: lane {@code l}'s {@code stride * l + factor * (l & m)} bytes behind
 * lane 0's, seen from multiples of a vector's size on.
 */
final class LanePattern {
    private static final int LENGTH = VectorLanes.INT.length();
    private static final int BYTES = 4 * LENGTH;

    /** Two vectors of memory in which the lanes of one vector have their words. */
    static final class Window {
        /** Bytes from lane 0's word to the two vectors, which may be one. */
        int low;
        int high;
        /** The words of either that are stored to, as bits; all, where every word of the first is. */
        int lowWords;
        int highWords;
    }

    /** All that it depends on. */
    final long key;
    /** All lanes, or 0 if not each vector of them has a window, or words are not aligned. */
    final long all;
    /** Bytes from lane 0's word to where the first window begins and the last one ends. */
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    final Window first = new Window();
    final Window second = new Window();
    /** Those of further vectors. */
    final Window[] others;
    /** By lane: the number of its word in the window. */
    final int[] words;
    /** By word of the first vector: the lane of the vector that it is stored from, the last if there are several. */
    final int[] lowLanes;
    final int[] highLanes;

    /** @param phase bytes of lane 0's word beyond a multiple of a vector's size */
    LanePattern(long key, int lanes, int stride, int factor, int m, int phase) {
        this.key = key;
        this.words = new int[lanes];
        this.lowLanes = new int[lanes];
        this.highLanes = new int[lanes];
        this.others = IntStream.range(0, Math.max(0, lanes / LENGTH - 2)).mapToObj(i -> new Window()).toArray(Window[]::new);
        boolean fits = (phase & 3) == 0;
        for (int at = 0; at < lanes; at += LENGTH) {
            int vector = at / LENGTH;
            fits &= find(vector == 0 ? first : vector == 1 ? second : others[vector - 2], at, stride, factor, m, phase);
        }
        this.all = fits ? -1L >>> Long.SIZE - lanes : 0;
    }

    private boolean find(Window window, int at, int stride, int factor, int m, int phase) {
        int lowest = Integer.MAX_VALUE;
        int highest = Integer.MIN_VALUE;
        for (int lane = at; lane < at + LENGTH; lane++) {
            int distance = distance(lane, stride, factor, m);
            lowest = Math.min(lowest, distance);
            highest = Math.max(highest, distance);
            if ((distance & 3) != 0) {
                return false;
            }
        }
        window.low = (phase + lowest & -BYTES) - phase;
        if (highest - window.low >= 2 * BYTES) {
            return false;
        }
        window.high = highest - window.low < BYTES ? window.low : window.low + BYTES;
        least = Math.min(least, window.low);
        most = Math.max(most, window.high + BYTES);
        for (int lane = at; lane < at + LENGTH; lane++) {
            int word = distance(lane, stride, factor, m) - window.low >> 2;
            words[lane] = word;
            if (word < LENGTH) {
                lowLanes[at + word] = lane - at;
                window.lowWords |= 1 << word;
            } else {
                highLanes[at + word - LENGTH] = lane - at;
                window.highWords |= 1 << word - LENGTH;
            }
        }
        return true;
    }

    /** Bytes from lane 0's word to that of a lane. */
    static int distance(int lane, int stride, int factor, int m) {
        return stride * lane + factor * (lane & m);
    }
}
