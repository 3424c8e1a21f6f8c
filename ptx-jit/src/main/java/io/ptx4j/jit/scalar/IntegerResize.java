package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Conversions;

/** {@code cvt} from integer to integer: extended or cut, clamped with {@code .sat}. */
final class IntegerResize {
    private IntegerResize() {
    }

    static void emit(ThreadCode c, Instruction i) {
        ScalarType to = i.type();
        ScalarType from = i.spelling().lastType();
        if (i.spelling().has(Modifier.SAT)) {
            clamp(c, i, to, from);
        } else {
            resize(c, i, to, from);
        }
    }

    /** Extended as the source type says, cut to the destination type, extended as that says. */
    private static void resize(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        Code code = c.code();
        JvmType type = to.bits() > 32 ? JvmType.LONG : JvmType.INT;
        if (type == JvmType.LONG) {
            c.pushLong(i.operand(1));
        } else if (from.bits() > 32) {
            c.pushLong(i.operand(1));
            code.op(Op.L2I);
        } else {
            c.pushInt(i.operand(1));
        }
        if (to.bits() == 8 && to.signed()) {
            code.op(Op.I2B);
        } else if (to.bits() == 8) {
            code.push(0xFF).op(Op.IAND);
        } else if (to.bits() == 16) {
            code.op(to.signed() ? Op.I2S : Op.I2C);
        }
        c.pop(i.operand(0), type);
    }

    private static void clamp(ThreadCode c, Instruction i, ScalarType to, ScalarType from) {
        Code code = c.code();
        if (from == ScalarType.U64) {
            c.pushLong(i.operand(1));
            if (to != ScalarType.U64) {
                code.push(to.greatest()).call(Conversions.class, "clampUnsigned");
            }
            c.pop(i.operand(0), JvmType.LONG);
        } else if (from == ScalarType.S64 || from == ScalarType.U32 || to.bits() == 64 || to == ScalarType.U32) {
            c.pushLong(i.operand(1));
            if (to == ScalarType.U64) {
                if (from.signed()) {
                    code.push(0L).call(Math.class, "max", long.class, long.class);
                }
            } else if (to != ScalarType.S64) {
                if (from.signed()) {
                    code.push(to.least()).call(Math.class, "max", long.class, long.class);
                }
                code.push(to.greatest()).call(Math.class, "min", long.class, long.class);
            }
            c.pop(i.operand(0), JvmType.LONG);
        } else {
            c.pushInt(i.operand(1));
            if (from.least() < to.least()) {
                code.push((int) to.least()).call(Math.class, "max", int.class, int.class);
            }
            if (from.greatest() > to.greatest()) {
                code.push((int) to.greatest()).call(Math.class, "min", int.class, int.class);
            }
            c.pop(i.operand(0), JvmType.INT);
        }
    }

    /** Clamps the {@code int} on the stack to a type of less than 32 bits. */
    static void clampToNarrow(Code code, ScalarType to) {
        if (to.bits() < 32) {
            code.push((int) to.least()).call(Math.class, "max", int.class, int.class);
            code.push((int) to.greatest()).call(Math.class, "min", int.class, int.class);
        }
    }

    /** {@code cvt.pack}: a above b in the lowest bits; c, where there is one, moves up and fills the rest. */
    static void pack(ThreadCode c, Instruction i) {
        Code code = c.code();
        ScalarType to = i.type();
        boolean fills = i.operands().size() > 3;
        if (fills) {
            c.pushInt(i.operand(3));
            code.push(to.bits()).op(Op.ISHL);
        }
        for (int k = 1; k <= 2; k++) {
            c.pushInt(i.operand(k));
            clampToNarrow(code, to);
            if (to.signed() && (k == 2 || fills)) {
                code.push((1 << to.bits()) - 1).op(Op.IAND);
            }
            if (k == 2 || fills) {
                code.op(Op.IOR);
            }
            if (k == 1) {
                code.push(to.bits()).op(Op.ISHL);
            }
        }
        c.pop(i.operand(0), JvmType.INT);
    }
}
