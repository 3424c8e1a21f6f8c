package io.ptx4j.jit.code;

import org.objectweb.asm.Opcodes;

/** What an operand-stack entry or local variable holds. Booleans and everything of up to 32 bits are {@code INT}. */
public enum JvmType {
    INT("I", 1, Opcodes.ILOAD, Opcodes.ISTORE, Opcodes.IRETURN),
    LONG("J", 2, Opcodes.LLOAD, Opcodes.LSTORE, Opcodes.LRETURN),
    FLOAT("F", 1, Opcodes.FLOAD, Opcodes.FSTORE, Opcodes.FRETURN),
    DOUBLE("D", 2, Opcodes.DLOAD, Opcodes.DSTORE, Opcodes.DRETURN),
    REFERENCE("Ljava/lang/Object;", 1, Opcodes.ALOAD, Opcodes.ASTORE, Opcodes.ARETURN);

    private final String descriptor;
    private final int slots;
    final int load;
    final int store;
    final int ret;

    JvmType(String descriptor, int slots, int load, int store, int ret) {
        this.descriptor = descriptor;
        this.slots = slots;
        this.load = load;
        this.store = store;
        this.ret = ret;
    }

    public String descriptor() {
        return descriptor;
    }

    /** Local-variable slots and stack words it takes. */
    public int slots() {
        return slots;
    }

    static JvmType of(org.objectweb.asm.Type type) {
        return switch (type.getSort()) {
            case org.objectweb.asm.Type.BOOLEAN, org.objectweb.asm.Type.BYTE, org.objectweb.asm.Type.SHORT,
                    org.objectweb.asm.Type.CHAR, org.objectweb.asm.Type.INT -> INT;
            case org.objectweb.asm.Type.LONG -> LONG;
            case org.objectweb.asm.Type.FLOAT -> FLOAT;
            case org.objectweb.asm.Type.DOUBLE -> DOUBLE;
            default -> REFERENCE;
        };
    }
}
