package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Cuts blocks whose vector code would be too long for a method, where few registers have a value that is read later: these go from method to method through the frame. */
final class Cuts {
    /** How much of the room for a part is used at least, if fewer registers are live there: tenths. */
    private static final int LEAST = 6;

    private Cuts() {
    }

    /** @param once registers that are known to be computed once for all lanes */
    static Graph cut(Graph graph, Group group, int budget, Set<Register> once) {
        Liveness liveness = graph.liveness();
        Set<Register> places = group.narrow() ? Set.of() : BitPlaces.of(graph);
        return cut(graph, block -> Arrays.stream(sizes(block, group, places, once)).sum() <= budget / 2 ? List.of(block.instructions())
                : cut(LateAddresses.of(graph, block), liveness, group, budget / 2, places, once));
    }

    /**
     * @param heavy blocks that were found too heavy for a piece, with their {@link Load}
     * @param load what a piece has room for
     */
    static Graph cut(Graph graph, Map<Integer, Integer> heavy, int load) {
        if (heavy.isEmpty()) {
            return graph;
        }
        Liveness liveness = graph.liveness();
        return cut(graph, block -> {
            int count = Math.ceilDiv(heavy.getOrDefault(block.index(), 0), load);
            return count > 1 ? evenly(LateAddresses.of(graph, block), liveness, count) : List.of(block.instructions());
        });
    }

    private static List<List<Instruction>> evenly(BasicBlock block, Liveness liveness, int count) {
        List<Instruction> all = block.instructions();
        int[] live = live(block, liveness);
        int length = Math.ceilDiv(all.size(), count);
        List<List<Instruction>> parts = new ArrayList<>();
        int from = 0;
        // A block without instructions stays one: what its registers take makes it heavy, and others jump to it.
        do {
            int end = from + length >= all.size() ? all.size() : beforeAddresses(all, from, quietest(live, from + Math.max(1, length * LEAST / 10), from + length));
            parts.add(all.subList(from, end));
            from = end;
        } while (from < all.size());
        return parts;
    }

    /** By place of an instruction: vectors that are live before it, or would be if all registers varied. */
    private static int[] live(BasicBlock block, Liveness liveness) {
        return liveness.live(block, r -> VectorCode.isPredicate(r) ? 0 : r.type().bits() > 32 ? 2 : 1);
    }

    /** The last of the places from {@code low} to {@code high} before which fewest registers are live. */
    private static int quietest(int[] live, int low, int high) {
        int best = high;
        for (int k = high - 1; k >= low; k--) {
            if (live[k] < live[best]) {
                best = k;
            }
        }
        return best;
    }

    /**
     * Where a part ends that could go as far as {@code end}: before what may compute addresses for accesses that follow, which then do that themselves
     * ({@link IndexedAddresses}).
     */
    private static int beforeAddresses(List<Instruction> all, int from, int end) {
        int cut = end;
        while (cut > from + 1 && LateAddresses.mayBeAddress(all.get(cut - 1))) {
            cut--;
        }
        return cut == from + 1 ? end : cut;
    }

    private static Graph cut(Graph graph, Function<BasicBlock, List<List<Instruction>>> how) {
        List<List<List<Instruction>>> parts = new ArrayList<>();
        int[] first = new int[graph.blocks().size()];
        int count = 0;
        for (BasicBlock block : graph.blocks()) {
            List<List<Instruction>> cut = how.apply(block);
            first[block.index()] = count;
            count += cut.size();
            parts.add(cut);
        }
        if (count == first.length) {
            return graph;
        }
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<List<Instruction>> cut = parts.get(block.index());
            for (int i = 0; i < cut.size(); i++) {
                int next = blocks.size() + 1;
                Terminator end = i + 1 < cut.size() ? new Terminator.Jump(next, cut.get(i + 1).getFirst().location())
                        : block.terminator().withTargets(t -> first[t]);
                blocks.add(new BasicBlock(blocks.size(), block.label(), cut.get(i), end));
            }
        }
        return graph.with(blocks);
    }

    private static int[] sizes(BasicBlock block, Group group, Set<Register> places, Set<Register> once) {
        return block.instructions().stream().mapToInt(i -> Pieces.size(i, group, places, once)).toArray();
    }

    private static List<List<Instruction>> cut(BasicBlock block, Liveness liveness, Group group, int budget, Set<Register> places, Set<Register> once) {
        List<Instruction> all = block.instructions();
        List<List<Instruction>> parts = new ArrayList<>();
        int[] sizes = sizes(block, group, places, once);
        int[] live = null;
        int from = 0;
        int low = 0;
        int used = 0;
        for (int k = 0; k < sizes.length; k++) {
            if (k > from && used + sizes[k] > budget) {
                live = live == null ? live(block, liveness) : live;
                int end = beforeAddresses(all, from, quietest(live, Math.max(low, from + 1), k));
                parts.add(all.subList(from, end));
                from = end;
                low = end;
                used = Arrays.stream(sizes, from, k).sum();
            }
            used += sizes[k];
            if (used < budget * LEAST / 10) {
                low = k + 1;
            }
        }
        parts.add(all.subList(from, all.size()));
        return parts;
    }
}
