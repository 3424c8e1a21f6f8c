package io.ptx4j.jit.code;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** A class being generated. */
public final class ClassCode {
    private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
        @Override
        protected String getCommonSuperClass(String first, String second) {
            return "java/lang/Object";
        }
    };
    private final String name;
    private int largest;

    /**
     * @param name binary name with dots
     * @param source name of the PTX text, for stack traces and debuggers
     */
    public ClassCode(String name, Class<?> superclass, String source) {
        this.name = name.replace('.', '/');
        writer.visit(Opcodes.V21, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, this.name, null,
                superclass.getName().replace('.', '/'), null);
        writer.visitSource(source, null);
    }

    /** Internal name, with slashes. */
    public String internalName() {
        return name;
    }

    /** Begins a static method. */
    public Code staticMethod(String method, String descriptor) {
        return new Code(this, method, descriptor, true,
                writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, method, descriptor, null, null));
    }

    /** Begins an instance method; local 0 is {@code this}. */
    public Code method(String method, String descriptor) {
        return new Code(this, method, descriptor, false,
                writer.visitMethod(Opcodes.ACC_PUBLIC, method, descriptor, null, null));
    }

    /** A public constructor without parameters that calls the superclass's. */
    public void defaultConstructor(Class<?> superclass) {
        var constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, superclass.getName().replace('.', '/'), "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(0, 0);
        constructor.visitEnd();
    }

    void finished(int bytes) {
        largest = Math.max(largest, bytes);
    }

    /** Upper bound of the bytecodes of the largest method so far. */
    public int largestMethod() {
        return largest;
    }

    public byte[] bytes() {
        writer.visitEnd();
        return writer.toByteArray();
    }
}
