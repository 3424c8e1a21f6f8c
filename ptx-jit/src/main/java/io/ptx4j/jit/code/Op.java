package io.ptx4j.jit.code;

import static io.ptx4j.jit.code.JvmType.DOUBLE;
import static io.ptx4j.jit.code.JvmType.FLOAT;
import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.LONG;

import org.objectweb.asm.Opcodes;

/** JVM instructions without immediate operands that compute one value, with their stack effect. */
public enum Op {
    IADD(Opcodes.IADD, INT, INT, INT), ISUB(Opcodes.ISUB, INT, INT, INT), IMUL(Opcodes.IMUL, INT, INT, INT),
    IAND(Opcodes.IAND, INT, INT, INT), IOR(Opcodes.IOR, INT, INT, INT), IXOR(Opcodes.IXOR, INT, INT, INT),
    ISHL(Opcodes.ISHL, INT, INT, INT), ISHR(Opcodes.ISHR, INT, INT, INT), IUSHR(Opcodes.IUSHR, INT, INT, INT),
    INEG(Opcodes.INEG, INT, INT), IDIV(Opcodes.IDIV, INT, INT, INT), IREM(Opcodes.IREM, INT, INT, INT),
    LDIV(Opcodes.LDIV, LONG, LONG, LONG), LREM(Opcodes.LREM, LONG, LONG, LONG),
    LADD(Opcodes.LADD, LONG, LONG, LONG), LSUB(Opcodes.LSUB, LONG, LONG, LONG), LMUL(Opcodes.LMUL, LONG, LONG, LONG),
    LAND(Opcodes.LAND, LONG, LONG, LONG), LOR(Opcodes.LOR, LONG, LONG, LONG), LXOR(Opcodes.LXOR, LONG, LONG, LONG),
    LSHL(Opcodes.LSHL, LONG, LONG, INT), LSHR(Opcodes.LSHR, LONG, LONG, INT), LUSHR(Opcodes.LUSHR, LONG, LONG, INT),
    LNEG(Opcodes.LNEG, LONG, LONG), LCMP(Opcodes.LCMP, INT, LONG, LONG),
    FADD(Opcodes.FADD, FLOAT, FLOAT, FLOAT), FSUB(Opcodes.FSUB, FLOAT, FLOAT, FLOAT), FMUL(Opcodes.FMUL, FLOAT, FLOAT, FLOAT),
    FDIV(Opcodes.FDIV, FLOAT, FLOAT, FLOAT), FNEG(Opcodes.FNEG, FLOAT, FLOAT), FCMPL(Opcodes.FCMPL, INT, FLOAT, FLOAT),
    FCMPG(Opcodes.FCMPG, INT, FLOAT, FLOAT),
    DADD(Opcodes.DADD, DOUBLE, DOUBLE, DOUBLE), DSUB(Opcodes.DSUB, DOUBLE, DOUBLE, DOUBLE), DMUL(Opcodes.DMUL, DOUBLE, DOUBLE, DOUBLE),
    DDIV(Opcodes.DDIV, DOUBLE, DOUBLE, DOUBLE), DNEG(Opcodes.DNEG, DOUBLE, DOUBLE), DCMPL(Opcodes.DCMPL, INT, DOUBLE, DOUBLE),
    DCMPG(Opcodes.DCMPG, INT, DOUBLE, DOUBLE),
    I2L(Opcodes.I2L, LONG, INT), L2I(Opcodes.L2I, INT, LONG), I2F(Opcodes.I2F, FLOAT, INT), I2D(Opcodes.I2D, DOUBLE, INT),
    L2F(Opcodes.L2F, FLOAT, LONG), L2D(Opcodes.L2D, DOUBLE, LONG), F2D(Opcodes.F2D, DOUBLE, FLOAT), D2F(Opcodes.D2F, FLOAT, DOUBLE),
    F2I(Opcodes.F2I, INT, FLOAT), D2I(Opcodes.D2I, INT, DOUBLE), D2L(Opcodes.D2L, LONG, DOUBLE),
    I2B(Opcodes.I2B, INT, INT), I2S(Opcodes.I2S, INT, INT), I2C(Opcodes.I2C, INT, INT);

    final int opcode;
    final JvmType result;
    final JvmType[] operands;

    Op(int opcode, JvmType result, JvmType... operands) {
        this.opcode = opcode;
        this.result = result;
        this.operands = operands;
    }
}
