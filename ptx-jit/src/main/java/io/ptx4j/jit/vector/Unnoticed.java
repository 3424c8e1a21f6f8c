package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;

/** Code of which nobody can tell in which order threads go through it: nothing in it fails, and others do not see what it does. */
final class Unnoticed {
    private Unnoticed() {
    }

    /** Whether all code is such that threads may come to from the end of a block before they meet others again. */
    static boolean isBehind(Graph graph, BasicBlock block) {
        return UpdateOrder.reach(graph, block.successors()).stream().mapToObj(graph.blocks()::get).allMatch(b -> b.instructions().stream().allMatch(i -> is(i) || MeetingPoint.kindOf(i) != null));
    }

    private static boolean is(Instruction i) {
        return i.family().computes() || i.opcode() == Opcode.LD && i.operands().stream().anyMatch(Unnoticed::isInVariable);
    }

    private static boolean isInVariable(Operand operand) {
        return operand instanceof Operand.Address a && a.register() == null && a.variable() != null && a.offset() >= 0 && a.offset() < a.variable().bytes();
    }
}
