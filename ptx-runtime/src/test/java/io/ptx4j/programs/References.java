package io.ptx4j.programs;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** What the programs of {@code resources/programs} must give, by other ways where there are any. */
final class References {
    private References() {
    }

    static int[] inclusiveScan(int[] values) {
        int[] sums = values.clone();
        Arrays.parallelPrefix(sums, Integer::sum);
        return sums;
    }

    static int[] exclusiveScan(int[] values) {
        int[] sums = new int[values.length];
        for (int i = 1; i < sums.length; i++) {
            sums[i] = sums[i - 1] + values[i - 1];
        }
        return sums;
    }

    static int[] depths(int[] rows, int[] columns, int root) {
        int[] depth = new int[rows.length - 1];
        Arrays.fill(depth, -1);
        depth[root] = 0;
        Deque<Integer> queue = new ArrayDeque<>();
        queue.add(root);
        while (!queue.isEmpty()) {
            int node = queue.remove();
            for (int e = rows[node]; e < rows[node + 1]; e++) {
                if (depth[columns[e]] < 0) {
                    depth[columns[e]] = depth[node] + 1;
                    queue.add(columns[e]);
                }
            }
        }
        return depth;
    }

    /** Distances from node 0; {@link Integer#MAX_VALUE} where there is no way. */
    static int[] distances(int[] from, int[] to, int[] weight, int nodes) {
        int[] distance = new int[nodes];
        Arrays.fill(distance, Integer.MAX_VALUE);
        distance[0] = 0;
        for (int round = 0; round < nodes; round++) {
            for (int e = 0; e < from.length; e++) {
                if (distance[from[e]] != Integer.MAX_VALUE) {
                    distance[to[e]] = Math.min(distance[to[e]], distance[from[e]] + weight[e]);
                }
            }
        }
        return distance;
    }

    static int commonSubsequence(byte[] a, byte[] b) {
        int[][] length = new int[a.length + 1][b.length + 1];
        for (int i = 1; i <= a.length; i++) {
            for (int j = 1; j <= b.length; j++) {
                length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : Math.max(length[i - 1][j], length[i][j - 1]);
            }
        }
        return length[a.length][b.length];
    }

    /** In place, with the same roundings as the kernel: each element is changed in the order of the pivots. */
    static int[] decompose(double[] a, int n) {
        int[] pivots = new int[n];
        for (int k = 0; k < n; k++) {
            int best = k;
            for (int i = k + 1; i < n; i++) {
                best = Math.abs(a[i * n + k]) > Math.abs(a[best * n + k]) ? i : best;
            }
            pivots[k] = best;
            for (int j = 0; j < n; j++) {
                double t = a[k * n + j];
                a[k * n + j] = a[best * n + j];
                a[best * n + j] = t;
            }
            for (int i = k + 1; i < n; i++) {
                a[i * n + k] /= a[k * n + k];
                for (int j = k + 1; j < n; j++) {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
        return pivots;
    }

    /** Forces on bodies of four floats each: place and mass. */
    static float[] forces(float[] bodies) {
        float[] forces = new float[bodies.length];
        for (int i = 0; i < bodies.length; i += 4) {
            for (int k = 0; k < bodies.length; k += 4) {
                float x = bodies[k] - bodies[i];
                float y = bodies[k + 1] - bodies[i + 1];
                float z = bodies[k + 2] - bodies[i + 2];
                float r = x * x + y * y + z * z + 0.01f;
                float w = bodies[k + 3] / (r * (float) Math.sqrt(r));
                forces[i] = Math.fma(x, w, forces[i]);
                forces[i + 1] = Math.fma(y, w, forces[i + 1]);
                forces[i + 2] = Math.fma(z, w, forces[i + 2]);
            }
        }
        return forces;
    }

    static int[] histogram(byte[] values) {
        int[] bins = new int[256];
        for (byte value : values) {
            bins[value & 0xFF]++;
        }
        return bins;
    }

    static int[] heat(int[] bar, int steps) {
        int[] from = bar.clone();
        for (int step = 0; step < steps; step++) {
            int[] to = new int[from.length];
            for (int i = 0; i < from.length; i++) {
                to[i] = ((i > 0 ? from[i - 1] : 0) + 2 * from[i] + (i < from.length - 1 ? from[i + 1] : 0)) / 4;
            }
            from = to;
        }
        return from;
    }
}
