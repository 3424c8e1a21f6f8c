package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code matmul} computes, in plain Java loops over a parallel stream of rows. */
final class JavaMatmul {
    private JavaMatmul() {
    }

    /** The inner loop runs along rows of b and c, so that HotSpot vectorises it; each sum is still formed in ascending order. */
    static void multiply(int n, float[] a, float[] b, float[] c) {
        IntStream.range(0, n).parallel().forEach(row -> {
            float[] sums = new float[n];
            for (int k = 0; k < n; k++) {
                float factor = a[row * n + k];
                for (int col = 0; col < n; col++) {
                    sums[col] = Math.fma(factor, b[k * n + col], sums[col]);
                }
            }
            System.arraycopy(sums, 0, c, row * n, n);
        });
    }
}
