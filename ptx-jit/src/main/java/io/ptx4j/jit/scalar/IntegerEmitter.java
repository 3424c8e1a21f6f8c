package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.BitOps;
import io.ptx4j.jit.support.IntegerOps;
import io.ptx4j.jit.support.PackedIntegerOps;

/** Integer arithmetic (manual: "Integer Arithmetic Instructions"). */
final class IntegerEmitter {
    private IntegerEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        ScalarType type = i.type();
        String suffix = type.name();
        switch (i.opcode()) {
            case ADD, SUB -> add(c, i);
            case MUL, MAD -> multiply(c, i);
            case MUL24, MAD24 -> multiply24(c, i);
            case DIV, REM -> divide(c, i);
            case SAD -> Calls.emit(c, i, IntegerOps.class, "sad" + suffix);
            case NEG -> {
                if (type.packed()) {
                    Calls.emit(c, i, PackedIntegerOps.class, "neg8x4");
                } else {
                    unary(c, i, Op.INEG, Op.LNEG);
                }
            }
            case ABS -> {
                JvmType jvm = c.push(i.operand(1));
                c.code().call(Math.class, "abs", jvm == JvmType.LONG ? long.class : int.class);
                c.pop(i.operand(0), jvm);
            }
            case MIN, MAX -> extreme(c, i, i.opcode() == Opcode.MIN);
            case POPC -> count(c, i, "bitCount");
            case CLZ -> count(c, i, "numberOfLeadingZeros");
            case BREV -> {
                JvmType jvm = c.push(i.operand(1));
                c.code().call(jvm == JvmType.LONG ? Long.class : Integer.class, "reverse");
                c.pop(i.operand(0), jvm);
            }
            case BFIND -> Calls.emit(c, i, BitOps.class, (i.spelling().has(Modifier.SHIFTAMT) ? "bfindShiftamt" : "bfind") + suffix);
            case FNS -> Calls.emit(c, i, BitOps.class, "fns");
            case BFE -> extract(c, i);
            case BFI -> insert(c, i);
            case SZEXT -> Calls.emit(c, i, BitOps.class, "szext" + mode(i) + suffix);
            case BMSK -> Calls.emit(c, i, BitOps.class, "bmsk" + mode(i));
            case DP4A -> Calls.emit(c, i, PackedIntegerOps.class, "dp4a" + suffix + i.spelling().lastType().name());
            case DP2A -> dotProduct2(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static String mode(Instruction i) {
        return i.spelling().has(Modifier.WRAP) ? "Wrap" : "Clamp";
    }

    private static Class<?> holder(Instruction i) {
        return i.type().packed() ? PackedIntegerOps.class : IntegerOps.class;
    }

    private static String suffix(Instruction i) {
        return i.type().name().replace('X', 'x');
    }

    private static void add(ThreadCode c, Instruction i) {
        boolean adds = i.opcode() == Opcode.ADD;
        if (i.spelling().has(Modifier.SAT)) {
            Calls.emit(c, i, holder(i), (adds ? "addSat" : "subSat") + suffix(i));
        } else if (i.type().packed()) {
            Calls.emit(c, i, PackedIntegerOps.class, (adds ? "add" : "sub") + suffix(i).substring(1));
        } else {
            binary(c, i, adds ? Op.IADD : Op.ISUB, adds ? Op.LADD : Op.LSUB);
        }
    }

    /** A constant divisor is not zero and known to be so; an unsigned word divides as a {@code long}, which HotSpot multiplies. */
    private static void divide(ThreadCode c, Instruction i) {
        ScalarType type = i.type();
        boolean quotient = i.opcode() == Opcode.DIV;
        boolean known = i.operand(2) instanceof Operand.Immediate divisor
                && (type.bits() == 64 ? divisor.bits() : divisor.bits() << 64 - type.bits()) != 0;
        if (known && type == ScalarType.U32) {
            c.pushUnsigned(i.operand(1));
            c.pushUnsigned(i.operand(2));
            c.code().op(quotient ? Op.LDIV : Op.LREM).op(Op.L2I);
            c.pop(i.operand(0), JvmType.INT);
        } else if (known && type != ScalarType.U64) {
            binary(c, i, quotient ? Op.IDIV : Op.IREM, quotient ? Op.LDIV : Op.LREM);
        } else {
            Calls.emit(c, i, IntegerOps.class, (quotient ? "div" : "rem") + type.name());
        }
    }

    private static void multiply24(ThreadCode c, Instruction i) {
        c.pushInt(i.operand(1));
        c.pushInt(i.operand(2));
        c.code().call(IntegerOps.class, (i.spelling().has(Modifier.HI) ? "mul24Hi" : "mul24Lo") + i.type().name());
        if (i.opcode() == Opcode.MAD24) {
            c.pushInt(i.operand(3));
            addProduct(c, i, JvmType.INT);
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    private static void extract(ThreadCode c, Instruction i) {
        BitField field = BitField.of(i, 2);
        if (field == null) {
            Calls.emit(c, i, BitOps.class, "bfe" + i.type().name());
            return;
        }
        JvmType type = c.push(i.operand(1));
        boolean wide = type == JvmType.LONG;
        if (field.isEmpty(i.type().signed())) {
            pushNumber(c.code().pop(), wide, 0);
        } else {
            shift(c, field.left(), wide ? Op.LSHL : Op.ISHL);
            shift(c, field.right(), i.type().signed() ? wide ? Op.LSHR : Op.ISHR : wide ? Op.LUSHR : Op.IUSHR);
        }
        c.pop(i.operand(0), type);
    }

    private static void insert(ThreadCode c, Instruction i) {
        BitField field = BitField.of(i, 3);
        if (field == null) {
            Calls.emit(c, i, BitOps.class, "bfi" + i.type().name());
            return;
        }
        boolean wide = i.type().bits() == 64;
        Op and = wide ? Op.LAND : Op.IAND;
        c.push(i.operand(1));
        shift(c, field.position(), wide ? Op.LSHL : Op.ISHL);
        pushNumber(c.code(), wide, field.mask()).op(and);
        JvmType type = c.push(i.operand(2));
        pushNumber(c.code(), wide, ~field.mask()).op(and).op(wide ? Op.LOR : Op.IOR);
        c.pop(i.operand(0), type);
    }

    private static void shift(ThreadCode c, int amount, Op op) {
        if (amount > 0) {
            c.code().push(amount).op(op);
        }
    }

    private static Code pushNumber(Code code, boolean wide, long number) {
        return wide ? code.push(number) : code.push((int) number);
    }

    private static void addProduct(ThreadCode c, Instruction i, JvmType type) {
        if (i.spelling().has(Modifier.SAT)) {
            c.code().call(IntegerOps.class, "addSatS32");
        } else {
            c.code().op(type == JvmType.LONG ? Op.LADD : Op.IADD);
        }
    }

    private static void dotProduct2(ThreadCode c, Instruction i) {
        c.pushInt(i.operand(1));
        c.pushInt(i.operand(2));
        if (i.spelling().has(Modifier.HI)) {
            c.code().push(16).op(Op.IUSHR);
        }
        c.pushInt(i.operand(3));
        c.code().call(PackedIntegerOps.class, "dp2a" + i.type().name() + i.spelling().lastType().name());
        c.pop(i.operand(0), JvmType.INT);
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
            addProduct(c, i, result);
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
        boolean relu = i.spelling().has(Modifier.RELU);
        if (relu || i.type().packed()) {
            String name = (min ? "min" : "max") + (relu ? "Relu" : "");
            Calls.emit(c, i, holder(i), name + suffix(i));
            return;
        }
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
