package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes addresses of shared memory, and of constants in small tables, in 32 bits where they are known to have no more. LLVM's addresses of all windows have 64 bits, which as vectors
 * take twice the registers, and of which less is known. A register that something else reads too, such as an index that leads to global memory as well, is computed in both widths.
 */
final class NarrowAddresses {
    /** Bytes of two of the longest vectors, which the vector shape keeps constants in. */
    private static final int MOST_CONSTANTS = 128;
    private static final Spelling MOV = Matcher.match("mov.u32").getFirst();
    /** What computes the lower half of what an instruction gives; {@link #MOV} for conversions and moves. */
    private static final Map<Opcode, Spelling> HALVES = Map.of(Opcode.ADD, Matcher.match("add.u32").getFirst(), Opcode.SUB, Matcher.match("sub.u32").getFirst(),
            Opcode.SHL, Matcher.match("shl.b32").getFirst(), Opcode.AND, Matcher.match("and.b32").getFirst(), Opcode.OR, Matcher.match("or.b32").getFirst(),
            Opcode.XOR, Matcher.match("xor.b32").getFirst(), Opcode.MUL, Matcher.match("mul.lo.u32").getFirst(), Opcode.MAD, Matcher.match("mad.lo.u32").getFirst());

    private final Graph graph;
    private final Module module;
    private final Kernel kernel;
    private final Ranges ranges;
    private final Map<Register, List<Instruction>> writes;
    /** Registers of 64 bits whose lower half can be computed alone. */
    private final Set<Register> narrow = new HashSet<>();
    private final Map<Register, Register> twins = new HashMap<>();

    private NarrowAddresses(Graph graph, Module module, Kernel kernel, BlockShape block) {
        this.graph = graph;
        this.module = module;
        this.kernel = kernel;
        this.ranges = Ranges.ofReads(graph, block, this::offset);
        this.writes = graph.writes().all();
    }

    /** @param block the shape of the blocks, or null if they may be any */
    static Graph rewrite(Graph graph, Module module, Kernel kernel, BlockShape block) {
        return Operands.any(graph.blocks(), i -> address(i, module) != null) ? new NarrowAddresses(graph, module, kernel, block).rewrite() : graph;
    }

    private long offset(Operand.AddressOf address) {
        Map<?, Integer> offsets = switch (address.variable().space()) {
            case CONST -> module.constOffsets();
            case SHARED -> kernel.sharedOffsets();
            default -> Map.of();
        };
        return offsets.get(address.variable()) instanceof Integer offset ? offset + address.offset() : -1;
    }

    /** Where an instruction accesses shared memory, or a small table, by a register of 64 bits; else null. */
    private static Operand.Address address(Instruction i, Module module) {
        boolean access = switch (i.opcode()) {
            case LD, ST, ATOM, RED -> !i.spelling().has(Modifier.ASYNC);
            default -> false;
        };
        if (!access) {
            return null;
        }
        for (Operand operand : i.operands()) {
            if (operand instanceof Operand.Address a && a.register() != null && a.register().type().bits() == Long.SIZE
                    && (a.space() == StateSpace.SHARED || a.space() == StateSpace.CONST && module.constBytes() <= MOST_CONSTANTS)) {
                return a;
            }
        }
        return null;
    }

    private Graph rewrite() {
        find();
        Set<Register> wanted = wanted();
        if (wanted.isEmpty()) {
            return graph;
        }
        List<Register> registers = new ArrayList<>(graph.registers());
        for (Register r : wanted) {
            Register twin = new Register(registers.size(), r.name(), ScalarType.U32);
            registers.add(twin);
            twins.put(r, twin);
        }
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            for (Instruction i : block.instructions()) {
                Register to = result(i);
                if (twins.containsKey(to)) {
                    code.add(twin(i));
                }
                code.add(narrowed(i));
            }
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(withoutUnread(blocks), registers);
    }

    private static Register result(Instruction i) {
        return i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg r) ? null : r.register();
    }

    private void find() {
        for (Register r : graph.registers()) {
            if (r.type().bits() == Long.SIZE && !r.type().isFloat() && writes.containsKey(r) && writes.get(r).stream().allMatch(i -> result(i) == r && isPlain(i))) {
                narrow.add(r);
            }
        }
        boolean less = true;
        while (less) {
            less = narrow.removeIf(r -> !writes.get(r).stream().allMatch(i -> i.operands().stream().skip(1).allMatch(this::isNarrow)));
        }
    }

    /** Whether the lower half of what an instruction gives depends on the lower halves of its operands alone. */
    private static boolean isPlain(Instruction i) {
        ScalarType type = i.type();
        return switch (i.opcode()) {
            case MOV, ADD, SUB, SHL, AND, OR, XOR -> type.bits() == Long.SIZE && !type.isFloat() && !type.packed() && i.spelling().modifiers().isEmpty();
            case MUL, MAD -> i.spelling().has(Modifier.WIDE) && type.bits() == Integer.SIZE;
            case CVT -> type.bits() == Long.SIZE && i.spelling().lastType().isInteger() && i.spelling().lastType().bits() == Integer.SIZE && i.spelling().modifiers().isEmpty();
            default -> false;
        };
    }

    private boolean isNarrow(Operand operand) {
        return switch (operand) {
            case Operand.Reg r -> !r.negated() && r.register().type().bits() == r.type().bits() && (r.type().bits() == Integer.SIZE && !r.register().type().isFloat() || narrow.contains(r.register()));
            case Operand.Immediate n -> true;
            case Operand.AddressOf a -> offset(a) >= 0;
            default -> false;
        };
    }

    /** Registers by which memory is accessed, and those that they are computed from. */
    private Set<Register> wanted() {
        Set<Register> wanted = new LinkedHashSet<>();
        Deque<Register> work = new ArrayDeque<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                Operand.Address a = address(i, module);
                if (a != null && isNarrow(a)) {
                    work.add(a.register());
                }
            }
        }
        while (!work.isEmpty()) {
            Register r = work.remove();
            if (wanted.add(r)) {
                for (Instruction i : writes.get(r)) {
                    i.operands().stream().skip(1).forEach(o -> {
                        if (o instanceof Operand.Reg source && narrow.contains(source.register())) {
                            work.add(source.register());
                        }
                    });
                }
            }
        }
        return wanted;
    }

    /** Whether an access by the register and the offset that it names is to no other place in 32 bits. */
    private boolean isNarrow(Operand.Address a) {
        Ranges.Range range = ranges.of(a.register());
        return narrow.contains(a.register()) && range.least() >= Math.max(0, -a.offset()) && range.most() < Integer.MAX_VALUE - Math.max(0, a.offset());
    }

    private Instruction narrowed(Instruction i) {
        Operand.Address a = address(i, module);
        if (a == null || !twins.containsKey(a.register()) || !isNarrow(a)) {
            return i;
        }
        Operand.Address to = new Operand.Address(a.space(), twins.get(a.register()), null, a.offset());
        return new Instruction(i.spelling(), i.guard(), i.operands().stream().map(o -> o == a ? to : o).toList(), i.location());
    }

    private Instruction twin(Instruction i) {
        return new Instruction(HALVES.getOrDefault(i.opcode(), MOV), i.guard(), i.operands().stream().map(this::half).toList(), i.location());
    }

    private Operand half(Operand operand) {
        return switch (operand) {
            case Operand.Reg r -> new Operand.Reg(twins.getOrDefault(r.register(), r.register()), ScalarType.U32, false);
            case Operand.AddressOf a -> new Operand.Immediate(ScalarType.U32, offset(a));
            case Operand.Immediate n -> new Operand.Immediate(ScalarType.U32, n.bits() & 0xFFFF_FFFFL);
            default -> operand;
        };
    }

    /** Leaves out what nobody reads any more. */
    private List<BasicBlock> withoutUnread(List<BasicBlock> blocks) {
        List<BasicBlock> rest = blocks;
        while (true) {
            Set<Register> read = new HashSet<>();
            for (BasicBlock block : rest) {
                block.instructions().forEach(i -> Operands.uses(i, r -> {
                    if (r != result(i) || !twins.containsKey(r)) {
                        read.add(r);
                    }
                }));
                if (Operands.use(block.terminator()) instanceof Register r) {
                    read.add(r);
                }
            }
            List<BasicBlock> left = new ArrayList<>();
            boolean less = false;
            for (BasicBlock block : rest) {
                List<Instruction> code = block.instructions().stream().filter(i -> !twins.containsKey(result(i)) || read.contains(result(i))).toList();
                less |= code.size() < block.instructions().size();
                left.add(new BasicBlock(block.index(), block.label(), code, block.terminator()));
            }
            if (!less) {
                return rest;
            }
            rest = left;
        }
    }
}
