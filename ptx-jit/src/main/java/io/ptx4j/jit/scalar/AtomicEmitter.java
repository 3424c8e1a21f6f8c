package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Atomics;
import io.ptx4j.jit.support.Memory;
import io.ptx4j.jit.support.SharedAtomics;
import io.ptx4j.jit.support.WideAtomics;

import java.util.List;

/**
 * Atomics and reductions (manual: "atom", "red"). A block runs on one worker, so shared atomics are plain reads and writes;
 * global and generic ones are atomic for the whole machine, with the strongest order. The elements of a vector are updated one
 * by one. Values travel as raw bits.
 */
public final class AtomicEmitter {
    private AtomicEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        boolean returns = i.opcode() == Opcode.ATOM;
        if (!returns && i.opcode() != Opcode.RED) {
            throw new NoCode("not supported by the JIT");
        }
        int first = returns ? 1 : 0;
        if (!(i.operand(first) instanceof Operand.Address address)) {
            throw new NoCode("not supported by the JIT");
        }
        if (i.type() == ScalarType.B128) {
            exchange128(c, i, address);
            return;
        }
        List<Operand> values = elements(i.operand(first + 1));
        List<Operand> results = returns ? elements(i.operand(0)) : List.of();
        Local base = values.size() > 1 ? alignedBase(c, i, address, values.size()) : null;
        if (!spins(i)) {
            c.wrote();
        }
        for (int e = 0; e < values.size(); e++) {
            c.push(Addresses.part(c, address));
            if (base == null) {
                Addresses.pushOffset(c, address, 0);
            } else {
                c.code().load(base).push((long) e * i.type().bytes()).op(Op.LADD);
            }
            pushBits(c, values.get(e));
            update(c, i, address, first + 2);
            if (!returns) {
                c.code().pop();
            }
        }
        // The old values wait on the stack: a destination may be the source of a later element.
        for (int e = results.size() - 1; e >= 0; e--) {
            c.pop(results.get(e), wide(i) ? JvmType.LONG : JvmType.INT);
        }
    }

    /** {@code exch} and {@code cas} of pairs of registers ({@link io.ptx4j.jit.flow.WideRegisters}). */
    private static void exchange128(ThreadCode c, Instruction i, Operand.Address address) {
        Code code = c.code();
        boolean compares = i.spelling().has(Modifier.CAS);
        c.push(Addresses.part(c, address));
        Addresses.pushOffset(c, address, 0);
        elements(i.operand(2)).forEach(c::pushLong);
        if (compares) {
            elements(i.operand(3)).forEach(c::pushLong);
        }
        Local old = c.scratch(JvmType.REFERENCE, 0);
        code.call(WideAtomics.class, compares ? "cas" : "exchange").store(old);
        List<Operand> results = i.operand(0) instanceof Operand.Vector pair ? pair.elements() : List.of();
        for (int half = 0; half < results.size(); half++) {
            code.load(old).push(half).arrayLoad(JvmType.LONG);
            c.pop(results.get(half), JvmType.LONG);
        }
    }

    /** Whether this is how a thread waits with an atomic: {@code cas} and {@code exch} on a lock, or adding nothing. */
    public static boolean spins(Instruction i) {
        boolean nothing = i.operand(i.opcode() == Opcode.ATOM ? 2 : 1) instanceof Operand.Immediate constant && constant.bits() == 0
                && (i.spelling().has(Modifier.ADD) || i.spelling().has(Modifier.OR) || i.spelling().has(Modifier.XOR));
        return i.spelling().has(Modifier.CAS) || i.spelling().has(Modifier.EXCH) || nothing;
    }

    private static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector v ? v.elements() : List.of(operand);
    }

    private static boolean wide(Instruction i) {
        return i.type().bits() == 64;
    }

    private static Local alignedBase(ThreadCode c, Instruction i, Operand.Address address, int elements) {
        Local base = c.scratch(JvmType.LONG, 0);
        c.push(Addresses.part(c, address));
        Addresses.pushOffset(c, address, 0);
        c.code().push(i.type().bytes() * elements).call(Memory.class, "aligned").store(base);
        return base;
    }

    private static void pushBits(ThreadCode c, Operand value) {
        if (ThreadCode.typeOf(value).bits() == 64) {
            c.pushLong(value);
        } else {
            c.pushInt(value);
        }
    }

    /** Memory, offset and value are on the stack; leaves the old value. */
    private static void update(ThreadCode c, Instruction i, Operand.Address address, int third) {
        Code code = c.code();
        String name = name(i);
        boolean shared = address.space() == StateSpace.SHARED;
        if (i.spelling().has(Modifier.CAS)) {
            pushBits(c, i.operand(third));
        }
        if ((name.equals("addF32") || name.equals("addF64")) && address.space() == StateSpace.GENERIC) {
            code.load(c.worker).call(Atomics.class, name.replace("add", "addGeneric"));
        } else {
            code.call(shared ? SharedAtomics.class : Atomics.class, name);
        }
    }

    /** The method of {@link Atomics} and {@link SharedAtomics} for an atomic, by its operation and type. */
    public static String name(Instruction i) {
        ScalarType type = i.type();
        Modifier operation = i.spelling().operation();
        if (type.isFloat()) {
            boolean half = type.element().bits() == 16;
            if (operation != Modifier.ADD && !(half && (operation == Modifier.MIN || operation == Modifier.MAX))) {
                throw new NoCode("operation " + operation + " on " + type + " is not supported by the JIT");
            }
            return (operation == Modifier.ADD ? "add" : operation == Modifier.MIN ? "min" : "max") + switch (type) {
                case F32 -> "F32";
                case F64 -> "F64";
                case F16 -> "F16";
                case BF16 -> "Bf16";
                case F16X2 -> "F16x2";
                case BF16X2 -> "Bf16x2";
                default -> throw new NoCode("atomics of " + type + " are not supported by the JIT");
            };
        }
        boolean unsigned = !type.signed();
        return switch (operation) {
            case ADD -> "add";
            case MIN -> unsigned ? "minUnsigned" : "min";
            case MAX -> unsigned ? "maxUnsigned" : "max";
            case AND -> "and";
            case OR -> "or";
            case XOR -> "xor";
            case EXCH -> "exchange";
            case CAS -> "cas";
            case INC -> "increment";
            case DEC -> "decrement";
            default -> throw new NoCode("operation " + operation + " is not supported by the JIT");
        } + type.bits();
    }
}
