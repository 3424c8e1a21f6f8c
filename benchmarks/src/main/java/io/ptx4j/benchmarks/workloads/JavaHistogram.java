package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code histogram_shared} computes: a histogram for each part of the data, then their sum. */
final class JavaHistogram {
    private static final int PARTS = 64;

    private JavaHistogram() {
    }

    /** Adds to {@code bins} how often each byte value occurs in {@code data}. */
    static void count(byte[] data, int[] bins) {
        int length = (data.length + PARTS - 1) / PARTS;
        int[] sum = IntStream.range(0, PARTS).parallel().mapToObj(part -> {
            int[] counts = new int[256];
            for (int i = part * length; i < Math.min(data.length, (part + 1) * length); i++) {
                counts[data[i] & 0xff]++;
            }
            return counts;
        }).reduce(new int[256], JavaHistogram::plus);
        for (int bin = 0; bin < 256; bin++) {
            bins[bin] += sum[bin];
        }
    }

    private static int[] plus(int[] a, int[] b) {
        int[] sum = new int[a.length];
        for (int i = 0; i < a.length; i++) {
            sum[i] = a[i] + b[i];
        }
        return sum;
    }
}
