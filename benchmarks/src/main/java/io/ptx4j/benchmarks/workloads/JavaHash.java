package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code hash} computes, as a parallel stream. */
final class JavaHash {
    private JavaHash() {
    }

    static void hash(int n, int[] out) {
        IntStream.range(0, n).parallel().forEach(i -> {
            int h = i;
            for (int round = 0; round < 64; round++) {
                h *= 0x9e3779b1;
                h = (Integer.rotateLeft(h, 13) ^ round) + i;
            }
            out[i] = h;
        });
    }
}
