package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.BitOps;

/** Logic and shift (manual: "Logic and Shift Instructions"). */
final class LogicEmitter {
    private LogicEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case AND -> binary(c, i, Op.IAND, Op.LAND);
            case OR -> binary(c, i, Op.IOR, Op.LOR);
            case XOR -> binary(c, i, Op.IXOR, Op.LXOR);
            case NOT -> not(c, i);
            case CNOT -> {
                JvmType type = c.push(i.operand(1));
                if (type == JvmType.LONG) {
                    c.code().push(0L).op(Op.LCMP);
                }
                c.code().test(Condition.EQ);
                c.pop(i.operand(0), JvmType.INT);
            }
            case SHL, SHR -> shift(c, i);
            case SHF -> funnel(c, i);
            case LOP3 -> lop3(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static void binary(ThreadCode c, Instruction i, Op narrow, Op wide) {
        JvmType type = c.push(i.operand(1));
        c.push(i.operand(2));
        c.code().op(type == JvmType.LONG ? wide : narrow);
        c.pop(i.operand(0), type);
    }

    private static void not(ThreadCode c, Instruction i) {
        JvmType type = c.push(i.operand(1));
        if (type == JvmType.LONG) {
            c.code().push(-1L).op(Op.LXOR);
        } else {
            c.code().push(i.type() == ScalarType.PRED ? 1 : -1).op(Op.IXOR);
        }
        c.pop(i.operand(0), type);
    }

    /** Amounts beyond the width shift everything out; a constant amount needs no test. */
    private static void shift(ThreadCode c, Instruction i) {
        boolean left = i.opcode() == Opcode.SHL;
        int bits = i.type().bits();
        boolean signed = i.type().signed();
        Code code = c.code();
        JvmType type = c.push(i.operand(1));
        boolean wide = type == JvmType.LONG;
        if (i.operand(2) instanceof Operand.Immediate amount) {
            long n = amount.bits() & 0xFFFF_FFFFL;
            if (n >= bits) {
                n = signed && !left ? bits - 1 : -1;
            }
            if (n < 0) {
                code.pop();
                type = JvmType.INT;
                code.push(0);
            } else {
                code.push((int) n).op(left ? wide ? Op.LSHL : Op.ISHL : signed ? wide ? Op.LSHR : Op.ISHR : wide ? Op.LUSHR : Op.IUSHR);
            }
        } else {
            c.pushInt(i.operand(2));
            code.call(BitOps.class, (left ? "shlB" : signed ? "shrS" : "shrU") + (wide ? "64" : "32"));
        }
        c.pop(i.operand(0), type);
    }

    private static void funnel(ThreadCode c, Instruction i) {
        boolean left = i.spelling().has(Modifier.L);
        boolean wrap = i.spelling().has(Modifier.WRAP);
        Code code = c.code();
        if (i.type().bits() == 64) {
            rotate(c, i);
            return;
        }
        if (i.operand(3) instanceof Operand.Immediate amount) {
            // The words go left by n and right by 32 - n; n of 0 or 32 leaves one of them. HotSpot makes a rotation of it where both are one, and needs to inline nothing.
            int bits = (int) (wrap ? amount.bits() & 31 : Math.min(amount.bits() & 0xFFFF_FFFFL, 32));
            int n = left ? bits : 32 - bits;
            if (n % 32 == 0) {
                c.pushInt(i.operand(n == 0 ? 2 : 1));
            } else {
                c.pushInt(i.operand(2));
                code.push(n).op(Op.ISHL);
                c.pushInt(i.operand(1));
                code.push(32 - n).op(Op.IUSHR).op(Op.IOR);
            }
        } else if (i.operand(1).equals(i.operand(2)) && wrap) {
            c.pushInt(i.operand(1));
            c.pushInt(i.operand(3));
            code.call(Integer.class, left ? "rotateLeft" : "rotateRight");
        } else {
            c.pushInt(i.operand(1));
            c.pushInt(i.operand(2));
            c.pushInt(i.operand(3));
            code.call(BitOps.class, "shf" + (left ? "L" : "R") + (wrap ? "Wrap" : "Clamp"));
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    /** A rotation of {@code flow.Rotations}, in line as HotSpot knows it. */
    private static void rotate(ThreadCode c, Instruction i) {
        int n = (int) ((Operand.Immediate) i.operand(3)).bits();
        c.pushLong(i.operand(1));
        c.code().push(n).op(Op.LSHL);
        c.pushLong(i.operand(1));
        c.code().push(Long.SIZE - n & 63).op(Op.LUSHR).op(Op.LOR);
        c.pop(i.operand(0), JvmType.LONG);
    }

    private static void lop3(ThreadCode c, Instruction i) {
        boolean withPredicate = i.spelling().has(Modifier.AND) || i.spelling().has(Modifier.OR);
        int a = withPredicate ? 2 : 1;
        int table = (int) ((Operand.Immediate) i.operand(a + 3)).bits() & 0xFF;
        Lop3.push(c, table, i.operand(a), i.operand(a + 1), i.operand(a + 2));
        if (withPredicate) {
            Code code = c.code();
            code.dup();
            c.pop(i.operand(0), JvmType.INT);
            code.test(Condition.NE);
            c.pushInt(i.operand(a + 4));
            code.op(i.spelling().has(Modifier.AND) ? Op.IAND : Op.IOR);
            c.pop(i.operand(1), JvmType.INT);
        } else {
            c.pop(i.operand(0), JvmType.INT);
        }
    }
}
