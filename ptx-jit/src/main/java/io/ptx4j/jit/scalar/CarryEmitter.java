package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Carries;

/**
 * Extended-precision integer arithmetic (manual: "Extended-Precision Integer Arithmetic Instructions").
 *
 * <p>CC.CF lives in one {@code long} local as 0 or 1; subtraction stores NOT borrow. 32-bit sums run on zero-extended 64-bit
 * values, so that the carry is bit 32 of the sum; 64-bit sums compare unsigned.
 */
final class CarryEmitter {
    private CarryEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        ScalarType type = i.type();
        if (i.spelling().has(Modifier.SAT) || type.bits() == 16) {
            narrow(c, i);
            return;
        }
        boolean reads = i.opcode() == Opcode.ADDC || i.opcode() == Opcode.SUBC || i.opcode() == Opcode.MADC;
        boolean writes = i.spelling().has(Modifier.CC);
        boolean subtracts = i.opcode() == Opcode.SUB || i.opcode() == Opcode.SUBC;
        boolean multiplies = i.opcode() == Opcode.MAD || i.opcode() == Opcode.MADC;
        if (type.bits() == 32) {
            if (multiplies) {
                product32(c, i);
                c.pushUnsigned(i.operand(3));
            } else {
                c.pushUnsigned(i.operand(1));
                c.pushUnsigned(i.operand(2));
            }
            finish32(c, i.operand(0), subtracts, reads, writes);
        } else {
            if (multiplies) {
                product64(c, i);
                c.pushLong(i.operand(3));
            } else {
                c.pushLong(i.operand(1));
                c.pushLong(i.operand(2));
            }
            finish64(c, i.operand(0), subtracts, reads, writes);
        }
    }

    /** The low or high word of the product, zero-extended. Both words of one product share its multiplication. */
    private static void product32(ThreadCode c, Instruction i) {
        Code code = c.code();
        if (i.type().signed() && i.spelling().has(Modifier.HI)) {
            c.pushInt(i.operand(1));
            code.op(Op.I2L);
            c.pushInt(i.operand(2));
            code.op(Op.I2L).op(Op.LMUL).push(32).op(Op.LUSHR);
            return;
        }
        c.pushUnsigned(i.operand(1));
        c.pushUnsigned(i.operand(2));
        code.op(Op.LMUL);
        if (i.spelling().has(Modifier.HI)) {
            code.push(32).op(Op.LUSHR);
        } else {
            code.push(0xFFFF_FFFFL).op(Op.LAND);
        }
    }

    private static void product64(ThreadCode c, Instruction i) {
        c.pushLong(i.operand(1));
        c.pushLong(i.operand(2));
        if (i.spelling().has(Modifier.LO)) {
            c.code().op(Op.LMUL);
        } else {
            c.code().call(Math.class, i.type().signed() ? "multiplyHigh" : "unsignedMultiplyHigh", long.class, long.class);
        }
    }

    /** Two zero-extended words on the stack. */
    private static void finish32(ThreadCode c, Operand destination, boolean subtracts, boolean reads, boolean writes) {
        Code code = c.code();
        Local carry = c.carry();
        code.op(subtracts ? Op.LSUB : Op.LADD);
        if (reads) {
            code.load(carry).op(Op.LADD);
            if (subtracts) {
                code.push(1L).op(Op.LSUB);
            }
        }
        if (writes) {
            code.dup();
            if (subtracts) {
                // The difference is negative exactly when it borrows; CF is NOT borrow.
                code.push(63).op(Op.LSHR).push(1L).op(Op.LADD);
            } else {
                code.push(32).op(Op.LUSHR);
            }
            code.store(carry);
        }
        code.push(0xFFFF_FFFFL).op(Op.LAND);
        c.popUnsigned(destination);
    }

    /** Two 64-bit words on the stack. */
    private static void finish64(ThreadCode c, Operand destination, boolean subtracts, boolean reads, boolean writes) {
        Code code = c.code();
        Local carry = c.carry();
        if (!writes) {
            code.op(subtracts ? Op.LSUB : Op.LADD);
            if (reads) {
                code.load(carry).op(Op.LADD);
                if (subtracts) {
                    code.push(1L).op(Op.LSUB);
                }
            }
            c.pop(destination, JvmType.LONG);
            return;
        }
        Local b = c.scratch(JvmType.LONG, 0);
        Local a = c.scratch(JvmType.LONG, 1);
        code.store(b).store(a);
        code.load(a).load(b).op(subtracts ? Op.LSUB : Op.LADD);
        if (reads) {
            code.load(carry).op(Op.LADD);
            if (subtracts) {
                code.push(1L).op(Op.LSUB);
            }
        }
        Local result = c.scratch(JvmType.LONG, 2);
        code.store(result);
        code.load(a).load(b);
        if (reads) {
            code.load(carry);
            code.call(Carries.class, subtracts ? "notBorrow" : "carry", long.class, long.class, long.class);
        } else {
            code.call(Carries.class, subtracts ? "notBorrow" : "carry", long.class, long.class);
        }
        code.store(carry).load(result);
        c.pop(destination, JvmType.LONG);
    }

    /** The undocumented forms that ptxas takes: 16 bits wide, or saturating; they only read CC. As GPUs do them, high halves begin at bit 32, and products do not saturate. */
    private static void narrow(ThreadCode c, Instruction i) {
        boolean sat = i.spelling().has(Modifier.SAT) && i.opcode() != Opcode.MADC;
        boolean subtracts = i.opcode() == Opcode.SUBC;
        Code code = c.code();
        if (i.opcode() == Opcode.MADC) {
            c.pushInt(i.operand(1));
            code.op(Op.I2L);
            c.pushInt(i.operand(2));
            code.op(Op.I2L).op(Op.LMUL);
            if (i.spelling().has(Modifier.HI)) {
                code.push(32).op(Op.LSHR);
            }
            c.pushInt(i.operand(3));
        } else {
            c.pushInt(i.operand(1));
            code.op(Op.I2L);
            c.pushInt(i.operand(2));
        }
        code.op(Op.I2L).op(subtracts ? Op.LSUB : Op.LADD).load(c.carry()).op(Op.LADD);
        if (subtracts) {
            code.push(1L).op(Op.LSUB);
        }
        if (sat) {
            code.call(Carries.class, "clampS32");
        } else {
            code.op(Op.L2I);
        }
        c.pop(i.operand(0), JvmType.INT);
    }
}
