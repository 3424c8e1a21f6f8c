package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code keccak} computes, as a parallel stream of states. */
final class JavaKeccak {
    private static final int[] OFFSET = {
        0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
    };
    private static final long[] ROUND = roundConstants();

    private JavaKeccak() {
    }

    static void permute(int n, int times, long[] states) {
        IntStream.range(0, n).parallel().forEach(i -> {
            long[] a = new long[25];
            long[] b = new long[25];
            for (int w = 0; w < 25; w++) {
                a[w] = states[w * n + i];
            }
            for (int time = 0; time < times; time++) {
                permute(a, b);
            }
            for (int w = 0; w < 25; w++) {
                states[w * n + i] = a[w];
            }
        });
    }

    /** Keccak-f[1600]; {@code b} is room for a state. */
    static void permute(long[] a, long[] b) {
        for (long constant : ROUND) {
            for (int x = 0; x < 5; x++) {
                long d = column(a, (x + 4) % 5) ^ Long.rotateLeft(column(a, (x + 1) % 5), 1);
                for (int y = 0; y < 5; y++) {
                    b[y + 5 * ((2 * x + 3 * y) % 5)] = Long.rotateLeft(a[x + 5 * y] ^ d, OFFSET[x + 5 * y]);
                }
            }
            for (int row = 0; row < 25; row += 5) {
                for (int x = 0; x < 5; x++) {
                    a[row + x] = b[row + x] ^ ~b[row + (x + 1) % 5] & b[row + (x + 2) % 5];
                }
            }
            a[0] ^= constant;
        }
    }

    private static long column(long[] a, int x) {
        return a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }

    /** The constants by their definition: bits of a shift register with feedback 0x71 at places 2^j − 1 (FIPS 202, section 3.2.5). */
    private static long[] roundConstants() {
        long[] constants = new long[24];
        int register = 1;
        for (int round = 0; round < 24; round++) {
            for (int j = 0; j < 7; j++) {
                if ((register & 1) != 0) {
                    constants[round] |= 1L << (1 << j) - 1;
                }
                register <<= 1;
                if ((register & 0x100) != 0) {
                    register ^= 0x171;
                }
            }
        }
        return constants;
    }
}
