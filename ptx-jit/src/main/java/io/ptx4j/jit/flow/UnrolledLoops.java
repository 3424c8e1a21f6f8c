package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Makes loops again of what a compiler has unrolled ({@link Repetition}), such as the steps of a matrix product over a tile: they do the same in the same order. A turn's instructions stand on the
 * lines of the first one; {@link #LINES} holds how many lines below them those of the present turn stand in the text, for who names the place of a fault.
 */
public final class UnrolledLoops {
    /** Name of the register; it is none that a program can have. */
    private static final String LINES = "+lines";
    private static final int MOST = 16;

    private Graph graph;
    private final List<Register> registers;
    private final ToIntFunction<Instruction> size;
    private final int least;

    private UnrolledLoops(Graph graph, ToIntFunction<Instruction> size, int least) {
        this.graph = graph;
        this.registers = new ArrayList<>(graph.registers());
        this.size = size;
        this.least = least;
    }

    /**
     * The graph with loops, or the same one if there are none to be made.
     *
     * @param size of an instruction
     * @param least what a loop's turns are to have together, and one turn at most
     */
    public static Graph of(Graph graph, ToIntFunction<Instruction> size, int least) {
        if (graph.hasSums()) {
            // Of turns that are put together, one would be made of registers that are sums and of others.
            return graph;
        }
        UnrolledLoops loops = new UnrolledLoops(graph, size, least);
        for (int i = 0; i < MOST && loops.makeOne(); i++) {
            // One after the other: blocks have other numbers then.
        }
        return loops.graph;
    }

    /** Whether a register tells how far below its line the present instruction stands in the text; writing it is all that the code does with it. */
    public static boolean isLines(Register register) {
        return register.name().equals(LINES);
    }

    private boolean makeOne() {
        for (int b : graph.order()) {
            List<BasicBlock> run = run(b);
            List<Instruction> code = run.stream().flatMap(block -> block.instructions().stream()).toList();
            Repetition found = Repetition.of(code, size, least);
            if (found != null && replace(run, code, found)) {
                return true;
            }
        }
        return false;
    }

    /** The blocks from one on that are only run one after the other; empty if it is itself only run behind another one. */
    private List<BasicBlock> run(int first) {
        List<Integer> before = graph.predecessors().get(first);
        if (before.size() == 1 && first != 0 && leadsOn(graph.blocks().get(before.getFirst()))) {
            return List.of();
        }
        List<BasicBlock> run = new ArrayList<>(List.of(graph.blocks().get(first)));
        while (leadsOn(run.getLast()) && run.getLast().terminator() instanceof Terminator.Jump jump && jump.target() != 0 && graph.predecessors().get(jump.target()).size() == 1) {
            run.add(graph.blocks().get(jump.target()));
        }
        return run;
    }

    private static boolean leadsOn(BasicBlock block) {
        return block.terminator() instanceof Terminator.Jump && (block.instructions().isEmpty() || MeetingPoint.kindOf(block.instructions().getLast()) == null);
    }

    private Register another(String name, ScalarType type) {
        Register register = new Register(registers.size(), name, type);
        registers.add(register);
        return register;
    }

    /** What code behind {@code end} reads of what is written before. */
    private Set<Register> readBehind(List<BasicBlock> run, List<Instruction> code, int end) {
        Set<Register> read = new HashSet<>(graph.liveness().liveOut(run.getLast().index()));
        Register decides = Operands.use(run.getLast().terminator());
        if (decides != null) {
            read.add(decides);
        }
        for (Instruction i : code.subList(end, code.size()).reversed()) {
            if (i.guard() == null) {
                Operands.definitions(i, read::remove);
            }
            Operands.uses(i, read::add);
        }
        return read;
    }

    private boolean replace(List<BasicBlock> run, List<Instruction> code, Repetition found) {
        Map<Register, Repetition.Result> results = found.results(code, readBehind(run, code, found.end()));
        if (results == null || !code.subList(found.first(), found.first() + found.length()).stream().allMatch(UnrolledLoops::writesPlain)) {
            return false;
        }
        Location at = code.get(found.first()).location();
        Loop loop = new Loop(code, found, at);
        List<Instruction> before = new ArrayList<>(code.subList(0, found.first()));
        before.addAll(loop.enter);
        List<Instruction> behind = new ArrayList<>();
        results.forEach((register, result) -> behind.add(TwoVersions.move(register, loop.registers.get(result), at)));
        behind.addAll(code.subList(found.end(), code.size()));
        List<BasicBlock> blocks = new ArrayList<>(graph.blocks());
        int start = run.getFirst().index();
        int turn = blocks.size();
        blocks.set(start, new BasicBlock(start, run.getFirst().label(), List.copyOf(before), new Terminator.Jump(turn, at)));
        blocks.add(new BasicBlock(turn, null, List.copyOf(loop.turn), new Terminator.Branch(loop.again, false, turn, turn + 1, false, at)));
        blocks.add(new BasicBlock(turn + 1, null, List.copyOf(behind), run.getLast().terminator()));
        BitSet gone = new BitSet();
        run.subList(1, run.size()).forEach(block -> gone.set(block.index()));
        compact(blocks, gone);
        return true;
    }

    private static boolean writesPlain(Instruction i) {
        boolean[] plain = {true};
        Operands.definitions(i, r -> plain[0] &= TwoVersions.canMove(r));
        return plain[0];
    }

    /** Makes a graph of the blocks without some of them. */
    private void compact(List<BasicBlock> blocks, BitSet gone) {
        int[] numbers = new int[blocks.size()];
        int next = 0;
        for (int b = 0; b < numbers.length; b++) {
            numbers[b] = next;
            next += gone.get(b) ? 0 : 1;
        }
        List<BasicBlock> left = new ArrayList<>();
        List<Graph.Run> runs = new ArrayList<>();
        for (BasicBlock block : blocks) {
            if (!gone.get(block.index())) {
                left.add(new BasicBlock(left.size(), block.label(), block.instructions(), block.terminator().withTargets(t -> numbers[t])));
                runs.add(block.index() < graph.runs().size() ? graph.runs().get(block.index()) : null);
            }
        }
        graph = graph.with(left, registers, Collections.unmodifiableList(runs));
    }

    private static Operand number(long value, ScalarType type) {
        return new Operand.Immediate(type, type.bits() == 32 ? value & 0xFFFF_FFFFL : value);
    }

    private static Operand.Reg reg(Register register, ScalarType type) {
        return new Operand.Reg(register, type, false);
    }

    /** The code of a loop. */
    private final class Loop {
        private final List<Instruction> enter = new ArrayList<>();
        private final List<Instruction> turn = new ArrayList<>();
        /** Whether there is another turn. */
        private final Register again;
        private final Map<Repetition.Result, Register> registers = new HashMap<>();
        private final Map<Growing, Register> addresses = new LinkedHashMap<>();

        /** A register's value, and so much more in each turn. */
        private record Growing(Register from, long step) {
        }

        Loop(List<Instruction> code, Repetition found, Location at) {
            List<Instruction> first = code.subList(found.first(), found.first() + found.length());
            for (int k = 0; k < first.size(); k++) {
                List<Register> written = new ArrayList<>();
                Operands.definitions(first.get(k), written::add);
                for (int element = 0; element < written.size(); element++) {
                    registers.put(new Repetition.Result(k, element), another(written.get(element).name(), written.get(element).type()));
                }
            }
            found.sources().stream().flatMap(List::stream).distinct().forEach(source -> {
                if (source instanceof Repetition.Carried carried) {
                    enter.add(TwoVersions.move(registers.get(carried.result()), carried.start(), at));
                }
            });
            int step = Math.max(1, found.lines());
            boolean names = found.lines() > 0 && first.stream().anyMatch(i -> i.family() == Family.MEMORY);
            Register lines = names ? another(LINES, ScalarType.U32) : null;
            Register count = another("lines", ScalarType.U32);
            enter.add(Instruction.of("mov.u32", at, reg(count, ScalarType.U32), number(0, ScalarType.U32)));
            if (names) {
                turn.add(Instruction.of("mov.u32", at, reg(lines, ScalarType.U32), reg(count, ScalarType.U32)));
            }
            for (int k = 0; k < first.size(); k++) {
                turn.add(turn(first.get(k), k, found));
            }
            addresses.forEach((growing, address) -> {
                ScalarType type = address.type().bits() == 32 ? ScalarType.U32 : ScalarType.U64;
                enter.add(TwoVersions.move(address, growing.from, at));
                turn.add(Instruction.of("add" + type, at, reg(address, type), reg(address, type), number(growing.step, type)));
            });
            if (names) {
                turn.add(Instruction.of("mov.u32", at, reg(lines, ScalarType.U32), number(0, ScalarType.U32)));
            }
            this.again = another("again", ScalarType.PRED);
            turn.add(Instruction.of("add.u32", at, reg(count, ScalarType.U32), reg(count, ScalarType.U32), number(step, ScalarType.U32)));
            turn.add(Instruction.of("setp.lt.u32", at, reg(again, ScalarType.PRED), new Operand.Absent(), reg(count, ScalarType.U32), number((long) step * found.turns(), ScalarType.U32)));
        }

        private Instruction turn(Instruction i, int k, Repetition found) {
            List<Register> read = new ArrayList<>();
            Operands.uses(i, read::add);
            Map<Register, Register> names = new HashMap<>();
            for (int o = 0; o < read.size(); o++) {
                switch (found.sources().get(k).get(o)) {
                    case Repetition.Own own -> names.put(read.get(o), registers.get(own.result()));
                    case Repetition.Carried carried -> names.put(read.get(o), registers.get(carried.result()));
                    case Repetition.Given given -> names.put(read.get(o), given.register());
                }
            }
            Renaming sources = Renaming.of(names);
            List<Operand> operands = new ArrayList<>();
            List<Register> results = new ArrayList<>();
            for (int o = 0; o < i.operands().size(); o++) {
                if (Repetition.isResult(i, o)) {
                    operands.add(((Renaming) r -> {
                        results.add(r);
                        return registers.get(new Repetition.Result(k, results.size() - 1));
                    }).renamed(i.operand(o)));
                } else if (i.operand(o) instanceof Operand.Address a && found.steps()[k] != 0) {
                    Register address = addresses.computeIfAbsent(new Growing(a.register(), found.steps()[k]), g -> another(a.register().name(), a.register().type()));
                    operands.add(new Operand.Address(a.space(), address, null, a.offset()));
                } else {
                    operands.add(sources.renamed(i.operand(o)));
                }
            }
            return new Instruction(i.spelling(), null, List.copyOf(operands), i.location());
        }
    }
}
