package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Canonical;

import java.util.Arrays;

/** Single and double precision (manual: "Floating-Point Instructions"). */
final class FloatingPointEmitter {
    private FloatingPointEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        boolean plain = i.spelling().modifiers().stream().allMatch(m -> m == Modifier.RN)
                && (i.type() == ScalarType.F32 || i.type() == ScalarType.F64);
        boolean single = i.type() == ScalarType.F32;
        if (!plain) {
            throw new NoCode("form not supported");
        }
        switch (i.opcode()) {
            case ADD -> binary(c, i, single ? Op.FADD : Op.DADD);
            case SUB -> binary(c, i, single ? Op.FSUB : Op.DSUB);
            case MUL -> binary(c, i, single ? Op.FMUL : Op.DMUL);
            case DIV -> binary(c, i, single ? Op.FDIV : Op.DDIV);
            case FMA, MAD -> {
                Class<?> java = single ? float.class : double.class;
                c.push(i.operand(1));
                c.push(i.operand(2));
                c.push(i.operand(3));
                c.code().call(Math.class, "fma", java, java, java);
                finish(c, i, single);
            }
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static void binary(ThreadCode c, Instruction i, Op op) {
        JvmType type = c.push(i.operand(1));
        c.push(i.operand(2));
        c.code().op(op);
        finish(c, i, type == JvmType.FLOAT);
    }

    /** The NaN of a double result is chosen from its sources. */
    private static void finish(ThreadCode c, Instruction i, boolean single) {
        if (single) {
            c.popArithmetic(i.operand(0));
            return;
        }
        Class<?>[] types = new Class<?>[i.operands().size()];
        Arrays.fill(types, double.class);
        for (int k = 1; k < types.length; k++) {
            c.pushDouble(i.operand(k));
        }
        c.code().call(Canonical.class, "canonical", types);
        c.pop(i.operand(0), JvmType.DOUBLE);
    }
}
