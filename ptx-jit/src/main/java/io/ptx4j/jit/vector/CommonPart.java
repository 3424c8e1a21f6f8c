package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * What of a graph lanes do together, from which it is told how many of them a group should have: a slow path that they take one by one says nothing about vectors.
 *
 * @param blocks without those that lanes go through one after the other
 */
record CommonPart(Graph graph, List<BasicBlock> blocks) {
    /** @param group any that the kernel may have */
    static CommonPart of(Graph graph, Group group, Kernel kernel) {
        if (!SlowPaths.mayBeIn(graph)) {
            return new CommonPart(graph, graph.blocks());
        }
        BitSet lanes = LaneBlocks.blocks(Analysis.of(graph, group, kernel).laneBlocks());
        return new CommonPart(graph, graph.blocks().stream().filter(b -> !lanes.get(b.index())).toList());
    }

    boolean any(Predicate<Instruction> which) {
        return Operands.any(blocks, which);
    }

    /** Instructions and ends of blocks. */
    int size() {
        return blocks.stream().mapToInt(b -> b.instructions().size() + 1).sum();
    }

    boolean usesCarry() {
        // Behind a call the carry is cleared, by an instruction without registers.
        return any(i -> i.family() == Family.EXTENDED_PRECISION && i.operands().stream().anyMatch(Operand.Reg.class::isInstance) || isOfSums(i));
    }

    /** Whether an instruction has to do with sums that were made of carry chains. */
    private boolean isOfSums(Instruction i) {
        return Operands.reads(i, graph::isSum) || Operands.writes(i, graph::isSum);
    }
}
