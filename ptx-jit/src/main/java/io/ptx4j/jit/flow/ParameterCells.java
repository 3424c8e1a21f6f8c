package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns the {@code .param} areas of inlined calls into registers where every access names a fixed place of fixed width, which
 * is what compilers write.
 */
final class ParameterCells {
    private record Cell(Variable variable, long offset) {
    }

    private final Map<Cell, ScalarType> widths = new HashMap<>();
    private final Set<Variable> escaped = new HashSet<>();
    private final Map<Cell, Register> cells = new HashMap<>();
    private final List<Register> registers;
    private final Set<Variable> kernelParameters;

    private ParameterCells(Graph graph, Kernel kernel) {
        this.registers = new ArrayList<>(graph.registers());
        this.kernelParameters = Set.copyOf(kernel.parameters());
    }

    static Graph promote(Graph graph, Kernel kernel) {
        ParameterCells pass = new ParameterCells(graph, kernel);
        graph.blocks().forEach(b -> b.instructions().forEach(pass::inspect));
        pass.rejectOverlaps();
        if (pass.widths.keySet().stream().allMatch(c -> pass.escaped.contains(c.variable))) {
            return graph;
        }
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            block.instructions().forEach(i -> pass.rewrite(i, code));
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(blocks, pass.registers);
    }

    private static Operand.Address access(Instruction instruction) {
        if (instruction.opcode() != Opcode.LD && instruction.opcode() != Opcode.ST) {
            return null;
        }
        return (Operand.Address) instruction.operand(instruction.opcode() == Opcode.LD ? 1 : 0);
    }

    private boolean isArea(Variable variable) {
        return variable != null && variable.space() == StateSpace.PARAM && !kernelParameters.contains(variable);
    }

    private void inspect(Instruction instruction) {
        Operand.Address address = access(instruction);
        if (address != null && isArea(address.variable())) {
            ScalarType bits = ScalarType.bitsOf(instruction.type().bits());
            for (int i = 0; i < instruction.spelling().vectorLength(); i++) {
                Cell cell = new Cell(address.variable(), address.offset() + (long) i * instruction.type().bytes());
                ScalarType other = widths.putIfAbsent(cell, bits);
                if (other != null && other != bits) {
                    escaped.add(cell.variable);
                }
            }
            return;
        }
        for (Operand operand : instruction.operands()) {
            escape(operand);
        }
    }

    private void escape(Operand operand) {
        switch (operand) {
            case Operand.AddressOf a -> escaped.add(a.variable());
            case Operand.Address a -> {
                if (a.variable() != null) {
                    escaped.add(a.variable());
                }
            }
            case Operand.Vector v -> v.elements().forEach(this::escape);
            case Operand.Call c -> {
                c.arguments().forEach(this::escape);
                c.results().forEach(this::escape);
            }
            case Operand.Reg o -> { }
            case Operand.Immediate o -> { }
            case Operand.Sink o -> { }
            case Operand.Absent o -> { }
            case Operand.Special o -> { }
            case Operand.FunctionAddress o -> { }
            case Operand.Part o -> { }
            case Operand.Texture o -> { }
        }
    }

    private void rejectOverlaps() {
        Map<Variable, Map<Long, Long>> taken = new HashMap<>();
        widths.forEach((cell, type) -> {
            Map<Long, Long> bytes = taken.computeIfAbsent(cell.variable, v -> new HashMap<>());
            for (long b = cell.offset; b < cell.offset + type.bytes(); b++) {
                Long owner = bytes.putIfAbsent(b, cell.offset);
                if (owner != null && owner != cell.offset) {
                    escaped.add(cell.variable);
                }
            }
        });
    }

    private Register cell(Cell cell) {
        return cells.computeIfAbsent(cell, c -> {
            Register register = new Register(registers.size(), c.variable.name() + "+" + c.offset, widths.get(c));
            registers.add(register);
            return register;
        });
    }

    private void rewrite(Instruction instruction, List<Instruction> code) {
        Operand.Address address = access(instruction);
        if (address == null || !isArea(address.variable()) || escaped.contains(address.variable())) {
            code.add(instruction);
            return;
        }
        boolean load = instruction.opcode() == Opcode.LD;
        Operand value = instruction.operand(load ? 0 : 1);
        List<Operand> elements = value instanceof Operand.Vector v ? v.elements() : List.of(value);
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Operand.Sink) {
                continue;
            }
            Register cell = cell(new Cell(address.variable(), address.offset() + (long) i * instruction.type().bytes()));
            code.add(move(instruction, load, elements.get(i), cell));
        }
    }

    private static Instruction move(Instruction access, boolean load, Operand value, Register cell) {
        ScalarType bits = cell.type();
        ScalarType type = access.type().signed() ? access.type() : unsigned(bits);
        boolean sameWidth = !(value instanceof Operand.Reg r) || r.register().type().bits() == bits.bits();
        if (load) {
            Operand.Reg target = (Operand.Reg) value;
            ScalarType wide = widened(target.register().type(), type.signed());
            if (sameWidth && bits.bits() >= 16) {
                return Instruction.of("mov" + bits, access.guard(), access.location(), new Operand.Reg(target.register(), bits, false), reg(cell, bits));
            }
            return Instruction.of("cvt" + wide + type, access.guard(), access.location(), new Operand.Reg(target.register(), wide, false), reg(cell, type));
        }
        if (sameWidth && bits.bits() >= 16) {
            Operand source = value instanceof Operand.Reg r ? new Operand.Reg(r.register(), bits, false) : value;
            return Instruction.of("mov" + bits, access.guard(), access.location(), reg(cell, bits), source);
        }
        if (value instanceof Operand.Reg r) {
            return Instruction.of("cvt" + unsigned(bits) + widened(r.register().type(), false), access.guard(), access.location(), reg(cell, unsigned(bits)),
                    new Operand.Reg(r.register(), widened(r.register().type(), false), false));
        }
        return Instruction.of("cvt" + unsigned(bits) + ".u64", access.guard(), access.location(), reg(cell, unsigned(bits)), value);
    }

    private static ScalarType unsigned(ScalarType bits) {
        return ScalarType.named("u" + bits.bits());
    }

    private static ScalarType widened(ScalarType register, boolean signed) {
        return ScalarType.named((signed ? "s" : "u") + register.bits());
    }

    private static Operand reg(Register register, ScalarType type) {
        return new Operand.Reg(register, type, false);
    }
}
