package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds what few lanes are expected to do, and does it for these one after the other: blocks behind a branch at which lanes part, with one way in and one out, that store into an array
 * of the thread's own and load from it. The sines and cosines of CUDA's library have such a way for large arguments, with most of their code, which nearly no thread ever takes. In vectors it
 * would be in the way of all else: pieces of its own, in each of which HotSpot has to compile vector code that never runs.
 */
final class SlowPaths {
    /** Registers that such blocks may leave: of more, lanes had better stay together. */
    private static final int RESULTS = 4;
    /** Fewer instructions are as well done in vectors. */
    private static final int LEAST = 24;
    /** More are hardly a mere part of what lanes do: the library's have 70 for f32, 160 for f64. */
    private static final int MOST = 400;

    private final Graph graph;
    private final Regions regions;
    private final Predicate<Register> uniform;

    private SlowPaths(Graph graph, Regions regions, Predicate<Register> uniform) {
        this.graph = graph;
        this.regions = regions;
        this.uniform = uniform;
    }

    /**
     * Adds such blocks to those that lanes go through one by one anyway, by head.
     *
     * @param uniform whether a register is computed once for all threads
     */
    static void add(Map<Integer, LaneBlocks> lanes, Graph graph, Regions regions, Predicate<Register> uniform, List<LaneFlow> flows, Forms forms) {
        if (!mayBeIn(graph)) {
            return;
        }
        SlowPaths paths = new SlowPaths(graph, regions, uniform);
        BitSet taken = LaneBlocks.blocks(lanes);
        // The smallest with all of an array's accesses: a larger one counts only if it has others. What stands around it may be what nearly all lanes do.
        BitSet covered = new BitSet();
        Map<Integer, LaneBlocks> found = new TreeMap<>();
        for (LaneBlocks one : paths.candidates(flows, forms)) {
            if (one.blocks().stream().noneMatch(taken::get) && one.blocks().stream().anyMatch(b -> !covered.get(b) && paths.accessesLocals(b))) {
                found.keySet().removeAll(one.blocks());
                found.put(one.head(), one);
                one.blocks().forEach(covered::set);
            }
        }
        lanes.putAll(found);
    }

    /** Whether a graph may have such blocks, which is quick to tell. */
    static boolean mayBeIn(Graph graph) {
        return graph.localBytes() > 0 && Operands.any(graph.blocks(), i -> local(i) != null && local(i).register() != null);
    }

    /** Those of blocks that might be such, small ones first. */
    private List<LaneBlocks> candidates(List<LaneFlow> flows, Forms forms) {
        Set<Integer> heads = new TreeSet<>();
        for (LaneFlow flow : flows) {
            for (int p = 0; p < flow.size(); p++) {
                Terminator end = graph.blocks().get(flow.block(p)).terminator();
                if (end instanceof Terminator.Branch branch && branch.taken() != branch.otherwise() && LaneFlow.varies(end, r -> !(forms.of(r) instanceof Form.Uniform))) {
                    heads.add(branch.taken());
                    heads.add(branch.otherwise());
                }
            }
        }
        List<LaneBlocks> found = new ArrayList<>();
        for (int head : heads) {
            CompileTime.ask();
            LaneBlocks blocks = from(head);
            if (blocks != null) {
                found.add(blocks);
            }
        }
        found.sort(Comparator.comparingInt(one -> one.blocks().size()));
        return found;
    }

    /** The blocks that threads come to by {@code head} alone, if they are such as are looked for; else null. */
    private LaneBlocks from(int head) {
        BitSet blocks = graph.behind(head);
        int next = LaneBlocks.END;
        int size = 0;
        boolean stores = false;
        boolean loads = false;
        boolean indexed = false;
        for (int b = blocks.nextSetBit(0); b >= 0; b = blocks.nextSetBit(b + 1)) {
            BasicBlock block = graph.blocks().get(b);
            if (block.successors().isEmpty() || regions.pointOfBlock()[b] >= 0 || regions.pointOfEntry()[b] >= 0 || regions.pointOfSpin()[b] >= 0) {
                return null;
            }
            for (int successor : block.successors()) {
                if (!blocks.get(successor) && successor != next) {
                    if (next != LaneBlocks.END) {
                        return null;
                    }
                    next = successor;
                }
            }
            size += block.instructions().size();
            for (Instruction i : block.instructions()) {
                Operand.Address address = local(i);
                stores |= address != null && i.opcode() == Opcode.ST;
                loads |= address != null && i.opcode() != Opcode.ST;
                indexed |= address != null && address.register() != null;
            }
        }
        if (!stores || !loads || !indexed || size < LEAST || size > MOST || next == LaneBlocks.END || graph.blocks().get(next).successors().isEmpty() || regions.pointOfEntry()[next] >= 0) {
            return null;
        }
        List<Register> results = results(graph, blocks, next, uniform);
        return results.size() > RESULTS ? null : new LaneBlocks(head, blocks.stream().boxed().toList(), next, results);
    }

    /** The registers that some blocks leave to the one behind them. */
    static List<Register> results(Graph graph, BitSet blocks, int next, Predicate<Register> uniform) {
        Set<Register> results = new LinkedHashSet<>();
        blocks.stream().mapToObj(graph.blocks()::get).flatMap(b -> b.instructions().stream()).forEach(i -> Operands.definitions(i, r -> {
            if (graph.liveness().isLiveIn(r, next) && !uniform.test(r)) {
                results.add(r);
            }
        }));
        return List.copyOf(results);
    }

    private boolean accessesLocals(int block) {
        return graph.blocks().get(block).instructions().stream().anyMatch(i -> local(i) != null);
    }

    /** Where an instruction loads from local memory or stores there; null if it does not. */
    private static Operand.Address local(Instruction i) {
        Operand.Address address = IndexedAddresses.address(i);
        return address != null && address.space() == StateSpace.LOCAL ? address : null;
    }
}
