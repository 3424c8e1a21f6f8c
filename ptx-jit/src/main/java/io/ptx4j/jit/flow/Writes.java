package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many places in a graph write each register, executed or not. */
public final class Writes {
    /** By register. */
    private final int[] counts;
    private final Instruction[] last;
    private final Graph graph;
    private volatile Map<Register, List<Instruction>> all;

    Writes(Graph graph) {
        this.graph = graph;
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

    /** By register: the instructions that write it, in the order of the blocks. */
    public Map<Register, List<Instruction>> all() {
        if (all == null) {
            Map<Register, List<Instruction>> found = new HashMap<>();
            for (BasicBlock block : graph.blocks()) {
                for (Instruction instruction : block.instructions()) {
                    Operands.definitions(instruction, r -> found.computeIfAbsent(r, k -> new ArrayList<>()).add(instruction));
                }
            }
            all = found;
        }
        return all;
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
