package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Turns of loops in which a block fills a tile, {@code for (int e = threadIdx.x; e < 1024; e += 256)}, one after the other: all threads make as many, since their numbers lie between the same two
 * multiples of the step, and each turn's elements then have a place that is known. A compiler that does not know the block's size leaves such loops.
 */
final class EvenLoops {
    private static final int MOST_TURNS = 16;
    /** Of all turns. */
    private static final int MOST_INSTRUCTIONS = 128;

    private Graph graph;
    private final List<Register> registers;
    private final BlockShape shape;
    /** Null until it is asked for; what it says stays true when loops have gone. */
    private Ranges ranges;

    private EvenLoops(Graph graph, BlockShape shape) {
        this.graph = graph;
        this.registers = new ArrayList<>(graph.registers());
        this.shape = shape;
    }

    /** @param shape of the blocks, or null if they may be of any: then the graph stays as it is */
    static Graph unroll(Graph graph, BlockShape shape) {
        if (shape == null || graph.hasSums()) {
            return graph;
        }
        EvenLoops loops = new EvenLoops(graph, shape);
        for (BasicBlock block : graph.blocks()) {
            if (block.terminator() instanceof Terminator.Branch branch && (branch.taken() == block.index()) != (branch.otherwise() == block.index())) {
                loops.unroll(block.index());
            }
        }
        return loops.graph;
    }

    private void unroll(int index) {
        BasicBlock block = graph.blocks().get(index);
        if (!block.instructions().stream().allMatch(EvenLoops::canRepeat)) {
            return;
        }
        int turns = turns(block);
        if (turns < 2 || turns * block.instructions().size() > MOST_INSTRUCTIONS) {
            return;
        }
        replace(block, turns);
    }

    private void replace(BasicBlock block, int turns) {
        Terminator.Branch branch = (Terminator.Branch) block.terminator();
        int exit = branch.taken() == block.index() ? branch.otherwise() : branch.taken();
        List<List<Instruction>> repeated = repeated(block, branch.predicate(), exit, turns);
        List<BasicBlock> blocks = new ArrayList<>(graph.blocks());
        List<Graph.Run> runs = new ArrayList<>(graph.runs());
        Graph.Run run = runs.get(block.index());
        int together = Math.max(1, Normalizer.BLOCK_LIMIT / repeated.getFirst().size());
        int at = block.index();
        for (int first = 0; first < turns; first += together) {
            List<List<Instruction>> some = repeated.subList(first, Math.min(first + together, turns));
            int next = first + together < turns ? Math.max(blocks.size(), at + 1) : exit;
            BasicBlock made = new BasicBlock(at, first == 0 ? block.label() : null, some.stream().flatMap(List::stream).toList(), new Terminator.Jump(next, branch.location()));
            Graph.Run all = run == null ? null : new Graph.Run(run.instructions() * some.size(), run.line());
            if (first == 0) {
                blocks.set(at, made);
                runs.set(at, all);
            } else {
                blocks.add(made);
                runs.add(all);
            }
            at = next;
        }
        graph = graph.with(blocks, registers, Collections.unmodifiableList(runs));
    }

    private static boolean canRepeat(Instruction i) {
        boolean[] plain = {MeetingPoint.kindOf(i) == null};
        Operands.definitions(i, r -> plain[0] &= i.guard() == null && !Operands.isHidden(r));
        return plain[0] && i.operands().stream().noneMatch(o -> o instanceof Operand.Part);
    }

    // How many turns

    /** What a register held where the turn began, and so much. */
    private record Sum(Register register, long distance) {
    }

    /** The number of turns that all threads make; 0 if it is not known, or does not hang on a thread's number. */
    private int turns(BasicBlock block) {
        Terminator.Branch branch = (Terminator.Branch) block.terminator();
        Map<Register, Sum> sums = new HashMap<>();
        Instruction test = null;
        Sum compared = null;
        for (Instruction i : block.instructions()) {
            if (Operands.writes(i, r -> r == branch.predicate())) {
                test = i;
                compared = isTest(i) ? sum(i.operand(2), i.type(), sums) : null;
            }
            Sum result = result(i, sums);
            Operands.definitions(i, r -> sums.put(r, null));
            if (result != null) {
                sums.put(((Operand.Reg) i.operand(0)).register(), result);
            }
        }
        if (compared == null || !(sums.get(compared.register) instanceof Sum step) || step.register != compared.register || step.distance == 0) {
            return 0;
        }
        Ranges.Range first = first(compared.register, block);
        return first == null || first.single() ? 0 : turns(first, compared.distance, step.distance, test, (branch.taken() == block.index()) != branch.negated());
    }

    private static boolean isTest(Instruction i) {
        return i.opcode() == Opcode.SETP && i.guard() == null && i.operands().size() == 4 && i.type().isInteger() && !i.type().packed() && i.type().bits() >= Integer.SIZE
                && i.operand(1) instanceof Operand.Absent && i.operand(3) instanceof Operand.Immediate;
    }

    private static Sum result(Instruction i, Map<Register, Sum> sums) {
        boolean plain = i.type() != null && i.type().isInteger() && !i.type().packed() && i.spelling().modifiers().isEmpty() && i.operands().size() > 1 && i.operand(0) instanceof Operand.Reg;
        if (!plain || !(sum(i.operand(1), i.type(), sums) instanceof Sum source)) {
            return null;
        }
        boolean constant = i.operands().size() == 3 && i.operand(2) instanceof Operand.Immediate;
        return switch (i.opcode()) {
            case MOV -> source;
            case ADD -> constant ? new Sum(source.register, source.distance + number(i.operand(2), i.type().bits())) : null;
            case SUB -> constant ? new Sum(source.register, source.distance - number(i.operand(2), i.type().bits())) : null;
            default -> null;
        };
    }

    private static Sum sum(Operand operand, ScalarType type, Map<Register, Sum> sums) {
        if (!(operand instanceof Operand.Reg r) || r.negated() || r.register().type().bits() != type.bits()) {
            return null;
        }
        return sums.containsKey(r.register()) ? sums.get(r.register()) : new Sum(r.register(), 0);
    }

    private static long number(Operand immediate, int bits) {
        long number = ((Operand.Immediate) immediate).bits();
        return bits == Integer.SIZE ? (int) number : number;
    }

    /** What the register holds when the loop begins. */
    private Ranges.Range first(Register register, BasicBlock loop) {
        if (graph.liveness().isLiveIn(register, 0)) {
            return null;
        }
        if (ranges == null) {
            ranges = Ranges.ofReads(graph, shape);
        }
        Ranges.Range first = null;
        for (Instruction i : graph.writes().all().get(register)) {
            if (loop.instructions().stream().noneMatch(own -> own == i)) {
                Ranges.Range result = i.opcode() == Opcode.MOV && i.operand(1) instanceof Operand.Reg from && from.register().type().bits() == register.type().bits()
                        ? ranges.of(from.register()) : ranges.resultOf(i);
                if (result == null) {
                    return null;
                }
                first = first == null ? result : first.or(result);
            }
        }
        return first;
    }

    private static int turns(Ranges.Range first, long distance, long step, Instruction test, boolean whereTrue) {
        if (Math.max(Math.abs(first.least()), Math.abs(first.most())) > Integer.MAX_VALUE || Math.abs(distance) > Integer.MAX_VALUE || Math.abs(step) > Integer.MAX_VALUE) {
            return 0;
        }
        long limit = normal(((Operand.Immediate) test.operand(3)).bits(), test.type());
        for (int turn = 1; turn <= MOST_TURNS; turn++) {
            long so = distance + (turn - 1) * step;
            long least = normal(first.least() + so, test.type());
            long most = normal(first.most() + so, test.type());
            Ranges.Range holds = Ranges.compared(test.spelling().comparison(), new Ranges.Range(least, most), Ranges.Range.of(limit));
            if (most - least != first.most() - first.least() || !holds.single()) {
                return 0;
            }
            if (holds.least() == 1 != whereTrue) {
                return turn;
            }
        }
        return 0;
    }

    /** The number as the type has it; of 64 bits, too, the unsigned ones beyond the signed are above all others. */
    private static long normal(long number, ScalarType type) {
        if (type.bits() == Integer.SIZE) {
            return type.signed() ? (int) number : number & 0xFFFF_FFFFL;
        }
        return type.signed() ? number : number ^ Long.MIN_VALUE;
    }

    // The turns

    /** The code of each turn; all registers are its own but those that the last one leaves to who reads them behind the loop. */
    private List<List<Instruction>> repeated(BasicBlock block, Register again, int exit, int turns) {
        boolean tests = graph.liveness().isLiveIn(again, exit) || block.instructions().stream().anyMatch(i -> Operands.reads(i, r -> r == again));
        List<List<Instruction>> code = new ArrayList<>();
        Map<Register, Register> names = new HashMap<>();
        for (int turn = 0; turn < turns; turn++) {
            Predicate<Register> left = turn == turns - 1 ? r -> graph.liveness().isLiveIn(r, exit) : r -> false;
            code.add(block.instructions().stream().filter(i -> tests || !Operands.writes(i, r -> r == again)).map(i -> repeated(i, names, left)).toList());
        }
        return code;
    }

    private Instruction repeated(Instruction i, Map<Register, Register> names, Predicate<Register> left) {
        Map<Register, Register> sources = Map.copyOf(names);
        Operands.definitions(i, r -> names.put(r, left.test(r) ? r : another(r)));
        Renaming read = Renaming.of(sources);
        Renaming written = Renaming.of(names);
        List<Operand> operands = new ArrayList<>();
        for (int o = 0; o < i.operands().size(); o++) {
            operands.add((Repetition.isResult(i, o) ? written : read).renamed(i.operand(o)));
        }
        return new Instruction(i.spelling(), i.guard() == null ? null : new Instruction.Guard(read.register(i.guard().predicate()), i.guard().negated()), List.copyOf(operands), i.location());
    }

    private Register another(Register register) {
        Register another = new Register(registers.size(), register.name(), register.type());
        registers.add(another);
        return another;
    }
}
