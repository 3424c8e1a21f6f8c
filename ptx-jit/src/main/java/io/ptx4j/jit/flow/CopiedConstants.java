package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes copies of registers that hold a constant there copies of the constant, though they hold something else elsewhere. Compilers copy one zero into all registers that a loop adds
 * something to: one of them may be the count of the loop, another the sum of a product, and what is known of a register is known of all that are copied from it.
 */
final class CopiedConstants {
    private final Graph graph;
    private final List<BasicBlock> blocks;
    /** By block: what registers hold where it ends. */
    private final List<Map<Register, Operand.Immediate>> ends = new ArrayList<>();
    private boolean changed;

    private CopiedConstants(Graph graph) {
        this.graph = graph;
        this.blocks = Arrays.asList(new BasicBlock[graph.blocks().size()]);
        graph.blocks().forEach(b -> ends.add(null));
    }

    static Graph propagate(Graph graph) {
        CopiedConstants constants = new CopiedConstants(graph);
        for (int block : graph.order()) {
            constants.propagate(graph.blocks().get(block));
        }
        return constants.changed ? graph.with(constants.blocks) : graph;
    }

    private void propagate(BasicBlock block) {
        // Whoever is the only one to lead to a block has been looked through, except where the kernel begins.
        List<Integer> before = graph.predecessors().get(block.index());
        Map<Register, Operand.Immediate> held = block.index() != 0 && before.size() == 1 ? new HashMap<>(ends.get(before.getFirst())) : new HashMap<>();
        List<Instruction> code = new ArrayList<>(block.instructions());
        for (int k = 0; k < code.size(); k++) {
            Instruction i = copied(code.get(k), held);
            changed |= i != code.set(k, i);
            Operands.definitions(i, held::remove);
            if (isPlain(i) && i.operand(1) instanceof Operand.Immediate constant) {
                held.put(((Operand.Reg) i.operand(0)).register(), constant);
            }
        }
        ends.set(block.index(), held);
        blocks.set(block.index(), new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
    }

    /** Whether all bits of a register are copied, or given by a constant. */
    private static boolean isPlain(Instruction i) {
        return i.opcode() == Opcode.MOV && i.guard() == null && i.operands().size() == 2 && i.type() != null && i.type().bits() <= Long.SIZE
                && i.operand(0) instanceof Operand.Reg to && !to.negated() && to.register().type().bits() == i.type().bits();
    }

    private static Instruction copied(Instruction i, Map<Register, Operand.Immediate> held) {
        if (!held.isEmpty() && isPlain(i) && i.operand(1) instanceof Operand.Reg from && !from.negated() && held.get(from.register()) instanceof Operand.Immediate constant
                && from.register().type().bits() == i.type().bits()) {
            return new Instruction(i.spelling(), null, List.of(i.operand(0), Constants.constant(from, constant.bits())), i.location());
        }
        return i;
    }
}
