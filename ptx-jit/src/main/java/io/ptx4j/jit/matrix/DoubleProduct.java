package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Worker;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.RoundingF64;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpWords;

/**
 * D = A B + C in double precision: a chain of {@code fma.f64} in the order of k. An element takes two {@code int}s of the frame, the
 * low one first.
 *
 * @param rounding null for to nearest
 */
record DoubleProduct(int m, int n, int k, Fragments inA, Fragments inB, Fragments inC, Modifier rounding) implements WarpAction {
    @Override
    public int operands() {
        return 2 * (inA.registers() + inB.registers() + inC.registers());
    }

    @Override
    public int results() {
        return 2 * inC.registers();
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        double[] as = new double[m * k];
        double[] bs = new double[k * n];
        double[] sums = new double[m * n];
        gather(inA, words, 0, as);
        gather(inB, words, 2 * inA.registers(), bs);
        gather(inC, words, 2 * (inA.registers() + inB.registers()), sums);
        for (int i = 0; i < m; i++) {
            for (int p = 0; p < k; p++) {
                double x = as[i * k + p];
                for (int j = 0; j < n; j++) {
                    sums[i * n + j] = step(x, bs[p * n + j], sums[i * n + j]);
                }
            }
        }
        for (int r = 0; r < inC.registers(); r++) {
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                long bits = Double.doubleToRawLongBits(sums[inC.place(r, lane, 0)]);
                words.results[words.resultAt(2 * r) + lane] = (int) bits;
                words.results[words.resultAt(2 * r + 1) + lane] = (int) (bits >>> 32);
            }
        }
    }

    private static void gather(Fragments fragments, WarpWords words, int slot, double[] matrix) {
        for (int r = 0; r < fragments.registers(); r++) {
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                matrix[fragments.place(r, lane, 0)] = Double.longBitsToDouble(words.wide(slot + 2 * r, lane));
            }
        }
    }

    private double step(double x, double y, double sum) {
        double next = rounding == null ? Math.fma(x, y, sum) : switch (rounding) {
            case RZ -> RoundingF64.fmaRzF64(x, y, sum);
            case RM -> RoundingF64.fmaRmF64(x, y, sum);
            case RP -> RoundingF64.fmaRpF64(x, y, sum);
            default -> Math.fma(x, y, sum);
        };
        return next == next ? next : Canonical.canonical(next, x, y, sum);
    }
}
