package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Register;

/** How many operands of a graph's instructions and ends of blocks read each register. */
public final class Reads {
    /** By register. */
    private final int[] counts;

    Reads(Graph graph) {
        counts = new int[graph.registers().size()];
        for (BasicBlock block : graph.blocks()) {
            block.instructions().forEach(i -> Operands.uses(i, r -> counts[r.index()]++));
            Register end = Operands.use(block.terminator());
            if (end != null) {
                counts[end.index()]++;
            }
        }
    }

    public int of(Register register) {
        return counts[register.index()];
    }
}
