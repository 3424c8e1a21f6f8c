package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;

/** Integer arithmetic (manual: "Integer Arithmetic Instructions"). */
final class IntegerEmitter {
    private IntegerEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        boolean plain = !i.type().packed() && i.spelling().modifiers().stream().allMatch(m -> m == Modifier.LO
                || m == Modifier.HI || m == Modifier.WIDE);
        switch (i.opcode()) {
            case ADD, SUB -> {
                if (!plain) {
                    throw new NoCode("form not supported");
                }
                binary(c, i, i.opcode() == Opcode.ADD ? Op.IADD : Op.ISUB,
                        i.opcode() == Opcode.ADD ? Op.LADD : Op.LSUB);
            }
            case MUL, MAD -> {
                if (!plain) {
                    throw new NoCode("form not supported");
                }
                multiply(c, i);
            }
            case NEG -> unary(c, i, Op.INEG, Op.LNEG);
            case ABS -> {
                JvmType type = c.push(i.operand(1));
                c.code().call(Math.class, "abs", type == JvmType.LONG ? long.class : int.class);
                c.pop(i.operand(0), type);
            }
            case MIN, MAX -> {
                if (!plain) {
                    throw new NoCode("form not supported");
                }
                extreme(c, i, i.opcode() == Opcode.MIN);
            }
            case POPC -> count(c, i, "bitCount");
            case CLZ -> count(c, i, "numberOfLeadingZeros");
            case BREV -> {
                JvmType type = c.push(i.operand(1));
                c.code().call(type == JvmType.LONG ? Long.class : Integer.class, "reverse");
                c.pop(i.operand(0), type);
            }
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static void binary(ThreadCode c, Instruction i, Op narrow, Op wide) {
        JvmType type = c.push(i.operand(1));
        c.push(i.operand(2));
        c.code().op(type == JvmType.LONG ? wide : narrow);
        c.pop(i.operand(0), type);
    }

    private static void unary(ThreadCode c, Instruction i, Op narrow, Op wide) {
        JvmType type = c.push(i.operand(1));
        c.code().op(type == JvmType.LONG ? wide : narrow);
        c.pop(i.operand(0), type);
    }

    private static void count(ThreadCode c, Instruction i, String method) {
        JvmType type = c.push(i.operand(1));
        c.code().call(type == JvmType.LONG ? Long.class : Integer.class, method);
        c.pop(i.operand(0), JvmType.INT);
    }

    /** {@code mul} and {@code mad}: lo, hi and wide. */
    private static void multiply(ThreadCode c, Instruction i) {
        Code code = c.code();
        boolean adds = i.opcode() == Opcode.MAD;
        JvmType result;
        if (i.spelling().has(Modifier.WIDE)) {
            result = wide(c, i);
        } else if (i.spelling().has(Modifier.LO)) {
            result = c.push(i.operand(1));
            c.push(i.operand(2));
            code.op(result == JvmType.LONG ? Op.LMUL : Op.IMUL);
        } else {
            result = high(c, i);
        }
        if (adds) {
            if (result == JvmType.LONG) {
                c.pushLong(i.operand(3));
            } else {
                c.pushInt(i.operand(3));
            }
            code.op(result == JvmType.LONG ? Op.LADD : Op.IADD);
        }
        c.pop(i.operand(0), result);
    }

    private static JvmType wide(ThreadCode c, Instruction i) {
        if (i.type().bits() == 16) {
            c.pushInt(i.operand(1));
            c.pushInt(i.operand(2));
            c.code().op(Op.IMUL);
            return JvmType.INT;
        }
        pushExtended(c, i, 1);
        pushExtended(c, i, 2);
        c.code().op(Op.LMUL);
        return JvmType.LONG;
    }

    private static void pushExtended(ThreadCode c, Instruction i, int operand) {
        if (i.type().signed()) {
            c.pushInt(i.operand(operand));
            c.code().op(Op.I2L);
        } else {
            c.pushUnsigned(i.operand(operand));
        }
    }

    private static JvmType high(ThreadCode c, Instruction i) {
        ScalarType type = i.type();
        Code code = c.code();
        if (type.bits() == 64) {
            c.pushLong(i.operand(1));
            c.pushLong(i.operand(2));
            code.call(Math.class, type.signed() ? "multiplyHigh" : "unsignedMultiplyHigh", long.class, long.class);
            return JvmType.LONG;
        }
        if (type.bits() == 16) {
            c.pushInt(i.operand(1));
            c.pushInt(i.operand(2));
            code.op(Op.IMUL).push(16).op(Op.ISHR);
        } else {
            wide(c, i);
            code.push(32).op(Op.LUSHR).op(Op.L2I);
        }
        return JvmType.INT;
    }

    private static void extreme(ThreadCode c, Instruction i, boolean min) {
        JvmType type = c.push(i.operand(1));
        Class<?> java = type == JvmType.LONG ? long.class : int.class;
        boolean flip = !i.type().signed() && i.type().bits() >= 32;
        flipSign(c, type, flip);
        c.push(i.operand(2));
        flipSign(c, type, flip);
        c.code().call(Math.class, min ? "min" : "max", java, java);
        flipSign(c, type, flip);
        c.pop(i.operand(0), type);
    }

    /** Unsigned order is signed order with the sign bit flipped. */
    private static void flipSign(ThreadCode c, JvmType type, boolean flip) {
        if (!flip) {
            return;
        }
        if (type == JvmType.LONG) {
            c.code().push(Long.MIN_VALUE).op(Op.LXOR);
        } else {
            c.code().push(Integer.MIN_VALUE).op(Op.IXOR);
        }
    }
}
