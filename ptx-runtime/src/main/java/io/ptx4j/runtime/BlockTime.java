package io.ptx4j.runtime;

/**
 * What blocks of a kernel have taken in its last launches. Thread-safe. The most but one of them counts: neither one launch with little to do, nor one whose threads
 * had to wait for a processor, misleads those behind it.
 */
final class BlockTime {
    private static final int LAUNCHES = 4;

    private final double[] nanos = new double[LAUNCHES];
    private int launches;
    /** Nanoseconds by the clock for each block of launches that one worker ran alone; 0 before there was one. */
    private double alone;

    /** Notes a launch whose {@code blocks} blocks took {@code total} nanoseconds of workers' time. */
    synchronized void note(long total, long blocks) {
        nanos[launches++ % LAUNCHES] = (double) total / blocks;
        launches = launches == 2 * LAUNCHES ? LAUNCHES : launches;
    }

    /** Notes that one worker ran a launch alone, in so many nanoseconds by the clock. */
    synchronized void noteAlone(long clock, long blocks) {
        double one = (double) clock / blocks;
        alone = alone == 0 ? one : alone + (Math.min(one, 2 * alone) - alone) / LAUNCHES;
    }

    /** Nanoseconds by the clock that one worker alone may take for {@code blocks} blocks; 0 before it has run a launch. */
    synchronized double alone(long blocks) {
        return alone * blocks;
    }

    /** Nanoseconds of one worker that {@code blocks} blocks may take; infinity before the first launch has ended. */
    synchronized double expected(long blocks) {
        double most = launches == 0 ? Double.POSITIVE_INFINITY : nanos[0];
        double second = launches < 2 ? most : 0;
        for (int i = 1; i < Math.min(launches, LAUNCHES); i++) {
            second = Math.max(second, Math.min(most, nanos[i]));
            most = Math.max(most, nanos[i]);
        }
        return second * blocks;
    }
}
