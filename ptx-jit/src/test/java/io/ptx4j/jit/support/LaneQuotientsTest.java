package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

/** {@link LaneQuotients} gives what {@link IntegerOps} gives, for all pairs of edge values and for random ones of any length, some of them next to multiples. */
final class LaneQuotientsTest {
    private static final int LANES = 64;
    private static final int ROUNDS = Boolean.getBoolean("ptx4j.long") ? 20_000_000 : 40_000;

    private interface Binary {
        long apply(long a, long b);
    }

    private static void same(long[] dividends, long[] divisors, boolean signed, boolean remainder, Binary one) {
        long[] values = new long[3 * LANES];
        System.arraycopy(dividends, 0, values, 0, LANES);
        System.arraycopy(divisors, 0, values, LANES, LANES);
        LaneQuotients.divide(values, LANES, signed, remainder);
        for (int lane = 0; lane < LANES; lane++) {
            long expected = one.apply(dividends[lane], divisors[lane]);
            if (values[lane] != expected) {
                assertEquals(Long.toHexString(expected), Long.toHexString(values[lane]),
                        Long.toHexString(dividends[lane]) + (remainder ? " rem " : " div ") + Long.toHexString(divisors[lane]) + (signed ? " signed" : ""));
            }
        }
    }

    private static void same(long[] dividends, long[] divisors) {
        same(dividends, divisors, false, false, IntegerOps::divU64);
        same(dividends, divisors, false, true, IntegerOps::remU64);
        same(dividends, divisors, true, false, IntegerOps::divS64);
        same(dividends, divisors, true, true, IntegerOps::remS64);
    }

    @Test
    void pairsOfEdges() {
        List<Long> edges = new ArrayList<>(List.of(0L, 3L, 5L, 7L, 10L, 1_000_000_007L, 0x5555_5555_5555_5555L, 0xAAAA_AAAA_AAAA_AAABL));
        for (int bit = 0; bit < 64; bit++) {
            for (int more = -1; more <= 1; more++) {
                edges.add((1L << bit) + more);
                edges.add(-(1L << bit) + more);
            }
        }
        long[] dividends = new long[LANES];
        long[] divisors = new long[LANES];
        int lane = 0;
        for (long a : edges) {
            for (long b : edges) {
                dividends[lane] = a;
                divisors[lane] = b;
                lane = (lane + 1) % LANES;
                if (lane == 0) {
                    same(dividends, divisors);
                }
            }
        }
        same(dividends, divisors);
    }

    @Test
    void randomNumbers() {
        SplittableRandom random = new SplittableRandom(64);
        long[] dividends = new long[LANES];
        long[] divisors = new long[LANES];
        for (int round = 0; round < ROUNDS; round++) {
            for (int lane = 0; lane < LANES; lane++) {
                divisors[lane] = random.nextLong() >>> random.nextInt(64);
                long near = divisors[lane] * (random.nextLong() >>> random.nextInt(64)) + random.nextInt(-1, 2);
                dividends[lane] = random.nextInt(3) == 0 ? near : random.nextLong() >>> random.nextInt(64);
            }
            same(dividends, divisors);
        }
    }
}
