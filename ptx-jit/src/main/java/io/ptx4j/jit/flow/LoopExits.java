package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives what loops compute a register of its own while threads are inside: a register that a loop writes and that is read behind it
 * becomes another one in the loop, and a thread that leaves copies it, on the spot. Where threads of a group leave one by one, those
 * that go on then need not take care of what the others have got: a copy for each that leaves, instead of one in every turn; and what
 * is the same for all threads inside, such as the number of the turn, stays so.
 */
public final class LoopExits {
    /** A natural loop: its header and all its blocks. */
    public record Loop(int header, BitSet blocks) {
    }

    private static final int STEPS_BACK = 16;

    private final List<BasicBlock> blocks;
    private final List<Register> registers;
    private Graph graph;

    private LoopExits(Graph graph) {
        this.graph = graph;
        this.blocks = new ArrayList<>(graph.blocks());
        this.registers = new ArrayList<>(graph.registers());
    }

    /**
     * The graph with the exits of some loops so.
     *
     * @param loops inner ones first
     */
    public static Graph copying(Graph graph, List<Loop> loops) {
        LoopExits exits = new LoopExits(graph);
        for (int i = 0; i < loops.size(); i++) {
            exits.split(loops.get(i), loops.subList(i + 1, loops.size()));
        }
        return exits.graph;
    }

    private void split(Loop loop, List<Loop> outer) {
        Liveness liveness = graph.liveness();
        Map<Integer, Set<Register>> leaving = leaving(loop, liveness);
        if (leaving.isEmpty() || loop.header() == 0 || !enteredAtHeader(loop)) {
            return;
        }
        Map<Register, Register> inside = new LinkedHashMap<>();
        leaving.values().forEach(set -> set.forEach(r -> inside.computeIfAbsent(r, this::another)));
        List<Register> given = inside.keySet().stream().filter(r -> liveness.isLiveIn(r, loop.header())).toList();
        List<Integer> before = graph.predecessors().get(loop.header()).stream().distinct().filter(p -> !loop.blocks().get(p)).toList();
        Renaming renaming = Renaming.of(inside);
        for (int b = loop.blocks().nextSetBit(0); b >= 0; b = loop.blocks().nextSetBit(b + 1)) {
            blocks.set(b, renaming.renamed(blocks.get(b)));
        }
        leaving.forEach((b, set) -> leave(b, loop, set, inside));
        for (int p : before) {
            enter(p, loop.header(), given, inside, outer);
        }
        graph = graph.with(blocks, registers, graph.runs());
    }

    /** Threads that come back from a meeting point in the middle of a loop enter it there. */
    private boolean enteredAtHeader(Loop loop) {
        return loop.blocks().stream().allMatch(b -> b == loop.header()
                || graph.predecessors().get(b).stream().allMatch(p -> loop.blocks().get(p)));
    }

    /** By block that threads leave from: the registers that they take along; empty if the loop cannot be treated so. */
    private Map<Integer, Set<Register>> leaving(Loop loop, Liveness liveness) {
        Set<Register> defined = new LinkedHashSet<>();
        Map<Integer, Set<Register>> leaving = new LinkedHashMap<>();
        for (int b = loop.blocks().nextSetBit(0); b >= 0; b = loop.blocks().nextSetBit(b + 1)) {
            blocks.get(b).instructions().forEach(i -> Operands.definitions(i, r -> {
                if (isPlain(r)) {
                    defined.add(r);
                }
            }));
        }
        for (int b = loop.blocks().nextSetBit(0); b >= 0; b = loop.blocks().nextSetBit(b + 1)) {
            for (int s : blocks.get(b).successors()) {
                if (loop.blocks().get(s)) {
                    continue;
                }
                if (!(blocks.get(b).terminator() instanceof Terminator.Branch)) {
                    return Map.of();
                }
                Set<Register> taken = new LinkedHashSet<>(liveness.liveIn(s));
                taken.retainAll(defined);
                if (!taken.isEmpty()) {
                    leaving.computeIfAbsent(b, k -> new LinkedHashSet<>()).addAll(taken);
                }
            }
        }
        return leaving;
    }

    private boolean isPlain(Register register) {
        int bits = register.type().bits();
        return !graph.isSum(register) && !Operands.isHidden(register)
                && register.type() != ScalarType.PRED && (bits == 16 || bits == 32 || bits == 64);
    }

    private Register another(Register register) {
        Register inside = new Register(registers.size(), register.name(), register.type());
        registers.add(inside);
        return inside;
    }

    private void leave(int b, Loop loop, Set<Register> taken, Map<Register, Register> inside) {
        BasicBlock block = blocks.get(b);
        Terminator.Branch branch = (Terminator.Branch) block.terminator();
        boolean takenLeaves = !loop.blocks().get(branch.taken());
        Instruction.Guard guard = new Instruction.Guard(branch.predicate(), branch.negated() == takenLeaves);
        List<Instruction> code = new ArrayList<>(block.instructions());
        taken.forEach(r -> code.add(move(guard, r, reg(inside.get(r)), branch.location())));
        blocks.set(b, new BasicBlock(b, block.label(), List.copyOf(code), branch));
    }

    private void enter(int p, int header, List<Register> given, Map<Register, Register> inside, List<Loop> outer) {
        BasicBlock block = blocks.get(p);
        Location at = block.terminator().location();
        List<Instruction> moves = new ArrayList<>();
        given.forEach(r -> moves.add(move(null, inside.get(r), value(p, r), at)));
        boolean stops = !block.instructions().isEmpty() && MeetingPoint.kindOf(block.instructions().getLast()) != null;
        if (block.terminator() instanceof Terminator.Jump && !stops) {
            List<Instruction> code = new ArrayList<>(block.instructions());
            code.addAll(moves);
            blocks.set(p, new BasicBlock(p, block.label(), List.copyOf(code), block.terminator()));
            return;
        }
        int entry = blocks.size();
        blocks.add(new BasicBlock(entry, null, List.copyOf(moves), new Terminator.Jump(header, at)));
        blocks.set(p, new BasicBlock(p, block.label(), block.instructions(), block.terminator().withTargets(t -> t == header ? entry : t)));
        outer.stream().filter(l -> l.blocks().get(p) && l.blocks().get(header)).forEach(l -> l.blocks().set(entry));
    }

    /** What a register holds at the end of a block: a number where that is plain to see, so that it counts as one for all threads. */
    private Operand value(int block, Register register) {
        int at = block;
        for (int step = 0; step < STEPS_BACK; step++) {
            for (Instruction i : blocks.get(at).instructions().reversed()) {
                boolean[] defines = {false};
                Operands.definitions(i, r -> defines[0] |= r == register);
                if (defines[0]) {
                    boolean number = i.opcode() == Opcode.MOV && i.guard() == null && i.operand(0) instanceof Operand.Reg && i.operand(1) instanceof Operand.Immediate;
                    return number ? new Operand.Immediate(bits(register), ((Operand.Immediate) i.operand(1)).bits()) : reg(register);
                }
            }
            if (at == 0 || graph.predecessors().get(at).size() != 1) {
                return reg(register);
            }
            at = graph.predecessors().get(at).getFirst();
        }
        return reg(register);
    }

    private static ScalarType bits(Register register) {
        return ScalarType.named("b" + register.type().bits());
    }

    private static Operand reg(Register register) {
        return new Operand.Reg(register, bits(register), false);
    }

    private static Instruction move(Instruction.Guard guard, Register to, Operand value, Location at) {
        return Instruction.of("mov" + bits(to), guard, at, reg(to), value);
    }
}
