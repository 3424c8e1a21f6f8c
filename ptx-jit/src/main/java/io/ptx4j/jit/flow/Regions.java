package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The kernel cut at its meeting points. A region is the code that threads run through from one stop to the next; region 0
 * begins the kernel, region {@code i + 1} goes on behind meeting point {@code i}.
 *
 * <p>Code reachable from several stops belongs to several regions. Where copies would grow without bound, a shared block
 * becomes the start of a region of its own, behind a point at which threads only change regions. Before that, threads that have stopped where others mostly go on, since some were missing, stop at
 * each such point from there on, or until a loop begins: what is behind most of them has regions that are short.
 *
 * @param points in text order
 * @param regions {@code regions.get(i).index() == i}
 * @param pointOfBlock by block: the meeting point that ends it, -1 for none
 * @param pointOfEntry by block: the point that stands before it, -1 for none
 * @param pointOfSpin by block: the point at which a thread may stop that jumps back to it once more, -1 for none
 * @param polled the blocks that loops jump back to which wait for other threads rather than work
 * @param waits whether a thread may wait for those of other blocks, also where the launch has no clusters
 */
public record Regions(
        List<MeetingPoint> points, List<Region> regions, int[] pointOfBlock, int[] pointOfEntry, int[] pointOfSpin,
        Set<Integer> polled, boolean waits) {
    /**
     * @param after the point it goes on from; null for the first
     * @param start its first block
     * @param blocks in text order
     * @param stops the points at which its threads may stop, by index
     * @param ends whether a thread may end in it
     * @param passes whether threads go on in it at points where none whom they meet are missing
     */
    public record Region(int index, MeetingPoint after, int start, List<Integer> blocks, List<Integer> stops, boolean ends, boolean passes) {
    }

    /** Instructions of all regions together may be so many times the kernel's, and some more, where code that they share can be cut. */
    public static final int GROWTH = 2;
    private static final int FREE = 400;
    /** How many times the kernel's where there are few points at which threads go on behind one where they have stopped: HotSpot compiles each copy. */
    private static final int PASSING = 3;

    /** Threads stop at each meeting point, and code is cut that makes the kernel grow much. */
    public static Regions of(Graph graph, Liveness liveness, Map<Integer, SpinLoops.Reads> spins, Predicate<Register> kept) {
        return of(graph, liveness, spins, kept, i -> MeetingPoint.Stops.ALWAYS, size(graph, GROWTH));
    }

    /**
     * @param spins what {@link SpinLoops#headers} finds in the graph, which takes long where functions are called from hundreds of places
     * @param kept registers that need no saving because they can be computed again
     * @param stops where threads stop at a meeting point
     * @param most instructions that all regions together may have before code that they share is cut
     */
    public static Regions of(Graph graph, Liveness liveness, Map<Integer, SpinLoops.Reads> spins, Predicate<Register> kept, Function<Instruction, MeetingPoint.Stops> stops, int most) {
        Regions regions = build(graph, liveness, kept, stops, Set.of(), spins, point -> true);
        if (size(graph, regions.copies(graph)) > most && regions.points.stream().anyMatch(MeetingPoint::passable)) {
            regions = passing(graph, regions, most, which -> build(graph, liveness, kept, stops, Set.of(), spins, which));
        }
        Set<Integer> cuts = new HashSet<>();
        for (int before = -1; before < cuts.size() && size(graph, regions.copies(graph)) > most;) {
            before = cuts.size();
            addCuts(graph, regions.copies(graph), cuts);
            regions = build(graph, liveness, kept, stops, cuts, spins, point -> false);
        }
        return regions;
    }

    /**
     * Regions in which threads that have had to stop where others mostly go on stop at each such point, until they come to one of those that loops begin with: as many as there is room for, those
     * with little code behind them first.
     */
    private static Regions passing(Graph graph, Regions all, int most, Function<Predicate<MeetingPoint>, Regions> build) {
        Set<Integer> chosen = new HashSet<>();
        Regions regions = build.apply(point -> false);
        for (int block : first(graph, all)) {
            chosen.add(block);
            Regions more = build.apply(point -> chosen.contains(point.block()));
            if (size(graph, more.copies(graph)) <= Math.min(most, size(graph, PASSING))) {
                regions = more;
            } else {
                chosen.remove(block);
            }
        }
        return regions;
    }

    /** The blocks with the first points of loops at which threads mostly go on, those with little code behind them first, then those of outer loops. */
    private static List<Integer> first(Graph graph, Regions all) {
        Map<Integer, Integer> found = new LinkedHashMap<>();
        for (BasicBlock latch : graph.blocks()) {
            for (int header : latch.successors()) {
                if (graph.isBackEdge(latch.index(), header)) {
                    BitSet loop = SpinLoops.loop(graph, header, latch.index());
                    graph.reached(List.of(header), b -> loop.get(b) && all.pointOfBlock[b] < 0).stream()
                            .filter(b -> loop.get(b) && all.pointOfBlock[b] >= 0 && all.points.get(all.pointOfBlock[b]).passable())
                            .forEach(b -> found.merge(b, graph.loopDepth()[header], Math::min));
                }
            }
        }
        Map<Integer, Integer> behind = new HashMap<>();
        found.keySet().forEach(b -> behind.put(b, graph.reached(List.of(b), x -> true).stream().map(x -> graph.blocks().get(x).instructions().size()).sum()));
        return found.keySet().stream().sorted(Comparator.<Integer>comparingInt(behind::get).thenComparing(found::get)).toList();
    }

    /** By block: in how many regions it is. */
    private int[] copies(Graph graph) {
        int[] copies = new int[graph.blocks().size()];
        regions.forEach(region -> region.blocks.forEach(b -> copies[b]++));
        return copies;
    }

    private static int size(Graph graph, int[] copies) {
        return graph.blocks().stream().mapToInt(b -> copies[b.index()] * (b.instructions().size() + 1)).sum();
    }

    /** Instructions of {@code growth} times a graph, and some more. */
    public static int size(Graph graph, int growth) {
        return growth * graph.instructionCount() + FREE;
    }

    /** Cuts before each block that is copied more often than one of its predecessors outside the copies. */
    private static void addCuts(Graph graph, int[] copies, Set<Integer> cuts) {
        for (int b : graph.order()) {
            int block = b;
            boolean join = graph.predecessors().get(b).size() > 1
                    && graph.predecessors().get(b).stream().anyMatch(p -> copies[p] < copies[block]);
            if (copies[b] > 1 && join) {
                cuts.add(b);
            }
        }
    }

    private static Regions build(Graph graph, Liveness liveness, Predicate<Register> kept, Function<Instruction, MeetingPoint.Stops> stops,
            Set<Integer> cuts, Map<Integer, SpinLoops.Reads> spins, Predicate<MeetingPoint> passes) {
        List<MeetingPoint> points = new ArrayList<>();
        int[] pointOfBlock = new int[graph.blocks().size()];
        int[] pointOfEntry = new int[graph.blocks().size()];
        Arrays.fill(pointOfBlock, -1);
        Arrays.fill(pointOfEntry, -1);
        int[] pointOfSpin = new int[graph.blocks().size()];
        Arrays.fill(pointOfSpin, -1);
        for (BasicBlock block : graph.blocks()) {
            if (cuts.contains(block.index())) {
                pointOfEntry[block.index()] = points.size();
                points.add(new MeetingPoint(points.size(), MeetingPoint.Kind.PASS, -1, null, block.index(), line(block),
                        liveness.liveIn(block.index()).stream().filter(kept.negate()).toList(), false));
            }
            // Where code is cut a thread that polls must still give way, while one in a loop over data goes on.
            boolean polls = spins.containsKey(block.index()) && spins.get(block.index()).polls();
            if (polls || spins.containsKey(block.index()) && !cuts.contains(block.index())) {
                pointOfSpin[block.index()] = points.size();
                MeetingPoint.Kind kind = spins.get(block.index()) == SpinLoops.Reads.ASKS ? MeetingPoint.Kind.ASK : MeetingPoint.Kind.SPIN;
                points.add(new MeetingPoint(points.size(), kind, -1, null, block.index(), lastJumpTo(graph, block),
                        liveness.liveIn(block.index()).stream().filter(kept.negate()).toList(), false));
            }
            Instruction last = block.instructions().isEmpty() ? null : block.instructions().getLast();
            MeetingPoint.Kind kind = last == null ? null : MeetingPoint.kindOf(last);
            MeetingPoint.Stops where = kind == null ? MeetingPoint.Stops.NEVER : stops.apply(last);
            if (where != MeetingPoint.Stops.NEVER) {
                int next = ((Terminator.Jump) block.terminator()).target();
                Set<Register> saved = new HashSet<>(liveness.liveIn(next));
                Operands.definitions(last, saved::remove);
                saved.removeIf(kept);
                pointOfBlock[block.index()] = points.size();
                points.add(new MeetingPoint(points.size(), kind, block.index(), last, next, last.location().line(),
                        saved.stream().sorted((a, b) -> Integer.compare(a.index(), b.index())).toList(), where == MeetingPoint.Stops.WHERE_SOME_ARE_MISSING));
            }
        }
        List<Region> regions = new ArrayList<>();
        regions.add(region(graph, 0, null, 0, points, pointOfBlock, pointOfEntry, pointOfSpin, true));
        for (MeetingPoint point : points) {
            regions.add(region(graph, point.index() + 1, point, point.continuation(), points, pointOfBlock, pointOfEntry, pointOfSpin, !point.passable() || passes.test(point)));
        }
        Set<Integer> polled = spins.keySet().stream().filter(b -> spins.get(b).polls()).collect(Collectors.toSet());
        // Where only mbarriers are asked, each block can tell by itself whether its threads wait in vain.
        boolean waits = spins.values().stream().anyMatch(reads -> reads == SpinLoops.Reads.ATOMICALLY || reads == SpinLoops.Reads.POLLS)
                || spins.containsValue(SpinLoops.Reads.ASKS) && spins.containsValue(SpinLoops.Reads.DATA)
                || points.stream().anyMatch(MeetingPoint::ofCluster);
        return new Regions(points, regions, pointOfBlock, pointOfEntry, pointOfSpin, polled, waits);
    }

    private static int line(BasicBlock block) {
        return (block.instructions().isEmpty() ? block.terminator().location() : block.instructions().getFirst().location()).line();
    }

    /** Line of the last jump back to a block. */
    private static int lastJumpTo(Graph graph, BasicBlock header) {
        return graph.predecessors().get(header.index()).stream().filter(p -> p >= header.index())
                .mapToInt(p -> graph.blocks().get(p).terminator().location().line()).max().orElse(0);
    }

    /** What jumping back to a block costs at which a thread may stop, through the blocks of a loop that may wait. */
    public int costOfWaiting(int header, List<BasicBlock> loop) {
        if (!polled.contains(header)) {
            return LoopCost.ofWait(loop);
        }
        return points.get(pointOfSpin[header]).kind() == MeetingPoint.Kind.ASK ? Polls.ASKING : Polls.POLLING;
    }

    /** Whether no thread goes on in a region behind one of its blocks. */
    public boolean stopsBehind(Region region, int block) {
        return pointOfBlock[block] >= 0 && !passes(region, block);
    }

    /** Whether threads go on in a region behind one of its blocks, which ends at a meeting point, if none whom they meet are missing. */
    public boolean passes(Region region, int block) {
        return region.passes && pointOfBlock[block] >= 0 && points.get(pointOfBlock[block]).passable();
    }

    /** Whether threads may stop because a loop has run for long. */
    public boolean spins() {
        return points.stream().anyMatch(point -> point.kind().spins());
    }

    /** By region: whether threads may run through it again and again between two stops of one waiting loop. */
    public BitSet repeated() {
        BitSet behind = new BitSet();
        BitSet before = new BitSet();
        for (MeetingPoint point : points) {
            if (point.kind().spins()) {
                behind.set(point.index() + 1);
                before.set(point.index() + 1);
            }
        }
        boolean changed = !behind.isEmpty();
        while (changed) {
            int size = behind.cardinality() + before.cardinality();
            for (Region region : regions) {
                for (int stop : region.stops) {
                    if (behind.get(region.index)) {
                        behind.set(stop + 1);
                    }
                    if (before.get(stop + 1)) {
                        before.set(region.index);
                    }
                }
            }
            changed = behind.cardinality() + before.cardinality() > size;
        }
        behind.and(before);
        return behind;
    }

    private static Region region(Graph graph, int index, MeetingPoint after, int start, List<MeetingPoint> points, int[] pointOfBlock, int[] pointOfEntry,
            int[] pointOfSpin, boolean passes) {
        BitSet blocks = new BitSet();
        BitSet stops = new BitSet();
        boolean ends = false;
        List<Integer> work = new ArrayList<>();
        boolean skipsStart = after != null && after.instruction() == null;
        if (!skipsStart && pointOfEntry[start] >= 0) {
            stops.set(pointOfEntry[start]);
            return new Region(index, after, start, List.of(), stops.stream().boxed().toList(), false, passes);
        }
        blocks.set(start);
        work.add(start);
        while (!work.isEmpty()) {
            CompileTime.ask();
            int b = work.removeLast();
            if (pointOfBlock[b] >= 0) {
                stops.set(pointOfBlock[b]);
                if (!passes || !points.get(pointOfBlock[b]).passable()) {
                    continue;
                }
            }
            List<Integer> successors = graph.blocks().get(b).successors();
            ends |= successors.isEmpty();
            for (int s : successors) {
                // Code in another order than the text's jumps back elsewhere.
                if (pointOfSpin[s] >= 0) {
                    stops.set(pointOfSpin[s]);
                }
                if (pointOfEntry[s] >= 0) {
                    if (s > b || pointOfSpin[s] < 0) {
                        stops.set(pointOfEntry[s]);
                    }
                } else if (!blocks.get(s)) {
                    blocks.set(s);
                    work.add(s);
                }
            }
        }
        return new Region(index, after, start, blocks.stream().boxed().toList(), stops.stream().boxed().toList(), ends, passes);
    }

    /** Where the values saved at the points lie in a frame: a number by register, counted apart for each kind of array. */
    public record FrameLayout(Map<Register, Integer> slots, int ints, int longs, int floats, int doubles) {
    }

    /**
     * Gives each saved register a place; registers never saved at the same point may share one.
     *
     * @param common registers of which one value is kept for all threads, when all have stopped: it would come over another register's where others stop
     */
    public FrameLayout layout(Representation representation, List<List<Register>> furtherSets, Predicate<Register> common) {
        List<List<Register>> sets = new ArrayList<>();
        points.forEach(p -> sets.add(p.saved()));
        sets.addAll(furtherSets);
        Map<Register, BitSet> where = new LinkedHashMap<>();
        for (int i = 0; i < sets.size(); i++) {
            for (Register r : sets.get(i)) {
                where.computeIfAbsent(r, k -> new BitSet()).set(i);
            }
        }
        Map<Register, Integer> slots = new HashMap<>();
        Map<Representation.Held, List<BitSet>> taken = new HashMap<>();
        Map<Representation.Held, BitSet> ofCommon = new HashMap<>();
        where.forEach((register, at) -> {
            Representation.Held held = representation.of(register);
            Representation.Held pool = held == Representation.Held.WIDE ? Representation.Held.LONG : held;
            List<BitSet> used = taken.computeIfAbsent(pool, k -> new ArrayList<>());
            BitSet shared = ofCommon.computeIfAbsent(pool, k -> new BitSet());
            int slot = 0;
            while (slot < used.size() && (used.get(slot).intersects(at) || shared.get(slot) != common.test(register))) {
                slot++;
            }
            if (slot == used.size()) {
                used.add(new BitSet());
                shared.set(slot, common.test(register));
            }
            used.get(slot).or(at);
            slots.put(register, slot);
        });
        return new FrameLayout(slots, size(taken, Representation.Held.INT), size(taken, Representation.Held.LONG),
                size(taken, Representation.Held.FLOAT), size(taken, Representation.Held.DOUBLE));
    }

    private static int size(Map<Representation.Held, List<BitSet>> taken, Representation.Held held) {
        return taken.getOrDefault(held, List.of()).size();
    }
}
