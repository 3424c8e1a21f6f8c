package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes addresses of constants in 32 bits where they are known to have no more: compilers extend an index to 64 bits first, which as vectors
 * takes twice the registers. For small tables, which the vector shape keeps in vectors.
 */
final class ConstantAddresses {
    /** Bytes of two of the longest vectors. */
    private static final int MOST = 128;
    private static final Spelling MOV = Matcher.match("mov.u32").getFirst();
    private static final Spelling ADD = Matcher.match("add.u32").getFirst();
    private static final Spelling SHL = Matcher.match("shl.b32").getFirst();
    private static final Spelling MUL = Matcher.match("mul.lo.u32").getFirst();

    private final Module module;
    private final Ranges ranges;
    private final Map<Register, Register> narrowed = new HashMap<>();

    private ConstantAddresses(Graph graph, Module module) {
        this.module = module;
        this.ranges = new Ranges(graph, this::offset);
    }

    static Graph narrow(Graph graph, Module module) {
        boolean loads = graph.blocks().stream().anyMatch(b -> b.instructions().stream().anyMatch(i -> address(i) != null));
        return loads && module.constBytes() <= MOST ? new ConstantAddresses(graph, module).rewrite(graph) : graph;
    }

    private long offset(Operand.AddressOf address) {
        return address.variable().space() == StateSpace.CONST ? module.constOffsets().get(address.variable()) + address.offset() : -1;
    }

    /** The 64-bit register by which the instruction loads a constant, or null. */
    private static Register address(Instruction i) {
        return i.opcode() == Opcode.LD && i.operand(1) instanceof Operand.Address a && a.space() == StateSpace.CONST && a.register() != null
                && a.register().type().bits() == 64 && a.offset() >= 0 && a.offset() < Integer.MAX_VALUE ? a.register() : null;
    }

    private Graph rewrite(Graph graph) {
        Set<Register> some = new HashSet<>();
        graph.registers().stream().filter(r -> r.type().bits() == 64 && ranges.most(r) < Integer.MAX_VALUE).forEach(some::add);
        boolean less = true;
        while (less) {
            int before = some.size();
            graph.blocks().forEach(b -> b.instructions().forEach(i -> keep(i, some)));
            less = some.size() < before;
        }
        if (some.isEmpty()) {
            return graph;
        }
        List<Register> registers = new ArrayList<>(graph.registers());
        some.stream().sorted((a, b) -> a.index() - b.index()).forEach(r -> {
            Register narrow = new Register(registers.size(), r.name(), ScalarType.U32);
            registers.add(narrow);
            narrowed.put(r, narrow);
        });
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            blocks.add(new BasicBlock(block.index(), block.label(), block.instructions().stream().map(this::rewrite).toList(), block.terminator()));
        }
        return graph.with(blocks, registers);
    }

    /** Takes registers out that the instruction needs in 64 bits. */
    private void keep(Instruction i, Set<Register> some) {
        Set<Register> defined = new HashSet<>();
        Operands.definitions(i, defined::add);
        Register to = i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg r) ? null : r.register();
        boolean sum = some.contains(to) && isSum(i) && i.operands().stream().skip(1).allMatch(o -> isNarrow(o, some));
        if (sum) {
            return;
        }
        some.removeAll(defined);
        Register address = address(i);
        Operands.uses(i, r -> {
            if (r != address) {
                some.remove(r);
            }
        });
    }

    private static boolean isSum(Instruction i) {
        ScalarType type = i.type();
        return switch (i.opcode()) {
            case MOV, ADD, SHL -> type.bits() == 64 && !type.isFloat() && !type.packed() && !i.spelling().has(Modifier.CC);
            case MUL -> i.spelling().has(Modifier.WIDE) && type.bits() == 32;
            case CVT -> type.bits() == 64 && i.spelling().lastType() == ScalarType.U32;
            default -> false;
        };
    }

    private boolean isNarrow(Operand operand, Set<Register> some) {
        return switch (operand) {
            case Operand.Reg r -> r.register().type().bits() == r.type().bits() && (r.type().bits() == 32 || some.contains(r.register()));
            case Operand.Immediate n -> n.bits() >= 0 && n.bits() < Integer.MAX_VALUE;
            case Operand.AddressOf a -> offset(a) >= 0;
            default -> false;
        };
    }

    private Instruction rewrite(Instruction i) {
        Register address = address(i);
        if (address != null && narrowed.containsKey(address)) {
            Operand.Address a = (Operand.Address) i.operand(1);
            return with(i, i.spelling(), List.of(i.operand(0), new Operand.Address(a.space(), narrowed.get(address), null, a.offset())));
        }
        if (i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg to) || !narrowed.containsKey(to.register())) {
            return i;
        }
        Spelling spelling = switch (i.opcode()) {
            case ADD -> ADD;
            case SHL -> SHL;
            case MUL -> MUL;
            default -> MOV;
        };
        return with(i, spelling, i.operands().subList(0, spelling.form().operands().size()).stream().map(this::narrowed).toList());
    }

    private static Instruction with(Instruction i, Spelling spelling, List<Operand> operands) {
        return new Instruction(spelling, i.guard(), operands, i.location());
    }

    private Operand narrowed(Operand operand) {
        return switch (operand) {
            case Operand.Reg r -> new Operand.Reg(narrowed.getOrDefault(r.register(), r.register()), ScalarType.U32, false);
            case Operand.AddressOf a -> new Operand.Immediate(ScalarType.U32, offset(a));
            case Operand.Immediate n -> new Operand.Immediate(ScalarType.U32, n.bits());
            default -> operand;
        };
    }
}
