package io.ptx4j.jit.support;

/** Time as kernels see it. */
public final class Clocks {
    private Clocks() {
    }

    /** {@code %clock64}: a counter that only goes up; here in nanoseconds. */
    public static long clock() {
        return System.nanoTime();
    }

    /** {@code %globaltimer}: nanoseconds of wall-clock time. */
    public static long globalTimer() {
        return System.currentTimeMillis() * 1_000_000L + Math.floorMod(System.nanoTime(), 1_000_000L);
    }
}
