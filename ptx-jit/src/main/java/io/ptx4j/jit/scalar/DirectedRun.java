package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.support.DirectedRuns;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums and fused sums of f32 rounded in one direction that follow one another. One look at what they begin with, numbers of common size,
 * stands for looks at each source and result; values are converted to f64 at the beginning and back at the end. Everything else, and fused
 * sums that may be exact, goes the long way, from the first instruction on: until the end of the run no register is written.
 *
 * <p>Sums of numbers in the window are exact in f64. Which way magnitudes go is known before: towards zero by {@code .rz}; by {@code .rm}
 * and {@code .rp} where all sources have one sign, which then all results have. With fused sums all are positive, so that nothing cancels
 * and results stay far above the least normal float. For either sign there is code of its own, where it is known which instructions take magnitudes up.
 *
 * <p>Where all do and are sums, numbers are held as the doubles next below them in magnitude, x as x-. Then one operation rounds: all bits of x- + y- below those of an
 * f32 are set, which is r- of the result r. For x- + y- is less than x + y by 2^-35 at most, of which all sums are multiples, so that no f32 lies between them; and
 * it is never rounded to x + y, because the greater of both alone lacks at least half of the step between doubles there, and the other one something.
 */
final class DirectedRun implements Run {
    private static final int MOST = 64;
    /** Sums are exact in f64 whose magnitude is less than 2 to this: all numbers are multiples of 2^-35. */
    private static final int EXACT = 53 - DirectedRuns.WINDOW - 23;
    /** No f32 overflows below 2 to this. */
    private static final int FINITE = 120;
    private static final int FIRST_TWIN = 1;
    /** An f32 times this is the double next below it in magnitude. */
    private static final double BELOW_ONE = Math.nextDown(1.0);
    /** What makes bits of an f32 of the high ones of a double. A conversion costs more on Intel's processors: it goes through the units that the moves of bits need. */
    private static final int REBIAS = 0x4000_0000;
    private static final Set<Modifier> DIRECTIONS = Set.of(Modifier.RZ, Modifier.RM, Modifier.RP);

    private final ThreadCode c;
    private final Code code;
    private final List<Instruction> instructions = new ArrayList<>();
    /** Registers read before they are written, and those that are written. */
    private final Set<Register> sources = new LinkedHashSet<>();
    private final Set<Register> results = new LinkedHashSet<>();
    /** By register: its magnitude is less than 2 to this. */
    private final Map<Register, Integer> bounds = new HashMap<>();
    private final Map<Register, Local> twins = new LinkedHashMap<>();
    private boolean signed;
    private boolean positive;
    private boolean subtracts;
    private boolean plusConstant;
    private boolean minusConstant;

    private DirectedRun(ThreadCode c) {
        this.c = c;
        this.code = c.code();
    }

    /** The run that begins at {@code first}, or null if there is none or it would not pay. */
    static DirectedRun at(ThreadCode c, List<Instruction> all, int first) {
        DirectedRun run = new DirectedRun(c);
        for (int i = first; i < Math.min(all.size(), first + MOST) && run.add(all.get(i)); i++) {
            run.instructions.add(all.get(i));
        }
        return run.instructions.size() > 1 && 2 * run.instructions.size() > run.sources.size() ? run : null;
    }

    @Override
    public List<Instruction> instructions() {
        return instructions;
    }

    private static Modifier rounding(Instruction i) {
        return i.spelling().one(Modifier.Category.ROUNDING);
    }

    /** Takes an instruction in, if it fits. */
    private boolean add(Instruction i) {
        boolean fused = i.opcode() == Opcode.FMA || i.opcode() == Opcode.MAD;
        if (!fused && !isSum(i) || i.guard() != null || i.type() != ScalarType.F32 || i.spelling().modifiers().size() != 1
                || !DIRECTIONS.containsAll(i.spelling().modifiers()) || !isFloat(i.operand(0))) {
            return false;
        }
        boolean direction = signed || rounding(i) != Modifier.RZ;
        boolean above = positive || fused;
        boolean minus = subtracts || i.opcode() == Opcode.SUB;
        boolean plusOne = plusConstant;
        boolean minusOne = minusConstant;
        int[] bound = new int[3];
        for (int k = 1; k < i.operands().size(); k++) {
            Operand source = i.operand(k);
            if (source instanceof Operand.Immediate immediate) {
                float value = Float.intBitsToFloat((int) immediate.bits());
                if (!DirectedRuns.fits(value)) {
                    return false;
                }
                plusOne |= value > 0;
                minusOne |= value < 0;
            } else if (!isFloat(source)) {
                return false;
            }
            bound[k - 1] = source instanceof Operand.Reg r ? bounds.getOrDefault(r.register(), DirectedRuns.WINDOW) : DirectedRuns.WINDOW;
        }
        above |= direction && plusOne;
        if ((direction || above) && (minus || minusOne)) {
            return false;
        }
        int result = 1 + (fused ? Math.max(bound[0] + bound[1], bound[2]) : Math.max(bound[0], bound[1]));
        if (result > (fused ? FINITE : EXACT)) {
            return false;
        }
        for (Operand source : i.operands().subList(1, i.operands().size())) {
            if (source instanceof Operand.Reg r && !results.contains(r.register())) {
                sources.add(r.register());
            }
        }
        Register destination = ((Operand.Reg) i.operand(0)).register();
        results.add(destination);
        bounds.put(destination, result);
        signed = direction;
        positive = above;
        subtracts = minus;
        plusConstant = plusOne;
        minusConstant = minusOne;
        return true;
    }

    private boolean isFloat(Operand operand) {
        return operand instanceof Operand.Reg r && r.type() == ScalarType.F32 && c.held(r.register()) == Held.FLOAT;
    }

    @Override
    public void emit(Runnable longWay) {
        Place slow = new Place();
        Place done = new Place();
        if (signed && !positive) {
            Place negative = new Place();
            code.load(c.local(sources.iterator().next())).call(Float.class, "floatToRawIntBits").jumpIf(Condition.LT, negative);
            emit(0, slow);
            code.jump(done).place(negative);
            emit(Integer.MIN_VALUE, slow);
        } else {
            emit(0, slow);
        }
        code.jump(done).place(slow);
        longWay.run();
        code.place(done);
    }

    /** @param sign of all numbers, if they must be of one: the least int or 0 */
    private void emit(int sign, Place slow) {
        boolean known = signed || positive;
        boolean below = instructions.stream().allMatch(i -> isSum(i) && goesUp(i, sign));
        for (Register source : sources) {
            code.load(c.local(source));
            if (known) {
                code.push(sign).call(DirectedRuns.class, "fits", float.class, int.class);
            } else {
                code.call(DirectedRuns.class, "fits", float.class);
            }
            code.jumpIf(Condition.EQ, slow);
        }
        for (Register source : sources) {
            code.load(c.local(source)).op(Op.F2D);
            if (below) {
                code.push(BELOW_ONE).op(Op.DMUL);
            }
            code.store(twin(source));
        }
        for (Instruction i : instructions) {
            push(i, below, slow);
            code.call(Double.class, "doubleToRawLongBits");
            round(i, below, sign);
            code.call(Double.class, "longBitsToDouble").store(twin(((Operand.Reg) i.operand(0)).register()));
        }
        for (Register result : results) {
            code.load(twin(result));
            if (known) {
                code.call(Double.class, "doubleToRawLongBits").push(29).op(Op.LUSHR).op(Op.L2I);
                code.push(sign + REBIAS + (below ? 1 : 0)).op(Op.IADD).call(Float.class, "intBitsToFloat");
            } else {
                code.op(Op.D2F);
            }
            code.store(c.local(result));
        }
    }

    /** Rounds the sum whose bits are on the stack. */
    private void round(Instruction i, boolean below, int sign) {
        if (below) {
            code.push(DirectedRuns.BELOW).op(Op.LOR);
            return;
        }
        if (goesUp(i, sign)) {
            code.push(DirectedRuns.BELOW).op(Op.LADD);
        }
        code.push(~DirectedRuns.BELOW).op(Op.LAND);
    }

    private static boolean isSum(Instruction i) {
        return i.opcode() == Opcode.ADD || i.opcode() == Opcode.SUB;
    }

    private static boolean goesUp(Instruction i, int sign) {
        return rounding(i) == (sign < 0 ? Modifier.RM : Modifier.RP);
    }

    private Local twin(Register register) {
        return twins.computeIfAbsent(register, r -> c.scratch(JvmType.DOUBLE, FIRST_TWIN + twins.size()));
    }

    /** Pushes the sum in f64. */
    private void push(Instruction i, boolean below, Place slow) {
        for (Operand source : i.operands().subList(1, i.operands().size())) {
            if (source instanceof Operand.Immediate immediate) {
                double value = Float.intBitsToFloat((int) immediate.bits());
                code.push(below ? value * BELOW_ONE : value);
            } else {
                code.load(twin(((Operand.Reg) source).register()));
            }
        }
        switch (i.opcode()) {
            case ADD -> code.op(Op.DADD);
            case SUB -> code.op(Op.DSUB);
            default -> {
                Local sum = c.scratch(JvmType.DOUBLE, FIRST_TWIN - 1);
                code.call(Math.class, "fma", double.class, double.class, double.class).store(sum);
                code.load(sum).call(DirectedRuns.class, "isBetween").jumpIf(Condition.EQ, slow).load(sum);
            }
        }
    }
}
