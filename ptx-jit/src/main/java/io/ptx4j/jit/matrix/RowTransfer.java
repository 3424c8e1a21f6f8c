package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpWords;

import java.lang.foreign.MemorySegment;

/**
 * {@code ldmatrix} and {@code stmatrix}: rows of 16 bytes, of which lane {@code i} gives the offset of row {@code i}. The operands are
 * the offset (two {@code int}s) and what is stored.
 *
 * @param registers of a lane: eight rows fill one
 * @param pattern how bytes are spread
 * @param elementBits of an element in memory where a row holds sixteen of 6 or 4 bits, else 8
 */
record RowTransfer(boolean store, Window window, int registers, Pattern pattern, int elementBits) implements WarpAction {
    private static final int ROW = 16;

    /** Which byte of which row the byte {@code b} of a lane's register is: {@code row * 16 + byte}. */
    enum Pattern {
        PLAIN {
            @Override
            int place(int lane, int register, int b) {
                return (8 * register + lane / 4) * ROW + lane % 4 * 4 + b;
            }
        },
        TRANSPOSED {
            @Override
            int place(int lane, int register, int b) {
                return (8 * register + lane % 4 * 2 + (b >> 1)) * ROW + lane / 4 * 2 + (b & 1);
            }
        },
        SIXTEEN_ROWS {
            @Override
            int place(int lane, int register, int b) {
                return ((register >> 1) * 16 + lane % 4 * 4 + b) * ROW + (register & 1) * 8 + lane / 4;
            }
        },
        SIXTEEN_COLUMNS {
            @Override
            int place(int lane, int register, int b) {
                return (8 * register + lane % 4 * 2 + (b & 1)) * ROW + (b >> 1) * 8 + lane / 4;
            }
        };

        abstract int place(int lane, int register, int b);
    }

    @Override
    public int operands() {
        return store ? 2 + registers : 2;
    }

    @Override
    public int results() {
        return store ? 0 : registers;
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        int row = 0;
        frame.written |= store;
        try {
            MemorySegment segment = window.segment(worker);
            if (!store && elementBits == 8 && (pattern == Pattern.PLAIN || pattern == Pattern.TRANSPOSED) && worker.checks == null && areThere(segment, words)) {
                readWords(segment, words);
                return;
            }
            byte[] bytes = new byte[8 * registers * ROW];
            long[] offsets = new long[8 * registers];
            for (; row < offsets.length; row++) {
                offsets[row] = checked(segment, words.wide(0, row));
                window.watch(worker, low + row, point.line(), offsets[row], ROW, store);
            }
            if (store) {
                gather(words, 2, bytes);
                for (row = 0; row < offsets.length; row++) {
                    MemorySegment.copy(bytes, row * ROW, segment, Memory.I8, offsets[row], ROW);
                }
            } else {
                for (row = 0; row < offsets.length; row++) {
                    read(segment, offsets[row], bytes, row * ROW);
                }
                scatter(bytes, words);
            }
        } catch (RuntimeException failure) {
            throw Faults.locateAt(point.line(), failure, worker, frame, low + row);
        }
    }

    private long checked(MemorySegment segment, long offset) {
        return Memory.aligned(segment, Memory.within(segment, offset, ROW, store), ROW);
    }

    /** Whether all rows lie within the segment and are aligned. */
    private boolean areThere(MemorySegment segment, WarpWords words) {
        int[] operands = words.operands;
        int low = words.at(0);
        int high = words.at(1);
        long most = segment.byteSize() - ROW;
        long base = segment.address();
        long bad = 0;
        for (int row = 0; row < 8 * registers; row++) {
            long offset = offset(operands[low + row], operands[high + row]);
            bad |= offset | most - offset | -(base + offset & ROW - 1);
        }
        return bad >= 0;
    }

    private static long offset(int low, int high) {
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /** Reads rows that are there into the results of their registers, a row to four lanes, or transposed as pairs of halves. */
    private void readWords(MemorySegment segment, WarpWords words) {
        MemorySegment whole = DirectMemory.whole(segment);
        long origin = DirectMemory.place(segment, 0);
        int[] operands = words.operands;
        int low = words.at(0);
        int high = words.at(1);
        for (int r = 0; r < registers; r++) {
            int to = words.resultAt(r);
            for (int row = 0; row < 8; row += 2) {
                int at = 8 * r + row;
                long upper = origin + offset(operands[low + at], operands[high + at]) & DirectMemory.ADDRESSES;
                long lower = origin + offset(operands[low + at + 1], operands[high + at + 1]) & DirectMemory.ADDRESSES;
                if (pattern == Pattern.PLAIN) {
                    putWords(words.results, to + 4 * row, whole.get(DirectMemory.I64, upper), whole.get(DirectMemory.I64, upper + Long.BYTES));
                    putWords(words.results, to + 4 * row + 4, whole.get(DirectMemory.I64, lower), whole.get(DirectMemory.I64, lower + Long.BYTES));
                } else {
                    putPairs(words.results, to + row / 2, whole.get(DirectMemory.I64, upper), whole.get(DirectMemory.I64, lower));
                    putPairs(words.results, to + 16 + row / 2, whole.get(DirectMemory.I64, upper + Long.BYTES), whole.get(DirectMemory.I64, lower + Long.BYTES));
                }
            }
        }
    }

    private static void putWords(int[] results, int to, long first, long second) {
        results[to] = (int) first;
        results[to + 1] = (int) (first >>> 32);
        results[to + 2] = (int) second;
        results[to + 3] = (int) (second >>> 32);
    }

    /** Four columns of two rows, one below the other in a word, for every fourth lane. */
    private static void putPairs(int[] results, int to, long upper, long lower) {
        results[to] = (int) upper & 0xffff | (int) lower << 16;
        results[to + 4] = (int) upper >>> 16 | (int) lower & 0xffff_0000;
        results[to + 8] = (int) (upper >>> 32) & 0xffff | (int) (lower >>> 32) << 16;
        results[to + 12] = (int) (upper >>> 48) | (int) (lower >>> 32) & 0xffff_0000;
    }

    private void read(MemorySegment segment, long offset, byte[] bytes, int to) {
        if (elementBits == 8) {
            MemorySegment.copy(segment, Memory.I8, offset, bytes, to, ROW);
            return;
        }
        long first = Memory.loadI64(segment, offset);
        long second = Memory.loadI64(segment, offset + 8);
        for (int i = 0; i < ROW; i++) {
            int from = i * elementBits;
            long window = from >= 64 ? second >>> from - 64 : from == 0 ? first : first >>> from | second << 64 - from;
            bytes[to + i] = (byte) (window & (1 << elementBits) - 1);
        }
    }

    void scatter(byte[] bytes, WarpWords words) {
        for (int r = 0; r < registers; r++) {
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                int word = 0;
                for (int b = 0; b < 4; b++) {
                    word |= (bytes[pattern.place(lane, r, b)] & 0xff) << 8 * b;
                }
                words.results[words.resultAt(r) + lane] = word;
            }
        }
    }

    void gather(WarpWords words, int slot, byte[] bytes) {
        for (int r = 0; r < registers; r++) {
            for (int lane = 0; lane < Fragments.LANES; lane++) {
                int word = words.operands[words.at(slot + r) + lane];
                for (int b = 0; b < 4; b++) {
                    bytes[pattern.place(lane, r, b)] = (byte) (word >>> 8 * b);
                }
            }
        }
    }

    /** {@code movmatrix}: in one way out of the registers, in the other into them. */
    static final class Transpose implements WarpAction {
        private static final RowTransfer FROM = new RowTransfer(true, Window.SHARED, 1, Pattern.PLAIN, 8);
        private static final RowTransfer TO = new RowTransfer(false, Window.SHARED, 1, Pattern.TRANSPOSED, 8);

        @Override
        public int operands() {
            return 1;
        }

        @Override
        public int results() {
            return 1;
        }

        @Override
        public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
            byte[] bytes = new byte[8 * ROW];
            FROM.gather(words, 0, bytes);
            TO.scatter(bytes, words);
        }
    }
}
