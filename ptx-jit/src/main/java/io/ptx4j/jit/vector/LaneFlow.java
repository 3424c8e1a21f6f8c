package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How the lanes of a group go through one region. Blocks stand in an order in which every loop is contiguous; lanes that leave a
 * block for a later one wait there, as bits of its mask, until the code comes to it.
 *
 * <p>An edge to a block that does nothing but end the thread drops lanes: nobody waits for them. Blocks are numbered by their place
 * in the order.
 */
final class LaneFlow {
    private static final int BLOCK_LIMIT = 1_000;

    private final Graph graph;
    private final Regions regions;
    private final BitSet inside = new BitSet();
    private final int[] order;
    private final int[] place;
    /** By place: places of the successors, without dropping edges. */
    private final List<List<Integer>> successors = new ArrayList<>();
    private final List<List<Integer>> predecessors = new ArrayList<>();
    /** By place of a loop's header: the places in the loop; null elsewhere. */
    private final BitSet[] loops;
    /** By place: the block behind all ways on, {@code order.length} for the end. */
    private final int[] meeting;
    /** Places in loops that are entered at several blocks, all of which count as headers. */
    private final BitSet tangled = new BitSet();
    private final BitSet apart = new BitSet();
    private final BitSet[] waiting;
    private final BitSet parting = new BitSet();

    LaneFlow(Graph graph, Regions regions, Region region) {
        this.graph = graph;
        this.regions = regions;
        region.blocks().forEach(inside::set);
        if (inside.cardinality() > BLOCK_LIMIT) {
            throw new NotVectorizable("more than " + BLOCK_LIMIT + " basic blocks between two barriers");
        }
        this.place = new int[graph.blocks().size()];
        Arrays.fill(place, -1);
        int[] first = reversePostOrder(region);
        number(first);
        BitSet[] dominators = dominators(first.length, predecessors);
        this.loops = loops(dominators);
        this.order = contiguous(first);
        number(order);
        BitSet[] renumbered = loops(dominators(order.length, predecessors));
        System.arraycopy(renumbered, 0, loops, 0, loops.length);
        this.meeting = meetings();
        this.waiting = new BitSet[order.length];
    }

    /** Whether a block is reached from the one before it alone, which goes nowhere else: two parts of a block that was cut. */
    boolean continues(int place) {
        return place > 0 && predecessors.get(place).equals(List.of(place - 1)) && graph.blocks().get(block(place - 1)).terminator() instanceof Terminator.Jump
                && straight(place - 1, place, -1) && !collects(place);
    }

    /** Successors in the region of a block that is no stop; dropping edges left out. */
    private List<Integer> targets(int block) {
        if (regions.pointOfBlock()[block] >= 0) {
            return List.of();
        }
        List<Integer> targets = new ArrayList<>();
        for (int s : graph.blocks().get(block).successors()) {
            if (regions.pointOfEntry()[s] >= 0) {
                throw new NotVectorizable("code that several barriers share is too large to be copied");
            }
            if (!drops(s)) {
                targets.add(s);
            }
        }
        return targets;
    }

    /** Whether going to {@code block} only ends the thread. */
    boolean drops(int block) {
        BasicBlock b = graph.blocks().get(block);
        return b.instructions().isEmpty() && b.successors().isEmpty();
    }

    private int[] reversePostOrder(Region region) {
        List<Integer> finished = new ArrayList<>();
        BitSet seen = new BitSet();
        Deque<int[]> stack = new ArrayDeque<>();
        if (!region.blocks().isEmpty()) {
            stack.push(new int[] {region.start(), 0});
            seen.set(region.start());
        }
        while (!stack.isEmpty()) {
            int[] top = stack.peek();
            List<Integer> targets = targets(top[0]);
            if (top[1] < targets.size()) {
                int next = targets.get(targets.size() - 1 - top[1]++);
                if (!seen.get(next)) {
                    seen.set(next);
                    stack.push(new int[] {next, 0});
                }
            } else {
                finished.add(top[0]);
                stack.pop();
            }
        }
        return finished.reversed().stream().mapToInt(b -> b).toArray();
    }

    private void number(int[] blocks) {
        successors.clear();
        predecessors.clear();
        for (int p = 0; p < blocks.length; p++) {
            place[blocks[p]] = p;
            successors.add(new ArrayList<>());
            predecessors.add(new ArrayList<>());
        }
        for (int p = 0; p < blocks.length; p++) {
            for (int t : targets(blocks[p])) {
                successors.get(p).add(place[t]);
                predecessors.get(place[t]).add(p);
            }
        }
    }

    /** By node the nodes on every way from node 0 to it. */
    private static BitSet[] dominators(int count, List<List<Integer>> predecessors) {
        BitSet[] dominators = new BitSet[count];
        for (int n = 0; n < count; n++) {
            dominators[n] = new BitSet();
            dominators[n].set(0, n == 0 ? 1 : count);
        }
        boolean changed = true;
        while (changed) {
            CompileTime.ask();
            changed = false;
            for (int n = 1; n < count; n++) {
                BitSet all = new BitSet();
                all.set(0, count);
                predecessors.get(n).forEach(p -> all.and(dominators[p]));
                all.set(n);
                changed |= !all.equals(dominators[n]);
                dominators[n] = all;
            }
        }
        return dominators;
    }

    private BitSet[] loops(BitSet[] dominators) {
        BitSet[] found = new BitSet[dominators.length];
        tangled.clear();
        for (int p = 0; p < dominators.length; p++) {
            CompileTime.ask();
            for (int header : successors.get(p)) {
                if (header > p) {
                    continue;
                }
                if (!dominators[p].get(header)) {
                    tangled.or(around(header));
                    continue;
                }
                if (found[header] == null) {
                    found[header] = new BitSet();
                    found[header].set(header);
                }
                collect(found[header], p);
            }
        }
        tangled.stream().forEach(p -> {
            for (int header : successors.get(p)) {
                if (header <= p && tangled.get(header)) {
                    found[header] = around(header);
                }
            }
        });
        return found;
    }

    /** The blocks from which a way leads to {@code block} and to which one leads from it: with several ways in, all of them are one loop. */
    private BitSet around(int block) {
        BitSet around = reachable(block, successors);
        around.and(reachable(block, predecessors));
        return around;
    }

    private static BitSet reachable(int from, List<List<Integer>> edges) {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(edges.get(from));
        seen.set(from);
        while (!work.isEmpty()) {
            int n = work.pop();
            if (!seen.get(n)) {
                seen.set(n);
                work.addAll(edges.get(n));
            }
        }
        return seen;
    }

    private void collect(BitSet loop, int latch) {
        Deque<Integer> work = new ArrayDeque<>(List.of(latch));
        while (!work.isEmpty()) {
            CompileTime.ask();
            int n = work.pop();
            if (!loop.get(n)) {
                loop.set(n);
                work.addAll(predecessors.get(n));
            }
        }
    }

    /** An order in which a loop, once begun, is finished before anything else comes. */
    private int[] contiguous(int[] first) {
        int[] result = new int[first.length];
        BitSet placed = new BitSet();
        Deque<BitSet> open = new ArrayDeque<>();
        for (int i = 0; i < first.length; i++) {
            while (!open.isEmpty() && covers(placed, open.peek())) {
                open.pop();
            }
            int next = -1;
            for (int p = 0; p < first.length && next < 0; p++) {
                if (!placed.get(p) && (open.isEmpty() || open.peek().get(p)) && ready(p, placed)) {
                    next = p;
                }
            }
            placed.set(next);
            result[i] = first[next];
            if (loops[next] != null) {
                open.push(loops[next]);
            }
        }
        return result;
    }

    private static boolean covers(BitSet set, BitSet subset) {
        BitSet rest = (BitSet) subset.clone();
        rest.andNot(set);
        return rest.isEmpty();
    }

    private boolean ready(int p, BitSet placed) {
        for (int before : predecessors.get(p)) {
            boolean back = loops[p] != null && loops[p].get(before);
            if (!back && !placed.get(before)) {
                return false;
            }
        }
        return true;
    }

    /** Immediate post-dominators; the end of the region, and a loop without one, count as {@code order.length}. */
    private int[] meetings() {
        int n = order.length;
        List<List<Integer>> reversed = new ArrayList<>();
        // Node 0 is the end; place p is node n - p, so that the reverse graph is roughly in order too.
        for (int i = 0; i <= n; i++) {
            reversed.add(new ArrayList<>());
        }
        for (int p = 0; p < n; p++) {
            for (int s : successors.get(p)) {
                reversed.get(n - p).add(n - s);
            }
            if (successors.get(p).isEmpty()) {
                reversed.get(n - p).add(0);
            }
        }
        BitSet ending = reachingEnd();
        for (int p = 0; p < n; p++) {
            // A loop that threads leave only by ending.
            if (!ending.get(p) && graph.blocks().get(order[p]).successors().stream().anyMatch(this::drops)) {
                reversed.get(n - p).add(0);
            }
        }
        BitSet[] behind = dominators(n + 1, reversed);
        int[] result = new int[n];
        for (int p = 0; p < n; p++) {
            // The nearest is the one that all others stand behind.
            int best = 0;
            for (int q = behind[n - p].nextSetBit(0); q >= 0; q = behind[n - p].nextSetBit(q + 1)) {
                if (q != n - p && behind[q].cardinality() >= behind[best].cardinality()) {
                    best = q;
                }
            }
            result[p] = best == 0 || !ending.get(p) ? n : n - best;
        }
        return result;
    }

    /** Places from which a way leads to the end of the region that is no dropping edge. */
    private BitSet reachingEnd() {
        BitSet reaching = new BitSet();
        Deque<Integer> work = new ArrayDeque<>();
        for (int p = 0; p < order.length; p++) {
            if (successors.get(p).isEmpty()) {
                work.add(p);
            }
        }
        while (!work.isEmpty()) {
            CompileTime.ask();
            int p = work.pop();
            if (!reaching.get(p)) {
                reaching.set(p);
                work.addAll(predecessors.get(p));
            }
        }
        return reaching;
    }

    /** Finds where lanes part, from the predicates that differ by lane. */
    void diverge(Predicate<Register> varying) {
        apart.clear();
        parting.clear();
        for (int p = 0; p < order.length; p++) {
            Terminator end = graph.blocks().get(order[p]).terminator();
            if (successors.get(p).size() > (end instanceof Terminator.Switch ? 0 : 1) && varies(end, varying)) {
                parting.set(p);
                reach(p);
            }
        }
        for (int p = 0; p < order.length; p++) {
            waiting[p] = new BitSet();
            if (apart.get(p)) {
                findWaiting(p);
            }
        }
    }

    static boolean varies(Terminator end, Predicate<Register> varying) {
        return switch (end) {
            case Terminator.Branch b -> varying.test(b.predicate());
            case Terminator.Switch s -> varying.test(s.index());
            case Terminator.Jump j -> false;
            case Terminator.Return r -> false;
            case Terminator.Exit e -> false;
        };
    }

    /** Notes where lanes that part at {@code from} may be without the others. */
    private void reach(int from) {
        int end = meeting[from];
        BitSet seen = between(from, end);
        while (end < order.length && !waitAt(end, from, seen)) {
            end = meeting[end];
            seen = between(from, end);
        }
        apart.or(seen);
    }

    private BitSet between(int from, int end) {
        Deque<Integer> work = new ArrayDeque<>(successors.get(from));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            CompileTime.ask();
            int p = work.pop();
            if (p != end && !seen.get(p)) {
                seen.set(p);
                work.addAll(successors.get(p));
            }
        }
        return seen;
    }

    /**
     * Whether lanes wait at {@code end} for all that come from {@code from} by way of {@code between}. They do not for those that go back to the header of a
     * loop in which {@code end} lies, as where two loops have one header: code comes to {@code end} before it goes back.
     */
    private boolean waitAt(int end, int from, BitSet between) {
        BitSet sources = (BitSet) between.clone();
        sources.set(from);
        return sources.stream().noneMatch(p -> successors.get(p).stream().anyMatch(s -> s <= p && s != end && loops[s] != null && loops[s].get(end)));
    }

    private void findWaiting(int at) {
        for (int p = 0; p < order.length; p++) {
            if (!apart.get(p) && !parting.get(p)) {
                continue;
            }
            for (int x : successors.get(p)) {
                boolean spans = p < at && at < x;
                boolean left = x > at && sharedLoopWithout(p, at, x);
                // Of several headers the last one with lanes comes first, so that lanes may wait longer at the others.
                boolean again = x <= p && loops[x] != null && loops[x].get(at) && (p < at || tangled.get(at) || innerLoop(x, p, at));
                if (spans || left || again) {
                    waiting[at].set(x);
                }
            }
        }
    }

    /** Whether a loop inside that of {@code header}, which code goes round first, has both blocks: lanes that go back from one of them wait meanwhile. */
    private boolean innerLoop(int header, int one, int other) {
        for (int inner = header + 1; inner < loops.length; inner++) {
            if (loops[inner] != null && loops[inner].get(one) && loops[inner].get(other)) {
                return true;
            }
        }
        return false;
    }

    private boolean sharedLoopWithout(int p, int at, int x) {
        for (BitSet loop : loops) {
            if (loop != null && loop.get(p) && loop.get(at) && !loop.get(x)) {
                return true;
            }
        }
        return false;
    }

    int size() {
        return order.length;
    }

    /** Index in the graph of the block at {@code place}. */
    int block(int place) {
        return order[place];
    }

    int placeOf(int block) {
        return place[block];
    }

    /** Whether other lanes of the group may be elsewhere while this block runs. */
    boolean apart(int place) {
        return apart.get(place);
    }

    /** Places of the blocks at which other lanes may wait while the block at {@code place} runs. */
    BitSet waiting(int place) {
        return waiting[place];
    }

    /** Whether lanes go on from here by waiting where they go: they part here, or others wait somewhere already. */
    boolean byMask(int place) {
        return parting.get(place) || !waiting[place].isEmpty();
    }

    /**
     * Whether lanes that go from one block to another may go there at once: nobody waits there, nor at any block that comes before it.
     *
     * @param joining a block at which lanes begin to wait just now, or -1
     */
    boolean straight(int from, int to, int joining) {
        BitSet others = (BitSet) waiting[from].clone();
        if (joining >= 0) {
            others.set(joining);
        }
        return !others.get(to) && others.stream().noneMatch(w -> comesBefore(from, w, to));
    }

    /** Whether code that goes on behind {@code from} looks for lanes at {@code waits} before it comes to {@code to}. */
    private boolean comesBefore(int from, int waits, int to) {
        if (to > from) {
            return waits > from ? waits < to : loops[waits] != null && loops[waits].get(from) && loops[waits].length() - 1 < to;
        }
        int last = loops[to].length() - 1;
        return waits > from ? waits <= last : waits > to && loops[waits] != null && loops[waits].get(from);
    }

    /** Whether lanes may wait at the block. */
    boolean collects(int place) {
        return predecessors.get(place).stream().anyMatch(this::byMask);
    }

    List<Integer> successors(int place) {
        return successors.get(place);
    }

    /** Place of the last block of the loop whose header stands at {@code place}. */
    int lastOf(int place) {
        return loops[place].length() - 1;
    }

    boolean isLoop(int place) {
        return loops[place] != null;
    }

    /** Whether the block at {@code place} lies in a loop that lanes leave one by one. */
    boolean inPartingLoop(int at) {
        for (int h = 0; h < loops.length; h++) {
            if (loops[h] == null || !loops[h].get(at)) {
                continue;
            }
            for (int p = loops[h].nextSetBit(0); p >= 0; p = loops[h].nextSetBit(p + 1)) {
                BitSet loop = loops[h];
                if (parting.get(p) && successors.get(p).stream().anyMatch(s -> !loop.get(s))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Adds the loops that lanes leave one by one for other blocks: all blocks of each, by header. */
    void partingLoops(Map<Integer, BitSet> found) {
        for (int h = 0; h < loops.length; h++) {
            BitSet loop = loops[h];
            if (loop == null || loop.stream().noneMatch(p -> parting.get(p) && successors.get(p).stream().anyMatch(s -> !loop.get(s)))) {
                continue;
            }
            BitSet blocks = found.computeIfAbsent(order[h], k -> new BitSet());
            loop.stream().forEach(p -> blocks.set(order[p]));
        }
    }

    /** Headers of the loops whose last block stands at {@code place}, inner ones first. */
    List<Integer> loopsEndingAt(int at) {
        List<Integer> headers = new ArrayList<>();
        for (int h = loops.length - 1; h >= 0; h--) {
            if (loops[h] != null && loops[h].length() - 1 == at) {
                headers.add(h);
            }
        }
        return headers;
    }
}
