package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Loads from a variable of which one bit chooses the place, as the coefficients of a sine or of a cosine are loaded: both places are loaded from, which are the same for all threads, and each thread
 * takes what it wants. For vectors, where places of their own mean a load for each lane.
 */
public final class TwoRows {
    private final Graph graph;
    private final Predicate<Register> wanted;
    private final List<Register> registers;
    /** Up to the present instruction of a block: the bits that may be set in a register that the block has written. */
    private final Map<Register, Long> bits = new HashMap<>();
    /** The same for addresses with two values. */
    private final Map<Register, Row> rows = new HashMap<>();

    /**
     * An address with two values.
     *
     * @param variable the register with the first value, a place in a variable
     * @param least where the variable begins, from there
     * @param most where it ends
     * @param step the other value, from there
     * @param chooses whether the address is the other one
     */
    private record Row(Register variable, long least, long most, long step, Register chooses) {
    }

    private TwoRows(Graph graph, Predicate<Register> wanted) {
        this.graph = graph;
        this.wanted = wanted;
        this.registers = new ArrayList<>(graph.registers());
    }

    /** @param wanted whether a load by a register gains by it */
    public static Graph rewrite(Graph graph, Predicate<Register> wanted) {
        if (!Operands.any(graph.blocks(), i -> i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.AddressOf)) {
            return graph;
        }
        TwoRows pass = new TwoRows(graph, wanted);
        List<BasicBlock> blocks = graph.blocks().stream().map(pass::rewrite).toList();
        return pass.registers.size() == graph.registers().size() ? graph : graph.with(blocks, pass.registers);
    }

    private BasicBlock rewrite(BasicBlock block) {
        bits.clear();
        rows.clear();
        List<Instruction> code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            Row row = isLoad(i) ? rows.get(((Operand.Address) i.operand(1)).register()) : null;
            if (row != null && isInside(i, row)) {
                load(i, row, code);
            } else {
                code.add(i);
            }
            pass(i, code);
        }
        return code.size() == block.instructions().size() ? block : new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator());
    }

    /** Notes what an instruction writes. */
    private void pass(Instruction i, List<Instruction> code) {
        long ones = ones(i);
        boolean sum = i.guard() == null && i.opcode() == Opcode.ADD && i.type().bits() == Long.SIZE && i.operand(0) instanceof Operand.Reg to && wanted.test(to.register());
        Row row = sum ? row(i, code) : null;
        Operands.definitions(i, r -> {
            bits.remove(r);
            rows.remove(r);
        });
        if (i.guard() == null && !i.operands().isEmpty() && i.operand(0) instanceof Operand.Reg to && to.type().bits() == to.register().type().bits()) {
            bits.put(to.register(), ones);
            if (row != null) {
                rows.put(to.register(), row);
            }
        }
    }

    /** What a sum is if it is one of two places in a variable; else null. */
    private Row row(Instruction i, List<Instruction> code) {
        for (int k = 1; k <= 2; k++) {
            if (!(i.operand(k) instanceof Operand.Reg base) || graph.writes().only(base.register()) == null) {
                continue;
            }
            Instruction known = graph.writes().only(base.register());
            long step = ones(i.operand(3 - k));
            if (known.opcode() == Opcode.MOV && known.guard() == null && known.operand(1) instanceof Operand.AddressOf of && Long.bitCount(step) == 1 && step > 0) {
                Register chooses = register("chooses", ScalarType.PRED);
                code.add(code.size() - 1, Instruction.of("setp.ne.b64", i.location(), new Operand.Reg(chooses, ScalarType.PRED, false), new Operand.Absent(), i.operand(3 - k),
                        new Operand.Immediate(ScalarType.B64, 0)));
                return new Row(base.register(), -of.offset(), of.variable().bytes() - of.offset(), step, chooses);
            }
        }
        return null;
    }

    /** The bits that may be set in an operand. */
    private long ones(Operand operand) {
        return switch (operand) {
            case Operand.Immediate n -> n.bits();
            case Operand.Reg r when r.type().bits() == r.register().type().bits() -> bits.getOrDefault(r.register(), -1L);
            default -> -1;
        };
    }

    /** The bits that may be set in what an instruction gives. */
    private long ones(Instruction i) {
        if (i.type() == null || !i.type().isInteger() && i.type().kind() != ScalarType.Kind.BITS || i.type().packed()) {
            return -1;
        }
        long all = i.type().bits() >= Long.SIZE ? -1L : (1L << i.type().bits()) - 1;
        return switch (i.opcode()) {
            case AND -> ones(i.operand(1)) & ones(i.operand(2)) & all;
            case SHL -> i.operand(2) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < i.type().bits() ? ones(i.operand(1)) << n.bits() & all : all;
            case MUL -> product(i, all);
            case CVT -> i.spelling().modifiers().isEmpty() && i.type().bits() == Long.SIZE && i.spelling().lastType().isInteger() && i.spelling().lastType().bits() == Integer.SIZE
                    ? extended(ones(i.operand(1)), i.spelling().lastType().signed()) : -1;
            default -> -1;
        };
    }

    private long product(Instruction i, long all) {
        if (!(i.operand(2) instanceof Operand.Immediate n) || Long.bitCount(n.bits()) != 1 || n.bits() < 0) {
            return -1;
        }
        if (i.spelling().has(Modifier.LO)) {
            return ones(i.operand(1)) * n.bits() & all;
        }
        return i.spelling().has(Modifier.WIDE) && i.type().bits() == Integer.SIZE ? extended(ones(i.operand(1)), i.type().signed()) * n.bits() : -1;
    }

    /** Of a number of 32 bits. */
    private static long extended(long ones, boolean signed) {
        return signed && (int) ones < 0 ? -1 : ones & 0xFFFF_FFFFL;
    }

    private static boolean isLoad(Instruction i) {
        return i.opcode() == Opcode.LD && i.guard() == null && Operands.isWeak(i) && i.operand(1) instanceof Operand.Address address && address.register() != null;
    }

    /** Whether both places lie in the variable as a whole, neither is aligned worse than the other, and registers can hold what is there. */
    private boolean isInside(Instruction i, Row row) {
        Operand.Address address = (Operand.Address) i.operand(1);
        Operand.AddressOf of = (Operand.AddressOf) graph.writes().only(row.variable).operand(1);
        long bytes = (long) i.type().bytes() * i.spelling().vectorLength();
        return address.space() == of.variable().space() && row.step % bytes == 0 && address.offset() >= row.least && address.offset() + row.step + bytes <= row.most
                && results(i).stream().allMatch(o -> o instanceof Operand.Reg r && r.register().type().bits() >= Short.SIZE && r.register().type().bits() <= Long.SIZE);
    }

    private static List<Operand> results(Instruction i) {
        return i.operand(0) instanceof Operand.Vector v ? v.elements() : List.of(i.operand(0));
    }

    private void load(Instruction i, Row row, List<Instruction> code) {
        List<Operand> first = load(i, row, 0, code);
        List<Operand> other = load(i, row, row.step, code);
        for (int k = 0; k < first.size(); k++) {
            Operand.Reg to = (Operand.Reg) results(i).get(k);
            int bits = to.register().type().bits();
            ScalarType type = i.type().isFloat() && i.type().bits() == bits && bits >= Integer.SIZE ? i.type() : ScalarType.named("b" + bits);
            code.add(Instruction.of("selp" + type, i.location(), read(to, type), read(other.get(k), type), read(first.get(k), type), new Operand.Reg(row.chooses, ScalarType.PRED, false)));
        }
    }

    private static Operand read(Operand operand, ScalarType type) {
        return new Operand.Reg(((Operand.Reg) operand).register(), type, false);
    }

    /** Loads from one of the places into registers of its own. */
    private List<Operand> load(Instruction i, Row row, long step, List<Instruction> code) {
        Operand.Address address = (Operand.Address) i.operand(1);
        List<Operand> to = results(i).stream().map(o -> {
            Operand.Reg r = (Operand.Reg) o;
            return (Operand) new Operand.Reg(register(r.register().name(), r.register().type()), r.type(), r.negated());
        }).toList();
        List<Operand> operands = new ArrayList<>(i.operands());
        operands.set(0, i.operand(0) instanceof Operand.Vector ? new Operand.Vector(to) : to.getFirst());
        operands.set(1, new Operand.Address(address.space(), row.variable, null, address.offset() + step));
        code.add(new Instruction(i.spelling(), null, operands, i.location()));
        return to;
    }

    private Register register(String name, ScalarType type) {
        Register another = new Register(registers.size(), name, type);
        registers.add(another);
        return another;
    }
}
