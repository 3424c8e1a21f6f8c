package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces registers that only ever hold one constant by the constant. Inline assembly puts shift amounts, masks and zeros
 * into registers, which would otherwise live through the whole kernel.
 */
public final class Constants {
    private final Map<Register, Long> values = new HashMap<>();

    private Constants(Graph graph) {
        Set<Register> tested = new HashSet<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction instruction : block.instructions()) {
                note(instruction);
                if (instruction.guard() != null) {
                    tested.add(instruction.guard().predicate());
                }
            }
            if (!(block.terminator() instanceof Terminator.Jump) && Operands.use(block.terminator()) != null) {
                tested.add(Operands.use(block.terminator()));
            }
        }
        Writes writes = graph.writes();
        values.keySet().removeIf(r -> !writes.isOnce(r) || tested.contains(r));
        if (values.isEmpty()) {
            return;
        }
        Set<Register> needed = new HashSet<>();
        graph.blocks().forEach(b -> b.instructions().stream().filter(i -> !isConstantMove(i)).forEach(i -> Operands.uses(rewrite(i), needed::add)));
        // Some are used where no constant may stand, such as in addresses.
        values.keySet().removeAll(needed);
    }

    static Graph propagate(Graph graph) {
        Constants constants = new Constants(graph);
        if (constants.values.isEmpty()) {
            return graph;
        }
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            for (Instruction instruction : block.instructions()) {
                if (!constants.isConstantMove(instruction)) {
                    code.add(constants.rewrite(instruction));
                }
            }
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(blocks);
    }

    private void note(Instruction instruction) {
        if (instruction.opcode() == Opcode.MOV && instruction.guard() == null && instruction.operand(0) instanceof Operand.Reg r
                && instruction.operand(1) instanceof Operand.Immediate i && r.register().type().bits() <= 64) {
            values.put(r.register(), i.bits());
        }
    }

    private boolean isConstantMove(Instruction instruction) {
        return instruction.opcode() == Opcode.MOV && instruction.operand(0) instanceof Operand.Reg r
                && values.containsKey(r.register());
    }

    private Instruction rewrite(Instruction instruction) {
        List<OperandSpec> specs = instruction.spelling().form().operands();
        List<Operand> operands = new ArrayList<>();
        boolean changed = false;
        for (int i = 0; i < specs.size(); i++) {
            Operand before = instruction.operand(i);
            Operand after = specs.get(i).role() == OperandSpec.Role.DESTINATION ? before : replace(before);
            changed |= before != after;
            operands.add(after);
        }
        return changed ? new Instruction(instruction.spelling(), instruction.guard(), List.copyOf(operands), instruction.location())
                : instruction;
    }

    private Operand replace(Operand operand) {
        return switch (operand) {
            case Operand.Reg r when values.containsKey(r.register()) && r.type().bits() <= 64 -> constant(r);
            case Operand.Vector v when v.elements().stream().anyMatch(e -> e instanceof Operand.Reg r
                    && values.containsKey(r.register())) -> new Operand.Vector(v.elements().stream().map(this::replace).toList());
            default -> operand;
        };
    }

    private Operand.Immediate constant(Operand.Reg use) {
        return constant(use, values.get(use.register()));
    }

    /** What reading a register gives that holds a constant. */
    public static Operand.Immediate constant(Operand.Reg use, long held) {
        long bits = held;
        ScalarType type = use.type();
        if (type == ScalarType.PRED) {
            return new Operand.Immediate(type, bits & 1 ^ (use.negated() ? 1 : 0));
        }
        int width = use.register().type().bits();
        bits = width < 64 ? bits & (1L << width) - 1 : bits;
        int unused = 64 - Math.min(64, type.bits());
        return new Operand.Immediate(type, type.signed() ? bits << unused >> unused : bits << unused >>> unused);
    }
}
