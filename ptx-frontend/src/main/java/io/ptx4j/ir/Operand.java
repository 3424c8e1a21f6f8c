package io.ptx4j.ir;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;

import java.util.List;

/**
 * An operand with its role resolved. An instruction has exactly one operand for each {@link io.ptx4j.isa.OperandSpec} of its
 * form, in the form's order; an optional one that is not written is {@link Absent}.
 */
public sealed interface Operand {
    /**
     * A register.
     *
     * @param type how this instruction reads or writes the bits (not the declared type); where the register is wider, a source
     *     is its low bits and a destination is filled as the instruction says (sign or zero extension)
     * @param negated {@code !%p} as a source
     */
    record Reg(Register register, ScalarType type, boolean negated) implements Operand {
        @Override
        public String toString() {
            return (negated ? "!" : "") + register;
        }
    }

    /**
     * A part of a register, as video instructions take it: {@code a.b0}, {@code a.h1}, {@code a.b7520}; also with a minus sign.
     *
     * @param minus {@code -a} of {@code vmad}
     * @param laneBits 8 or 16; 32 where no selector is written
     * @param lanes numbers of the bytes or halves, in the order written: the highest result lane first. From 4 (bytes) or 2
     *     (halves) on they are those of the other source; of a destination they are the lanes that are written
     */
    record Part(Reg reg, boolean minus, int laneBits, List<Integer> lanes) implements Operand {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(minus ? "-" : "").append(reg);
            if (!lanes.isEmpty()) {
                text.append(laneBits == 8 ? ".b" : ".h");
                lanes.forEach(text::append);
            }
            return text.toString();
        }
    }

    /** A constant as the raw bits of {@code type}, already truncated or converted; of a {@code .b128} the lower half, the upper one is zero. */
    record Immediate(ScalarType type, long bits) implements Operand {
        @Override
        public String toString() {
            return type.isFloat() ? "0x" + Long.toHexString(bits) : Long.toString(bits);
        }
    }

    /** <code>{a, b, …}</code>: registers, immediates and {@link Sink}s. */
    record Vector(List<Operand> elements) implements Operand {
        @Override
        public String toString() {
            return elements.toString().replace('[', '{').replace(']', '}');
        }
    }

    /** {@code _}: a result nobody wants. */
    record Sink() implements Operand {
        @Override
        public String toString() {
            return "_";
        }
    }

    /** An optional operand that is not written. */
    record Absent() implements Operand {
    }

    /** A special register; {@code number} is that of {@code %envreg<n>} and {@code %pm<n>}, else 0. */
    record Special(SpecialRegister register, int number, ScalarType type) implements Operand {
        @Override
        public String toString() {
            return register.spelling() + (number == 0 ? "" : number);
        }
    }

    /**
     * The memory that the instruction accesses: {@code [base + offset]}. Exactly one of {@code register} and {@code variable}
     * is set, or neither for an absolute address.
     *
     * @param space the space accessed; for a generic access to a named variable the variable's own space, so that
     *     {@code GENERIC} means an address known at run time only
     * @param register address register, 32 or 64 bits wide, else null
     * @param variable the variable named, else null
     * @param offset in bytes
     */
    record Address(StateSpace space, Register register, Variable variable, long offset) implements Operand {
        @Override
        public String toString() {
            String base = register != null ? register.name() : variable != null ? variable.name() : "";
            return "[" + base + (base.isEmpty() ? Long.toString(offset) : offset == 0 ? "" : "+" + offset) + "]";
        }
    }

    /** The address of a variable within its own space, as {@code mov.u64 %rd, v+8} takes it. */
    record AddressOf(Variable variable, long offset, ScalarType type) implements Operand {
        @Override
        public String toString() {
            return variable.name() + (offset == 0 ? "" : "+" + offset);
        }
    }

    /** A function or kernel taken as a value, as {@code mov.u64 %rd, f} does. */
    record FunctionAddress(String function, ScalarType type) implements Operand {
        @Override
        public String toString() {
            return function;
        }
    }

    /**
     * What a {@code call} calls and with what. Results and arguments are registers, immediates, or {@link AddressOf}s that name
     * whole {@code .param} variables, one for each formal parameter.
     *
     * @param function name of the function called directly; null for an indirect call
     * @param target register holding the function address of an indirect call; null for a direct one
     * @param prototype parameter and result layout of an indirect call; for a direct one that of the function
     * @param candidates functions an indirect call may reach ({@code .calltargets}); empty when unknown
     */
    record Call(String function, Register target, Prototype prototype, List<String> candidates, List<Operand> results,
            List<Operand> arguments) implements Operand {
    }

    /**
     * Address of a texture, surface or tensor operand: {@code [tex, sampler, {x, y}]}.
     *
     * @param object the {@code .texref}/{@code .surfref} variable as {@link AddressOf}, or a register with a handle
     * @param sampler the separate sampler, else {@link Absent}
     * @param coordinates the coordinate vector
     */
    record Texture(Operand object, Operand sampler, List<Operand> coordinates) implements Operand {
    }
}
