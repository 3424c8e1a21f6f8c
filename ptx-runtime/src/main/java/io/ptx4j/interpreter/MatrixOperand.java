package io.ptx4j.interpreter;

import java.util.List;

/** A matrix in the registers of a warp. */
record MatrixOperand<R>(Fragment fragment, MatrixElement element, List<R> registers) {
    /** Raw bits of the elements by product, row and column; of several copies of an element the first. */
    static long[][][] gather(MatrixOperand<Source> operand, Warp warp, int products, int rows, int columns) {
        long[][][] matrix = new long[products][rows][columns];
        int each = operand.element.each();
        for (ThreadState thread : warp.threads) {
            for (int i = operand.fragment.elements() - 1; i >= 0; i--) {
                Fragment.Cell cell = operand.fragment.cell(thread.lane, i);
                long register = operand.registers.get(i / each).bits(thread);
                matrix[cell.matrix()][cell.row()][cell.column()] = operand.element.get(register, i % each);
            }
        }
        return matrix;
    }

    static void scatter(MatrixOperand<Destination> operand, Warp warp, long[][][] matrix) {
        int each = operand.element.each();
        for (ThreadState thread : warp.threads) {
            for (int r = 0; r < operand.registers.size(); r++) {
                long register = 0;
                for (int e = 0; e < each; e++) {
                    Fragment.Cell cell = operand.fragment.cell(thread.lane, r * each + e);
                    register = operand.element.with(register, e, matrix[cell.matrix()][cell.row()][cell.column()]);
                }
                operand.registers.get(r).write(thread, register);
            }
        }
    }
}
