package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.support.Atomics;
import io.ptx4j.jit.support.SharedAtomics;

/**
 * Atomics and reductions (manual: "atom", "red"). A block runs on one worker, so shared atomics are plain reads and writes;
 * global and generic ones are atomic for the whole machine, with the strongest order.
 */
final class AtomicEmitter {
    private AtomicEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        boolean returns = i.opcode() == Opcode.ATOM;
        if (!returns && i.opcode() != Opcode.RED) {
            throw new NoCode("not supported by the JIT");
        }
        ScalarType type = i.type();
        if (type.packed() || type.bits() < 32 || i.spelling().vectorLength() > 1 || type.bits() > 64) {
            throw new NoCode("atomics of " + type + " are not supported");
        }
        int base = returns ? 1 : 0;
        Operand.Address address = (Operand.Address) i.operand(base);
        Class<?> holder = address.space() == StateSpace.SHARED ? SharedAtomics.class : Atomics.class;
        Code code = c.code();
        c.push(Addresses.part(c, address));
        Addresses.pushOffset(c, address, 0);
        pushValue(c, type, i.operand(base + 1));
        String name = name(i, type);
        if (name.startsWith("cas")) {
            pushValue(c, type, i.operand(base + 2));
        }
        code.call(holder, name);
        if (returns) {
            c.pop(i.operand(0), jvm(type));
        } else {
            code.pop();
        }
    }

    private static JvmType jvm(ScalarType type) {
        return type == ScalarType.F32 ? JvmType.FLOAT : type == ScalarType.F64 ? JvmType.DOUBLE
                : type.bits() == 64 ? JvmType.LONG : JvmType.INT;
    }

    private static void pushValue(ThreadCode c, ScalarType type, Operand operand) {
        switch (jvm(type)) {
            case FLOAT -> c.pushFloatBits(operand);
            case DOUBLE -> c.pushDoubleBits(operand);
            case LONG -> c.pushLong(operand);
            case INT -> c.pushInt(operand);
            case REFERENCE -> throw new IllegalStateException();
        }
    }

    private static String name(Instruction i, ScalarType type) {
        Modifier operation = i.spelling().one(Modifier.Category.OPERATION);
        if (operation == null) {
            operation = i.spelling().one(Modifier.Category.BOOLEAN);
        }
        String suffix = switch (type) {
            case F32 -> "F32";
            case F64 -> "F64";
            default -> type.bits() == 64 ? "64" : "32";
        };
        boolean unsigned = !type.signed();
        return switch (operation) {
            case ADD -> "add" + suffix;
            case MIN -> (unsigned ? "minUnsigned" : "min") + suffix;
            case MAX -> (unsigned ? "maxUnsigned" : "max") + suffix;
            case AND -> "and" + suffix;
            case OR -> "or" + suffix;
            case XOR -> "xor" + suffix;
            case EXCH -> "exchange" + suffix;
            case CAS -> "cas" + suffix;
            case INC -> "increment" + suffix;
            case DEC -> "decrement" + suffix;
            default -> throw new NoCode("operation " + operation + " is not supported");
        };
    }
}
