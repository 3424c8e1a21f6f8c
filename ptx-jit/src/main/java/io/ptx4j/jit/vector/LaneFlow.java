package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How the lanes of a group go through one region. Blocks stand in an order in which every loop is contiguous; lanes that leave a
 * block for a later one wait there, as bits of its mask, until the code comes to it. Behind the last block of a loop it comes to the header, behind that
 * of several loops to the header of the innermost first, and goes back if lanes wait there.
 *
 * <p>A loop is what is strongly connected, its header the block of it that comes first, and inner loops are those of what is left without the header. So every
 * edge back leads to the header of a loop around both blocks, however many ways lead into the loop.
 *
 * <p>An edge to a block that does nothing but end the thread drops lanes: nobody waits for them. Blocks are numbered by their place
 * in the order.
 */
final class LaneFlow {
    private static final int BLOCK_LIMIT = 4_000;

    private final Graph graph;
    private final Regions regions;
    private final Region region;
    /** Whether a thread may stop in the region because a loop has run for long. */
    private final boolean spins;
    private final int[] order;
    private final int[] place;
    /** By place: places of the successors, without dropping edges. */
    private final List<List<Integer>> successors = new ArrayList<>();
    private final List<List<Integer>> predecessors = new ArrayList<>();
    /** By place of a loop's header: the place of its last block; -1 elsewhere. */
    private final int[] last;
    private int placed;
    private final BitSet[] waiting;
    private final BitSet parting = new BitSet();
    private final Map<Integer, LaneBlocks> laneBlocks;
    /** Registers that threads have when the region begins and that it does not write; null until somebody asks. */
    private Set<Register> unchanged;

    LaneFlow(Graph graph, Regions regions, Region region) {
        this(graph, regions, region, Map.of());
    }

    /** @param laneBlocks what lanes do one by one, by the block with which it begins: none of its blocks but that have a place */
    LaneFlow(Graph graph, Regions regions, Region region, Map<Integer, LaneBlocks> laneBlocks) {
        this.laneBlocks = laneBlocks;
        this.graph = graph;
        this.regions = regions;
        this.region = region;
        this.spins = region.blocks().stream().anyMatch(b -> regions.pointOfSpin()[b] >= 0);
        if (region.blocks().size() > BLOCK_LIMIT) {
            throw new NotVectorizable("more than " + BLOCK_LIMIT + " basic blocks between two barriers");
        }
        this.place = new int[graph.blocks().size()];
        Arrays.fill(place, -1);
        int[] first = reversePostOrder(region);
        number(first);
        this.order = new int[first.length];
        this.last = new int[first.length];
        Arrays.fill(last, -1);
        BitSet all = new BitSet();
        all.set(0, first.length);
        arrange(all, first);
        number(order);
        this.waiting = new BitSet[order.length];
        Arrays.setAll(waiting, p -> new BitSet());
    }

    /** Whether a block is reached from the one before it alone, which goes nowhere else: two parts of a block that was cut. */
    boolean continues(int place) {
        return place > 0 && laneBlocks(place) == null && laneBlocks(place - 1) == null && regions.pointOfBlock()[block(place - 1)] < 0 && predecessors.get(place).equals(List.of(place - 1))
                && graph.blocks().get(block(place - 1)).terminator() instanceof Terminator.Jump
                && straight(place - 1, place, -1) && !collects(place);
    }

    /**
     * Of the registers whose values outlive a stop of this region, those that it may have changed: the frame has the others from the stop before, since
     * all lanes of a group that have not ended stop at one point.
     */
    List<Register> changed(MeetingPoint stop) {
        if (splits()) {
            // Lanes that have stopped before may have left something else in the same place.
            return stop.saved();
        }
        if (unchanged == null) {
            unchanged = new HashSet<>(region.after() == null ? List.of() : region.after().saved());
            region.blocks().forEach(b -> graph.blocks().get(b).instructions().forEach(i -> Operands.definitions(i, unchanged::remove)));
        }
        return stop.saved().stream().filter(r -> !unchanged.contains(r)).toList();
    }

    /**
     * Registers with a place in the frame that is theirs all through the region, of those that outlive the stop at which it begins or one at which it ends. Others
     * share theirs with a register that may have a value at the same time.
     *
     * @param slots by register: its place, counted apart for each kind
     */
    Set<Register> alone(Map<Register, Integer> slots, Representation representation) {
        Set<Register> saved = new LinkedHashSet<>(region.after() == null ? List.of() : region.after().saved());
        region.stops().forEach(stop -> saved.addAll(regions.points().get(stop).saved()));
        Map<List<Object>, List<Register>> byPlace = new LinkedHashMap<>();
        saved.forEach(r -> byPlace.computeIfAbsent(List.of(Kind.of(representation.of(r)), slots.get(r)), k -> new ArrayList<>(1)).add(r));
        return byPlace.values().stream().filter(of -> of.size() == 1).map(List::getFirst).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Successors in the region of a block that is no stop; dropping edges left out. */
    private List<Integer> targets(int block) {
        if (stopsBehind(block)) {
            return List.of();
        }
        LaneBlocks lanes = laneBlocks.get(block);
        if (lanes != null) {
            return lanes.ends() ? List.of() : List.of(lanes.next());
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

    /**
     * Gives the next places to blocks, loops whole.
     *
     * @param rest numbers in reverse post-order of the blocks that have no place yet, all of the region's or all of a loop's but its header
     */
    private void arrange(BitSet rest, int[] first) {
        while (!rest.isEmpty()) {
            int next = rest.nextSetBit(0);
            BitSet loop = leadingTo(next, rest);
            int at = placed++;
            order[at] = first[next];
            rest.clear(next);
            if (loop.get(next)) {
                loop.clear(next);
                rest.andNot(loop);
                arrange(loop, first);
                last[at] = placed - 1;
            }
        }
    }

    /** The blocks of {@code among} from which a way within it leads to {@code block}; to the first in reverse post-order none does but in a loop. */
    private BitSet leadingTo(int block, BitSet among) {
        BitSet found = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(predecessors.get(block));
        while (!work.isEmpty()) {
            CompileTime.ask();
            int n = work.pop();
            if (among.get(n) && !found.get(n)) {
                found.set(n);
                work.addAll(predecessors.get(n));
            }
        }
        return found;
    }

    /**
     * Finds where lanes part and wait, from the predicates that differ by lane: any two lanes of a group are followed, since others change nothing about
     * which of the two the code comes to first. Those found before are kept.
     */
    void diverge(Predicate<Register> varying) {
        Deque<int[]> found = new ArrayDeque<>();
        for (int p = 0; p < order.length; p++) {
            Terminator end = graph.blocks().get(order[p]).terminator();
            if (laneBlocks(p) == null && !parting.get(p) && successors.get(p).size() > (end instanceof Terminator.Switch ? 0 : 1) && varies(end, varying)) {
                parting.set(p);
                for (int one : successors.get(p)) {
                    for (int other : successors.get(p)) {
                        await(p, one, other, found);
                    }
                }
            }
        }
        while (!found.isEmpty()) {
            CompileTime.ask();
            int[] pair = found.pop();
            successors.get(pair[0]).forEach(next -> await(pair[0], next, pair[1], found));
        }
    }

    /** Behind {@code from}, one lane is bound for {@code one} and one for {@code other}. */
    private void await(int from, int one, int other, Deque<int[]> found) {
        boolean oneFirst = turn(from, one) < turn(from, other);
        int runs = oneFirst ? one : other;
        int waits = oneFirst ? other : one;
        if (runs != waits && !waiting[runs].get(waits)) {
            waiting[runs].set(waits);
            found.push(new int[] {runs, waits});
        }
    }

    /** When code that goes on behind {@code from} comes to {@code to}: before all places with greater numbers. */
    private int turn(int from, int to) {
        int each = order.length + 1;
        return to > from ? to * each : last[to] * each + order.length - to;
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

    int size() {
        return order.length;
    }

    /** The points of waiting loops at which lanes may stop behind the block at {@code place}, those too that wait at the header of a loop that ends there. */
    Set<Integer> spins(int place) {
        Set<Integer> points = new LinkedHashSet<>();
        successors.get(place).forEach(to -> points.add(spinAt(place, to)));
        loopsEndingAt(place).forEach(header -> points.add(spinOf(header)));
        points.remove(-1);
        return points;
    }

    /** Whether no lane goes on here behind a block. */
    boolean stopsBehind(int block) {
        return regions.stopsBehind(region, block);
    }

    /** Whether lanes go on here behind a block that ends at a meeting point, if none whom they meet are missing. */
    boolean passes(int block) {
        return regions.passes(region, block);
    }

    /** Index of the region. */
    int region() {
        return region.index();
    }

    /** The point at which lanes may stop that go from one block back to another, here or in the text; -1 for none. */
    int spinAt(int from, int to) {
        return to <= from || order[to] <= order[from] ? regions.pointOfSpin()[order[to]] : -1;
    }

    /** Whether some lanes may stop while others of the group go on. */
    boolean splits() {
        return IntStream.range(0, order.length).anyMatch(p -> spins && splitsAt(p) || stopsApart(p));
    }

    private boolean splitsAt(int place) {
        return byMask(place) && successors.get(place).stream().anyMatch(to -> spinAt(place, to) >= 0);
    }

    /** Whether lanes may stop at the instruction that ends the block at {@code place} while others of the group are elsewhere. */
    private boolean stopsApart(int place) {
        return regions.pointOfBlock()[block(place)] >= 0 && apart(place);
    }

    /** Index in the graph of the blocks behind which lanes go different ways. */
    List<Integer> partings() {
        return parting.stream().mapToObj(p -> order[p]).toList();
    }

    /** The places to which lanes may come when others of the group have stopped. */
    BitSet behindSplits() {
        BitSet behind = new BitSet();
        int first = spins ? IntStream.range(0, order.length).filter(this::splitsAt).findFirst().orElse(order.length) : order.length;
        behind.set(first, order.length);
        IntStream.range(0, order.length).filter(this::stopsApart).forEach(p -> behind.or(waiting(p)));
        List<Integer> work = new ArrayList<>(behind.stream().boxed().toList());
        while (!work.isEmpty()) {
            for (int to : successors.get(work.removeLast())) {
                if (!behind.get(to)) {
                    behind.set(to);
                    work.add(to);
                }
            }
        }
        return behind;
    }

    /** The point at which lanes may stop that have come back to a loop's header in the text; -1 for none. */
    int spinOf(int header) {
        return predecessors.get(header).stream().mapToInt(p -> spinAt(p, header)).max().orElse(-1);
    }

    /** Index in the graph of the block at {@code place}. */
    int block(int place) {
        return order[place];
    }

    /** What lanes do one by one from the block at {@code place} on; null if they go on together. */
    LaneBlocks laneBlocks(int place) {
        return laneBlocks.get(order[place]);
    }

    /** What lanes do together in the block at {@code place}. */
    List<Instruction> instructions(int place) {
        return laneBlocks(place) != null ? List.of() : graph.blocks().get(order[place]).instructions();
    }

    /** Registers that lanes may change in the block at {@code place}. */
    void definitions(int place, Consumer<Register> each) {
        if (laneBlocks(place) != null) {
            laneBlocks(place).results().forEach(each);
        } else {
            instructions(place).forEach(i -> Operands.definitions(i, each));
        }
    }

    int placeOf(int block) {
        return place[block];
    }

    /** Whether other lanes of the group may be elsewhere while this block runs. */
    boolean apart(int place) {
        return !waiting[place].isEmpty();
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
        return (joining < 0 || turn(from, joining) > turn(from, to)) && waiting[from].stream().allMatch(w -> turn(from, w) > turn(from, to));
    }

    /** Whether lanes may wait at the block. */
    boolean collects(int place) {
        return predecessors.get(place).stream().anyMatch(p -> awaits(p, place));
    }

    /** Whether lanes that go from one block to another may wait there until the code comes to it. */
    private boolean awaits(int from, int to) {
        if (!parting.get(from)) {
            return !straight(from, to, -1);
        }
        return !(graph.blocks().get(block(from)).terminator() instanceof Terminator.Branch b) || placeOf(b.taken()) == to || !straight(from, to, placeOf(b.taken()));
    }

    List<Integer> successors(int place) {
        return successors.get(place);
    }

    List<Integer> predecessors(int place) {
        return predecessors.get(place);
    }

    /** Place of the last block of the loop whose header stands at {@code place}. */
    int lastOf(int place) {
        return last[place];
    }

    boolean isLoop(int place) {
        return last[place] >= 0;
    }

    /** Whether the block at {@code place} lies in a loop that lanes leave one by one. */
    boolean inPartingLoop(int at) {
        return IntStream.rangeClosed(0, at).anyMatch(header -> last[header] >= at && leftOneByOne(header));
    }

    private boolean leftOneByOne(int header) {
        return parting.get(header, last[header] + 1).stream()
                .anyMatch(p -> successors.get(header + p).stream().anyMatch(s -> s < header || s > last[header]));
    }

    /** Whether lanes part in a loop at a branch at which, in the same region, those of {@code other} do not. */
    boolean partsInLoopsUnlike(LaneFlow other) {
        return parting.stream().anyMatch(p -> !other.parting.get(p) && IntStream.rangeClosed(0, p).anyMatch(header -> last[header] >= p));
    }

    /** Adds the loops that lanes leave one by one for other blocks: all blocks of each, by header. */
    void partingLoops(Map<Integer, BitSet> found) {
        for (int h = 0; h < last.length; h++) {
            if (isLoop(h) && leftOneByOne(h)) {
                BitSet blocks = found.computeIfAbsent(order[h], k -> new BitSet());
                IntStream.rangeClosed(h, last[h]).forEach(p -> blocks.set(order[p]));
            }
        }
    }

    /** Headers of the loops whose last block stands at {@code place}, inner ones first. */
    List<Integer> loopsEndingAt(int at) {
        return IntStream.rangeClosed(0, at).map(n -> at - n).filter(header -> last[header] == at).boxed().toList();
    }
}
