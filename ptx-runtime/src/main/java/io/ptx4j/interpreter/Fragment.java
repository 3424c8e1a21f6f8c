package io.ptx4j.interpreter;

import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;

/**
 * Which element of a matrix each element of a lane's registers is (manual: "Matrix Fragments for mma", "Matrix Fragments for WMMA").
 *
 * <p>All shapes but two follow one rule, written here with the manual's names: {@code groupID} is {@code %laneid >> 2},
 * {@code threadID_in_group} is {@code %laneid % 4}. The manual leaves the fragments of wmma open: here they are those of mma for the
 * same types, tile by tile, but of {@code m8n32k16}, as an H100 has them (docs/matrix.md, "Fragments").
 *
 * @param elements of one lane
 */
record Fragment(int elements, Formula formula) {
    /** @param matrix which of the four products of {@code m8n8k4} on {@code .f16}; 0 for all others */
    record Cell(int matrix, int row, int column) {
    }

    /** The place of element {@code i} of the lane. */
    @FunctionalInterface
    interface Formula {
        Cell cell(int lane, int i);
    }

    Cell cell(int lane, int i) {
        return formula.cell(lane, i);
    }

    private static int groupId(int lane) {
        return lane >> 2;
    }

    private static int threadInGroup(int lane) {
        return lane % 4;
    }

    /** Tiles have sixteen rows, in shapes of eight rows eight. */
    private static int halves(MatrixShape shape) {
        return Math.min(shape.m(), 16) / 8;
    }

    /**
     * Matrix A; of a sparse one the elements stored.
     *
     * @param columns of A, or elements stored in a row
     * @param each elements in one register
     */
    static Fragment a(MatrixShape shape, int columns, int registers, int each) {
        int halves = halves(shape);
        int piece = 4 * each;
        int distinct = shape.m() / 8 * (columns / piece);
        return new Fragment(registers * each, (lane, i) -> {
            int register = i / each % distinct;
            int tile = register / (halves * (columns / piece));
            int inTile = register % (halves * (columns / piece));
            int row = tile * 16 + groupId(lane) + 8 * (inTile % halves);
            return new Cell(0, row, inTile / halves * piece + threadInGroup(lane) * each + i % each);
        });
    }

    /** Whether it is {@code m8n32k16}, whose matrices lie as those of {@code m32n8k16} that are its own transposed. */
    private static boolean isWide(MatrixShape shape) {
        return shape.m() == 8 && shape.n() == 32;
    }

    private static MatrixShape turned(MatrixShape shape) {
        return new MatrixShape(shape.n(), shape.m(), shape.k(), shape.layouts());
    }

    private Fragment transposed() {
        return new Fragment(elements, (lane, i) -> {
            Cell cell = cell(lane, i);
            return new Cell(cell.matrix, cell.column, cell.row);
        });
    }

    /** Matrix B. */
    static Fragment b(MatrixShape shape, int registers, int each) {
        if (isWide(shape)) {
            return a(turned(shape), shape.k(), registers, each).transposed();
        }
        int piece = 4 * each;
        int pieces = shape.k() / piece;
        int distinct = shape.n() / 8 * pieces;
        return new Fragment(registers * each, (lane, i) -> {
            int register = i / each % distinct;
            return new Cell(0, register % pieces * piece + threadInGroup(lane) * each + i % each, register / pieces * 8 + groupId(lane));
        });
    }

    /** Matrices C and D. */
    static Fragment c(MatrixShape shape) {
        if (isWide(shape)) {
            return c(turned(shape)).transposed();
        }
        int halves = halves(shape);
        int tiles = shape.n() / 8;
        return new Fragment(shape.m() * shape.n() / 32, (lane, i) -> {
            int half = i / 2 % halves;
            int tile = i / (2 * halves) % tiles;
            int below = i / (2 * halves) / tiles;
            return new Cell(0, below * 16 + half * 8 + groupId(lane), tile * 8 + threadInGroup(lane) * 2 + i % 2);
        });
    }

    /** Manual: "Matrix Fragments for mma.m8n8k4 with .f16 floating point type". */
    static final class Quads {
        private Quads() {
        }

        private static int matrix(int lane) {
            return lane % 16 / 4;
        }

        private static int upper(int lane) {
            return lane < 16 ? 0 : 4;
        }

        static Fragment a(MatrixShape shape) {
            boolean byRow = shape.layouts().get(0) == Modifier.ROW;
            return new Fragment(4, (lane, i) -> byRow
                    ? new Cell(matrix(lane), lane % 4 + upper(lane), i)
                    : new Cell(matrix(lane), i + upper(lane), lane % 4));
        }

        static Fragment b(MatrixShape shape) {
            boolean byRow = shape.layouts().get(1) == Modifier.ROW;
            return new Fragment(4, (lane, i) -> byRow
                    ? new Cell(matrix(lane), lane % 4, i + upper(lane))
                    : new Cell(matrix(lane), i, lane % 4 + upper(lane)));
        }

        static Fragment halves() {
            return new Fragment(8, (lane, i) -> new Cell(matrix(lane), lane % 4 + upper(lane), i));
        }

        static Fragment singles() {
            return new Fragment(8, (lane, i) ->
                    new Cell(matrix(lane), (lane & 1) + (i & 2) + upper(lane), (i & 4) + (lane & 2) + (i & 1)));
        }
    }
}
