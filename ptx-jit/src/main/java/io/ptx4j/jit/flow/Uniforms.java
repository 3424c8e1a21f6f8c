package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Registers that have one value for all threads of a block and can be computed before any of them runs: written once, without
 * a guard, by an instruction without effect from parameters, constants, uniform special registers and other such registers.
 */
public final class Uniforms {
    private final Map<Register, Instruction> definitions = new HashMap<>();
    private final List<Register> order = new ArrayList<>();
    private final Set<Register> ofBlock = new HashSet<>();

    /** @param special whether a special register is the same for all threads of a block */
    public Uniforms(Graph graph, Kernel kernel, Predicate<SpecialRegister> special) {
        Writes writes = graph.writes();
        boolean found = true;
        while (found) {
            found = false;
            for (int b : graph.order()) {
                for (Instruction instruction : graph.blocks().get(b).instructions()) {
                    found |= consider(instruction, kernel, special, writes);
                }
            }
        }
    }

    private boolean consider(Instruction instruction, Kernel kernel, Predicate<SpecialRegister> special, Writes writes) {
        if (instruction.guard() != null || !pure(instruction, kernel) || instruction.operands().isEmpty()
                || !(instruction.operand(0) instanceof Operand.Reg destination) || definitions.containsKey(destination.register())
                || !writes.isOnce(destination.register())) {
            return false;
        }
        for (Operand operand : instruction.operands().subList(1, instruction.operands().size())) {
            if (!uniform(operand, special)) {
                return false;
            }
        }
        definitions.put(destination.register(), instruction);
        order.add(destination.register());
        if (instruction.operands().stream().anyMatch(this::isOfBlock)) {
            ofBlock.add(destination.register());
        }
        return true;
    }

    private boolean isOfBlock(Operand operand) {
        return switch (operand) {
            case Operand.Reg r -> ofBlock.contains(r.register());
            case Operand.Special s -> switch (s.register()) {
                case CTAID_X, CTAID_Y, CTAID_Z -> true;
                default -> false;
            };
            case Operand.Vector v -> v.elements().stream().anyMatch(this::isOfBlock);
            case Operand.Part p -> ofBlock.contains(p.reg().register());
            case Operand.Immediate o -> false;
            case Operand.Absent o -> false;
            case Operand.AddressOf o -> false;
            case Operand.FunctionAddress o -> false;
            case Operand.Address o -> false;
            case Operand.Sink o -> false;
            case Operand.Call o -> false;
            case Operand.Texture o -> false;
        };
    }

    private boolean uniform(Operand operand, Predicate<SpecialRegister> special) {
        return switch (operand) {
            case Operand.Reg r -> definitions.containsKey(r.register());
            case Operand.Special s -> special.test(s.register());
            case Operand.Vector v -> v.elements().stream().allMatch(e -> uniform(e, special));
            case Operand.Immediate o -> true;
            case Operand.Absent o -> true;
            case Operand.AddressOf o -> o.variable().space() != StateSpace.LOCAL;
            case Operand.FunctionAddress o -> true;
            case Operand.Address a -> a.register() == null;
            case Operand.Sink o -> false;
            case Operand.Call o -> false;
            case Operand.Part p -> definitions.containsKey(p.reg().register());
            case Operand.Texture o -> false;
        };
    }

    private static boolean pure(Instruction instruction, Kernel kernel) {
        ScalarType type = instruction.type();
        if (type == null) {
            return false;
        }
        return instruction.family().isPure() || instruction.opcode() == Opcode.LD && parameter(instruction, kernel)
                || instruction.opcode() == Opcode.CVTA && instruction.spelling().space() != StateSpace.LOCAL;
    }

    private static boolean parameter(Instruction instruction, Kernel kernel) {
        return instruction.operand(1) instanceof Operand.Address a && a.variable() != null
                && kernel.parameters().contains(a.variable()) && a.offset() >= 0
                && a.offset() + (long) instruction.type().bytes() * instruction.spelling().vectorLength() <= a.variable().bytes()
                && a.offset() % instruction.type().bytes() == 0;
    }

    public boolean contains(Register register) {
        return definitions.containsKey(register);
    }

    /** Whether one of them may differ from block to block of a launch. */
    public boolean isOfBlock(Register register) {
        return ofBlock.contains(register);
    }

    /** All of them, each behind those it is computed from. */
    public List<Register> order() {
        return order;
    }

    public Instruction definition(Register register) {
        return definitions.get(register);
    }

    /** Whether the instruction is the definition of one: it need not run again. */
    public boolean defines(Instruction instruction) {
        return !instruction.operands().isEmpty() && instruction.operand(0) instanceof Operand.Reg r
                && definitions.get(r.register()) == instruction;
    }
}
