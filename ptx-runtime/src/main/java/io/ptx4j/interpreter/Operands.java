package io.ptx4j.interpreter;

import io.ptx4j.engine.Program;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.List;

/** Decodes the operands of one instruction. */
record Operands(KernelCode code, Body body, Instruction instruction) {
    Program program() {
        return code.program();
    }

    Kernel kernel() {
        return code.kernel();
    }

    boolean absent(int index) {
        return instruction.operand(index) instanceof Operand.Absent;
    }

    Source source(int index) {
        return source(instruction.operand(index));
    }

    /** All operands from {@code first} on, the elements of a vector side by side, but for those that are not written. */
    Source[] sources(int first) {
        List<Source> sources = new ArrayList<>();
        for (int i = first; i < instruction.operands().size(); i++) {
            if (!absent(i)) {
                sources.addAll(elements(i));
            }
        }
        return sources.toArray(Source[]::new);
    }

    /** The elements of a vector operand; the operand itself when it is none. */
    List<Source> elements(int index) {
        return vector(instruction.operand(index)).stream().map(this::source).toList();
    }

    /** The elements of a vector destination; the destination itself when it is none. */
    List<Destination> destinations(int index) {
        return vector(instruction.operand(index)).stream().map(this::destination).toList();
    }

    private static List<Operand> vector(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    }

    Source source(Operand operand) {
        return switch (operand) {
            case Operand.Reg reg -> register(reg);
            case Operand.Immediate immediate -> new Source.Constant(immediate.bits());
            case Operand.Special special -> SpecialRegisters.source(special);
            case Operand.AddressOf address -> address(address.variable().space(), address.variable(), address.offset());
            case Operand.FunctionAddress function -> new Source.Constant(
                    Bits.cut(program().functionAddress(function.function()), function.type().bits()));
            case Operand.Vector vector -> throw new NoDefinition("a vector has no definition here in the interpreter");
            case Operand.Sink sink -> new Source.Constant(0);
            case Operand.Absent absent -> throw new IllegalArgumentException("operand is not written");
            case Operand.Address address -> throw new IllegalArgumentException("address " + address + " used as a value");
            case Operand.Call call -> throw new IllegalArgumentException("callee used as a value");
            case Operand.Part part -> throw new IllegalArgumentException("part " + part + " used as a value");
            case Operand.Texture texture -> throw new IllegalArgumentException("texture used as a value");
        };
    }

    private static Source register(Operand.Reg reg) {
        int index = reg.register().index();
        int registerWidth = reg.register().type().bits();
        if (reg.negated()) {
            return new Source.NegatedPredicate(index);
        }
        return registerWidth > 64 && reg.type().bits() > 64
                ? new Source.WideRegister(index)
                : new Source.Register(index, Bits.mask(reg.type().bits()));
    }

    /** How operand {@code index} is written; one that is not there goes nowhere. */
    Destination destination(int index) {
        return destination(instruction.operand(index));
    }

    Destination destination(Operand operand) {
        return switch (operand) {
            case Operand.Reg reg -> Destination.of(reg);
            case Operand.Vector vector -> throw new NoDefinition("a vector has no definition here in the interpreter");
            case Operand.Sink sink -> new Destination.Nowhere();
            case Operand.Absent absent -> new Destination.Nowhere();
            case Operand.Immediate o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.Special o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.Address o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.AddressOf o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.FunctionAddress o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.Call o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.Part o -> throw new IllegalArgumentException(o + " is no destination");
            case Operand.Texture o -> throw new IllegalArgumentException(o + " is no destination");
        };
    }

    /** Type of an operand that has one. */
    static ScalarType typeOf(Operand operand) {
        return switch (operand) {
            case Operand.Reg reg -> reg.type();
            case Operand.Immediate immediate -> immediate.type();
            case Operand.Special special -> special.type();
            case Operand.AddressOf address -> address.type();
            case Operand.FunctionAddress function -> function.type();
            case Operand.Vector o -> null;
            case Operand.Sink o -> null;
            case Operand.Absent o -> null;
            case Operand.Address o -> null;
            case Operand.Call o -> null;
            case Operand.Part o -> o.reg().type();
            case Operand.Texture o -> null;
        };
    }

    /** The memory that operand {@code index} names. */
    Place place(int index) {
        Operand.Address address = (Operand.Address) instruction.operand(index);
        Window window = address.space() == StateSpace.SHARED && instruction.spelling().has(Modifier.SHARED_CLUSTER)
                ? Window.CLUSTER : window(address.space(), address.variable());
        return place(address, window);
    }

    Place place(Operand.Address address) {
        return place(address, window(address.space(), address.variable()));
    }

    private Place place(Operand.Address address, Window window) {
        if (address.variable() != null) {
            return new Place(window, address(address.space(), address.variable(), address.offset()), false, 0);
        }
        if (address.register() == null) {
            return new Place(window, new Source.Constant(0), false, address.offset());
        }
        int width = address.register().type().bits();
        Source base = new Source.Register(address.register().index(), Bits.mask(width));
        return new Place(window, base, width == 32, address.offset());
    }

    private Window window(StateSpace space, Variable variable) {
        return switch (space) {
            case GENERIC, GLOBAL -> Window.GENERIC;
            case SHARED -> Window.SHARED;
            case LOCAL -> Window.LOCAL;
            case CONST -> Window.CONSTANTS;
            case PARAM -> inFrame(variable) ? Window.LOCAL : Window.PARAMETERS;
            case REG, SREG, TEX, TENSOR -> throw new NoDefinition("memory of space " + space + " has no definition in the interpreter");
        };
    }

    /** Only a kernel's own parameters lie outside the frame; a register address means those in a kernel, else the function's. */
    private boolean inFrame(Variable variable) {
        return variable == null ? body != kernel().body() : body.localOffsets().containsKey(variable);
    }

    /** Address of a variable in its own space. */
    Source address(StateSpace space, Variable variable, long offset) {
        return switch (space) {
            case GENERIC, GLOBAL -> new Source.Constant(program().address(variable) + offset);
            case CONST -> new Source.Constant(program().module().constOffsets().get(variable) + offset);
            case SHARED -> new Source.Constant(kernel().sharedOffsets().get(variable) + offset);
            case LOCAL -> new Source.FrameAddress(body.localOffsets().get(variable) + offset);
            case PARAM -> inFrame(variable)
                    ? new Source.FrameAddress(body.localOffsets().get(variable) + offset)
                    : new Source.Constant(kernel().parameterOffsets().get(kernel().parameters().indexOf(variable)) + offset);
            case REG, SREG, TEX, TENSOR -> throw new NoDefinition("the address of " + variable + " has no definition in the interpreter");
        };
    }
}
