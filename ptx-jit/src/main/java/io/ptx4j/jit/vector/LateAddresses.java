package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Puts what computes an address right before the first instruction that reads it. Compilers compute the addresses of several accesses before the first of them; where a block is
 * cut in between, they would go from method to method, and no access could compute its own ({@link IndexedAddresses}).
 */
final class LateAddresses {
    private final Graph graph;
    private final List<Instruction> instructions;

    private LateAddresses(Graph graph, BasicBlock block) {
        this.graph = graph;
        this.instructions = new ArrayList<>(block.instructions());
    }

    static BasicBlock of(Graph graph, BasicBlock block) {
        LateAddresses late = new LateAddresses(graph, block);
        for (int at = block.instructions().size() - 2; at >= 0; at--) {
            late.move(at);
        }
        return new BasicBlock(block.index(), block.label(), List.copyOf(late.instructions), block.terminator());
    }

    private void move(int at) {
        Instruction i = instructions.get(at);
        if (!mayBeAddress(i) || i.guard() != null || !(i.operand(0) instanceof Operand.Reg result) || !graph.writes().isOnce(result.register())
                || !graph.liveness().staysInBlocks(result.register())) {
            return;
        }
        Set<Register> sources = new HashSet<>();
        Operands.uses(i, sources::add);
        int to = at + 1;
        while (to < instructions.size() && !Operands.reads(instructions.get(to), r -> r == result.register()) && !Operands.writes(instructions.get(to), sources::contains)) {
            to++;
        }
        if (to < instructions.size()) {
            instructions.add(to - 1, instructions.remove(at));
        }
    }

    static boolean mayBeAddress(Instruction i) {
        return switch (i.opcode()) {
            case MUL, MAD -> i.spelling().has(Modifier.WIDE) && i.family() == Family.INTEGER;
            case ADD -> i.type().bits() == 64 && i.family() == Family.INTEGER;
            case AND, SHL -> i.type().bits() == 64;
            case CVT -> i.type().bits() == 64 && !i.type().isFloat();
            default -> false;
        };
    }
}
