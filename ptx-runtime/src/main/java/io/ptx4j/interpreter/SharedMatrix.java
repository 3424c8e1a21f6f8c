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
    private static final int PIECE = 16;

    /** Elements along K, by row of A from {@code first} on. */
    long[][] rows(Warp warp, int first, int count) {
        Layout layout = layout(warp);
        long[][] rows = new long[count][k];
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < k; i++) {
                rows[row][i] = layout.element(first + row, i);
            }
        }
        return rows;
    }

    /** Elements by row and column of B. */
    long[][] columns(Warp warp, int count) {
        Layout layout = layout(warp);
        long[][] rows = new long[k][count];
        for (int i = 0; i < k; i++) {
            for (int column = 0; column < count; column++) {
                rows[i][column] = layout.element(column, i);
            }
        }
        return rows;
    }

    private Layout layout(Warp warp) {
        ThreadState thread = warp.threads.getFirst();
        long bits = descriptor.bits(thread);
        int mode = (int) Bits.field(bits, 62, 2);
        return new Layout(thread, Bits.field(bits, 0, 14) * PIECE, Bits.field(bits, 16, 14) * PIECE, Bits.field(bits, 32, 14) * PIECE, Bits.field(bits, 49, 3),
                mode == 0 ? PIECE : PIECE << 4 - mode);
    }

    /**
     * What the fields of a descriptor say, in bytes.
     *
     * @param leading the stride named "leading dimension byte offset"
     * @param base row of the pattern of swizzling at which it begins
     * @param width of a row that is swizzled: 128, 64, 32, or 16 for none
     */
    private final class Layout {
        private final ThreadState thread;
        private final long start;
        private final long leading;
        private final long stride;
        private final long base;
        private final int width;

        private Layout(ThreadState thread, long start, long leading, long stride, long base, int width) {
            this.thread = thread;
            this.start = start;
            this.leading = leading;
            this.stride = stride;
            this.base = base;
            this.width = width;
        }

        /** Element {@code i} along K of row or column {@code other}. */
        private long element(int other, int i) {
            long bit = turned ? 0 : (long) i * elementBits;
            long at = turned ? ofTurned(2L * other, i) : ofPlain(other, bit / 8);
            long byteAt = swizzled(start + at);
            int bytes = Math.max(1, elementBits / 8);
            Place place = new Place(Window.SHARED, null, false, 0);
            long offset = place.range(thread, byteAt, bytes, 1, text);
            Watched.range(thread, Window.SHARED, byteAt, offset, bytes, false, false, text);
            long value = MemoryOrder.WEAK.read(thread.block.worker.shared, offset, bytes);
            return elementBits < 8 ? Bits.field(value, (int) (bit % 8), elementBits) : value;
        }

        /** Rows along K: eight in a group, {@code width} bytes of each side by side. */
        private long ofPlain(int row, long along) {
            return row / 8 * stride + row % 8 * (long) width + along / width * leading + along % width;
        }

        /** Rows along the other dimension, one for each element along K. */
        private long ofTurned(long along, int row) {
            boolean plain = width == PIECE;
            return along / width * (plain ? stride : leading) + along % width + row / 8 * (plain ? leading : stride) + row % 8 * (long) width;
        }

        /** The number of a piece in its row is changed by the number of the row. */
        private long swizzled(long address) {
            return address ^ ((address >> 7) - base & width / PIECE - 1) * PIECE;
        }
    }
}
