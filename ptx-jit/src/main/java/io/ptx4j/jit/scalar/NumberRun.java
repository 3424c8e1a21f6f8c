package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Canonical;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Arithmetic of f64, rounded to nearest, that follows one another. If nothing that it begins with is NaN, the only NaN that it can make is
 * {@link Canonical#F64}, whichever source a compiler writes first ({@link Canonical#PASSES_ON_NAN}); then no result is looked at. Else it
 * goes the long way, with a look at each result that {@link DoublePrecision} looks at.
 */
final class NumberRun implements Run {
    private static final int MOST = 64;
    /** Looks at results for one at a source: below, code twice as long gains too little. */
    private static final int GAIN = 2;

    private final ThreadCode c;
    private final List<Instruction> instructions;
    /** Registers read before they are written: those that are written outside the loop, and the others. */
    private final List<Operand> steady;
    private final List<Operand> changing;

    private NumberRun(ThreadCode c, List<Instruction> instructions, List<Operand> steady, List<Operand> changing) {
        this.c = c;
        this.instructions = instructions;
        this.steady = steady;
        this.changing = changing;
    }

    /** The run that begins at {@code first}, as long as pays best, or null if none does. */
    static NumberRun at(ThreadCode c, List<Instruction> all, int first) {
        if (!Canonical.PASSES_ON_NAN) {
            return null;
        }
        List<Operand> steady = new ArrayList<>();
        List<Operand> changing = new ArrayList<>();
        Set<Register> known = new HashSet<>();
        int looks = 0;
        int best = 0;
        NumberRun run = null;
        for (int i = first; i < Math.min(all.size(), first + MOST) && fits(all.get(i)); i++) {
            Instruction instruction = all.get(i);
            for (Operand source : DoublePrecision.sources(instruction)) {
                if (source instanceof Operand.Reg reg && known.add(reg.register())) {
                    (c.context().nans().isSteady(source, instruction.operand(0)) ? steady : changing).add(source);
                }
            }
            known.add(((Operand.Reg) instruction.operand(0)).register());
            looks += DoublePrecision.looksAtResult(c, instruction) ? 1 : 0;
            if (looks >= GAIN * changing.size() && looks - changing.size() > best) {
                best = looks - changing.size();
                run = new NumberRun(c, all.subList(first, i + 1), List.copyOf(steady), List.copyOf(changing));
            }
        }
        return run;
    }

    private static boolean fits(Instruction i) {
        boolean arithmetic = switch (i.opcode()) {
            case ADD, SUB, MUL, FMA, MAD, DIV -> true;
            default -> false;
        };
        return arithmetic && i.type() == ScalarType.F64 && i.guard() == null && DoublePrecision.isToNearest(i)
                && DoublePrecision.sources(i).stream().allMatch(NumberRun::fits);
    }

    private static boolean fits(Operand source) {
        return source instanceof Operand.Reg || source instanceof Operand.Immediate i && !Double.isNaN(Double.longBitsToDouble(i.bits()));
    }

    @Override
    public List<Instruction> instructions() {
        return instructions;
    }

    /** One look for all: a sum is NaN where a source is. It may be where infinities are, and then the long way does no harm. */
    private void look(List<Operand> together, Place slow) {
        pushSum(together);
        c.code().call(Canonical.class, "isNumber").jumpIf(Condition.EQ, slow);
    }

    private void pushSum(List<Operand> summands) {
        int half = summands.size() / 2;
        if (half == 0) {
            c.pushDouble(summands.getFirst());
        } else {
            pushSum(summands.subList(0, half));
            pushSum(summands.subList(half, summands.size()));
            c.code().op(Op.DADD);
        }
    }

    @Override
    public void emit(Runnable longWay) {
        Place slow = new Place();
        Place done = new Place();
        steady.forEach(source -> look(List.of(source), slow));
        if (!changing.isEmpty()) {
            look(changing, slow);
        }
        instructions.forEach(i -> DoublePrecision.emitToNearest(c, i));
        c.code().jump(done).place(slow);
        longWay.run();
        c.code().place(done);
    }
}
