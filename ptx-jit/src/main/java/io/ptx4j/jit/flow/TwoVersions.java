package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Two versions of what follows a place in the code and is reached from there alone, one of which runs where a test holds. It has registers of its own, so that what is known of them does not
 * have to be true of the other one.
 */
public final class TwoVersions {
    /** Instructions of which there may be two versions. */
    private static final int MOST = 400;

    private final Graph graph;
    private final List<Register> registers;
    private final int split;
    private final int behind;

    private TwoVersions(Graph graph, List<Register> registers, int split, int behind) {
        this.graph = graph;
        this.registers = registers;
        this.split = split;
        this.behind = behind;
    }

    /**
     * The graph with two versions, or the same one if there can be none: where threads meet in what follows, or it is large.
     *
     * @param registers those of the graph, and behind them those of the test
     * @param block before whose instruction {@code at} the test stands
     * @param holds the predicate that it gives
     * @param version what stands there for an instruction where the test holds; the same one for most
     */
    public static Graph of(Graph graph, List<Register> registers, int block, int at, List<Instruction> test, Register holds, UnaryOperator<Instruction> version) {
        if (graph.hasSums()) {
            return graph;
        }
        BasicBlock whole = graph.blocks().get(block);
        Location place = whole.instructions().get(at).location();
        List<BasicBlock> blocks = new ArrayList<>(graph.blocks());
        int behind = blocks.size();
        List<Instruction> first = new ArrayList<>(whole.instructions().subList(0, at));
        first.addAll(test);
        blocks.set(block, new BasicBlock(block, whole.label(), List.copyOf(first), new Terminator.Jump(behind, place)));
        blocks.add(new BasicBlock(behind, null, List.copyOf(whole.instructions().subList(at, whole.instructions().size())), whole.terminator()));
        List<Register> all = new ArrayList<>(registers);
        Graph cut = graph.with(blocks, all, graph.runs());
        return new TwoVersions(cut, all, block, behind).make(holds, version, place, graph);
    }

    private Graph make(Register holds, UnaryOperator<Instruction> version, Location place, Graph otherwise) {
        BitSet following = graph.behind(behind);
        int size = following.stream().map(b -> graph.blocks().get(b).instructions().size()).sum();
        boolean meets = following.stream().anyMatch(b -> graph.blocks().get(b).instructions().stream().anyMatch(i -> MeetingPoint.kindOf(i) != null));
        if (size > MOST || meets) {
            return otherwise;
        }
        Liveness liveness = graph.liveness();
        Set<Register> own = own(following, liveness);
        List<Register> given = own.stream().filter(r -> liveness.isLiveIn(r, behind)).toList();
        if (!given.stream().allMatch(TwoVersions::canMove)) {
            return otherwise;
        }
        Map<Register, Register> names = new LinkedHashMap<>();
        for (Register register : own) {
            Register another = new Register(registers.size(), register.name(), register.type());
            registers.add(another);
            names.put(register, another);
        }
        List<BasicBlock> blocks = new ArrayList<>(graph.blocks());
        int entry = blocks.size();
        Map<Integer, Integer> copies = new HashMap<>();
        following.stream().forEach(b -> copies.put(b, entry + 1 + copies.size()));
        blocks.add(new BasicBlock(entry, null, given.stream().map(r -> move(names.get(r), r, place)).toList(), new Terminator.Jump(copies.get(behind), place)));
        Renaming renaming = Renaming.of(names);
        following.stream().forEach(b -> {
            BasicBlock block = graph.blocks().get(b);
            List<Instruction> code = block.instructions().stream().map(version).toList();
            BasicBlock copy = renaming.renamed(new BasicBlock(copies.get(b), block.label(), code, block.terminator()));
            blocks.add(new BasicBlock(copy.index(), copy.label(), copy.instructions(), copy.terminator().withTargets(t -> copies.getOrDefault(t, t))));
        });
        BasicBlock first = blocks.get(split);
        blocks.set(split, new BasicBlock(split, first.label(), first.instructions(), new Terminator.Branch(holds, false, entry, behind, false, place)));
        return graph.with(blocks, registers, graph.runs());
    }

    /** Registers that the version may have for itself: those that these blocks write and that nobody reads behind them. */
    private Set<Register> own(BitSet following, Liveness liveness) {
        Set<Register> own = new LinkedHashSet<>();
        following.stream().forEach(b -> graph.blocks().get(b).instructions().forEach(i -> Operands.definitions(i, own::add)));
        own.removeIf(Operands::isHidden);
        following.stream().forEach(b -> graph.blocks().get(b).successors().stream().filter(s -> !following.get(s)).forEach(s -> own.removeAll(liveness.liveIn(s))));
        return own;
    }

    /** Whether there is a {@link #move} of the register. */
    static boolean canMove(Register register) {
        int bits = register.type().bits();
        return register.type() == ScalarType.PRED || bits == 16 || bits == 32 || bits == 64;
    }

    static Instruction move(Register to, Register from, Location at) {
        return Instruction.of("mov" + CallStack.bits(to), at, CallStack.whole(to), CallStack.whole(from));
    }
}
