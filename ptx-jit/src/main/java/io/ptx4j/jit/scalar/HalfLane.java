package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.HalfOps;

/** Reads an f16 or bf16: a register's only one, or the lower or upper one of two. */
record HalfLane(ScalarType type, boolean upper) {
    boolean isHalf() {
        return type.element() == ScalarType.F16 || type.element() == ScalarType.BF16;
    }

    private String suffix() {
        return type.element() == ScalarType.F16 ? "F16" : "Bf16";
    }

    /** Pushes the lane's bits, zero-extended. */
    void pushBits(ThreadCode c, Operand operand) {
        c.pushInt(operand);
        if (upper) {
            c.code().push(16).op(Op.IUSHR);
        } else if (type.packed()) {
            c.code().push(0xffff).op(Op.IAND);
        }
    }

    /** Pushes the number as {@code float}, flushed where the instruction flushes. */
    void push(ThreadCode c, Instruction i, int operand) {
        pushBits(c, i.operand(operand));
        if (i.spelling().has(Modifier.FTZ)) {
            c.code().call(HalfOps.class, "ftz" + suffix());
        }
        c.code().call(HalfOps.class, "from" + suffix());
    }
}
