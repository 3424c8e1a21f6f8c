package io.ptx4j.jit.matrix;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpWords;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * {@code wmma.load} and {@code wmma.store}. The operands are the offset (two {@code int}s), what is stored, and the stride if there is
 * one. A register's elements lie side by side in memory or one stride apart.
 *
 * @param width columns of the matrix
 * @param bytes of an element in memory: 1, 2, 4 or 8; elements of fewer bits go by the word
 * @param elementsInUnit elements in {@code bytes}: more than one for elements below a byte
 * @param leading the stride where none is given, in elements
 * @param registers that the instruction has, each of {@code wordsEach} {@code int}s
 */
record Transfer(
        boolean store, Window window, boolean hasStride, boolean byRow, int width, int leading, int bytes, int elementsInUnit,
        Fragments fragments, int registers, int wordsEach, Lines lines) implements WarpAction {
    /**
     * Where elements lie in memory: rows or columns, the stride apart.
     *
     * @param line of each element, in the order of {@link Fragments#places}
     * @param place within its line
     * @param count of lines
     * @param length of a line
     * @param side whether the elements of a register lie side by side
     */
    private record Lines(int[] line, int[] place, int count, int length, boolean side) {
        static Lines of(Fragments fragments, int width, boolean byRow) {
            int[] line = new int[fragments.places().length];
            int[] place = new int[line.length];
            boolean side = true;
            for (int i = 0; i < line.length; i++) {
                int row = fragments.places()[i] / width;
                int column = fragments.places()[i] % width;
                line[i] = byRow ? row : column;
                place[i] = byRow ? column : row;
                side &= i % fragments.each() == 0 || line[i] == line[i - 1] && place[i] == place[i - 1] + 1;
            }
            return new Lines(line, place, IntStream.of(line).max().orElseThrow() + 1, IntStream.of(place).max().orElseThrow() + 1, side);
        }
    }

    /** Places that the offset takes. */
    private static final int OFFSET = 2;

    Transfer(boolean store, Window window, boolean hasStride, boolean byRow, int width, int leading, int bytes, int elementsInUnit, Fragments fragments, int registers, int wordsEach) {
        this(store, window, hasStride, byRow, width, leading, bytes, elementsInUnit, fragments, registers, wordsEach, Lines.of(fragments, width, byRow));
    }

    @Override
    public int operands() {
        return strideSlot() + (hasStride ? 1 : 0);
    }

    /** The offset stands first, then what is stored, then the stride. */
    private int strideSlot() {
        return OFFSET + (store ? registers * wordsEach : 0);
    }

    @Override
    public int results() {
        return store ? 0 : registers * wordsEach;
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        int lane = 0;
        frame.written |= store;
        try {
            MemorySegment segment = window.segment(worker);
            if (worker.checks == null && bytes <= Integer.BYTES && registers % fragments.registers() == 0 && isOne(words) && move(segment, words)) {
                return;
            }
            for (; lane < Fragments.LANES; lane++) {
                lane(point, worker, segment, frame, low, words, lane);
            }
        } catch (RuntimeException failure) {
            throw Faults.locateAt(point.line(), failure, worker, frame, low + lane);
        }
    }

    /** Whether all threads have come with one address and stride. */
    private boolean isOne(WarpWords words) {
        int different = 0;
        for (int slot = 0; slot < OFFSET; slot++) {
            different |= differences(words, slot);
        }
        return different == 0 && (!hasStride || differences(words, strideSlot()) == 0);
    }

    private static int differences(WarpWords words, int slot) {
        int from = words.at(slot);
        int different = 0;
        for (int lane = 1; lane < Fragments.LANES; lane++) {
            different |= words.operands[from + lane] ^ words.operands[from];
        }
        return different;
    }

    /** Moves all elements if they are all there and aligned, and stores lie apart. */
    private boolean move(MemorySegment segment, WarpWords words) {
        long base = words.wide(0, 0);
        long stride = hasStride ? words.operands[words.at(strideSlot())] & 0xffff_ffffL : leading;
        long step = stride / elementsInUnit * bytes;
        long end = base + (lines.count - 1) * step + (long) lines.length * bytes;
        boolean there = base >= 0 && end <= segment.byteSize() && (segment.address() + base & bytes - 1) == 0;
        if (!there || stride % elementsInUnit != 0 || store && (step < (long) lines.length * bytes || registers > fragments.registers())) {
            return false;
        }
        MemorySegment whole = DirectMemory.whole(segment);
        long first = DirectMemory.place(segment, base);
        for (int r = 0; r < fragments.registers(); r++) {
            if (store) {
                store(whole, first, step, r, words.operands, words.at(OFFSET + r));
            } else {
                load(whole, first, step, r, words.results, words.resultAt(r));
            }
        }
        for (int r = fragments.registers(); r < registers; r++) {
            System.arraycopy(words.results, words.resultAt(r % fragments.registers()), words.results, words.resultAt(r), Fragments.LANES);
        }
        return true;
    }

    private void load(MemorySegment whole, long first, long step, int register, int[] results, int to) {
        int each = fragments.each();
        int at = register * Fragments.LANES * each;
        for (int lane = 0; lane < Fragments.LANES; lane++) {
            if (lines.side) {
                results[to + lane] = whole.get(DirectMemory.I32, place(first, step, at));
            } else {
                int word = 0;
                for (int e = 0; e < each; e++) {
                    long place = place(first, step, at + e);
                    word |= (bytes == 1 ? whole.get(Memory.I8, place) & 0xff : Memory.loadI16(whole, place) & 0xffff) << 8 * bytes * e;
                }
                results[to + lane] = word;
            }
            at += each;
        }
    }

    private void store(MemorySegment whole, long first, long step, int register, int[] operands, int from) {
        int each = fragments.each();
        int at = register * Fragments.LANES * each;
        for (int lane = 0; lane < Fragments.LANES; lane++) {
            if (lines.side) {
                whole.set(DirectMemory.I32, place(first, step, at), operands[from + lane]);
            } else {
                Memory.storeI16(whole, place(first, step, at), operands[from + lane]);
                Memory.storeI16(whole, place(first, step, at + 1), operands[from + lane] >>> 16);
            }
            at += each;
        }
    }

    private long place(long first, long step, int element) {
        return first + lines.line[element] * step + (long) lines.place[element] * bytes & DirectMemory.ADDRESSES;
    }

    private void lane(Point point, Worker worker, MemorySegment segment, Frame frame, int low, WarpWords words, int lane) {
        long base = words.wide(0, lane);
        long stride = hasStride ? words.operands[words.at(strideSlot()) + lane] & 0xffff_ffffL : leading;
        if (stride % elementsInUnit != 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND,
                    "stride " + stride + " of '" + point.text() + "' is not a multiple of " + elementsInUnit, point.line(), frame.block, low + lane);
        }
        for (int r = 0; r < registers; r++) {
            int slot = r * wordsEach;
            for (int e = 0; worker.checks != null && e < (bytes < 4 ? 4 / bytes : 1); e++) {
                window.watch(worker, low + lane, point.line(), offset(base, stride, r, lane, e), bytes, store);
            }
            if (store) {
                write(segment, base, stride, r, lane, words, OFFSET + slot);
            } else {
                read(segment, base, stride, r, lane, words, slot);
            }
        }
    }

    private long offset(long base, long stride, int register, int lane, int element) {
        int place = fragments.place(register % fragments.registers(), lane, element);
        int row = place / width;
        int column = place % width;
        return base + (byRow ? row * (stride / elementsInUnit) + column : column * (stride / elementsInUnit) + row) * bytes;
    }

    private void read(MemorySegment segment, long base, long stride, int register, int lane, WarpWords words, int slot) {
        int[] results = words.results;
        int at = words.resultAt(slot) + lane;
        long first = offset(base, stride, register, lane, 0);
        switch (bytes) {
            case 4 -> results[at] = Memory.loadI32(segment, first);
            case 8 -> {
                long value = Memory.loadI64(segment, first);
                results[at] = (int) value;
                results[words.resultAt(slot + 1) + lane] = (int) (value >>> 32);
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

    private void write(MemorySegment segment, long base, long stride, int register, int lane, WarpWords words, int slot) {
        long first = offset(base, stride, register, lane, 0);
        int word = words.operands[words.at(slot) + lane];
        switch (bytes) {
            case 4 -> Memory.storeI32(segment, first, word);
            case 8 -> Memory.storeI64(segment, first, words.wide(slot, lane));
            case 2 -> {
                Memory.storeI16(segment, first, word);
                Memory.storeI16(segment, offset(base, stride, register, lane, 1), word >>> 16);
            }
            default -> throw new IllegalStateException("matrices D have elements of 16 bits and more");
        }
    }
}
