package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.PortableApproximations;
import io.ptx4j.jit.support.RoundingF64;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Arithmetic of {@code .f64}. The NaN of a result is chosen from the sources, where it is made: the result is looked at, or all sources but
 * one where those seldom change, since the processor passes on a single NaN ({@link Canonical#PASSES_ON_NAN}).
 */
final class DoublePrecision {
    private static final List<String> PLACES = List.of("First", "Second", "Third");

    private DoublePrecision() {
    }

    static void emit(ThreadCode c, Instruction i) {
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        boolean nearest = isToNearest(i);
        String passing = nearest && Canonical.PASSES_ON_NAN ? passing(c, i) : null;
        if (passing != null) {
            pushSources(c, i);
            c.code().call(Canonical.class, passing);
            c.pop(i.operand(0), JvmType.DOUBLE);
            return;
        }
        switch (i.opcode()) {
            case ADD, SUB, MUL, DIV, FMA, MAD -> {
                pushSources(c, i);
                if (nearest) {
                    toNearest(c.code(), i.opcode());
                } else {
                    directed(c.code(), i);
                }
                finish(c, i);
            }
            case RCP -> reciprocal(c, i, nearest);
            case SQRT -> {
                c.pushDouble(i.operand(1));
                if (nearest) {
                    c.code().call(Math.class, "sqrt");
                } else {
                    c.code().call(RoundingF64.class, rounding == Modifier.RP ? "sqrtRpF64" : "sqrtRzF64");
                }
                finish(c, i);
            }
            case RSQRT -> inverseRoot(c, i);
            case ABS, NEG -> {
                c.pushDoubleBits(i.operand(1));
                c.code().call(FloatOps.class, i.opcode().spelling() + "F64");
                c.pop(i.operand(0), JvmType.DOUBLE);
            }
            case MIN, MAX -> {
                c.pushDouble(i.operand(1));
                c.pushDouble(i.operand(2));
                c.code().call(FloatOps.class, i.opcode().spelling() + "F64");
                c.pop(i.operand(0), JvmType.DOUBLE);
            }
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    /** The instruction as the processor does it, whatever NaN it gives. */
    static void emitToNearest(ThreadCode c, Instruction i) {
        pushSources(c, i);
        toNearest(c.code(), i.opcode());
        c.pop(i.operand(0), JvmType.DOUBLE);
    }

    static boolean isToNearest(Instruction i) {
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        return rounding == null || rounding == Modifier.RN;
    }

    /** Whether a sum, product or quotient rounded to nearest looks at a number that often changes. */
    static boolean looksAtResult(ThreadCode c, Instruction i) {
        return passing(c, i) == null;
    }

    static List<Operand> sources(Instruction i) {
        return i.operands().subList(1, i.operands().size());
    }

    private static void pushSources(ThreadCode c, Instruction i) {
        sources(i).forEach(c::pushDouble);
    }

    /** The method that asks all sources but one, if those seldom change; else null. Quotients have none: the look takes no time beside them. */
    private static String passing(ThreadCode c, Instruction i) {
        String name = switch (i.opcode()) {
            case ADD -> "add";
            case SUB -> "sub";
            case MUL -> "mul";
            case FMA, MAD -> "fma";
            default -> null;
        };
        List<String> often = new ArrayList<>();
        for (int k = 1; k < i.operands().size(); k++) {
            if (!c.context().nans().isSteady(i.operand(k), i.operand(0))) {
                often.add(PLACES.get(k - 1));
            }
        }
        return name == null || often.size() > 1 ? null : name + (often.isEmpty() ? PLACES.getFirst() : often.getFirst()) + "F64";
    }

    private static void toNearest(Code code, Opcode opcode) {
        switch (opcode) {
            case FMA, MAD -> code.call(Math.class, "fma", double.class, double.class, double.class);
            default -> code.op(FloatingPointEmitter.nearest(opcode, false));
        }
    }

    private static void directed(Code code, Instruction i) {
        String name = switch (i.opcode()) {
            case FMA, MAD -> "fma";
            case SUB -> {
                code.op(Op.DNEG);
                yield "add";
            }
            default -> i.opcode().spelling();
        };
        code.call(RoundingF64.class, name + rounding(i) + "F64");
    }

    private static void reciprocal(ThreadCode c, Instruction i, boolean nearest) {
        Code code = c.code();
        if (i.spelling().has(Modifier.APPROX)) {
            c.pushDouble(i.operand(1));
            code.call(PortableApproximations.class, "rcpFtzF64");
            c.pop(i.operand(0), JvmType.DOUBLE);
            return;
        }
        code.push(1d);
        c.pushDouble(i.operand(1));
        if (nearest) {
            code.op(Op.DDIV);
        } else {
            code.call(RoundingF64.class, "div" + rounding(i) + "F64");
        }
        finish(c, i);
    }

    private static void inverseRoot(ThreadCode c, Instruction i) {
        Code code = c.code();
        if (i.spelling().has(Modifier.FTZ)) {
            c.pushDouble(i.operand(1));
            code.call(PortableApproximations.class, "rsqrtFtzF64");
            c.pop(i.operand(0), JvmType.DOUBLE);
            return;
        }
        code.push(1d);
        c.pushDouble(i.operand(1));
        code.call(Math.class, "sqrt").op(Op.DDIV);
        finish(c, i);
    }

    /** Stores a result whose NaN the processor chose. */
    private static void finish(ThreadCode c, Instruction i) {
        Class<?>[] types = new Class<?>[i.operands().size()];
        Arrays.fill(types, double.class);
        // A quotient takes the NaN of its dividend first.
        (i.opcode() == Opcode.DIV ? sources(i).reversed() : sources(i)).forEach(c::pushDouble);
        c.code().call(Canonical.class, "canonical", types);
        c.pop(i.operand(0), JvmType.DOUBLE);
    }
}
