package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Matrices between registers and memory: the manual's "wmma.load" and "wmma.store". */
final class MatrixTransfer {
    private final Spelling spelling;
    private final MatrixShape shape;
    private final Place place;
    private final Source stride;
    private final MatrixElement element;
    private final Fragment fragment;
    private final boolean byRow;
    private final int leading;

    /** @param address index of the address operand; the stride, if any, is the last operand */
    private MatrixTransfer(Instruction instruction, Operands operands, int address, int registers) {
        this.spelling = instruction.spelling();
        this.shape = MatrixShape.of(spelling);
        this.place = operands.place(address);
        this.stride = operands.absent(2) ? null : operands.source(2);
        this.element = MatrixElement.of(spelling, spelling.type());
        this.byRow = shape.layouts().getFirst() == Modifier.ROW;
        boolean isA = spelling.has(Modifier.A);
        boolean isB = spelling.has(Modifier.B);
        this.fragment = isA ? Fragment.a(shape, shape.k(), registers, element.each())
                : isB ? Fragment.b(shape, registers, element.each()) : Fragment.c(shape);
        int rows = isB ? shape.k() : shape.m();
        int columns = isA ? shape.k() : shape.n();
        this.leading = byRow ? columns : rows;
    }

    static Step load(Instruction instruction, Operands operands) {
        List<Destination> registers = operands.destinations(0);
        MatrixTransfer transfer = new MatrixTransfer(instruction, operands, 1, registers.size());
        return WarpStep.ofWholeWarp(instruction, (warp, standing) -> WarpOperations.each(warp, standing, thread -> {
            long[] values = new long[registers.size()];
            for (int r = 0; r < values.length; r++) {
                values[r] = transfer.read(thread, r);
            }
            for (int r = 0; r < values.length; r++) {
                registers.get(r).write(thread, values[r]);
            }
        }));
    }

    static Step store(Instruction instruction, Operands operands) {
        List<Source> registers = operands.elements(1);
        MatrixTransfer transfer = new MatrixTransfer(instruction, operands, 0, registers.size());
        return WarpStep.ofWholeWarp(instruction, (warp, standing) -> WarpOperations.each(warp, standing, thread -> {
            for (int r = 0; r < registers.size(); r++) {
                transfer.write(thread, r, registers.get(r).bits(thread));
            }
            thread.patience.stored();
        }));
    }

    private long read(ThreadState thread, int register) {
        long value = 0;
        for (int e = 0; e < element.each(); e += elementsInAccess()) {
            long offset = offset(thread, register * element.each() + e);
            value |= MemoryOrder.WEAK.read(segment(thread), offset, bytesOfAccess()) << e * element.stride();
        }
        return value;
    }

    private void write(ThreadState thread, int register, long value) {
        for (int e = 0; e < element.each(); e += elementsInAccess()) {
            long offset = offset(thread, register * element.each() + e);
            MemoryOrder.WEAK.write(segment(thread), offset, bytesOfAccess(), Bits.field(value, e * element.stride(), 8 * bytesOfAccess()));
        }
    }

    private MemorySegment segment(ThreadState thread) {
        return place.window().segment(thread);
    }

    /** Elements smaller than a byte are read by whole registers, along which they lie in memory. */
    private int bytesOfAccess() {
        return element.stride() < 8 ? 4 : element.stride() / 8;
    }

    private int elementsInAccess() {
        return element.stride() < 8 ? element.each() : 1;
    }

    private long offset(ThreadState thread, int i) {
        Fragment.Cell cell = fragment.cell(thread.lane, i);
        long between = stride == null ? leading : stride.bits(thread);
        if (between * element.stride() % (8 * bytesOfAccess()) != 0) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "stride " + between + " of '" + spelling + "' is not a multiple of " + 32 / element.stride());
        }
        long index = byRow ? cell.row() * between + cell.column() : cell.column() * between + cell.row();
        long address = place.address(thread) + index * element.stride() / 8;
        long offset = place.checked(thread, address, bytesOfAccess(), spelling.text());
        Watched.range(thread, place.window(), address, offset, bytesOfAccess(), spelling.has(Modifier.STORE), false, spelling.text());
        return offset;
    }
}
