package io.ptx4j.jit.support;

/** Time as kernels see it. */
public final class Clocks {
    /** What {@link System#nanoTime} lacks of wall-clock time. */
    private static final long EPOCH = System.currentTimeMillis() * 1_000_000L - System.nanoTime();

    private Clocks() {
    }

    /** {@code %clock64}: a counter that only goes up; here in nanoseconds. */
    public static long clock() {
        return System.nanoTime();
    }

    /** {@code %globaltimer}: nanoseconds of wall-clock time, which never goes back. */
    public static long globalTimer() {
        return EPOCH + System.nanoTime();
    }
}
