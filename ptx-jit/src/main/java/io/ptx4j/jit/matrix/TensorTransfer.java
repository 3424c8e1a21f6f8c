package io.ptx4j.jit.matrix;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.TensorMemory;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.PointKind;
import io.ptx4j.jit.support.TensorCores;
import io.ptx4j.jit.support.WarpAction;
import io.ptx4j.jit.support.WarpOperations;
import io.ptx4j.jit.support.WarpWords;

/**
 * {@code tcgen05.ld} and {@code tcgen05.st}: words of tensor memory and registers of a warp. The operands are the address and what is stored.
 *
 * @param places by register and lane: {@code lane of tensor memory * 512 + column}, from the address on
 * @param lanes of tensor memory
 * @param columns that it reaches over
 * @param packs whether a register holds the low halves of two columns
 * @param extreme how the last result is made of the others; null where there is none
 * @param magnitudes whether of their magnitudes
 */
record TensorTransfer(boolean store, int registers, int[] places, int lanes, int columns, boolean packs, PointKind extreme, boolean magnitudes) implements WarpAction {
    private static final int WARP = BlockShape.WARP;

    static WarpAction of(Instruction i) {
        Spelling s = i.spelling();
        if (s.has(Modifier.ALLOC) || s.has(Modifier.DEALLOC)) {
            return new Allocation(s.has(Modifier.ALLOC));
        }
        boolean store = s.has(Modifier.ST);
        boolean packs = s.has(Modifier.PACK_16B) || s.has(Modifier.UNPACK_16B);
        int registers = MatrixActions.length(i.operand(store ? i.operands().size() - 1 : 0));
        int split = split(i);
        int width = packs ? 2 : 1;
        int[] places = new int[registers * WARP];
        int most = 0;
        for (int r = 0; r < registers; r++) {
            for (int lane = 0; lane < WARP; lane++) {
                int place = place(s, lane, r);
                int column = place % TensorMemory.COLUMNS * width + (lane < WARP / 2 ? 0 : split);
                most = Math.max(most, column + width);
                places[r * WARP + lane] = TensorMemory.index(place / TensorMemory.COLUMNS, column);
            }
        }
        return new TensorTransfer(store, registers, places, s.has(Modifier.T32X32B) ? 32 : 16, most, packs, extreme(s), s.has(Modifier.ABS));
    }

    /** Columns from the first half of the lanes to the second. */
    private static int split(Instruction i) {
        return i.spelling().has(Modifier.T16X32BX2) ? (int) ((Operand.Immediate) i.operand(i.spelling().has(Modifier.ST) ? 1 : i.operands().size() - 1)).bits() : 0;
    }

    /** @throws NoCode if there is none */
    static void check(Instruction i) {
        if (split(i) < 0) {
            throw new NoCode("a second half " + split(i) + " columns away is not supported by the JIT");
        }
    }

    private static PointKind extreme(Spelling s) {
        boolean least = s.has(Modifier.MIN);
        if (!least && !s.has(Modifier.MAX)) {
            return null;
        }
        return switch (s.type()) {
            case U32 -> least ? PointKind.REDUX_MIN_U : PointKind.REDUX_MAX_U;
            case S32 -> least ? PointKind.REDUX_MIN_S : PointKind.REDUX_MAX_S;
            default -> s.has(Modifier.NAN) ? least ? PointKind.REDUX_MIN_NAN_F32 : PointKind.REDUX_MAX_NAN_F32 : least ? PointKind.REDUX_MIN_F32 : PointKind.REDUX_MAX_F32;
        };
    }

    private static int place(Spelling s, int lane, int register) {
        int group = lane >> 2;
        int inGroup = lane & 3;
        if (s.has(Modifier.T32X32B)) {
            return TensorMemory.index(lane, register);
        }
        if (s.has(Modifier.T16X32BX2)) {
            return TensorMemory.index(lane & 15, register);
        }
        if (s.has(Modifier.T16X64B)) {
            return TensorMemory.index(group + (lane & 1) * 8, 2 * register + (inGroup >> 1));
        }
        if (s.has(Modifier.T16X128B)) {
            return TensorMemory.index(group + (register & 1) * 8, (register >> 1) * 4 + inGroup);
        }
        return TensorMemory.index(group + (register >> 1 & 1) * 8, (register >> 2) * 8 + inGroup * 2 + (register & 1));
    }

    @Override
    public int operands() {
        return store ? 1 + registers : 1;
    }

    @Override
    public int results() {
        return store ? 0 : registers + (extreme == null ? 0 : 1);
    }

    @Override
    public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
        TensorMemory memory = worker.tensor(frame.block);
        int address = words.operands[words.at(0)];
        try {
            TensorCores.require(memory.outsideOf(low / WARP, address, lanes, columns));
        } catch (RuntimeException failure) {
            throw Faults.locateAt(point.line(), failure, worker, frame, low);
        }
        int base = TensorMemory.index(TensorMemory.lane(address), TensorMemory.column(address));
        int[] cells = memory.cells;
        for (int r = 0; r < registers; r++) {
            int from = r * WARP;
            if (store) {
                int at = words.at(1 + r);
                for (int lane = 0; lane < WARP; lane++) {
                    int place = base + places[from + lane];
                    int word = words.operands[at + lane];
                    cells[place] = packs ? word & 0xffff : word;
                    if (packs) {
                        cells[place + 1] = word >>> 16;
                    }
                }
            } else {
                int at = words.resultAt(r);
                for (int lane = 0; lane < WARP; lane++) {
                    int place = base + places[from + lane];
                    words.results[at + lane] = packs ? cells[place] & 0xffff | cells[place + 1] << 16 : cells[place];
                }
            }
        }
        if (extreme != null) {
            reduce(words);
        }
    }

    private void reduce(WarpWords words) {
        int keep = magnitudes ? Integer.MAX_VALUE : -1;
        int to = words.resultAt(registers);
        for (int lane = 0; lane < WARP; lane++) {
            int value = words.results[words.resultAt(0) + lane] & keep;
            for (int r = 1; r < registers; r++) {
                value = WarpOperations.combine(extreme, value, words.results[words.resultAt(r) + lane] & keep);
            }
            words.results[to + lane] = value;
        }
    }

    /** {@code tcgen05.alloc}, of an offset in shared memory (two {@code int}s) and a number of columns, and {@code tcgen05.dealloc}, of an address and that number. */
    record Allocation(boolean takes) implements WarpAction {
        @Override
        public int operands() {
            return takes ? 3 : 2;
        }

        @Override
        public int results() {
            return 0;
        }

        @Override
        public void execute(Point point, Worker worker, Frame frame, int low, WarpWords words) {
            TensorMemory memory = worker.tensor(frame.block);
            int columns = words.operands[words.at(takes ? 2 : 1)];
            try {
                if (!takes) {
                    int address = words.operands[words.at(0)];
                    TensorCores.require(memory.cannotFree(address, columns));
                    memory.free(address, columns);
                    return;
                }
                TensorCores.require(memory.cannotAllocate(columns));
                long offset = Memory.aligned(worker.shared, Memory.within(worker.shared, words.wide(0, 0), Integer.BYTES, true), Integer.BYTES);
                Window.SHARED.watch(worker, low, point.line(), offset, Integer.BYTES, true);
                Memory.storeI32(worker.shared, offset, memory.allocate(columns));
                frame.written = true;
            } catch (RuntimeException failure) {
                throw Faults.locateAt(point.line(), failure, worker, frame, low);
            }
        }
    }
}
