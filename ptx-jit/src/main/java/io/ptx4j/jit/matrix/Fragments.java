package io.ptx4j.jit.matrix;

import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;

import java.util.stream.IntStream;

/**
 * Where the elements of a matrix lie in the registers of a warp, as a table (manual: "Matrix Fragments for mma"; docs/matrix.md,
 * "Fragments").
 *
 * @param places for element {@code e} of register {@code r} of a lane, at {@code (r * 32 + lane) * each + e}: the element's index in the
 *     matrix, by rows; of several matrices, one behind the other
 * @param each elements of a register
 * @param registers of a lane that hold elements not held before
 */
record Fragments(int[] places, int each, int registers) {
    static final int LANES = 32;

    int place(int register, int lane, int element) {
        return places[(register * LANES + lane) * each + element];
    }

    /** Rows that a tile has in each half: a tile of sixteen rows has its ninth behind its first. */
    private static final int HALF = 8;

    /** Columns of {@code m8n32k16}, which is {@code m32n8k16} of transposed matrices. */
    private static final int WIDE = 32;

    /** Those of a matrix of {@code rows} and {@code columns} where these are of its transpose. */
    private Fragments transposed(int rows, int columns) {
        return new Fragments(IntStream.of(places).map(place -> place % rows * columns + place / rows).toArray(), each, registers);
    }

    private static int halves(int m) {
        return m == 8 ? 1 : 2;
    }

    /** A, of {@code columns} columns of which a register holds {@code each}. */
    static Fragments a(int m, int columns, int each) {
        int pieces = columns / (4 * each);
        int halves = halves(m);
        int registers = m / HALF * pieces;
        int[] places = new int[registers * LANES * each];
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < columns; column++) {
                int register = (row / HALF / halves * pieces + column / (4 * each)) * halves + row / HALF % halves;
                int lane = row % HALF * 4 + column / each % 4;
                places[(register * LANES + lane) * each + column % each] = row * columns + column;
            }
        }
        return new Fragments(places, each, registers);
    }

    /** B, of {@code k} rows of which a register holds {@code each}. */
    static Fragments b(int k, int n, int each) {
        if (n == WIDE) {
            return a(n, k, each).transposed(k, n);
        }
        int pieces = k / (4 * each);
        int registers = n / HALF * pieces;
        int[] places = new int[registers * LANES * each];
        for (int row = 0; row < k; row++) {
            for (int column = 0; column < n; column++) {
                int register = column / HALF * pieces + row / (4 * each);
                int lane = column % HALF * 4 + row / each % 4;
                places[(register * LANES + lane) * each + row % each] = row * n + column;
            }
        }
        return new Fragments(places, each, registers);
    }

    /** C or D; two neighbours of a row share a register where {@code each} is 2. */
    static Fragments c(int m, int n, int each) {
        if (n == WIDE && m == HALF) {
            return c(n, m, each).transposed(m, n);
        }
        int halves = halves(m);
        int[] places = new int[m * n];
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                int pair = (row / HALF / halves * (n / HALF) + column / HALF) * halves + row / HALF % halves;
                int element = 2 * pair + column % 2;
                int lane = row % HALF * 4 + column % HALF / 2;
                places[(element / each * LANES + lane) * each + element % each] = row * n + column;
            }
        }
        return new Fragments(places, each, m * n / LANES / each);
    }

    /** The four products of m8n8k4 with f16: lanes 4q to 4q+3 hold the upper halves of product q, lanes 16 higher the lower halves. */
    static final class Quads {
        private static final int A = 8 * 4;
        private static final int C = 8 * 8;

        private Quads() {
        }

        private static int lane(int product, int line) {
            return line / 4 * 16 + product * 4 + line % 4;
        }

        static Fragments a(MatrixShape shape) {
            boolean byRow = shape.layouts().getFirst() == Modifier.ROW;
            int[] places = new int[4 * A];
            for (int p = 0; p < places.length; p++) {
                int row = p % A / 4;
                int column = p % 4;
                set(places, byRow ? lane(p / A, row) : lane(p / A, row / 4 * 4 + column), byRow ? column : row % 4, p);
            }
            return new Fragments(places, 2, 2);
        }

        static Fragments b(MatrixShape shape) {
            boolean byRow = shape.layouts().getLast() == Modifier.ROW;
            int[] places = new int[4 * A];
            for (int p = 0; p < places.length; p++) {
                int row = p % A / 8;
                int column = p % 8;
                set(places, byRow ? lane(p / A, column / 4 * 4 + row) : lane(p / A, column), byRow ? column % 4 : row, p);
            }
            return new Fragments(places, 2, 2);
        }

        /** Element {@code i} of the lane, two in a register. */
        private static void set(int[] places, int lane, int i, int place) {
            places[(i / 2 * LANES + lane) * 2 + i % 2] = place;
        }

        static Fragments c(int each) {
            int[] places = new int[4 * C];
            for (int p = 0; p < places.length; p++) {
                int row = p % C / 8;
                int column = p % 8;
                if (each == 2) {
                    set(places, lane(p / C, row), column, p);
                } else {
                    int lane = lane(p / C, row / 4 * 4 + (row & 1) + (column & 2));
                    int i = column & 5 | row & 2;
                    places[i * LANES + lane] = p;
                }
            }
            return new Fragments(places, each, 8 / each);
        }
    }
}
