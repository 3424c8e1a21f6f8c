package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.Memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads a matrix that a descriptor finds in shared memory (manual: "Matrix-descriptor" and "Shared Memory Matrix Layout" of wgmma): pieces of 16 bytes, eight rows to a group.
 *
 * @param bits from one element to the next, 8 to 32; single bits are taken by the word
 * @param k elements along K
 * @param turned whether elements of the other dimension lie side by side
 */
record SharedMatrix(int bits, int k, boolean turned) {
    private static final int PIECE = 16;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * The bytes of rows (of A) or columns (of B), one after the other, each with its elements along K.
     *
     * @param first the first of them, a multiple of eight
     * @param line of the instruction, for who watches
     */
    byte[] read(Worker worker, long descriptor, int first, int count, int thread, int line) {
        MemorySegment shared = Window.SHARED.segment(worker);
        int start = (int) (descriptor & 0x3fff) * PIECE;
        int leading = (int) (descriptor >>> 16 & 0x3fff) * PIECE;
        int stride = (int) (descriptor >>> 32 & 0x3fff) * PIECE;
        int base = (int) (descriptor >>> 49 & 7);
        int mode = (int) (descriptor >>> 62);
        int shift = mode == 0 ? 0 : 4 - mode;
        int width = PIECE << shift;
        int mask = (1 << shift) - 1;
        int across = k * bits / 8;
        byte[] bytes = new byte[count * across];
        int rows = turned ? k : count;
        int length = turned ? count * 2 : across;
        int from = turned ? first * 2 : 0;
        byte[] piece = new byte[PIECE];
        for (int row = 0; row < rows; row++) {
            int at = (turned ? row : first + row);
            int toRow = at % 8 * width + start;
            for (int along = 0; along < length; along += PIECE) {
                int b = from + along;
                int beyond = b >> 4 + shift;
                int address = turned && shift == 0 ? toRow + beyond * stride + at / 8 * leading : toRow + beyond * leading + at / 8 * stride;
                address += b & width - 1;
                address ^= ((address >> 7) - base & mask) * PIECE;
                long offset = Memory.within(shared, address, PIECE, false);
                Window.SHARED.watch(worker, thread, line, offset, PIECE, false);
                if (!turned) {
                    LONGS.set(bytes, row * across + along, shared.get(Memory.I64, offset));
                    LONGS.set(bytes, row * across + along + Long.BYTES, shared.get(Memory.I64, offset + Long.BYTES));
                    continue;
                }
                MemorySegment.copy(shared, Memory.I8, offset, piece, 0, PIECE);
                for (int e = 0; e < PIECE / 2; e++) {
                    int to = (along / 2 + e) * across + row * 2;
                    bytes[to] = piece[2 * e];
                    bytes[to + 1] = piece[2 * e + 1];
                }
            }
        }
        return bytes;
    }
}
