package io.ptx4j.differential;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ConstantDesc;
import java.util.List;

/**
 * A wrong compiler: in one method of the JIT, or of what generated code calls, one thing stands for another.
 *
 * @param type class in {@code io.ptx4j.jit}
 * @param from bytecode instruction, constant, field or method that is replaced wherever the method has it
 * @param to what stands there instead
 */
record Mutant(String type, String method, String from, String to) {
    private static final String PACKAGE = "io.ptx4j.jit.";

    static final List<Mutant> ALL = List.of(
            // Integers
            new Mutant("support.IntegerOps", "divU32", "-1", "0"),
            new Mutant("support.IntegerOps", "remS16", "65535", "0"),
            new Mutant("support.IntegerOps", "addSatS32", "31", "30"),
            new Mutant("support.IntegerOps", "sadU32", "compareUnsigned", "compare"),
            new Mutant("support.BitOps", "bfeS32", "64", "63"),
            new Mutant("support.BitOps", "shrS32", "31", "0"),
            new Mutant("support.BitOps", "prmtByte", "7", "3"),
            new Mutant("scalar.IntegerEmitter", "emit", "numberOfLeadingZeros", "numberOfTrailingZeros"),
            new Mutant("scalar.IntegerResize", "emit", "I2B", "I2S"),
            new Mutant("scalar.LogicEmitter", "emit", "IXOR", "IOR"),
            // Carries
            new Mutant("scalar.CarryEmitter", "finish32", "32", "31"),
            new Mutant("scalar.CarryEmitter", "product32", "LUSHR", "LSHR"),
            new Mutant("support.Carries", "notBorrow", "compareUnsigned", "compare"),
            // Floats
            new Mutant("support.FloatOps", "maxF32", "max", "min"),
            new Mutant("support.FloatOps", "sat", "fconst_1", "fconst_2"),
            new Mutant("support.HalfOps", "satF16", "15360", "15361"),
            new Mutant("support.Canonical", "quiet", "2251799813685248", "0"),
            new Mutant("support.Conversions", "toU64", "-1", "0"),
            new Mutant("flow.Nans", "cleanAtUse", "true", "false"),
            new Mutant("scalar.ComparisonEmitter", "condition", "LT", "LE"),
            // Memory and atomics
            new Mutant("support.AtomicUpdates", "increment32", "compareUnsigned", "compare"),
            new Mutant("support.SharedAtomics", "minUnsigned32", "minUnsigned32", "min32"),
            // Several threads
            new Mutant("support.WarpOperations", "shuffle", "8", "9"),
            new Mutant("support.WarpOperations", "vote", "ifeq", "ifne"),
            new Mutant("support.Barriers", "give", "ifle", "ifge"),
            new Mutant("support.Mbarriers", "arriveDrop", "dropped", "arrived"),
            new Mutant("support.Mbarriers", "dropped", "20", "21"),
            new Mutant("support.Mbarriers", "arriveDropExpect", "dropped", "arrived"),
            new Mutant("support.Mbarriers", "arriveDropNoComplete", "dropped", "arrived"),
            new Mutant("support.Mbarriers", "transactions", "43", "63"),
            new Mutant("support.Mbarriers", "store", "expected", "transactions"),
            new Mutant("support.Mbarriers", "testParity", "1", "0"),
            // Vectors
            new Mutant("vector.IntegerVectors", "emit", "UMIN", "MIN"),
            new Mutant("vector.CarryVectors", "word", "ASHR", "LSHR"),
            new Mutant("vector.LogicVectors", "variable", "UGT", "GT"),
            new Mutant("vector.FloatVectors", "whereNaN", "NE", "EQ"),
            new Mutant("vector.Forms", "keepsOthers", "isLiveIn", "isLiveOut"));

    String className() {
        return PACKAGE + type;
    }

    /** The class with the change made. */
    byte[] of(byte[] original) {
        ClassFile file = ClassFile.of();
        boolean[] changed = new boolean[1];
        CodeTransform change = (code, element) -> changed[0] |= replace(code, element);
        byte[] result = file.transformClass(file.parse(original),
                ClassTransform.transformingMethodBodies(found -> found.methodName().equalsString(method), change));
        if (!changed[0]) {
            throw new IllegalStateException("nothing to change for " + this);
        }
        return result;
    }

    private boolean replace(CodeBuilder code, CodeElement element) {
        switch (element) {
            case OperatorInstruction i when i.opcode() == opcode(from) -> code.with(OperatorInstruction.of(opcode(to)));
            case BranchInstruction i when i.opcode() == opcode(from) -> code.with(BranchInstruction.of(opcode(to), i.target()));
            case ConstantInstruction i when i.opcode() == opcode(from) -> code.with(ConstantInstruction.ofIntrinsic(opcode(to)));
            case ConstantInstruction i when i.constantValue() instanceof String text && text.equals(from) -> code.loadConstant(to);
            case ConstantInstruction i when number(i.constantValue()) -> load(code, i.constantValue());
            case FieldInstruction i when i.name().equalsString(from) -> code.fieldAccess(i.opcode(), i.owner().asSymbol(), to, i.typeSymbol());
            case InvokeInstruction i when i.name().equalsString(from) -> invoke(code, i, i.owner());
            default -> {
                code.with(element);
                return false;
            }
        }
        return true;
    }

    private void invoke(CodeBuilder code, InvokeInstruction call, ClassEntry owner) {
        code.invoke(call.opcode(), owner.asSymbol(), to, call.typeSymbol(), call.isInterface());
    }

    private boolean number(ConstantDesc value) {
        return (value instanceof Integer || value instanceof Long) && value.toString().equals(from.equals("true") ? "1" : from.equals("false") ? "0" : from);
    }

    private void load(CodeBuilder code, ConstantDesc old) {
        long value = to.equals("true") ? 1 : to.equals("false") ? 0 : Long.parseLong(to);
        if (old instanceof Long) {
            code.loadConstant(value);
        } else {
            code.loadConstant((int) value);
        }
    }

    /** The JVM instruction of that name; null if there is none. */
    private static Opcode opcode(String name) {
        for (Opcode opcode : Opcode.values()) {
            if (opcode.name().toLowerCase(java.util.Locale.ROOT).equals(name)) {
                return opcode;
            }
        }
        return null;
    }

    /** Loads the JIT with this change and everything that uses it anew; the front end is shared. */
    ClassLoader loader() {
        return new ClassLoader(Mutant.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                synchronized (getClassLoadingLock(name)) {
                    boolean own = name.startsWith("io.ptx4j.") && !name.matches("io\\.ptx4j\\.(syntax|isa|ir|check)\\..*");
                    Class<?> known = own ? findLoadedClass(name) : null;
                    return known != null ? known : own ? define(name) : super.loadClass(name, resolve);
                }
            }

            private Class<?> define(String name) throws ClassNotFoundException {
                try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (in == null) {
                        throw new ClassNotFoundException(name);
                    }
                    byte[] bytes = in.readAllBytes();
                    byte[] defined = name.equals(className()) ? of(bytes) : bytes;
                    return defineClass(name, defined, 0, defined.length);
                } catch (java.io.IOException unreadable) {
                    throw new ClassNotFoundException(name, unreadable);
                }
            }
        };
    }

    @Override
    public String toString() {
        return type + "." + method + " with " + to + " for " + from;
    }
}
