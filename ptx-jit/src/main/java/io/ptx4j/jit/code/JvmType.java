package io.ptx4j.jit.code;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

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

    /** What a method of that descriptor leaves on the stack; null for nothing. */
    static JvmType result(String descriptor) {
        Type type = Type.getReturnType(descriptor);
        return type == Type.VOID_TYPE ? null : of(type);
    }

    /** What a method of that descriptor takes from the stack, apart from its object. */
    static JvmType[] arguments(String descriptor) {
        Type[] types = Type.getArgumentTypes(descriptor);
        JvmType[] arguments = new JvmType[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = of(types[i]);
        }
        return arguments;
    }

    static JvmType of(Type type) {
        return switch (type.getSort()) {
            case Type.BOOLEAN, Type.BYTE, Type.SHORT, Type.CHAR, Type.INT -> INT;
            case Type.LONG -> LONG;
            case Type.FLOAT -> FLOAT;
            case Type.DOUBLE -> DOUBLE;
            default -> REFERENCE;
        };
    }
}
