package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes two registers of 64 bits of every one of 128. Moves of {@code .b128} become two of {@code .b64}, weak loads and stores
 * become those of {@code .v2.b64}; any other instruction of that type keeps its spelling and has the vector {@code {low, high}} as operand.
 */
final class WideRegisters {
    private record Pair(Register low, Register high) {
        Operand.Vector vector() {
            return new Operand.Vector(List.of(whole(low), whole(high)));
        }
    }

    private final Map<Register, Pair> pairs = new HashMap<>();
    private final List<Register> registers;

    private WideRegisters(Graph graph) {
        this.registers = new ArrayList<>(graph.registers());
    }

    static Graph split(Graph graph) {
        if (graph.registers().stream().noneMatch(WideRegisters::isWide)
                && !Operands.any(graph.blocks(), i -> i.type() == ScalarType.B128)) {
            return graph;
        }
        WideRegisters pass = new WideRegisters(graph);
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            block.instructions().forEach(i -> pass.rewrite(i, code));
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(blocks, pass.registers);
    }

    private static boolean isWide(Register register) {
        return register.type() == ScalarType.B128;
    }

    private static Operand.Reg whole(Register register) {
        return new Operand.Reg(register, ScalarType.B64, false);
    }

    private Pair pair(Register wide) {
        return pairs.computeIfAbsent(wide, r -> new Pair(half(r, ".low"), half(r, ".high")));
    }

    private Register half(Register wide, String suffix) {
        Register half = new Register(registers.size(), wide.name() + suffix, ScalarType.B64);
        registers.add(half);
        return half;
    }

    private void rewrite(Instruction i, List<Instruction> code) {
        if (i.type() == ScalarType.B128 && i.opcode() == Opcode.MOV) {
            move(i, code);
            return;
        }
        List<OperandSpec> specs = i.spelling().form().operands();
        List<Operand> operands = new ArrayList<>();
        List<Instruction> extensions = new ArrayList<>();
        for (int k = 0; k < i.operands().size(); k++) {
            Operand operand = split(i.operand(k));
            operands.add(operand);
            if (specs.get(k).role() == OperandSpec.Role.DESTINATION) {
                extend(i, i.operand(k), extensions);
            }
        }
        code.add(isWeakAccess(i) ? Instruction.of(asVector(i), i.guard(), i.location(), operands.toArray(Operand[]::new))
                : new Instruction(i.spelling(), i.guard(), List.copyOf(operands), i.location()));
        code.addAll(extensions);
    }

    private static boolean isWeakAccess(Instruction i) {
        return i.type() == ScalarType.B128 && (i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU || i.opcode() == Opcode.ST)
                && Operands.isWeak(i);
    }

    private static String asVector(Instruction i) {
        return i.spelling().text().replace(".b128", ".v2.b64");
    }

    private Operand split(Operand operand) {
        return switch (operand) {
            case Operand.Reg r when isWide(r.register()) -> r.type() == ScalarType.B128 ? pair(r.register()).vector()
                    : new Operand.Reg(pair(r.register()).low, r.type(), r.negated());
            case Operand.Immediate c when c.type() == ScalarType.B128 -> new Operand.Vector(List.of(
                    new Operand.Immediate(ScalarType.B64, c.bits()), new Operand.Immediate(ScalarType.B64, 0)));
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(this::split).toList());
            default -> operand;
        };
    }

    /** A narrower value fills the low half as any wider register; the high one becomes zero, of signed values too. */
    private void extend(Instruction i, Operand destination, List<Instruction> code) {
        switch (destination) {
            case Operand.Vector v -> v.elements().forEach(e -> extend(i, e, code));
            case Operand.Reg r when isWide(r.register()) && r.type() != ScalarType.B128 -> {
                code.add(Instruction.of("mov.b64", i.guard(), i.location(), whole(pair(r.register()).high), new Operand.Immediate(ScalarType.B64, 0)));
            }
            default -> { }
        }
    }

    private void move(Instruction i, List<Instruction> code) {
        List<Operand> to = halves(i.operand(0));
        List<Operand> from = halves(i.operand(1));
        for (int half = 0; half < 2; half++) {
            if (!(part(to, half) instanceof Operand.Sink)) {
                code.add(Instruction.of("mov.b64", i.guard(), i.location(), part(to, half), part(from, half)));
            }
        }
    }

    private List<Operand> halves(Operand operand) {
        return operand instanceof Operand.Vector v ? v.elements() : ((Operand.Vector) split(operand)).elements();
    }

    /** One of two halves, or two of four quarters. */
    private static Operand part(List<Operand> parts, int half) {
        return parts.size() == 2 ? parts.get(half) : new Operand.Vector(parts.subList(2 * half, 2 * half + 2));
    }
}
