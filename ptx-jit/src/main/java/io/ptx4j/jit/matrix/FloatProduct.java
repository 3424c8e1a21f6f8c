package io.ptx4j.jit.matrix;

import io.ptx4j.engine.MatrixSums;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpWords;

/**
 * D = A B + C for floating-point elements of up to 32 bits: a chain of single precision multiply-adds in the order of k for each
 * element of D (docs/matrix.md, "Arithmetic"). Operands are A, B, C, then metadata of a sparse A, then scale factors.
 *
 * @param products how many, of {@code m} by {@code n} with {@code k}
 * @param sparse null for a dense A
 * @param scale null where there is none
 * @param hopper how an H100 adds up; null for what it does not have
 * @param tiles how vectors do it; null where they do not
 */
record FloatProduct(
        int m, int n, int k, int products, Elements a, Fragments inA, int slotB, Elements b, Fragments inB, int slotC, Elements c,
        Fragments inC, Elements d, Fragments inD, int slotMetadata, SparseColumns sparse, ScaleFactors scale, HopperSums hopper, TileProduct tiles, boolean finite, int operands)
        implements WarpAction {
    /** Columns of D that are summed at once. */
    private static final int AT_ONCE = 8;

    @Override
    public int results() {
        return inD.registers();
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        boolean asOnHopper = hopper != null && worker.grid.matrixSums() == MatrixSums.HOPPER;
        if (tiles != null && words.vectors && !asOnHopper) {
            tiles.execute(a, b, slotB, slotC, c, d, words);
            return;
        }
        int stored = sparse == null ? k : k / 2;
        float[] as = new float[products * m * stored];
        float[] bs = new float[products * k * n];
        float[] sums = new float[products * m * n];
        a.gather(inA, words, 0, as);
        b.gather(inB, words, slotB, bs);
        c.gather(inC, words, slotC, sums);
        int[] columns = sparse == null ? null : sparse.columns(words, slotMetadata);
        if (asOnHopper) {
            asOnHopper(as, bs, sums, columns, stored);
        } else if (scale != null) {
            scaled(as, bs, sums, columns, stored, scale.ofA(point, frame, low, words), scale.ofB(point, frame, low, words));
        } else if (columns != null) {
            sparse(as, bs, sums, columns, stored);
        } else {
            dense(as, bs, sums);
        }
        d.scatter(inD, sums, words, finite);
    }

    private void dense(float[] as, float[] bs, float[] sums) {
        for (int row = 0; row < products * m; row++) {
            int product = row / m;
            for (int j = 0; j < n; j += AT_ONCE) {
                dense(as, row * k, bs, product * k * n + j, sums, row * n + j);
            }
        }
    }

    private void dense(float[] as, int fromA, float[] bs, int fromB, float[] sums, int to) {
        float s0 = sums[to];
        float s1 = sums[to + 1];
        float s2 = sums[to + 2];
        float s3 = sums[to + 3];
        float s4 = sums[to + 4];
        float s5 = sums[to + 5];
        float s6 = sums[to + 6];
        float s7 = sums[to + 7];
        int at = fromB;
        for (int p = fromA; p < fromA + k; p++) {
            float x = as[p];
            s0 = Math.fma(x, bs[at], s0);
            s1 = Math.fma(x, bs[at + 1], s1);
            s2 = Math.fma(x, bs[at + 2], s2);
            s3 = Math.fma(x, bs[at + 3], s3);
            s4 = Math.fma(x, bs[at + 4], s4);
            s5 = Math.fma(x, bs[at + 5], s5);
            s6 = Math.fma(x, bs[at + 6], s6);
            s7 = Math.fma(x, bs[at + 7], s7);
            at += n;
        }
        sums[to] = s0;
        sums[to + 1] = s1;
        sums[to + 2] = s2;
        sums[to + 3] = s3;
        sums[to + 4] = s4;
        sums[to + 5] = s5;
        sums[to + 6] = s6;
        sums[to + 7] = s7;
    }

    private void asOnHopper(float[] as, float[] bs, float[] sums, int[] columns, int stored) {
        float[] byColumn = new float[bs.length];
        for (int i = 0; i < bs.length; i++) {
            byColumn[i / (k * n) * k * n + i % n * k + i / n % k] = bs[i];
        }
        int[] exponentsA = hopper.ofA(as);
        int[] exponentsB = hopper.ofB(byColumn);
        double[] terms = new double[stored];
        int[] exponents = new int[stored];
        for (int row = 0; row < products * m; row++) {
            for (int j = 0; j < n; j++) {
                int fromA = row * stored;
                int fromB = (row / m * n + j) * k;
                for (int p = 0; p < stored; p++) {
                    int atB = fromB + (columns == null ? p : columns[fromA + p]);
                    terms[p] = (double) as[fromA + p] * byColumn[atB];
                    exponents[p] = exponentsA[fromA + p] + exponentsB[atB];
                }
                sums[row * n + j] = hopper.sum(terms, exponents, sums[row * n + j]);
            }
        }
    }

    private void sparse(float[] as, float[] bs, float[] sums, int[] columns, int stored) {
        for (int row = 0; row < m; row++) {
            for (int p = row * stored; p < (row + 1) * stored; p++) {
                float x = as[p];
                int from = columns[p] * n;
                for (int j = 0; j < n; j++) {
                    sums[row * n + j] = Math.fma(x, bs[from + j], sums[row * n + j]);
                }
            }
        }
    }

    /** The scaled elements and their products are exact in double precision; each is added with one rounding to single. */
    private void scaled(float[] as, float[] bs, float[] sums, int[] columns, int stored, double[] ofA, double[] ofB) {
        int parts = scale.parts();
        for (int row = 0; row < m; row++) {
            for (int p = 0; p < stored; p++) {
                int column = columns == null ? p : columns[row * stored + p];
                int part = column * parts / k;
                double x = as[row * stored + p] * ofA[row * parts + part];
                for (int j = 0; j < n; j++) {
                    double product = x * (bs[column * n + j] * ofB[j * parts + part]);
                    sums[row * n + j] = FloatOps.roundedSum(product, sums[row * n + j]);
                }
            }
        }
    }
}
