package io.ptx4j.jit.code;

import io.ptx4j.jit.support.LinkedCalls;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.CodeSizeEvaluator;

/**
 * The code of one method. Every call checks the operand stack it needs, so that a wrong emitter fails where it is wrong.
 */
public final class Code {
    /** HotSpot never compiles a method of more bytecodes. */
    static final int REFUSED = 8_000;
    /** The same with a margin. */
    public static final int LIMIT = 7_500;
    /** Bytecodes of a method that the JVM takes, less what an upper bound may be off by. */
    public static final int MOST = 65_000;

    /** A place to jump to. The operand stack is empty at every place. */
    public static final class Place {
        private final Label label = new Label();
    }

    private static final String SUPPORT = LinkedCalls.class.getPackageName().replace('.', '/') + "/";
    private static final Set<String> COLD = Set.of("Polls", "Faults", "Parameters");
    private static final Handle LINK = new Handle(Opcodes.H_INVOKESTATIC, Type.getInternalName(LinkedCalls.class), "link",
            MethodType.methodType(CallSite.class, MethodHandles.Lookup.class, String.class, MethodType.class, Class.class).toMethodDescriptorString(), false);
    /** Bytecodes that weigh as much as an inlined method. */
    private static final int BYTECODES = 12;

    private final ClassCode owner;
    private final String name;
    private final CodeSizeEvaluator method;
    private JvmType[] stack = new JvmType[16];
    private int depth;
    private final JvmType result;
    private final List<Description> described = new ArrayList<>();
    private int nextSlot;
    private int inlined;
    private int takenBack;
    private int lineBegins = -1;
    private boolean linksCalls;
    private boolean reachable = true;

    Code(ClassCode owner, String name, String descriptor, boolean isStatic, MethodVisitor visitor) {
        this.owner = owner;
        this.name = name;
        this.method = new CodeSizeEvaluator(visitor);
        this.result = JvmType.result(descriptor);
        this.nextSlot = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - (isStatic ? 1 : 0);
        method.visitCode();
    }

    // Local variables

    /** The parameter at {@code slot} as a local. */
    public Local parameter(int slot, JvmType type) {
        return new Local(slot, type);
    }

    /** A fresh local that shares its slot with no other. */
    public Local newLocal(JvmType type) {
        Local local = new Local(nextSlot, type);
        nextSlot += type.slots();
        return local;
    }

    /** The first slot behind all locals so far; {@link #reserve} takes it. */
    public int firstFreeSlot() {
        return nextSlot;
    }

    /** Keeps all slots below {@code end} for locals the caller places itself. */
    public void reserve(int end) {
        nextSlot = Math.max(nextSlot, end);
    }

    public Code load(Local local) {
        method.visitVarInsn(local.type().load, local.slot());
        return pushed(local.type());
    }

    public Code store(Local local) {
        popped(local.type());
        method.visitVarInsn(local.type().store, local.slot());
        return this;
    }

    public Code increment(Local local, int by) {
        require(local.type() == JvmType.INT, "iinc of " + local.type());
        method.visitIincInsn(local.slot(), by);
        return this;
    }

    /** Tells debuggers that {@code local} is called {@code variable} between two places, which may come later. */
    public void describe(Local local, String variable, String descriptor, Place from, Place to) {
        described.add(new Description(local, variable, descriptor, from, to));
    }

    // Constants

    public Code push(int value) {
        if (value >= -1 && value <= 5) {
            method.visitInsn(Opcodes.ICONST_0 + value);
        } else if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
            method.visitIntInsn(Opcodes.BIPUSH, value);
        } else if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
            method.visitIntInsn(Opcodes.SIPUSH, value);
        } else if (owner.takes(value)) {
            method.visitLdcInsn(value);
        } else {
            short low = (short) value;
            return push((short) (value - low >> 16)).push(16).op(Op.ISHL).push((int) low).op(Op.IADD);
        }
        return pushed(JvmType.INT);
    }

    public Code push(long value) {
        if (value == 0 || value == 1) {
            method.visitInsn(value == 0 ? Opcodes.LCONST_0 : Opcodes.LCONST_1);
        } else if (owner.takes(value)) {
            method.visitLdcInsn(value);
        } else {
            int low = (int) value;
            return push((int) (value - low >> 32)).op(Op.I2L).push(32).op(Op.LSHL).push(low).op(Op.I2L).op(Op.LADD);
        }
        return pushed(JvmType.LONG);
    }

    public Code push(float value) {
        if (Float.floatToRawIntBits(value) == 0) {
            method.visitInsn(Opcodes.FCONST_0);
        } else if (owner.takes(value)) {
            method.visitLdcInsn(value);
        } else {
            return push(Float.floatToRawIntBits(value)).call(Float.class, "intBitsToFloat");
        }
        return pushed(JvmType.FLOAT);
    }

    public Code push(double value) {
        if (Double.doubleToRawLongBits(value) == 0) {
            method.visitInsn(Opcodes.DCONST_0);
        } else if (owner.takes(value)) {
            method.visitLdcInsn(value);
        } else {
            return push(Double.doubleToRawLongBits(value)).call(Double.class, "longBitsToDouble");
        }
        return pushed(JvmType.DOUBLE);
    }

    public Code push(String value) {
        method.visitLdcInsn(value);
        return pushed(JvmType.REFERENCE);
    }

    // Computation

    public Code op(Op op) {
        for (int i = op.operands.length - 1; i >= 0; i--) {
            popped(op.operands[i]);
        }
        method.visitInsn(op.opcode);
        return pushed(op.result);
    }

    /** Zero-extends the {@code int} on the stack; a call would count against what HotSpot inlines into a large method. */
    public Code zeroExtend() {
        return op(Op.I2L).push(0xFFFF_FFFFL).op(Op.LAND);
    }

    /** Puts {@code otherwise} in the place of a NaN on the stack. */
    public Code ifNan(float otherwise) {
        Label number = new Label();
        dup().dup().op(Op.FCMPL);
        popped(JvmType.INT);
        method.visitJumpInsn(Opcodes.IFEQ, number);
        pop().push(otherwise);
        method.visitLabel(number);
        return this;
    }

    public Code dup() {
        JvmType top = top();
        method.visitInsn(top.slots() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
        return pushed(top);
    }

    public Code pop() {
        JvmType top = top();
        popped(top);
        method.visitInsn(top.slots() == 2 ? Opcodes.POP2 : Opcodes.POP);
        return this;
    }

    // Arrays and fields

    public Code arrayLoad(JvmType element) {
        popped(JvmType.INT);
        popped(JvmType.REFERENCE);
        method.visitInsn(switch (element) {
            case INT -> Opcodes.IALOAD;
            case LONG -> Opcodes.LALOAD;
            case FLOAT -> Opcodes.FALOAD;
            case DOUBLE -> Opcodes.DALOAD;
            case REFERENCE -> Opcodes.AALOAD;
        });
        return pushed(element);
    }

    public Code arrayStore(JvmType element) {
        popped(element);
        popped(JvmType.INT);
        popped(JvmType.REFERENCE);
        method.visitInsn(switch (element) {
            case INT -> Opcodes.IASTORE;
            case LONG -> Opcodes.LASTORE;
            case FLOAT -> Opcodes.FASTORE;
            case DOUBLE -> Opcodes.DASTORE;
            case REFERENCE -> Opcodes.AASTORE;
        });
        return this;
    }

    /** Pushes a public field of the object on the stack; its type is looked up. */
    public Code field(Class<?> holder, String field) {
        popped(JvmType.REFERENCE);
        Members.FieldOf wanted = Members.field(holder, field);
        return field(Opcodes.GETFIELD, wanted).pushed(wanted.type());
    }

    public Code staticField(Class<?> holder, String field) {
        Members.FieldOf wanted = Members.field(holder, field);
        return field(Opcodes.GETSTATIC, wanted).pushed(wanted.type());
    }

    public Code putField(Class<?> holder, String field) {
        Members.FieldOf wanted = Members.field(holder, field);
        popped(wanted.type());
        popped(JvmType.REFERENCE);
        return field(Opcodes.PUTFIELD, wanted);
    }

    private Code field(int opcode, Members.FieldOf field) {
        method.visitFieldInsn(opcode, field.owner(), field.name(), field.descriptor());
        return this;
    }

    // Calls

    /** Calls the only public static method {@code callee} of {@code holder}. */
    public Code call(Class<?> holder, String callee) {
        return invoke(Members.callee(holder, callee, (Class<?>[]) null));
    }

    /** Calls a public method, static or not, with the given parameter types. */
    public Code call(Class<?> holder, String callee, Class<?>... parameters) {
        return invoke(Members.callee(holder, callee, parameters));
    }

    private Code invoke(Members.Callee callee) {
        popArguments(callee.operands());
        inlined += callee.inlined();
        if (linksCalls && callee.opcode() == Opcodes.INVOKESTATIC && isLinked(callee.owner()) && owner.linksAnother()) {
            method.visitInvokeDynamicInsn(callee.name(), callee.descriptor(), LINK, Type.getObjectType(callee.owner()));
            return pushResult(callee.result());
        }
        method.visitMethodInsn(callee.opcode(), callee.owner(), callee.name(), callee.descriptor(), callee.ofInterface());
        return pushResult(callee.result());
    }

    /** From here on code calls methods that should be inlined in hot code through {@link LinkedCalls}. */
    public void linkCalls() {
        linksCalls = true;
    }

    /** What threads seldom come to, and what is called once before they run, need not be inlined. */
    private static boolean isLinked(String owner) {
        return owner.startsWith(SUPPORT) && !COLD.contains(owner.substring(SUPPORT.length()));
    }

    /** Calls a static method of the class being generated. */
    public Code callOwn(String callee, String descriptor) {
        popArguments(JvmType.arguments(descriptor));
        method.visitMethodInsn(Opcodes.INVOKESTATIC, owner.internalName(), callee, descriptor, false);
        return pushResult(JvmType.result(descriptor));
    }

    private void popArguments(JvmType[] arguments) {
        for (int i = arguments.length - 1; i >= 0; i--) {
            popped(arguments[i]);
        }
    }

    private Code pushResult(JvmType type) {
        return type == null ? this : pushed(type);
    }

    /** Narrows the reference on the stack. */
    public Code cast(Class<?> type) {
        popped(JvmType.REFERENCE);
        method.visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(type));
        return pushed(JvmType.REFERENCE);
    }

    /**
     * Goes on where the reference on the stack is an instance of exactly the class that the static field holds, and of no other. From here on HotSpot's second compiler knows the
     * class of whatever local the reference comes from.
     */
    public Code requireClass(Class<?> holder, String field) {
        call(Object.class, "getClass", new Class<?>[0]);
        staticField(holder, field);
        popped(JvmType.REFERENCE);
        popped(JvmType.REFERENCE);
        Label same = new Label();
        method.visitJumpInsn(Opcodes.IF_ACMPEQ, same);
        method.visitInsn(Opcodes.ACONST_NULL);
        method.visitInsn(Opcodes.ATHROW);
        method.visitLabel(same);
        return this;
    }

    // Control

    /** Jumps when the {@code int} on the stack compares so to zero. */
    public Code jumpIf(Condition condition, Place target) {
        popped(JvmType.INT);
        requireEmpty(target);
        method.visitJumpInsn(condition.zero, target.label);
        return this;
    }

    /** Jumps when the two {@code int}s on the stack compare so. */
    public Code jumpIfCompared(Condition condition, Place target) {
        popped(JvmType.INT);
        popped(JvmType.INT);
        requireEmpty(target);
        method.visitJumpInsn(condition.pair, target.label);
        return this;
    }

    /** Jumps when the reference on the stack is null. */
    public Code jumpIfNull(Place target) {
        popped(JvmType.REFERENCE);
        requireEmpty(target);
        method.visitJumpInsn(Opcodes.IFNULL, target.label);
        return this;
    }

    public Code jump(Place target) {
        requireEmpty(target);
        method.visitJumpInsn(Opcodes.GOTO, target.label);
        reachable = false;
        return this;
    }

    public Code place(Place place) {
        requireEmpty(place);
        method.visitLabel(place.label);
        reachable = true;
        return this;
    }

    /** Jumps to {@code targets[value]}, or to {@code otherwise}. */
    public Code tableSwitch(List<Place> targets, Place otherwise) {
        popped(JvmType.INT);
        requireEmpty(otherwise);
        if (targets.isEmpty()) {
            return jump(otherwise);
        }
        method.visitTableSwitchInsn(0, targets.size() - 1, otherwise.label,
                targets.stream().map(p -> p.label).toArray(Label[]::new));
        reachable = false;
        return this;
    }

    /** Leaves 1 on the stack where the {@code int} there compares so to zero, else 0. */
    public Code test(Condition condition) {
        popped(JvmType.INT);
        Label yes = new Label();
        Label end = new Label();
        method.visitJumpInsn(condition.zero, yes);
        method.visitInsn(Opcodes.ICONST_0);
        method.visitJumpInsn(Opcodes.GOTO, end);
        method.visitLabel(yes);
        method.visitInsn(Opcodes.ICONST_1);
        method.visitLabel(end);
        return pushed(JvmType.INT);
    }

    /** Leaves 1 on the stack where the two {@code int}s there compare so, else 0. */
    public Code testCompared(Condition condition) {
        popped(JvmType.INT);
        popped(JvmType.INT);
        Label yes = new Label();
        Label end = new Label();
        method.visitJumpInsn(condition.pair, yes);
        method.visitInsn(Opcodes.ICONST_0);
        method.visitJumpInsn(Opcodes.GOTO, end);
        method.visitLabel(yes);
        method.visitInsn(Opcodes.ICONST_1);
        method.visitLabel(end);
        return pushed(JvmType.INT);
    }

    /** Leaves 1 on the stack where the two {@code int}s there are equal, or differ, else 0; by arithmetic and without a jump. */
    public Code testEquality(boolean equal) {
        op(Op.IXOR).call(Integer.class, "numberOfLeadingZeros").push(5).op(Op.IUSHR);
        return equal ? this : push(1).op(Op.IXOR);
    }

    public Code ret() {
        if (result != null) {
            popped(result);
        }
        requireEmpty(null);
        method.visitInsn(result == null ? Opcodes.RETURN : result.ret);
        reachable = false;
        return this;
    }

    public Code raise() {
        popped(JvmType.REFERENCE);
        depth = 0;
        method.visitInsn(Opcodes.ATHROW);
        reachable = false;
        return this;
    }

    /** Everything between the places that throws {@code type} goes to {@code handler} with the exception alone on the stack. */
    public void guard(Place from, Place to, Place handler, Class<? extends Throwable> type) {
        method.visitTryCatchBlock(from.label, to.label, handler.label, Type.getInternalName(type));
    }

    /** Begins the code of an exception handler. */
    public Code handler(Place handler) {
        place(handler);
        return pushed(JvmType.REFERENCE);
    }

    /** The PTX line of the code that follows. Of two lines at one bytecode HotSpot would name the first, so one without code gets an instruction. */
    public Code line(int line) {
        if (reachable && method.getMaxSize() == lineBegins) {
            method.visitInsn(Opcodes.NOP);
        }
        lineBegins = method.getMaxSize();
        Label label = new Label();
        method.visitLabel(label);
        method.visitLineNumber(owner.number(line), label);
        return this;
    }

    /** Whether code emitted now can be reached from above. */
    public boolean reachable() {
        return reachable;
    }

    /** Upper bound of the bytecodes so far. */
    public int size() {
        return method.getMaxSize() - takenBack;
    }

    /** Whether it is only measured. */
    public boolean isProbe() {
        return owner.isProbe();
    }

    /** What {@code attempt} emits, or nothing if it throws {@code refusal}: only of a class that is a {@linkplain ClassCode#isProbe probe}. Returns whether it did not. */
    public boolean attempt(Runnable attempt, Class<? extends RuntimeException> refusal) {
        require(owner.isProbe(), "code that is there cannot be taken back");
        int size = size();
        int inlinedBefore = inlined;
        int depthBefore = depth;
        boolean reachableBefore = reachable;
        try {
            attempt.run();
            return true;
        } catch (RuntimeException thrown) {
            if (!refusal.isInstance(thrown)) {
                throw thrown;
            }
            takenBack += size() - size;
            inlined = inlinedBefore;
            depth = depthBefore;
            reachable = reachableBefore;
            return false;
        }
    }

    /** How many methods of the Vector API HotSpot's first compiler inlines into the code so far. */
    public int inlined() {
        return inlined;
    }

    /**
     * What a method means for HotSpot's first compiler, in methods that it inlines: of code that seldom branches it took all up to 1,270, and gave up
     * all from 1,330 on.
     */
    public static int load(int bytecodes, int inlined) {
        return inlined + bytecodes / BYTECODES;
    }

    private int load() {
        return load(size(), inlined);
    }

    private record Description(Local local, String variable, String descriptor, Place from, Place to) {
    }

    /** The JVM refuses two entries that are alike, which registers of one name in sibling scopes can come to. */
    private void visitDescriptions() {
        Set<List<Object>> seen = new HashSet<>();
        for (Description d : described) {
            int from = d.from.label.getOffset();
            int to = d.to.label.getOffset();
            if (to > from && owner.describes(d.variable) && seen.add(List.of(d.variable, d.descriptor, from, to, d.local.slot()))) {
                method.visitLocalVariable(d.variable, d.descriptor, null, d.from.label, d.to.label, d.local.slot());
            }
        }
    }

    /** Ends the method. Whoever splits the code sees to {@link #LIMIT}; {@link ClassCode#largestMethod()} tells. */
    public void end() {
        requireEmpty(null);
        visitDescriptions();
        method.visitMaxs(0, 0);
        method.visitEnd();
        owner.finished(size(), load());
    }

    // The operand stack

    private JvmType top() {
        require(depth > 0, "empty stack");
        return stack[depth - 1];
    }

    private Code pushed(JvmType type) {
        if (depth == stack.length) {
            stack = Arrays.copyOf(stack, 2 * depth);
        }
        stack[depth++] = type;
        return this;
    }

    private void popped(JvmType type) {
        // The text of a failure is made only when there is one: this is asked for each instruction.
        if (depth == 0 || stack[depth - 1] != type) {
            throw wrong("needs " + type + " on top of " + stack());
        }
        depth--;
    }

    private void requireEmpty(Place place) {
        if (depth > 0) {
            throw wrong("stack must be empty, has " + stack());
        }
    }

    private List<JvmType> stack() {
        return Arrays.asList(stack).subList(0, depth);
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw wrong(message);
        }
    }

    private IllegalStateException wrong(String message) {
        return new IllegalStateException(owner.internalName() + "." + name + ": " + message);
    }
}
