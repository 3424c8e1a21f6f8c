package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code sum_partial_f32} computes where the order of additions does not show, as a parallel stream of blocks. */
final class JavaReduction {
    private JavaReduction() {
    }

    /** partial[block] is the sum of the elements that the block's threads would take. */
    static void sums(int n, int blocks, int threads, float[] x, float[] partial) {
        IntStream.range(0, blocks).parallel().forEach(block -> {
            float sum = 0;
            for (int start = block * threads; start < n; start += blocks * threads) {
                for (int i = start; i < Math.min(n, start + threads); i++) {
                    sum += x[i];
                }
            }
            partial[block] = sum;
        });
    }
}
