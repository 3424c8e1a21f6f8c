package io.ptx4j.runtime;

/**
 * What blocks of a kernel have taken in its last launches: the most of them counts, so that one launch with little to do, or one that
 * the host interrupted, misleads the next few at most. Thread-safe.
 */
final class BlockTime {
    private static final int LAUNCHES = 4;

    private final double[] nanos = new double[LAUNCHES];
    private int launches;

    /** Notes a launch whose {@code blocks} blocks took {@code total} nanoseconds of workers' time. */
    synchronized void note(long total, long blocks) {
        nanos[launches++ % LAUNCHES] = (double) total / blocks;
        launches = launches == 2 * LAUNCHES ? LAUNCHES : launches;
    }

    /** Nanoseconds of one worker that {@code blocks} blocks may take; infinity before the first launch has ended. */
    synchronized double expected(long blocks) {
        double most = launches == 0 ? Double.POSITIVE_INFINITY : 0;
        for (double one : nanos) {
            most = Math.max(most, one);
        }
        return most * blocks;
    }
}
