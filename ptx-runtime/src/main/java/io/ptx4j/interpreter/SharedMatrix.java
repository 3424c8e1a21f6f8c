package io.ptx4j.interpreter;

/**
 * A matrix that a descriptor finds in shared memory (manual: "Shared Memory Matrix Layout", "Matrix-descriptor" of wgmma). Pieces of 16 bytes lie in groups of eight rows; two strides
 * say how far it is from one to the next.
 *
 * @param elementBits from one element to the next
 * @param k elements along K
 * @param turned whether the other dimension is the one whose elements lie side by side: 16-bit elements only
 */
record SharedMatrix(Source descriptor, int elementBits, int k, boolean turned, String text) {
    /** Elements along K, by row of A from {@code first} on. */
    long[][] rows(Warp warp, int first, int count) {
        ThreadState thread = warp.threads.getFirst();
        SharedLayout layout = SharedLayout.of(descriptor.bits(thread));
        long[][] rows = new long[count][k];
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < k; i++) {
                rows[row][i] = element(thread, layout, first + row, i);
            }
        }
        return rows;
    }

    /** Elements by row and column of B. */
    long[][] columns(Warp warp, int count) {
        ThreadState thread = warp.threads.getFirst();
        SharedLayout layout = SharedLayout.of(descriptor.bits(thread));
        long[][] rows = new long[k][count];
        for (int i = 0; i < k; i++) {
            for (int column = 0; column < count; column++) {
                rows[i][column] = element(thread, layout, column, i);
            }
        }
        return rows;
    }

    /** Element {@code i} along K of row or column {@code other}. */
    private long element(ThreadState thread, SharedLayout layout, int other, int i) {
        long bit = turned ? 0 : (long) i * elementBits;
        long value = layout.read(thread, turned ? layout.ofTurned(2L * other, i) : layout.ofPlain(other, bit / 8), Math.max(1, elementBits / 8), text);
        return elementBits < 8 ? Bits.field(value, (int) (bit % 8), elementBits) : value;
    }
}
