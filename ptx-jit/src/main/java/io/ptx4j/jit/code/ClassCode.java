package io.ptx4j.jit.code;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A class being generated. */
public final class ClassCode {
    private static final String PROBE = "ptx4j/Probe";

    /** Null in a class that is only measured. */
    private final ClassWriter writer;
    /** A class file has 65,535 constants (JVM specification 4.1): so many may be numbers, and so many names of variables. */
    private static final int MOST_NUMBERS = 30_000;
    private static final int MOST_VARIABLES = 20_000;
    /** HotSpot numbers the call sites of a class with 16 bits (ResolvedIndyEntry, JDK 25): one behind the 65,536th gets another one's method, and the JVM crashes. */
    private static final int MOST_LINKED = 60_000;

    private final String name;
    private final String source;
    private final LineNumbers lines;
    private final Set<Object> numbers = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private int linked;
    private int largest;
    private int refused;
    private int heaviest;

    /**
     * @param name binary name with dots
     * @param source name of the PTX text, for stack traces and debuggers
     * @param lastLine of the text that there is code of
     */
    public ClassCode(String name, Class<?> superclass, String source, int lastLine) {
        this.name = name.replace('.', '/');
        this.source = source;
        this.lines = new LineNumbers(lastLine);
        this.writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected String getCommonSuperClass(String first, String second) {
                return "java/lang/Object";
            }
        };
        writer.visit(Opcodes.V21, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, this.name, null,
                superclass.getName().replace('.', '/'), null);
    }

    private ClassCode() {
        this.name = PROBE;
        this.source = null;
        this.lines = new LineNumbers(0);
        this.writer = null;
    }

    /** A class whose code is nowhere kept: it tells how long code would be, and whether there is any. */
    public static ClassCode probe() {
        return new ClassCode();
    }

    /** Whether code of this class is only measured. */
    public boolean isProbe() {
        return writer == null;
    }

    /** Internal name, with slashes. */
    public String internalName() {
        return name;
    }

    /** Begins a static method. */
    public Code staticMethod(String method, String descriptor) {
        return new Code(this, method, descriptor, true,
                isProbe() ? null : writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, method, descriptor, null, null));
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

    /** Whether a number that is no immediate of an instruction may be a constant of the class; a long counts twice. */
    boolean takes(Object number) {
        if (numbers.size() + 2 <= MOST_NUMBERS && numbers.add(number) && (number instanceof Long || number instanceof Double)) {
            numbers.add(List.of(number));
        }
        return numbers.contains(number);
    }

    /** Whether one more call may be linked to a method handle; tells so of each. */
    boolean linksAnother() {
        return linked++ < MOST_LINKED;
    }

    /** Whether a variable of that name may be described. */
    boolean describes(String variable) {
        return variables.contains(variable) || variables.size() < MOST_VARIABLES && variables.add(variable);
    }

    void finished(int bytes, int load) {
        largest = Math.max(largest, bytes);
        refused += bytes > Code.REFUSED ? bytes : 0;
        heaviest = Math.max(heaviest, load);
    }

    /** The greatest {@link Code#load} of the methods so far. */
    public int heaviestMethod() {
        return heaviest;
    }

    /** Bytecodes of all methods so far that HotSpot may never compile. */
    public int refused() {
        return refused;
    }

    /** Upper bound of the bytecodes of the largest method so far. */
    public int largestMethod() {
        return largest;
    }

    /** How the class file names a line. */
    int number(int line) {
        return lines.of(line);
    }

    public byte[] bytes() {
        writer.visitSource(source, lines.map(name, source));
        writer.visitEnd();
        return writer.toByteArray();
    }
}
