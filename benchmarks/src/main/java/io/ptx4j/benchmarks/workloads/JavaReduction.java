package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernels {@code sum_partial_f32}, where the order of additions does not show, and {@code block_sums} compute, as parallel streams of blocks. */
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

    /** sums[block] is the sum of the block's run of elements, one for each of its threads. */
    static void runs(int threads, int[] in, int[] sums) {
        IntStream.range(0, sums.length).parallel().forEach(block -> {
            int sum = 0;
            for (int i = block * threads; i < (block + 1) * threads; i++) {
                sum += in[i];
            }
            sums[block] = sum;
        });
    }
}
