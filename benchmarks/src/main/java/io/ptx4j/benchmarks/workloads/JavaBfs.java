package io.ptx4j.benchmarks.workloads;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What the kernels of {@code bfs} compute, as a parallel stream of vertices for each level. */
final class JavaBfs {
    private JavaBfs() {
    }

    static void search(int n, int levels, int[] offsets, int[] edges, int[] depth) {
        Arrays.fill(depth, -1);
        depth[0] = 0;
        for (int level = 0; level < levels; level++) {
            int here = level;
            IntStream.range(0, n).parallel().filter(v -> depth[v] == here).forEach(v -> {
                for (int e = offsets[v]; e < offsets[v + 1]; e++) {
                    if (depth[edges[e]] < 0) {
                        depth[edges[e]] = here + 1;
                    }
                }
            });
        }
    }
}
