package io.ptx4j.jit.code;

import org.objectweb.asm.Opcodes;

/** Tests of an {@code int} against zero, or of two {@code int}s against each other. */
public enum Condition {
    EQ(Opcodes.IFEQ, Opcodes.IF_ICMPEQ), NE(Opcodes.IFNE, Opcodes.IF_ICMPNE), LT(Opcodes.IFLT, Opcodes.IF_ICMPLT),
    GE(Opcodes.IFGE, Opcodes.IF_ICMPGE), GT(Opcodes.IFGT, Opcodes.IF_ICMPGT), LE(Opcodes.IFLE, Opcodes.IF_ICMPLE);

    final int zero;
    final int pair;

    Condition(int zero, int pair) {
        this.zero = zero;
        this.pair = pair;
    }

    public Condition negated() {
        return switch (this) {
            case EQ -> NE;
            case NE -> EQ;
            case LT -> GE;
            case GE -> LT;
            case GT -> LE;
            case LE -> GT;
        };
    }
}
