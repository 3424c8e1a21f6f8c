package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Approximations;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.RoundingF64;

import java.util.Arrays;

/** Arithmetic of {@code .f64}. The NaN of a result is chosen from the sources, where it is made. */
final class DoublePrecision {
    private DoublePrecision() {
    }

    static void emit(ThreadCode c, Instruction i) {
        Modifier rounding = i.spelling().one(Modifier.Category.ROUNDING);
        boolean nearest = rounding == null || rounding == Modifier.RN;
        switch (i.opcode()) {
            case ADD, SUB, MUL, DIV -> {
                binary(c, i, nearest);
                finish(c, i);
            }
            case FMA, MAD -> {
                fused(c, i, nearest);
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

    private static void binary(ThreadCode c, Instruction i, boolean nearest) {
        Code code = c.code();
        c.pushDouble(i.operand(1));
        c.pushDouble(i.operand(2));
        if (nearest) {
            code.op(FloatingPointEmitter.nearest(i.opcode(), false));
            return;
        }
        boolean subtracts = i.opcode() == Opcode.SUB;
        if (subtracts) {
            code.op(Op.DNEG);
        }
        code.call(RoundingF64.class, (subtracts ? "add" : i.opcode().spelling()) + rounding(i) + "F64");
    }

    private static void fused(ThreadCode c, Instruction i, boolean nearest) {
        for (int k = 1; k <= 3; k++) {
            c.pushDouble(i.operand(k));
        }
        if (nearest) {
            c.code().call(Math.class, "fma", double.class, double.class, double.class);
        } else {
            c.code().call(RoundingF64.class, "fma" + rounding(i) + "F64");
        }
    }

    private static void reciprocal(ThreadCode c, Instruction i, boolean nearest) {
        Code code = c.code();
        if (i.spelling().has(Modifier.APPROX)) {
            c.pushDouble(i.operand(1));
            code.call(Approximations.class, "rcpFtzF64");
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
            code.call(Approximations.class, "rsqrtFtzF64");
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
        for (int k = 1; k < types.length; k++) {
            c.pushDouble(i.operand(k));
        }
        c.code().call(Canonical.class, "canonical", types);
        c.pop(i.operand(0), JvmType.DOUBLE);
    }
}
