package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Computes once, where ways part, what each of them computes for itself into the same register. LLVM leaves such code: it moves an extension or a sum of an address to the accesses on both ways, and to
 * who reads it where they meet again. A register that is written on ways which threads part for has no form.
 */
final class SameResults {
    private static final Set<Opcode> PLAIN = EnumSet.of(Opcode.MOV, Opcode.CVT, Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.MAD, Opcode.NEG, Opcode.MIN, Opcode.MAX, Opcode.AND, Opcode.OR, Opcode.XOR,
            Opcode.NOT, Opcode.SHL, Opcode.SHR);
    private static final int DEPTH = 4;
    /** Blocks that may lie between where ways part and where they write. */
    private static final int FAR = 8;

    private final Graph graph;
    private final Liveness liveness;
    private final Writes writes;
    private final Map<Instruction, BasicBlock> places = new IdentityHashMap<>();
    private final List<Register> registers;
    /** By block: what it is to compute at its end. */
    private final Map<Integer, List<Instruction>> computed = new HashMap<>();
    private final Set<Register> replaced = new HashSet<>();

    private SameResults(Graph graph) {
        this.graph = graph;
        this.liveness = graph.liveness();
        this.writes = graph.writes();
        this.registers = new ArrayList<>(graph.registers());
        graph.blocks().forEach(b -> b.instructions().forEach(i -> places.put(i, b)));
    }

    static Graph computeOnce(Graph graph) {
        Map<Register, List<Instruction>> several = graph.writes().all().entrySet().stream().filter(e -> e.getValue().size() > 1 && e.getValue().stream().allMatch(i -> isPlain(i, e.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        if (several.isEmpty()) {
            return graph;
        }
        SameResults results = new SameResults(graph);
        for (Register register : graph.registers()) {
            if (several.get(register) instanceof List<Instruction> all) {
                results.computeOnce(register, all);
            }
        }
        return results.replaced.isEmpty() ? graph : results.replace();
    }

    private static boolean isPlain(Instruction i, Register to) {
        return i.guard() == null && PLAIN.contains(i.opcode()) && !i.spelling().has(Modifier.CC) && i.operand(0) instanceof Operand.Reg r && r.register() == to
                && i.operands().stream().skip(1).allMatch(o -> o instanceof Operand.Reg || o instanceof Operand.Immediate || o instanceof Operand.AddressOf);
    }

    // Where

    private void computeOnce(Register register, List<Instruction> all) {
        List<Integer> ways = new ArrayList<>();
        int parting = parting(all, ways);
        if (parting < 0 || liveness.isLiveOut(register, parting)) {
            return;
        }
        List<Instruction> code = computed.getOrDefault(parting, new ArrayList<>());
        Tree tree = tree(all.getFirst(), ways, DEPTH);
        if (tree != null && all.stream().skip(1).allMatch(i -> tree.equals(tree(i, ways, DEPTH)))) {
            emit(all.getFirst(), ways, code);
            computed.put(parting, code);
            replaced.add(register);
        }
    }

    /** The last block before all of these instructions from which threads come to each without another way leading there; -1 if there is none. Adds the blocks behind it on those ways. */
    private int parting(List<Instruction> all, List<Integer> ways) {
        List<List<Integer>> before = all.stream().map(i -> before(places.get(i).index())).toList();
        for (int candidate : before.getFirst()) {
            if (before.stream().allMatch(way -> way.contains(candidate))) {
                for (int k = 0; k < all.size(); k++) {
                    int at = before.get(k).indexOf(candidate);
                    ways.add(at == 0 ? places.get(all.get(k)).index() : before.get(k).get(at - 1));
                }
                List<Instruction> code = graph.blocks().get(candidate).instructions();
                return Set.copyOf(ways).size() == all.size() && (code.isEmpty() || MeetingPoint.kindOf(code.getLast()) == null) ? candidate : -1;
            }
        }
        return -1;
    }

    /** The blocks before one, the next one first, as long as there is no other before the one behind; not all of a long way. */
    private List<Integer> before(int block) {
        List<Integer> before = new ArrayList<>();
        int at = block;
        while (at != 0 && graph.predecessors().get(at).size() == 1 && before.size() < FAR) {
            at = graph.predecessors().get(at).getFirst();
            before.add(at);
        }
        return before;
    }

    // What

    /** What an instruction computes of registers that are known where the ways part; a product and a sum for {@code mad}. */
    private record Tree(String operation, List<Object> sources) {
    }

    private Tree tree(Instruction i, List<Integer> ways, int depth) {
        List<Object> sources = new ArrayList<>();
        for (Operand operand : i.operands().subList(1, i.operands().size())) {
            Object source = operand instanceof Operand.Reg r ? source(r, ways, depth) : operand;
            if (source == null) {
                return null;
            }
            sources.add(source);
        }
        boolean word = i.type() != null && i.type().isInteger() && !i.type().packed();
        boolean plain = word && i.spelling().modifiers().isEmpty();
        boolean low = word && i.spelling().modifiers().equals(Set.of(Modifier.LO));
        Tree other = new Tree(i.spelling().text(), sources);
        return switch (i.opcode()) {
            case ADD -> plain ? sum(i, sources) : other;
            case MUL -> low ? product(i, sources) : other;
            case MAD -> low ? sum(i, List.of(product(i, sources.subList(0, 2)), sources.get(2))) : other;
            default -> other;
        };
    }

    private static Tree sum(Instruction i, List<Object> sources) {
        return new Tree("add" + i.type().bits(), sources);
    }

    private static Tree product(Instruction i, List<Object> sources) {
        return new Tree("mul" + i.type().bits(), sources);
    }

    private Object source(Operand.Reg r, List<Integer> ways, int depth) {
        if (isKnown(r.register(), ways)) {
            return List.of(r.register(), r.negated());
        }
        return depth > 0 && !r.negated() && writes.only(r.register()) instanceof Instruction i && isPlain(i, r.register()) && !liveness.isLiveIn(r.register(), 0) ? tree(i, ways, depth - 1) : null;
    }

    /** Whether a register holds what it holds for good where the ways part: it is written once, and one of them begins with it. */
    private boolean isKnown(Register register, List<Integer> ways) {
        return writes.isOnce(register) && !liveness.isLiveIn(register, 0) && ways.stream().anyMatch(way -> liveness.isLiveIn(register, way));
    }

    private void emit(Instruction i, List<Integer> ways, List<Instruction> code) {
        Map<Register, Register> names = new HashMap<>();
        for (Operand operand : i.operands().subList(1, i.operands().size())) {
            if (operand instanceof Operand.Reg r && !isKnown(r.register(), ways) && !names.containsKey(r.register())) {
                Register copy = new Register(registers.size(), r.register().name(), r.register().type());
                registers.add(copy);
                Instruction inner = writes.only(r.register());
                emit(inner, ways, code);
                code.set(code.size() - 1, Renaming.of(Map.of(r.register(), copy)).renamed(code.getLast()));
                names.put(r.register(), copy);
            }
        }
        code.add(Renaming.of(names).renamed(i));
    }

    private Graph replace() {
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = block.instructions().stream().filter(i -> !Operands.writes(i, replaced::contains)).collect(Collectors.toCollection(ArrayList::new));
            code.addAll(computed.getOrDefault(block.index(), List.of()));
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(blocks, registers);
    }
}
