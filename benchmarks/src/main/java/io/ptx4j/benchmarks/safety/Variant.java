package io.ptx4j.benchmarks.safety;

import java.util.ListIterator;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A ptx4j without something that keeps its host safe, made from its class files: only measurements can have it. */
public enum Variant {
    /** As it is. */
    SHIPPED,
    /** Accesses to memory check neither bounds nor alignment. */
    UNCHECKED,
    /** Loops of generated code never ask whether to go on. */
    UNASKED;

    private static final String SEGMENT = "java/lang/foreign/MemorySegment";
    private static final String UNCHECKED_ACCESS = Type.getInternalName(UncheckedAccess.class);
    private static final String SUPPORT = "io/ptx4j/jit/support/";
    /** Checks by name, and what their methods leave of them: the number of an argument, or a constant true. */
    private static final Map<String, Integer> CHECKS = Map.of("Memory.aligned", 1, "Memory.within", 1, "VectorLanes.spans", -1, "DirectMemory.checked", 0);
    private static final Set<String> VECTORS = Set.of("ByteVector", "ShortVector", "IntVector", "LongVector", "FloatVector", "DoubleVector");

    /** What generated classes go through in a variant: called by its class loader of kernels. */
    public static byte[] generated(byte[] bytes, String variant) {
        return valueOf(variant).of(bytes);
    }

    /** The class without what this variant lacks. */
    byte[] of(byte[] bytes) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, 0);
        boolean kernel = !node.name.startsWith("io/ptx4j/");
        for (MethodNode method : node.methods) {
            if (node.name.equals("io/ptx4j/jit/KernelLoader") && method.name.equals("define")) {
                rewriteKernels(method);
            } else if (this == UNASKED && kernel) {
                forgetPolls(method);
            } else if (this == UNCHECKED && (kernel || node.name.startsWith(SUPPORT))) {
                forgetChecks(node.name, method);
            }
        }
        ClassWriter writer = new ClassWriter(this == UNASKED && kernel ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS) {
            @Override
            protected String getCommonSuperClass(String one, String other) {
                return "java/lang/Object";
            }
        };
        node.accept(writer);
        return writer.toByteArray();
    }

    private void rewriteKernels(MethodNode define) {
        InsnList before = new InsnList();
        before.add(new VarInsnNode(Opcodes.ALOAD, 2));
        before.add(new LdcInsnNode(name()));
        before.add(new MethodInsnNode(Opcodes.INVOKESTATIC, Type.getInternalName(Variant.class), "generated", "([BLjava/lang/String;)[B"));
        before.add(new VarInsnNode(Opcodes.ASTORE, 2));
        define.instructions.insert(before);
    }

    /** A jump back counts down, and goes on when there is something left: now it goes on. */
    private static void forgetPolls(MethodNode method) {
        for (AbstractInsnNode at : method.instructions.toArray()) {
            if (at instanceof IincInsnNode count && count.incr < 0 && count.getNext() instanceof VarInsnNode load
                    && load.getOpcode() == Opcodes.ILOAD && load.var == count.var
                    && load.getNext() instanceof JumpInsnNode jump && jump.getOpcode() == Opcodes.IFGE) {
                method.instructions.remove(count);
                method.instructions.remove(load);
                jump.setOpcode(Opcodes.GOTO);
            }
        }
    }

    private static void forgetChecks(String owner, MethodNode method) {
        Integer left = CHECKS.get(owner.substring(owner.lastIndexOf('/') + 1) + "." + method.name);
        if (left != null) {
            method.instructions.clear();
            method.tryCatchBlocks.clear();
            method.localVariables = null;
            method.instructions.add(left < 0 ? new InsnNode(Opcodes.ICONST_1) : new VarInsnNode(Opcodes.LLOAD, left));
            method.instructions.add(new InsnNode(left < 0 ? Opcodes.IRETURN : Opcodes.LRETURN));
            return;
        }
        ListIterator<AbstractInsnNode> all = method.instructions.iterator();
        while (all.hasNext()) {
            if (all.next() instanceof MethodInsnNode call) {
                String type = call.owner.substring(call.owner.lastIndexOf('/') + 1);
                boolean plain = call.owner.equals(SEGMENT) && (call.name.equals("get") || call.name.equals("set"));
                boolean vector = VECTORS.contains(type) && (call.name.equals("fromMemorySegment") || call.name.equals("intoMemorySegment"));
                if (plain || vector) {
                    boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
                    String name = call.name.equals("fromMemorySegment") ? "from" + type : call.name;
                    String descriptor = isStatic ? call.desc : "(L" + call.owner + ";" + call.desc.substring(1);
                    all.set(new MethodInsnNode(Opcodes.INVOKESTATIC, UNCHECKED_ACCESS, name, descriptor));
                }
            }
        }
    }
}
