package io.ptx4j.engine.checks;

import io.ptx4j.engine.BlockShape;

/**
 * What a thread knows of other threads: up to which time of its own block each of them has done what this thread comes after.
 *
 * @param blocks by block: a time up to which all its threads are known
 * @param threads by block times {@link #THREADS} plus thread: a time up to which that thread is known
 */
record Clock(Times blocks, Times threads) {
    static final int THREADS = BlockShape.MOST_THREADS;

    /** The later of both in everything; null for nothing known. */
    static Clock join(Clock a, Clock b) {
        if (a == b || b == null) {
            return a;
        }
        if (a == null) {
            return b;
        }
        Times blocks = a.blocks.join(b.blocks);
        Times threads = a.threads.join(b.threads);
        return blocks == a.blocks && threads == a.threads ? a : new Clock(blocks, threads);
    }

    /** Whether what {@code thread} of {@code block} did at {@code time} is known. */
    boolean knows(long block, int thread, int time) {
        return blocks.get(block) > time || threads.get(block * THREADS + thread) > time;
    }
}
