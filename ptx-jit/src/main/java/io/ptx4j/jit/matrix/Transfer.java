package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.WarpAction;

import java.lang.foreign.MemorySegment;

/**
 * {@code wmma.load} and {@code wmma.store}. The operands are the offset (two {@code int}s), what is stored, and the stride if there is
 * one. A register's elements lie side by side in memory or one stride apart.
 *
 * @param width columns of the matrix
 * @param bytes of an element in memory: 1, 2, 4 or 8; elements of fewer bits go by the word
 * @param elementsInUnit elements in {@code bytes}: more than one for elements below a byte
 * @param leading the stride where none is given, in elements
 * @param registers that the instruction has, each of {@code words} {@code int}s
 */
record Transfer(
        boolean store, Window window, boolean hasStride, boolean byRow, int width, int leading, int bytes, int elementsInUnit,
        Fragments fragments, int registers, int words) implements WarpAction {
    /** Places that the offset takes. */
    private static final int OFFSET = 2;

    @Override
    public int operands() {
        return strideSlot() + (hasStride ? 1 : 0);
    }

    /** The offset stands first, then what is stored, then the stride. */
    private int strideSlot() {
        return OFFSET + (store ? registers * words : 0);
    }

    @Override
    public int results() {
        return store ? 0 : registers * words;
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low) {
        int lane = 0;
        frame.written |= store;
        try {
            MemorySegment segment = window.segment(worker);
            for (; lane < Fragments.LANES; lane++) {
                lane(point, worker, segment, frame, low, lane);
            }
        } catch (RuntimeException failure) {
            throw Faults.locateAt(point.line(), failure, worker, frame, low + lane);
        }
    }

    private void lane(Point point, Worker worker, MemorySegment segment, Frame frame, int low, int lane) {
        long base = Window.offset(frame, 0, low + lane);
        long stride = hasStride ? frame.operands[strideSlot() * frame.threads + low + lane] & 0xffff_ffffL : leading;
        if (stride % elementsInUnit != 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND,
                    "stride " + stride + " of '" + point.text() + "' is not a multiple of " + elementsInUnit, point.line(), frame.block, low + lane);
        }
        for (int r = 0; r < registers; r++) {
            int at = (r * words * frame.threads) + low + lane;
            for (int e = 0; worker.checks != null && e < (bytes < 4 ? 4 / bytes : 1); e++) {
                window.watch(worker, low + lane, point.line(), offset(base, stride, r, lane, e), bytes, store);
            }
            if (store) {
                write(segment, base, stride, r, lane, frame.operands, OFFSET * frame.threads + at, frame.threads);
            } else {
                read(segment, base, stride, r, lane, frame.results, at, frame.threads);
            }
        }
    }

    private long offset(long base, long stride, int register, int lane, int element) {
        int place = fragments.place(register % fragments.registers(), lane, element);
        int row = place / width;
        int column = place % width;
        return base + (byRow ? row * (stride / elementsInUnit) + column : column * (stride / elementsInUnit) + row) * bytes;
    }

    private void read(MemorySegment segment, long base, long stride, int register, int lane, int[] results, int at, int threads) {
        long first = offset(base, stride, register, lane, 0);
        switch (bytes) {
            case 4 -> results[at] = Memory.loadI32(segment, first);
            case 8 -> {
                long value = Memory.loadI64(segment, first);
                results[at] = (int) value;
                results[at + threads] = (int) (value >>> 32);
            }
            case 2 -> results[at] = Memory.loadI16(segment, first) & 0xffff
                    | Memory.loadI16(segment, offset(base, stride, register, lane, 1)) << 16;
            default -> {
                int word = Memory.loadI8(segment, first) & 0xff;
                for (int e = 1; e < 4; e++) {
                    word |= (Memory.loadI8(segment, offset(base, stride, register, lane, e)) & 0xff) << 8 * e;
                }
                results[at] = word;
            }
        }
    }

    private void write(MemorySegment segment, long base, long stride, int register, int lane, int[] operands, int at, int threads) {
        long first = offset(base, stride, register, lane, 0);
        int word = operands[at];
        switch (bytes) {
            case 4 -> Memory.storeI32(segment, first, word);
            case 8 -> Memory.storeI64(segment, first, (long) operands[at + threads] << 32 | word & 0xffff_ffffL);
            case 2 -> {
                Memory.storeI16(segment, first, word);
                Memory.storeI16(segment, offset(base, stride, register, lane, 1), word >>> 16);
            }
            default -> throw new IllegalStateException("matrices D have elements of 16 bits and more");
        }
    }
}
