package io.ptx4j.jit;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import java.lang.invoke.MethodHandles;
import java.util.stream.IntStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Ways to call vector code that leave the JVM's stack at different places: HotSpot aligns it to 16 bytes only, and vectors that its code keeps there
 * may all lie across two cache lines or all within one. The methods are longer than HotSpot compiles, so each has a frame of its own in the interpreter, with
 * two locals more than the one before: 16 bytes.
 */
final class StackSteps {
    private static final int STEP = 16;
    /** HotSpot compiles no method that is longer than 8,000 bytecodes. */
    private static final int FILLER = 8_100;
    private static final Type[] BLOCKS = {Type.getType(Worker.class), Type.getType(VectorFrame.class), Type.LONG_TYPE, Type.LONG_TYPE};
    private static final String RUN = Type.getMethodDescriptor(Type.VOID_TYPE, Type.getType(Target.class), BLOCKS[0], BLOCKS[1], BLOCKS[2], BLOCKS[3]);
    /** Locals of the parameters, and where some of them are. */
    private static final int LOCALS = 8;
    private static final int TARGET = 1;
    private static final int FIRST = 4;
    private static final int END = 6;

    private StackSteps() {
    }

    /** What runs blocks {@code first} to {@code end - 1}. */
    interface Target {
        void run(Worker worker, VectorFrame frame, long first, long end);
    }

    /** Calls a target. */
    interface Step {
        void run(Target target, Worker worker, VectorFrame frame, long first, long end);
    }

    /** Made when the first of them is wanted. */
    private static final class Made {
        private static final Step[] STEPS = IntStream.range(0, count()).mapToObj(StackSteps::make).toArray(Step[]::new);
    }

    /** How many there are: as many as vectors have places relative to their own size. */
    static int count() {
        return VectorLanes.INT.vectorByteSize() / STEP;
    }

    /** The one whose frame is so many times 16 bytes longer than the first one's. */
    static Step step(int number) {
        return Made.STEPS[number];
    }

    private static Step make(int number) {
        try {
            return (Step) MethodHandles.lookup().defineHiddenClass(bytes(number), true).lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("generated class cannot be made", e);
        }
    }

    private static byte[] bytes(int number) {
        ClassWriter writer = new ClassWriter(0);
        String object = Type.getInternalName(Object.class);
        writer.visit(Opcodes.V21, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, Type.getInternalName(StackSteps.class) + "Made", null, object,
                new String[] {Type.getInternalName(Step.class)});
        MethodVisitor constructor = writer.visitMethod(0, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, object, "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        constructor.visitEnd();
        MethodVisitor run = writer.visitMethod(Opcodes.ACC_PUBLIC, "run", RUN, null, null);
        Label call = new Label();
        run.visitCode();
        run.visitVarInsn(Opcodes.LLOAD, FIRST);
        run.visitVarInsn(Opcodes.LLOAD, END);
        run.visitInsn(Opcodes.LCMP);
        run.visitJumpInsn(Opcodes.IFLT, call);
        for (int i = 0; i < FILLER; i++) {
            run.visitInsn(Opcodes.NOP);
        }
        run.visitLabel(call);
        run.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        for (int parameter = TARGET; parameter < FIRST; parameter++) {
            run.visitVarInsn(Opcodes.ALOAD, parameter);
        }
        run.visitVarInsn(Opcodes.LLOAD, FIRST);
        run.visitVarInsn(Opcodes.LLOAD, END);
        run.visitMethodInsn(Opcodes.INVOKEINTERFACE, Type.getInternalName(Target.class), "run", Type.getMethodDescriptor(Type.VOID_TYPE, BLOCKS), true);
        run.visitInsn(Opcodes.RETURN);
        run.visitMaxs(LOCALS - 1, LOCALS + number * STEP / Long.BYTES);
        run.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
