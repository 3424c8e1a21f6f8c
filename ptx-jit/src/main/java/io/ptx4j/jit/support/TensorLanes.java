package io.ptx4j.jit.support;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Products of {@link TensorCores} on vectors: those of four rows and two vectors of columns at a time, whose sums stay in registers. */
final class TensorLanes {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private TensorLanes() {
    }

    /** So many columns, and what is needed to fill vectors. */
    static int padded(int columns) {
        return (columns + 2 * LANES - 1) / (2 * LANES) * (2 * LANES);
    }

    /**
     * Adds the products in the order of k.
     *
     * @param as rows of {@code k} elements, the first of which is at {@code at}
     * @param bs columns side by side, {@code width} of them for each of the {@code k} rows
     * @param sums {@code width} elements for each of the rows
     */
    static void add(float[] as, int at, int k, float[] bs, int width, float[] sums) {
        for (int j = 0; j < width; j += 2 * LANES) {
            FloatVector s00 = FloatVector.fromArray(SPECIES, sums, j);
            FloatVector s01 = FloatVector.fromArray(SPECIES, sums, j + LANES);
            FloatVector s10 = FloatVector.fromArray(SPECIES, sums, width + j);
            FloatVector s11 = FloatVector.fromArray(SPECIES, sums, width + j + LANES);
            FloatVector s20 = FloatVector.fromArray(SPECIES, sums, 2 * width + j);
            FloatVector s21 = FloatVector.fromArray(SPECIES, sums, 2 * width + j + LANES);
            FloatVector s30 = FloatVector.fromArray(SPECIES, sums, 3 * width + j);
            FloatVector s31 = FloatVector.fromArray(SPECIES, sums, 3 * width + j + LANES);
            for (int p = 0; p < k; p++) {
                FloatVector y0 = FloatVector.fromArray(SPECIES, bs, p * width + j);
                FloatVector y1 = FloatVector.fromArray(SPECIES, bs, p * width + j + LANES);
                FloatVector x0 = FloatVector.broadcast(SPECIES, as[at + p]);
                FloatVector x1 = FloatVector.broadcast(SPECIES, as[at + k + p]);
                FloatVector x2 = FloatVector.broadcast(SPECIES, as[at + 2 * k + p]);
                FloatVector x3 = FloatVector.broadcast(SPECIES, as[at + 3 * k + p]);
                s00 = x0.fma(y0, s00);
                s01 = x0.fma(y1, s01);
                s10 = x1.fma(y0, s10);
                s11 = x1.fma(y1, s11);
                s20 = x2.fma(y0, s20);
                s21 = x2.fma(y1, s21);
                s30 = x3.fma(y0, s30);
                s31 = x3.fma(y1, s31);
            }
            s00.intoArray(sums, j);
            s01.intoArray(sums, j + LANES);
            s10.intoArray(sums, width + j);
            s11.intoArray(sums, width + j + LANES);
            s20.intoArray(sums, 2 * width + j);
            s21.intoArray(sums, 2 * width + j + LANES);
            s30.intoArray(sums, 3 * width + j);
            s31.intoArray(sums, 3 * width + j + LANES);
        }
    }
}
