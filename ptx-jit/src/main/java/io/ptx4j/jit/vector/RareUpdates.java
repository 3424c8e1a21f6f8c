package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.scalar.MiscellaneousEmitter;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * A kernel that leaves nothing in memory before its threads come to atomics by which their order shows ({@link UpdateOrder}), as a search does that counts what it finds and stores it at
 * that place. Threads rarely come there, so it has a vector shape without these atomics: a block of which a thread comes to one begins anew in the scalar shape, where they are done in the
 * order that holds for them.
 *
 * @param graph with {@link MiscellaneousEmitter#beginAnew} for the atomics, and without what comes behind them
 * @param atomics those left out, of which a block comes to one before any other
 */
record RareUpdates(Graph graph, List<Instruction> atomics) {
    /** Blocks behind an atomic among which the ways from it are looked for to come together. */
    private static final int FAR = 64;

    /** Of a kernel that is of this kind; else null. */
    static RareUpdates of(Graph graph) {
        UpdateOrder order = UpdateOrder.of(graph);
        if (graph.blocks().stream().flatMap(b -> b.instructions().stream()).noneMatch(order::shows) || !SpinLoops.headers(graph).isEmpty()) {
            return null;
        }
        if (graph.blocks().stream().anyMatch(b -> b.instructions().stream().anyMatch(i -> order.shows(i) && i.guard() == null) && isSure(graph, b.index()))) {
            return null;
        }
        List<BasicBlock> blocks = graph.blocks().stream().map(b -> cut(graph, b, order)).toList();
        Graph rest = graph.reachable(blocks);
        List<Instruction> left = rest.blocks().stream().flatMap(b -> b.instructions().stream()).toList();
        return left.stream().allMatch(RareUpdates::leavesNothing)
                ? new RareUpdates(rest, graph.blocks().stream().flatMap(b -> b.instructions().stream())
                        .filter(i -> order.shows(i) && left.stream().anyMatch(l -> MiscellaneousEmitter.beginsAnew(l) && l.location().equals(i.location()))).toList())
                : null;
    }

    /** Whether all threads come to a block: in each turn, if it is in a loop. */
    private static boolean isSure(Graph graph, int block) {
        BitSet behind = graph.reached(graph.blocks().get(block).successors(), b -> true);
        if (!behind.get(block)) {
            return graph.reached(List.of(0), b -> b != block).stream().noneMatch(b -> b != block && graph.blocks().get(b).successors().isEmpty());
        }
        behind.and(before(graph, block));
        behind.clear(block);
        return !hasLoop(graph, behind);
    }

    /** The blocks from which threads may come to one. */
    private static BitSet before(Graph graph, int block) {
        BitSet before = new BitSet();
        Deque<Integer> next = new ArrayDeque<>(List.of(block));
        while (!next.isEmpty()) {
            for (int from : graph.predecessors().get(next.remove())) {
                if (!before.get(from)) {
                    before.set(from);
                    next.add(from);
                }
            }
        }
        return before;
    }

    /** Whether some blocks have a loop of their own: taking away those that none of the others leads to leaves some. */
    private static boolean hasLoop(Graph graph, BitSet some) {
        int[] ways = new int[graph.blocks().size()];
        some.stream().forEach(b -> graph.blocks().get(b).successors().stream().filter(some::get).forEach(s -> ways[s]++));
        Deque<Integer> next = new ArrayDeque<>(some.stream().filter(b -> ways[b] == 0).boxed().toList());
        int taken = 0;
        while (!next.isEmpty()) {
            taken++;
            for (int s : graph.blocks().get(next.remove()).successors()) {
                if (some.get(s) && --ways[s] == 0) {
                    next.add(s);
                }
            }
        }
        return taken < some.cardinality();
    }

    private static BasicBlock cut(Graph graph, BasicBlock block, UpdateOrder order) {
        List<Instruction> code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            if (!order.shows(i)) {
                code.add(i);
                continue;
            }
            code.add(MiscellaneousEmitter.beginAnew(i));
            if (i.guard() == null) {
                int behind = meeting(graph, block.index());
                Terminator end = behind < 0 ? new Terminator.Exit(i.location()) : new Terminator.Jump(behind, i.location());
                return new BasicBlock(block.index(), block.label(), code, end);
            }
        }
        return new BasicBlock(block.index(), block.label(), code, block.terminator());
    }

    /** Where the ways from the end of a block come together, whichever they take; -1 if they may end before, or that is far. What lies between is not needed any longer, and the loop around is left as it was. */
    private static int meeting(Graph graph, int block) {
        Deque<Integer> next = new ArrayDeque<>(graph.blocks().get(block).successors());
        BitSet seen = new BitSet();
        while (!next.isEmpty() && seen.cardinality() < FAR) {
            int candidate = next.remove();
            if (!seen.get(candidate)) {
                seen.set(candidate);
                if (candidate != block && !passes(graph, block, candidate)) {
                    return candidate;
                }
                next.addAll(graph.blocks().get(candidate).successors());
            }
        }
        return -1;
    }

    /** Whether a thread may end, or come back, without coming to a block. */
    private static boolean passes(Graph graph, int from, int by) {
        BitSet reached = graph.reached(graph.blocks().get(from).successors(), b -> b != by);
        return reached.stream().anyMatch(b -> b != by && (b == from || graph.blocks().get(b).successors().isEmpty()));
    }

    /** Whether nobody can tell after a block has run, from memory that others see, whether the instruction was executed. */
    private static boolean leavesNothing(Instruction i) {
        return switch (i.family()) {
            case INTEGER, EXTENDED_PRECISION, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION, VIDEO, SIMD_VIDEO, TEXTURE, WARP, STACK,
                    MISCELLANEOUS -> true;
            case MEMORY -> i.opcode() != Opcode.DISCARD && i.opcode() != Opcode.MULTIMEM && (i.opcode() != Opcode.ST || isOfBlock(i));
            case ATOMIC -> isOfBlock(i);
            case BARRIER -> !i.spelling().has(Modifier.CLUSTER);
            case CONTROL, SURFACE, ASYNC_COPY, MBARRIER, MATRIX, WARPGROUP_MATRIX, TENSOR_CORE_5 -> false;
        };
    }

    private static boolean isOfBlock(Instruction access) {
        StateSpace space = access.spelling().space();
        return space == StateSpace.LOCAL || space == StateSpace.SHARED && !access.spelling().has(Modifier.CLUSTER);
    }
}
