package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code saxpy} computes, as a parallel stream. */
final class JavaSaxpy {
    private JavaSaxpy() {
    }

    static void add(int n, float a, float[] x, float[] y) {
        IntStream.range(0, n).parallel().forEach(i -> y[i] = Math.fma(a, x[i], y[i]));
    }
}
