package io.ptx4j.benchmarks.workloads;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What the kernels of {@code scan} and {@code bitonic_blocks} compute, by the JDK's own methods. */
final class JavaSorting {
    private JavaSorting() {
    }

    static void prefixSums(int[] in, int[] out) {
        System.arraycopy(in, 0, out, 0, in.length);
        Arrays.parallelPrefix(out, Integer::sum);
    }

    /** Sorts each run of {@code length} unsigned keys. */
    static void sortRuns(int length, int[] in, int[] out) {
        IntStream.range(0, in.length / length).parallel().forEach(run -> {
            int from = run * length;
            for (int i = from; i < from + length; i++) {
                out[i] = in[i] ^ Integer.MIN_VALUE;
            }
            Arrays.sort(out, from, from + length);
            for (int i = from; i < from + length; i++) {
                out[i] ^= Integer.MIN_VALUE;
            }
        });
    }
}
