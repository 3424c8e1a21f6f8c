package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Registers that a loop takes up by a constant, or shifts to the left by one, and compares with one, such as {@code e} in {@code for (int e = t; e < 1024; e += 256)}. The block of the only step
 * ends with the test, and where the loop is left nobody reads the register: so a value that is read is either one from outside or has been tested.
 *
 * <p>This holds for what threads read. In vectors, lanes that have left a loop may be counted on.
 */
final class Counters {
    private static final int SETP_OPERANDS = 4;

    private final Graph graph;
    private final Map<Register, List<Instruction>> definitions;
    private final Liveness liveness;
    /** By instruction: the first block with it; empty until it is asked for. */
    private final Map<Instruction, BasicBlock> blocks = new IdentityHashMap<>();

    /** @param definitions {@link Writes#all} of the graph */
    Counters(Graph graph, Map<Register, List<Instruction>> definitions, Liveness liveness) {
        this.graph = graph;
        this.definitions = definitions;
        this.liveness = liveness;
    }

    /**
     * A counter.
     *
     * @param step the instruction that takes it up
     * @param shift by how many bits it is shifted to the left
     * @param by how far it is taken up; the shift or this is more than 0, the other one 0
     * @param last the largest number that passes the test; negative if none does
     * @param ahead whether the test is of the number before the step
     */
    record Counter(Instruction step, int shift, int by, long last, boolean ahead) {
        /**
         * The largest number it may hold, the one behind the last test included.
         *
         * @param first the largest that it comes with from outside
         * @return at least 2^31 if sums may wrap around
         */
        long most(long first) {
            long again = last < 0 ? -1 : ahead ? next(last) : last;
            return next(Math.max(first, again));
        }

        private long next(long number) {
            return (number << shift) + by;
        }
    }

    /** What a loop does with the register, or null if it is no counter. */
    Counter of(Register register) {
        if (register.type().bits() != Integer.SIZE) {
            return null;
        }
        Instruction step = null;
        for (Instruction i : definitions.getOrDefault(register, List.of())) {
            // Of several steps all but one give any number.
            step = sum(i, register) == null ? step : i;
        }
        return step == null ? null : counter(register, step);
    }

    /** The sum of the register and a constant that an instruction leaves in it, by itself or by a move; or null. */
    private Instruction sum(Instruction i, Register register) {
        if (i.guard() != null || i.operands().size() < 2 || !is(i.operand(0), register)) {
            return null;
        }
        if (i.opcode() == Opcode.ADD || i.opcode() == Opcode.SHL) {
            return isSum(i, register) ? i : null;
        }
        boolean move = i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.Reg from && from.register().type().bits() == Integer.SIZE;
        List<Instruction> sources = move ? definitions.getOrDefault(((Operand.Reg) i.operand(1)).register(), List.of()) : List.of();
        return sources.size() == 1 && sources.getFirst().guard() == null && isSum(sources.getFirst(), register) ? sources.getFirst() : null;
    }

    private static boolean isSum(Instruction i, Register register) {
        if (i.operands().size() != 3 || !is(i.operand(1), register) || !(i.operand(2) instanceof Operand.Immediate n) || n.bits() == 0) {
            return false;
        }
        return switch (i.opcode()) {
            case ADD -> (i.type() == ScalarType.S32 || i.type() == ScalarType.U32) && !i.spelling().has(Modifier.SAT) && !i.spelling().has(Modifier.CC) && (int) n.bits() > 0;
            case SHL -> i.type() == ScalarType.B32 && n.bits() > 0 && n.bits() <= Byte.SIZE;
            default -> false;
        };
    }

    private static boolean is(Operand operand, Register register) {
        return operand instanceof Operand.Reg r && r.register() == register;
    }

    private Counter counter(Register register, Instruction step) {
        BasicBlock block = blockOf(step);
        if (!(block.terminator() instanceof Terminator.Branch branch)) {
            return null;
        }
        boolean taken = liveness.liveIn(branch.taken()).contains(register);
        Instruction sum = sum(step, register);
        int at = place(block, step);
        int summed = place(block, sum);
        int test = lastWrite(block, branch.predicate());
        if (taken == liveness.liveIn(branch.otherwise()).contains(register) || summed < 0 || summed > at || test < 0 || lastWrite(block, register) != at) {
            return null;
        }
        Instruction compared = block.instructions().get(test);
        boolean ofSum = sum != step && isTest(compared, ((Operand.Reg) sum.operand(0)).register());
        if (ofSum ? test < summed : !isTest(compared, register)) {
            return null;
        }
        Long last = last(compared, taken != branch.negated());
        int by = (int) ((Operand.Immediate) sum.operand(2)).bits();
        boolean shifts = sum.opcode() == Opcode.SHL;
        return last == null ? null : new Counter(step, shifts ? by : 0, shifts ? 0 : by, last, !ofSum && test < at);
    }

    private BasicBlock blockOf(Instruction step) {
        if (blocks.isEmpty()) {
            graph.blocks().forEach(b -> b.instructions().forEach(i -> blocks.putIfAbsent(i, b)));
        }
        return blocks.get(step);
    }

    private static int place(BasicBlock block, Instruction wanted) {
        for (int i = 0; i < block.instructions().size(); i++) {
            if (block.instructions().get(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private int lastWrite(BasicBlock block, Register register) {
        int last = -1;
        for (Instruction i : definitions.getOrDefault(register, List.of())) {
            last = Math.max(last, place(block, i));
        }
        return last;
    }

    private static boolean isTest(Instruction i, Register register) {
        return i.opcode() == Opcode.SETP && i.guard() == null && i.operands().size() == SETP_OPERANDS && (i.type() == ScalarType.S32 || i.type() == ScalarType.U32)
                && i.operand(1) instanceof Operand.Absent && is(i.operand(2), register) && i.operand(3) instanceof Operand.Immediate;
    }

    /** The largest number for which the loop goes on, or null if there is none. */
    private static Long last(Instruction test, boolean whereTrue) {
        long bits = ((Operand.Immediate) test.operand(3)).bits();
        long limit = test.type() == ScalarType.S32 ? (int) bits : Integer.toUnsignedLong((int) bits);
        return switch (test.spelling().comparison()) {
            case LT, LO -> whereTrue ? limit - 1 : null;
            case LE, LS -> whereTrue ? limit : null;
            case GE, HS -> whereTrue ? null : limit - 1;
            case GT, HI -> whereTrue ? null : limit;
            default -> null;
        };
    }
}
