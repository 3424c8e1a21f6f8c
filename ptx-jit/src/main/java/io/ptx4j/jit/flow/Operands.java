package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Which registers an instruction reads and writes. */
public final class Operands {
    /** CC.CF as a register of the graph, so that it lives and dies like one. */
    public static final Register CARRY = new Register(0, "CC", ScalarType.B64);

    /** Top of the thread's stack, an offset in its local memory; only graphs that use a stack have this register and the next. */
    public static final Register STACK = new Register(1, "SP", ScalarType.B64);

    /** Where the frame of the running function out of line begins, an offset in the thread's local memory. */
    public static final Register FRAME = new Register(2, "FP", ScalarType.B64);

    private Operands() {
    }

    /** An operand without the choice of its bytes or halves. */
    public static Operand whole(Operand operand) {
        return operand instanceof Operand.Part part ? part.reg() : operand;
    }

    /** Whether no order of an access is written, or {@code .weak}. */
    public static boolean isWeak(Instruction access) {
        Modifier order = access.spelling().one(Modifier.Category.ORDER);
        return order == null || order == Modifier.WEAK;
    }

    /** Whether a register is none of the text's, but the carry, or a place in the stack. */
    public static boolean isHidden(Register register) {
        return register == CARRY || register == STACK || register == FRAME;
    }

    /** Whether any instruction is one of those; streams take several times as long where code has not been compiled. */
    public static boolean any(List<BasicBlock> blocks, Predicate<Instruction> wanted) {
        for (BasicBlock block : blocks) {
            for (Instruction instruction : block.instructions()) {
                if (wanted.test(instruction)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Calls {@code use} with every register read, the guard's included. */
    public static void uses(Instruction instruction, Consumer<Register> use) {
        if (instruction.guard() != null) {
            use.accept(instruction.guard().predicate());
        }
        if (instruction.family() == Family.EXTENDED_PRECISION && readsCarry(instruction.opcode())) {
            use.accept(CARRY);
        }
        if (instruction.opcode() == Opcode.ALLOCA || instruction.opcode() == Opcode.STACKSAVE) {
            use.accept(STACK);
        }
        List<OperandSpec> specs = instruction.spelling().form().operands();
        List<Operand> operands = instruction.operands();
        for (int i = 0, count = specs.size(); i < count; i++) {
            if (specs.get(i).role() != OperandSpec.Role.DESTINATION) {
                read(operands.get(i), use);
            }
        }
    }

    /** Whether the instruction reads such a register. */
    public static boolean reads(Instruction instruction, Predicate<Register> which) {
        boolean[] found = {false};
        uses(instruction, r -> found[0] |= which.test(r));
        return found[0];
    }

    /** Whether the instruction writes such a register. */
    public static boolean writes(Instruction instruction, Predicate<Register> which) {
        boolean[] found = {false};
        definitions(instruction, r -> found[0] |= which.test(r));
        return found[0];
    }

    static boolean readsCarry(Opcode opcode) {
        return opcode == Opcode.ADDC || opcode == Opcode.SUBC || opcode == Opcode.MADC;
    }

    /** Calls {@code use} with every register of a source. */
    static void read(Operand operand, Consumer<Register> use) {
        // Nearly all are: a switch over patterns takes several times as long where it has not been compiled well.
        if (operand instanceof Operand.Reg reg) {
            use.accept(reg.register());
            return;
        }
        switch (operand) {
            case Operand.Reg reg -> use.accept(reg.register());
            case Operand.Vector vector -> vector.elements().forEach(e -> read(e, use));
            case Operand.Address address -> {
                if (address.register() != null) {
                    use.accept(address.register());
                }
            }
            case Operand.Call call -> {
                if (call.target() != null) {
                    use.accept(call.target());
                }
                call.arguments().forEach(a -> read(a, use));
            }
            case Operand.Part part -> use.accept(part.reg().register());
            case Operand.Texture texture -> {
                read(texture.object(), use);
                read(texture.sampler(), use);
                texture.coordinates().forEach(c -> read(c, use));
            }
            case Operand.Immediate i -> { }
            case Operand.Sink s -> { }
            case Operand.Absent a -> { }
            case Operand.Special s -> { }
            case Operand.AddressOf a -> { }
            case Operand.FunctionAddress f -> { }
        }
    }

    /** Calls {@code define} with every register written. */
    public static void definitions(Instruction instruction, Consumer<Register> define) {
        if (instruction.spelling().has(Modifier.CC)) {
            define.accept(CARRY);
        }
        if (instruction.opcode() == Opcode.ALLOCA || instruction.opcode() == Opcode.STACKRESTORE) {
            define.accept(STACK);
        }
        List<OperandSpec> specs = instruction.spelling().form().operands();
        List<Operand> operands = instruction.operands();
        boolean calls = instruction.opcode() == Opcode.CALL;
        for (int i = 0, count = specs.size(); i < count; i++) {
            if (specs.get(i).role() == OperandSpec.Role.DESTINATION) {
                written(operands.get(i), define);
            } else if (calls && operands.get(i) instanceof Operand.Call call) {
                call.results().forEach(r -> written(r, define));
            }
        }
    }

    private static void written(Operand operand, Consumer<Register> define) {
        if (operand instanceof Operand.Reg reg) {
            define.accept(reg.register());
        } else if (operand instanceof Operand.Part part) {
            define.accept(part.reg().register());
        } else if (operand instanceof Operand.Vector vector) {
            vector.elements().forEach(e -> written(e, define));
        }
    }

    /** The register a terminator reads, or null. */
    public static Register use(Terminator terminator) {
        return switch (terminator) {
            case Terminator.Branch branch -> branch.predicate();
            case Terminator.Switch choice -> choice.index();
            case Terminator.Jump j -> null;
            case Terminator.Return r -> null;
            case Terminator.Exit e -> null;
        };
    }
}
