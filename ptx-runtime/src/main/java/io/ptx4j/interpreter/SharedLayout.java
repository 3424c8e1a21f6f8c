package io.ptx4j.interpreter;

import io.ptx4j.engine.Cluster;

/**
 * How a matrix lies in shared memory, as the fields of a descriptor say, in bytes (manual: "Shared Memory Matrix Layout"). Pieces of 16 bytes lie in groups of eight rows; two strides
 * say how far it is from one to the next.
 *
 * @param leading the stride named "leading dimension byte offset"
 * @param base row of the pattern of swizzling at which it begins
 * @param width of a row that is swizzled: 128, 64, 32, or 16 for none
 */
record SharedLayout(long start, long leading, long stride, long base, int width) {
    private static final int PIECE = 16;

    static SharedLayout of(long descriptor) {
        int mode = (int) Bits.field(descriptor, 62, 2);
        return new SharedLayout(Bits.field(descriptor, 0, 14) * PIECE, Bits.field(descriptor, 16, 14) * PIECE, Bits.field(descriptor, 32, 14) * PIECE,
                Bits.field(descriptor, 49, 3), mode == 0 ? PIECE : PIECE << 4 - mode);
    }

    /** What lies so far from the start before it is swizzled. */
    long read(ThreadState thread, long at, int bytes, String text) {
        return read(thread, Window.SHARED, swizzled(start + at), bytes, text);
    }

    /** The same in the shared memory of a block of the cluster. */
    long read(ThreadState thread, int rank, long at, int bytes, String text) {
        return read(thread, Window.CLUSTER, Cluster.mapped(swizzled(start + at), rank), bytes, text);
    }

    /** Up to 8 bits, from bit {@code from} of the byte at {@code at} on. */
    long bits(ThreadState thread, int rank, long at, int from, int bits, String text) {
        long low = read(thread, rank, at, 1, text);
        return Bits.field(from + bits > 8 ? low | read(thread, rank, at + 1, 1, text) << 8 : low, from, bits);
    }

    private static long read(ThreadState thread, Window window, long address, int bytes, String text) {
        Place place = new Place(window, null, false, 0);
        long offset = place.range(thread, address, bytes, 1, text);
        Watched.range(thread, window, address, offset, bytes, false, false, text);
        return MemoryOrder.WEAK.read(window.segment(thread), offset, bytes);
    }

    /** Rows along K: eight in a group, {@code width} bytes of each side by side. */
    long ofPlain(int row, long along) {
        return row / 8 * stride + row % 8 * (long) width + along / width * leading + along % width;
    }

    /** Rows along the other dimension, one for each element along K. */
    long ofTurned(long along, int row) {
        boolean plain = width == PIECE;
        return along / width * (plain ? stride : leading) + along % width + row / 8 * (plain ? leading : stride) + row % 8 * (long) width;
    }

    /** The number of a piece in its row is changed by the number of the row. */
    private long swizzled(long address) {
        return address ^ ((address >> 7) - base & width / PIECE - 1) * PIECE;
    }
}
