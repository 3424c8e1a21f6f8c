package io.ptx4j.runtime;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The blocks of a grid in as many portions of neighbours as there are workers. Each worker has one, the same from launch to launch where the same workers come, so that
 * it finds what it wrote last time in its own caches; who is done with his own helps with the next ones. Counters lie apart, since a line of
 * memory that two workers write may take longer from one to the other than a short launch takes.
 */
final class Portions {
    /** Longs from counter to counter: two lines of memory. */
    private static final int STRIDE = 16;
    private static final int PLACE = 8;
    private static final int CLAIM = PLACE + 1;

    private final int portions;
    /** Blocks of each of them, and how many have one more. */
    private final long each;
    private final long rest;
    private final AtomicLongArray longs;

    Portions(long count, int portions) {
        this.each = count / portions;
        this.rest = count % portions;
        this.portions = portions;
        this.longs = new AtomicLongArray(portions * STRIDE);
    }

    /** How many there are. */
    int count() {
        return portions;
    }

    /** Gives a worker its own portion, {@code wanted} unless another one has it; the first one is the calling thread's. */
    int claim(int wanted) {
        if (portions == 1) {
            return 0;
        }
        for (int i = 0; i < portions - 1; i++) {
            int portion = 1 + Math.floorMod(wanted - 1 + i, portions - 1);
            if (longs.compareAndSet(portion * STRIDE + CLAIM, 0, 1)) {
                return portion;
            }
        }
        return 1 + Math.floorMod(wanted - 1, portions - 1);
    }

    /** The next one behind it, and behind the last one the first, that has blocks left; -1 if there is none. */
    int leftBehind(int portion) {
        for (int i = 1; i < portions; i++) {
            int other = portion + i < portions ? portion + i : portion + i - portions;
            if (left(other)) {
                return other;
            }
        }
        return -1;
    }

    long first(int portion) {
        return portion * each + Math.min(portion, rest);
    }

    /** Behind its last block. */
    long end(int portion) {
        return first(portion + 1);
    }

    long size(int portion) {
        return each + (portion < rest ? 1 : 0);
    }

    /** Takes so many blocks; returns the first of them, {@link #end} or more where none is left. */
    long take(int portion, long blocks) {
        return first(portion) + longs.getAndAdd(portion * STRIDE + PLACE, blocks);
    }

    /** Whether some blocks have not been taken. */
    boolean left() {
        for (int portion = 0; portion < portions; portion++) {
            if (left(portion)) {
                return true;
            }
        }
        return false;
    }

    private boolean left(int portion) {
        return longs.get(portion * STRIDE + PLACE) < size(portion);
    }
}
