package io.ptx4j.interpreter;

import io.ptx4j.interpreter.WarpStep.WarpOperation;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.util.List;

/**
 * The manual's "ldmatrix", "stmatrix" and "movmatrix". Rows of 16 bytes lie in shared memory; lane {@code i} gives the address of row
 * {@code i}, counted through all matrices.
 */
final class MatrixMoves {
    private static final int ROW_BYTES = 16;

    private MatrixMoves() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case MMA -> MatrixProduct.step(instruction, operands);
            case WMMA -> instruction.spelling().has(Modifier.MMA) ? MatrixProduct.step(instruction, operands)
                    : instruction.spelling().has(Modifier.LOAD) ? MatrixTransfer.load(instruction, operands)
                    : MatrixTransfer.store(instruction, operands);
            case LDMATRIX -> load(instruction, operands);
            case STMATRIX -> store(instruction, operands);
            case MOVMATRIX -> transpose(instruction, operands);
            default -> null;
        };
    }

    /** Where byte {@code b} of register {@code register} of a lane lies: row, counted through all matrices, and byte within it. */
    private record Cell(int row, int column) {
        /** Elements of 16 bits; also 8x16 matrices of bytes, which lie likewise. */
        static Cell ofHalves(boolean transposed, int lane, int register, int b) {
            int group = lane >> 2;
            int inGroup = lane % 4;
            return transposed
                    ? new Cell(8 * register + 2 * inGroup + b / 2, 2 * group + b % 2)
                    : new Cell(8 * register + group, 4 * inGroup + b);
        }

        /** 16x16 bytes, transposed: two registers a matrix. */
        static Cell ofSixteenRows(int lane, int register, int b) {
            return new Cell(16 * (register / 2) + 4 * (lane % 4) + b, (lane >> 2) + 8 * (register % 2));
        }

        /** 16x8 bytes, transposed to eight rows of sixteen. */
        static Cell ofSixteenColumns(int lane, int register, int b) {
            return new Cell(8 * register + 2 * (lane % 4) + b % 2, (lane >> 2) + 8 * (b / 2));
        }
    }

    private static Cell cell(Spelling spelling, int lane, int register, int b) {
        return spelling.has(Modifier.M16N16) ? Cell.ofSixteenRows(lane, register, b)
                : spelling.has(Modifier.M16N8) ? Cell.ofSixteenColumns(lane, register, b)
                : Cell.ofHalves(spelling.has(Modifier.TRANS), lane, register, b);
    }

    private static long[] addresses(Warp warp, Place place, Spelling spelling, int rows, boolean stores) {
        long[] offsets = new long[rows];
        for (int row = 0; row < rows; row++) {
            ThreadState thread = warp.threads.get(row);
            offsets[row] = place.checked(thread, place.address(thread), ROW_BYTES, spelling.text());
            Watched.range(thread, place.window(), place.address(thread), offsets[row], ROW_BYTES, stores, false, spelling.text());
        }
        return offsets;
    }

    private static Step load(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        List<Destination> registers = operands.destinations(0);
        Place place = operands.place(1);
        WarpOperation operation = (warp, standing) -> {
            long[] offsets = addresses(warp, place, spelling, 8 * registers.size(), false);
            long[][] rows = new long[offsets.length][];
            for (int row = 0; row < rows.length; row++) {
                ThreadState thread = warp.threads.get(row);
                rows[row] = row(spelling, MemoryOrder.WEAK.read(place.window().segment(thread), offsets[row], 8),
                        MemoryOrder.WEAK.read(place.window().segment(thread), offsets[row] + 8, 8));
            }
            WarpOperations.each(warp, standing, thread -> {
                for (int r = 0; r < registers.size(); r++) {
                    long value = 0;
                    for (int b = 0; b < 4; b++) {
                        Cell cell = cell(spelling, thread.lane, r, b);
                        value |= rows[cell.row][cell.column] << 8 * b;
                    }
                    registers.get(r).write(thread, value);
                }
            });
        };
        return WarpStep.ofWholeWarp(instruction, operation);
    }

    /** The sixteen bytes of a row; elements of six or four bits, which lie at its start without gaps, get a byte each. */
    private static long[] row(Spelling spelling, long low, long high) {
        int width = spelling.has(Modifier.B6X16_P32) ? 6 : spelling.has(Modifier.B4X16_P64) ? 4 : 8;
        long[] bytes = new long[ROW_BYTES];
        for (int i = 0; i < ROW_BYTES; i++) {
            for (int bit = 0; bit < width; bit++) {
                int place = i * width + bit;
                bytes[i] |= (place < 64 ? low >>> place & 1 : high >>> place - 64 & 1) << bit;
            }
        }
        return bytes;
    }

    private static Step store(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Place place = operands.place(0);
        List<Source> registers = operands.elements(1);
        WarpOperation operation = (warp, standing) -> {
            long[] offsets = addresses(warp, place, spelling, 8 * registers.size(), true);
            WarpOperations.each(warp, standing, thread -> {
                for (int r = 0; r < registers.size(); r++) {
                    for (int b = 0; b < 4; b++) {
                        Cell cell = cell(spelling, thread.lane, r, b);
                        MemoryOrder.WEAK.write(place.window().segment(thread), offsets[cell.row] + cell.column, 1,
                                Bits.field(registers.get(r).bits(thread), 8 * b, 8));
                    }
                }
                thread.patience.stored();
            });
        };
        return WarpStep.ofWholeWarp(instruction, operation);
    }

    private static Step transpose(Instruction instruction, Operands operands) {
        Destination d = operands.destination(0);
        Source a = operands.source(1);
        WarpOperation operation = (warp, standing) -> {
            long[][] bytes = new long[8][ROW_BYTES];
            WarpOperations.each(warp, standing, thread -> {
                for (int b = 0; b < 4; b++) {
                    Cell cell = Cell.ofHalves(false, thread.lane, 0, b);
                    bytes[cell.row][cell.column] = Bits.field(a.bits(thread), 8 * b, 8);
                }
            });
            WarpOperations.each(warp, standing, thread -> {
                long value = 0;
                for (int b = 0; b < 4; b++) {
                    Cell cell = Cell.ofHalves(true, thread.lane, 0, b);
                    value |= bytes[cell.row][cell.column] << 8 * b;
                }
                d.write(thread, value);
            });
        };
        return WarpStep.ofWholeWarp(instruction, operation);
    }
}
