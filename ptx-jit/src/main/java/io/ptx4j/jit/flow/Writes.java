package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;

/** How many places in a graph write each register, executed or not. */
public final class Writes {
    /** By register. */
    private final int[] counts;
    private final Instruction[] last;

    public Writes(Graph graph) {
        counts = new int[graph.registers().size()];
        last = new Instruction[counts.length];
        for (BasicBlock block : graph.blocks()) {
            for (Instruction instruction : block.instructions()) {
                Operands.definitions(instruction, r -> {
                    counts[r.index()]++;
                    last[r.index()] = instruction;
                });
            }
        }
    }

    public boolean isOnce(Register register) {
        return counts[register.index()] == 1;
    }

    /** Also where nothing writes it: then all reads find the same as well. */
    public boolean isAtMostOnce(Register register) {
        return counts[register.index()] <= 1;
    }

    /** The only instruction that writes the register, or null. */
    public Instruction only(Register register) {
        return isOnce(register) ? last[register.index()] : null;
    }
}
