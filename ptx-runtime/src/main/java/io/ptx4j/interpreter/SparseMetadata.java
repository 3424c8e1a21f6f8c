package io.ptx4j.interpreter;

import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.ScalarType;

/**
 * Where the stored elements of a sparse matrix A belong (manual: "Sparse matrix storage"). Each chunk of a row has four bits of metadata:
 * two indices of two bits. A chunk has four elements; where elements take four bits and go in pairs, eight; with {@code .tf32}, of which an
 * index names half an element, two.
 *
 * @param selector which threads of each group of four hold the metadata
 */
record SparseMetadata(MatrixShape shape, MatrixElement element, int selector) {
    /** Elements stored of a row of A. */
    int stored() {
        return shape.k() / 2;
    }

    private int chunk() {
        return element.stride() == 4 ? 8 : element.type() == ScalarType.TF32 ? 2 : 4;
    }

    /** Column of the element stored at {@code place} of {@code row}; {@code words} is the metadata by lane. */
    int column(long[] words, int row, int place) {
        int chunk = place / (chunk() / 2);
        int inChunk = place % (chunk() / 2);
        int indices = indices(words, row, chunk);
        int first = indices & 3;
        int second = indices >> 2;
        return chunk * chunk() + switch (chunk()) {
            case 2 -> first / 2;
            case 4 -> inChunk == 0 ? first : second;
            default -> 2 * (inChunk < 2 ? first : second) + inChunk % 2;
        };
    }

    /** Where two rows share a word, the upper one has its upper half; else they stand in two neighbouring threads. */
    private int indices(long[] words, int row, int chunk) {
        boolean shared = element.stride() >= 16;
        int upper = row / 8;
        int pieces = shape.k() / chunk() / (shared ? 4 : 8);
        int threads = shared ? pieces : 2 * pieces;
        int thread = selector * threads + (shared ? chunk / 4 : 2 * (chunk / 8) + upper);
        int from = shared ? 16 * upper + 4 * (chunk % 4) : 4 * (chunk % 8);
        return (int) Bits.field(words[row % 8 * 4 + thread], from, 4);
    }
}
