package io.ptx4j.jit.support;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Sources for the checks of this package: every edge value, then random ones, the same in each run. */
final class Samples {
    private Samples() {}

    /** Values at which 32-bit integer operations change their ways. */
    static int[] ints() {
        IntStream small = IntStream.rangeClosed(-3, 3);
        IntStream powers = IntStream.range(0, 32).flatMap(i -> IntStream.of((1 << i) - 1, 1 << i, (1 << i) + 1, -1 << i));
        IntStream patterns = IntStream.of(0x55555555, 0xaaaaaaaa, 0x00ff00ff, 0x12345678, 0xfedcba98, 0x80008000, 0x7fff7fff, 0x80ff7f01);
        return IntStream.concat(IntStream.concat(small, powers), patterns).distinct().toArray();
    }

    /** Values at which 64-bit integer operations change their ways. */
    static long[] longs() {
        LongStream small = LongStream.rangeClosed(-3, 3);
        LongStream powers = IntStream.range(0, 64).boxed().flatMapToLong(i -> LongStream.of((1L << i) - 1, 1L << i, (1L << i) + 1, -1L << i));
        LongStream patterns = LongStream.of(0x5555555555555555L, 0x123456789abcdef0L, 0xfedcba9876543210L, 0x7fffffff80000000L);
        return LongStream.concat(LongStream.concat(small, powers), patterns).distinct().toArray();
    }

    static SplittableRandom random() {
        return new SplittableRandom(20250521);
    }
}
