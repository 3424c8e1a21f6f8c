package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Worker;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpWords;

/**
 * D = A B + C for integers: the exact sum, wrapped or saturated once. Single bits come by the word; their product counts the bits of
 * an exclusive or, or an and.
 *
 * @param k columns of A in elements; in words for single bits
 * @param bits {@link Modifier#XOR} or {@link Modifier#AND} for single bits, else null
 * @param sparse null for a dense A
 * @param tiles how vectors do it; null where they do not
 */
record IntegerProduct(
        int m, int n, int k, Elements a, Fragments inA, int slotB, Elements b, Fragments inB, int slotC, Fragments inC,
        int slotMetadata, SparseColumns sparse, Modifier bits, TileProduct tiles, boolean finite, int operands) implements WarpAction {
    @Override
    public int results() {
        return inC.registers();
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        if (tiles != null && words.vectors) {
            tiles.executeIntegers(a, b, slotB, slotC, words, finite);
            return;
        }
        int stored = sparse == null ? k : k / 2;
        int[] as = new int[m * stored];
        int[] bs = new int[k * n];
        int[] sums = new int[m * n];
        a.gather(inA, words, 0, as);
        b.gather(inB, words, slotB, bs);
        int[] columns = sparse == null ? null : sparse.columns(words, slotMetadata);
        for (int row = 0; row < m; row++) {
            for (int p = 0; p < stored; p++) {
                int at = row * stored + p;
                multiply(as[at], bs, (columns == null ? p : columns[at]) * n, sums, row * n);
            }
        }
        int[] cs = new int[m * n];
        for (int r = 0; r < inC.registers(); r++) {
            System.arraycopy(words.operands, words.at(slotC + r), cs, r * Fragments.LANES, Fragments.LANES);
        }
        finish(words, cs, sums);
    }

    private void multiply(int x, int[] bs, int from, int[] sums, int to) {
        if (bits == null) {
            for (int j = 0; j < n; j++) {
                sums[to + j] += x * bs[from + j];
            }
        } else if (bits == Modifier.XOR) {
            for (int j = 0; j < n; j++) {
                sums[to + j] += Integer.bitCount(x ^ bs[from + j]);
            }
        } else {
            for (int j = 0; j < n; j++) {
                sums[to + j] += Integer.bitCount(x & bs[from + j]);
            }
        }
    }

    private void finish(WarpWords words, int[] cs, int[] sums) {
        for (int r = 0; r < inC.registers(); r++) {
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                int c = cs[r * Fragments.LANES + lane];
                int sum = sums[inC.place(r, lane, 0)];
                words.results[words.resultAt(r) + lane] =
                        finite ? Math.clamp((long) c + sum, Integer.MIN_VALUE, Integer.MAX_VALUE) : c + sum;
            }
        }
    }
}
