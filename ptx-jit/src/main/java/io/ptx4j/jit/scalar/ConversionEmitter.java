package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;

/** Conversions (manual: "cvt"). */
final class ConversionEmitter {
    private ConversionEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        ScalarType to = i.type();
        ScalarType from = i.spelling().lastType();
        boolean integers = i.opcode() == Opcode.CVT && i.operands().size() == 2 && to.isInteger() && from.isInteger()
                && i.spelling().modifiers().isEmpty();
        if (integers) {
            integer(c, i, to);
        } else if (i.opcode() == Opcode.CVT && from.isInteger() && (to == ScalarType.F32 || to == ScalarType.F64)
                && i.spelling().modifiers().stream().allMatch(m -> m == Modifier.RN) && from.bits() <= 32) {
            fromInteger(c, i, to, from);
        } else {
            throw new NoCode("not supported by the JIT");
        }
    }

    /** Extended as the source type says, cut to the destination type, extended as that says. */
    private static void integer(ThreadCode c, Instruction i, ScalarType to) {
        Code code = c.code();
        JvmType type = to.bits() > 32 ? JvmType.LONG : JvmType.INT;
        if (type == JvmType.LONG) {
            c.pushLong(i.operand(1));
        } else if (ThreadCode.typeOf(i.operand(1)).bits() > 32) {
            c.pushLong(i.operand(1));
            code.op(Op.L2I);
        } else {
            c.pushInt(i.operand(1));
        }
        if (to.bits() == 8) {
            cut(code, to.signed() ? Op.I2B : null);
        } else if (to.bits() == 16) {
            code.op(to.signed() ? Op.I2S : Op.I2C);
        }
        c.pop(i.operand(0), type);
    }

    private static void cut(Code code, Op signed) {
        if (signed != null) {
            code.op(signed);
        } else {
            code.push(0xFF).op(Op.IAND);
        }
    }

    private static void fromInteger(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        boolean single = to == ScalarType.F32;
        if (from.signed() || from.bits() < 32) {
            c.pushInt(i.operand(1));
            c.code().op(single ? Op.I2F : Op.I2D);
        } else {
            c.pushUnsigned(i.operand(1));
            c.code().op(single ? Op.L2F : Op.L2D);
        }
        c.pop(i.operand(0), single ? JvmType.FLOAT : JvmType.DOUBLE);
    }
}
