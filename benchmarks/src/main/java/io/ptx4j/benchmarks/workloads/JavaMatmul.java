package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code matmul} computes, in plain Java loops over a parallel stream of rows. */
final class JavaMatmul {
    private JavaMatmul() {
    }

    /** The same of matrices of f16, two elements to a word. */
    static void multiplyHalves(int n, int[] a, int[] b, float[] c) {
        multiply(n, numbers(a), numbers(b), c);
    }

    private static float[] numbers(int[] halves) {
        float[] numbers = new float[2 * halves.length];
        IntStream.range(0, halves.length).parallel().forEach(i -> {
            numbers[2 * i] = Float.float16ToFloat((short) halves[i]);
            numbers[2 * i + 1] = Float.float16ToFloat((short) (halves[i] >> 16));
        });
        return numbers;
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
