package io.ptx4j.jit.matrix;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.support.WarpWords;

/**
 * Reads the metadata of {@code mma.sp}: to which column each stored element of A belongs (manual: "Sparse matrix storage").
 *
 * @param a the elements of A
 * @param selector which threads of each four give the metadata
 */
record SparseColumns(Elements a, int k, int selector) {
    /** By row and stored element. */
    int[] columns(WarpWords words, int slot) {
        int stored = k / 2;
        int[] columns = new int[16 * stored];
        boolean packed = a.width() < 16;
        // Nibbles of a row: two rows share the words of 16- and 32-bit elements.
        int nibbles = a.width() == 4 ? k / 8 : a.type() == ScalarType.TF32 ? k / 2 : k / 4;
        int inWord = packed ? 8 : 4;
        int step = packed ? 2 : 1;
        int base = words.at(slot) + selector * step * (nibbles / inWord);
        for (int row = 0; row < 16; row++) {
            int quad = base + (row & 7) * 4 + (packed ? row >> 3 : 0);
            for (int n = 0; n < nibbles; n++) {
                int word = words.operands[quad + n / inWord * step];
                int nibble = word >>> (n % inWord * 4 + (packed ? 0 : (row >> 3) * 16)) & 15;
                place(columns, row * stored, n, nibble);
            }
        }
        return columns;
    }

    private void place(int[] columns, int from, int n, int nibble) {
        int low = nibble & 3;
        int high = nibble >>> 2;
        if (a.type() == ScalarType.TF32) {
            columns[from + n] = 2 * n + (low >> 1);
        } else if (a.width() == 4) {
            int at = from + 4 * n;
            columns[at] = 8 * n + 2 * low;
            columns[at + 1] = columns[at] + 1;
            columns[at + 2] = 8 * n + 2 * high;
            columns[at + 3] = columns[at + 2] + 1;
        } else {
            columns[from + 2 * n] = 4 * n + low;
            columns[from + 2 * n + 1] = 4 * n + high;
        }
    }
}
