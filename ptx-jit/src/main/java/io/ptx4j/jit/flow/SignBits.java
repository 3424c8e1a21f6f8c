package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.List;

/**
 * Shifts that leave no bit of a number, such as that of a thread in its block: compilers write {@code x / 64} and {@code x % 64} of a signed number with a correction that its sign decides, which is
 * zero where {@link Bounds} know that it has none.
 */
final class SignBits {
    /** A correction is the sign, shifted. */
    private static final int ROUNDS = 2;

    private SignBits() {
    }

    static Graph clear(Graph graph) {
        Graph cleared = graph;
        for (int round = 0; round < ROUNDS && Operands.any(cleared.blocks(), SignBits::isShift); round++) {
            Bounds bounds = new Bounds(cleared, a -> -1);
            boolean some = false;
            List<BasicBlock> blocks = new ArrayList<>();
            for (BasicBlock block : cleared.blocks()) {
                List<Instruction> code = new ArrayList<>();
                for (Instruction i : block.instructions()) {
                    boolean zero = isShift(i) && bounds.leavesNothing(i);
                    some |= zero;
                    code.add(zero ? Instruction.of("mov.b32", i.guard(), i.location(), i.operand(0), new Operand.Immediate(ScalarType.B32, 0)) : i);
                }
                blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
            }
            if (!some) {
                return cleared;
            }
            cleared = Constants.propagate(cleared.with(blocks));
        }
        return cleared;
    }

    private static boolean isShift(Instruction i) {
        return i.opcode() == Opcode.SHR && i.type().bits() == 32 && i.operand(2) instanceof Operand.Immediate && i.operand(0) instanceof Operand.Reg r && r.register().type().bits() == 32;
    }
}
