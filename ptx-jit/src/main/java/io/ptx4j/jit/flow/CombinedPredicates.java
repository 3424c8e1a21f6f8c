package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.BitSet;

/**
 * Predicates that a loop computes and that are only combined with others, as in {@code if (a == b || c == d)}: no branch, guard or selection asks them by themselves. HotSpot
 * makes a jump of each comparison, which processors cannot foresee where data decide; of these, arithmetic is better. Outside of loops it is mostly the
 * borders of an image that are asked for, which they foresee.
 */
public final class CombinedPredicates {
    /** Without a predicate to combine the comparison with. */
    private static final int SETP_OPERANDS = 4;

    private final BitSet combined = new BitSet();
    private final BitSet asked = new BitSet();

    public CombinedPredicates(Graph graph) {
        if (!Operands.any(graph.blocks(), i -> combines(i) && (i.opcode() != Opcode.SETP || i.operands().size() > SETP_OPERANDS))) {
            return;
        }
        for (BasicBlock block : graph.blocks()) {
            boolean loop = graph.loopDepth()[block.index()] > 0;
            for (Instruction i : block.instructions()) {
                if (!loop) {
                    Operands.definitions(i, r -> asked.set(r.index()));
                }
                boolean combines = combines(i);
                Operands.uses(i, r -> (combines && (i.guard() == null || i.guard().predicate() != r) ? combined : asked).set(r.index()));
            }
            if (Operands.use(block.terminator()) instanceof Register r) {
                asked.set(r.index());
            }
        }
        combined.andNot(asked);
    }

    private static boolean combines(Instruction i) {
        return switch (i.opcode()) {
            case AND, OR, XOR, NOT -> i.type() == ScalarType.PRED;
            case SETP -> true;
            default -> false;
        };
    }

    public boolean contains(Operand operand) {
        return operand instanceof Operand.Reg r && combined.get(r.register().index());
    }
}
