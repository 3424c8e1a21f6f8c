package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Ways out of a loop that a thread takes after 2^32 turns at most: a number of 32 bits counts each turn, and the loop goes on while it is less than another (or greater, counting down),
 * as {@code for (e = begin[v]; e < begin[v + 1]; e++)} does. Nobody waits for another thread like that, though the other number comes from memory. A count by more than one may jump over
 * the last numbers there are, but only where the other number is one of these.
 */
final class CountedExits {
    /** A greater one jumps over more numbers than a bound will be near to the last. */
    private static final int GREATEST_STEP = 1 << 16;

    private final Graph graph;
    private final BitSet loop;
    private final Map<Register, List<SpinLoops.Writer>> writers;
    private final Supplier<BitSet> turns;
    private BitSet everyTurn;

    /**
     * @param writers by register: what writes it, also outside of the loop
     * @param everyTurn asked for the blocks that no way from the header around the loop avoids, where they matter
     */
    CountedExits(Graph graph, BitSet loop, Map<Register, List<SpinLoops.Writer>> writers, Supplier<BitSet> everyTurn) {
        this.graph = graph;
        this.loop = loop;
        this.writers = writers;
        this.turns = everyTurn;
    }

    /** Whether the branch at the end of {@code block}, one of whose ways leads out of the loop, is such. */
    boolean counts(int block) {
        if (!(graph.blocks().get(block).terminator() instanceof Terminator.Branch branch) || loop.get(branch.taken()) == loop.get(branch.otherwise())) {
            return false;
        }
        Instruction test = onlyWriter(branch.predicate());
        if (test == null || test.opcode() != Opcode.SETP || !(test.operands().size() == 4 && test.operand(1) instanceof Operand.Absent) || test.type().bits() != 32 || !test.type().isInteger()
                || test.spelling().comparison() == null) {
            return false;
        }
        boolean goesOnIfTrue = loop.get(branch.taken()) != branch.negated();
        int direction = switch (test.spelling().comparison()) {
            case LT, LO -> goesOnIfTrue ? 1 : 0;
            case GE, HS -> goesOnIfTrue ? 0 : 1;
            case GT, HI -> goesOnIfTrue ? -1 : 0;
            case LE, LS -> goesOnIfTrue ? 0 : -1;
            default -> 0;
        };
        return direction != 0 && everyTurn(block) && (step(test.operand(2)) == direction || step(test.operand(3)) == -direction);
    }

    /** 1 if something not too great is added to the register in every turn, -1 if such is subtracted; else 0. */
    private int step(Operand operand) {
        if (!(operand instanceof Operand.Reg reg) || reg.register().type().bits() != 32) {
            return 0;
        }
        Instruction sum = onlyWriter(reg.register());
        boolean plain = sum != null && (sum.opcode() == Opcode.ADD || sum.opcode() == Opcode.SUB) && sum.type().isInteger() && sum.type().bits() == 32
                && !sum.type().packed() && !sum.spelling().has(Modifier.SAT);
        if (!plain || !(sum.operand(1) instanceof Operand.Reg before) || before.register() != reg.register()
                || !(sum.operand(2) instanceof Operand.Immediate number)) {
            return 0;
        }
        int step = (int) number.bits();
        return Math.abs((long) step) > GREATEST_STEP ? 0 : Integer.signum(sum.opcode() == Opcode.ADD ? step : -step);
    }

    /** The one instruction of the loop that writes the register, if every turn executes it; else null. */
    private Instruction onlyWriter(Register register) {
        SpinLoops.Writer only = null;
        for (SpinLoops.Writer writer : writers.getOrDefault(register, List.of())) {
            if (loop.get(writer.block())) {
                if (only != null) {
                    return null;
                }
                only = writer;
            }
        }
        return only != null && only.instruction().guard() == null && everyTurn(only.block()) ? only.instruction() : null;
    }

    private boolean everyTurn(int block) {
        if (everyTurn == null) {
            everyTurn = turns.get();
        }
        return everyTurn.get(block);
    }
}
