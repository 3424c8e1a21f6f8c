package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.LocalLayout;

/**
 * Whether the local memory of a group's lanes may lie word by word: all accesses are plain loads and stores of words of one size, and no
 * address of local memory becomes a generic one.
 */
final class InterleavedLocals {
    private InterleavedLocals() {
    }

    static LocalLayout layout(Graph graph, Group group) {
        if (graph.localBytes() == 0 || graph.usesStack() || group.block().threads() % group.lanes() != 0) {
            return LocalLayout.PLAIN;
        }
        int word = 0;
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (mayTell(i)) {
                    return LocalLayout.PLAIN;
                }
                for (Operand operand : i.operands()) {
                    if (!(operand instanceof Operand.Address address) || !group.perThread(address)) {
                        continue;
                    }
                    int bytes = wordOf(i);
                    if (bytes == 0 || word != 0 && word != bytes) {
                        return LocalLayout.PLAIN;
                    }
                    word = bytes;
                }
            }
        }
        return word == 0 ? LocalLayout.PLAIN : new LocalLayout(group.lanes(), word);
    }

    /** Whether the instruction may hand an address of local memory on to code that knows only windows in one piece. */
    private static boolean mayTell(Instruction i) {
        return i.opcode() == Opcode.CALL || i.opcode() == Opcode.ALLOCA || i.opcode() == Opcode.CVTA && i.spelling().space() == StateSpace.LOCAL;
    }

    /** Bytes of an element of a plain load or store, 0 of any other access. */
    private static int wordOf(Instruction i) {
        boolean plain = (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST) && Operands.isWeak(i);
        return plain && (i.type().bits() == 32 || i.type().bits() == 64) ? i.type().bytes() : 0;
    }
}
