package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Instructions that can only give one number, and branches that can only go one way, by what {@link Ranges} know of a thread's number, of the shape of its block, and
 * of what is computed from them. Compilers write {@code x / 64} of a signed number with a correction that its sign decides, which a thread's number has not; and a loop
 * over the elements of a tile, {@code for (int e = t; e < 1024; e += 256)}, as several with tests between them of how many turns there are.
 */
final class KnownValues {
    /** Where code goes away, more may be known of what is left. */
    private static final int ROUNDS = 3;

    private final Graph graph;
    private final Ranges ranges;
    /** What registers hold at the end of a block, by its index, where that is less than they ever do. */
    private final Map<Integer, Map<Register, Ranges.Range>> ends = new HashMap<>();
    private Map<Register, Ranges.Range> here = Map.of();
    private boolean any;

    private KnownValues(Graph graph, BlockShape block) {
        this.graph = graph;
        this.ranges = Ranges.ofReads(graph, block);
    }

    /** @param block the shape of the blocks, or null if they may be any */
    static Graph replace(Graph graph, BlockShape block) {
        Graph replaced = graph;
        for (int round = 0; round < ROUNDS; round++) {
            KnownValues known = new KnownValues(replaced, block);
            BasicBlock[] blocks = new BasicBlock[replaced.blocks().size()];
            for (int b : replaced.order()) {
                blocks[b] = known.replace(replaced.blocks().get(b));
            }
            if (!known.any) {
                return replaced;
            }
            replaced = Constants.propagate(withoutUnread(replaced.reachable(List.of(blocks))));
        }
        return replaced;
    }

    /** Takes out what only tests and loops read that are gone; else more numbers would seem possible. */
    private static Graph withoutUnread(Graph graph) {
        Liveness liveness = graph.liveness();
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            Set<Register> live = new HashSet<>();
            block.successors().forEach(s -> live.addAll(liveness.liveIn(s)));
            Register last = Operands.use(block.terminator());
            if (last != null) {
                live.add(last);
            }
            List<Instruction> code = new ArrayList<>();
            for (Instruction i : block.instructions().reversed()) {
                if (isOnlyResult(i) && !live.contains(((Operand.Reg) i.operand(0)).register())) {
                    continue;
                }
                if (i.guard() == null) {
                    Operands.definitions(i, live::remove);
                }
                Operands.uses(i, live::add);
                code.add(i);
            }
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code.reversed()), block.terminator()));
        }
        return graph.with(blocks);
    }

    /** Whether an instruction does no more than to leave a number in one register. */
    private static boolean isOnlyResult(Instruction i) {
        boolean plain = switch (i.opcode()) {
            case MOV, ADD, SUB, MUL, MAD, MIN, MAX, AND, OR, XOR, NOT, SHL, SHR, CVT, SELP -> !i.spelling().has(Modifier.CC);
            case SETP -> i.operand(1) instanceof Operand.Absent;
            default -> false;
        };
        return plain && i.operand(0) instanceof Operand.Reg;
    }

    private BasicBlock replace(BasicBlock block) {
        List<Instruction> code = new ArrayList<>();
        here = atBegin(block);
        ranges.here(here);
        ends.put(block.index(), here);
        for (Instruction i : block.instructions()) {
            Instruction.Guard guard = i.guard();
            Ranges.Range holds = guard == null ? null : ranges.of(guard.predicate());
            if (holds == null || !holds.single()) {
                code.add(replace(i));
                note(i);
                continue;
            }
            any = true;
            if (holds.most() == (guard.negated() ? 0 : 1)) {
                Instruction always = new Instruction(i.spelling(), null, i.operands(), i.location());
                code.add(always);
                note(always);
            }
        }
        return new BasicBlock(block.index(), block.label(), List.copyOf(code), replace(block.terminator()));
    }

    /** What is known behind the only block from which code comes to one. */
    private Map<Register, Ranges.Range> atBegin(BasicBlock block) {
        List<Integer> from = graph.predecessors().get(block.index());
        return block.index() > 0 && from.size() == 1 && ends.containsKey(from.getFirst()) ? new HashMap<>(ends.get(from.getFirst())) : new HashMap<>();
    }

    /** Keeps what an instruction leaves for those that follow; before others leave something else in the register. */
    private void note(Instruction i) {
        Ranges.Range left = i.guard() == null && !i.operands().isEmpty() ? ranges.resultOf(i) : null;
        Operands.definitions(i, here::remove);
        if (left != null && i.operand(0) instanceof Operand.Reg to && (i.opcode() != Opcode.SETP || i.operand(1) instanceof Operand.Absent) && !left.equals(ranges.of(to.register()))) {
            here.put(to.register(), left);
        }
    }

    private Instruction replace(Instruction i) {
        if (i.opcode() == Opcode.MOV || i.opcode() == Opcode.SETP || i.operands().isEmpty() || !(i.operand(0) instanceof Operand.Reg to)) {
            return i;
        }
        if (i.opcode() == Opcode.SELP && i.operand(3) instanceof Operand.Reg which && ranges.of(which.register()).single()) {
            any = true;
            boolean yes = ranges.of(which.register()).most() == (which.negated() ? 0 : 1);
            return Instruction.of("mov" + i.type(), i.guard(), i.location(), to, i.operand(yes ? 1 : 2));
        }
        Register register = to.register();
        int bits = register.type().bits();
        if (register.type() == ScalarType.PRED || bits != Integer.SIZE && bits != Long.SIZE) {
            return i;
        }
        Ranges.Range result = ranges.resultOf(i);
        if (result == null || !result.single()) {
            return i;
        }
        any = true;
        ScalarType type = ScalarType.bitsOf(bits);
        return Instruction.of("mov" + type, i.guard(), i.location(), new Operand.Reg(register, type, false), new Operand.Immediate(type, result.most()));
    }

    private Terminator replace(Terminator end) {
        if (!(end instanceof Terminator.Branch branch) || !ranges.of(branch.predicate()).single()) {
            return end;
        }
        any = true;
        boolean taken = ranges.of(branch.predicate()).most() == (branch.negated() ? 0 : 1);
        return new Terminator.Jump(taken ? branch.taken() : branch.otherwise(), branch.location());
    }
}
