package io.ptx4j.jit.support;

/** How many turns of a loop need no tests, since numbers that grow by the same amount each turn stay within their bounds. */
public final class TurnCount {
    private TurnCount() {
    }

    /** The turns, {@code most} at most, in which {@code first + turn * step} stays within {@code low} and {@code high}, counted from turn 0. */
    public static int within(int most, long first, long step, long low, long high) {
        if (most <= 0 || first < low || first > high) {
            return 0;
        }
        if (step == 0) {
            return most;
        }
        // No wider than 2^63, since both bounds and what lies between them are places in memory or numbers of 33 bits.
        long room = step > 0 ? (high - first) / step : step == Long.MIN_VALUE ? 0 : (first - low) / -step;
        return (int) Math.min(most, room + 1);
    }

    /** As many turns if an address and what is added to it are multiples of a power of two, else none. */
    public static int aligned(int most, long address, long step, int bytes) {
        return ((address | step) & bytes - 1) == 0 ? most : 0;
    }

    /** What is left of {@code fuel} when each of the turns has cost so much. */
    public static int spend(int fuel, int turns, int cost) {
        return (int) Math.max(Integer.MIN_VALUE / 2, fuel - (long) turns * cost);
    }
}
