package io.ptx4j.jit.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Regions.Region;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The order in which generated code looks for waiting lanes ({@link BlockEmitter}), simulated over random control flow: several ways into a loop, several back
 * edges to a header, exits from within.
 */
final class LaneFlowTest {
    private static final int GRAPHS = Boolean.getBoolean("ptx4j.long") ? 1_000_000 : 20_000;
    private static final int SMALL_GRAPHS = GRAPHS / 4;
    private static final int LANES = 64;
    private static final int FUEL = 30;
    private static final int ENDS = -1;
    private static final Location HERE = new Location(1, 1);
    private static final Register VARYING = new Register(0, "%p0", ScalarType.PRED);
    private static final Register UNIFORM = new Register(1, "%p1", ScalarType.PRED);
    private static final Register INDEX = new Register(2, "%r2", ScalarType.named("u32"));
    private static final List<Instruction> WORK = List.of(new Instruction(Matcher.match("mov.u32").getFirst(), null,
            List.of(new Operand.Reg(INDEX, ScalarType.named("u32"), false), new Operand.Immediate(ScalarType.named("u32"), 0)), HERE));
    private static final Graph EMPTY = new Graph(List.of(), List.of(VARYING, UNIFORM, INDEX), Map.of(), 0, new int[0], new int[0], List.of(), new int[0], new BitSet(), List.of());

    /** Control flow of which every block leads to an end: the last block does nothing else. */
    private static List<BasicBlock> random(Random random, int count) {
        List<BasicBlock> blocks = new ArrayList<>();
        for (int b = 0; b < count - 1; b++) {
            boolean near = random.nextBoolean();
            int from = b;
            IntUnaryOperator target = n -> near && random.nextInt(3) > 0 ? Math.min(from + 1, count - 1) : random.nextInt(count);
            boolean varies = random.nextInt(3) > 0;
            Terminator end = switch (random.nextInt(12)) {
                case 0, 1 -> new Terminator.Jump(target.applyAsInt(0), HERE);
                case 2 -> new Terminator.Switch(varies ? INDEX : UNIFORM, IntStream.rangeClosed(0, random.nextInt(4)).map(target).boxed().toList(), HERE);
                case 3 -> new Terminator.Return(HERE);
                default -> new Terminator.Branch(varies ? VARYING : UNIFORM, false, target.applyAsInt(0), target.applyAsInt(1), false, HERE);
            };
            blocks.add(new BasicBlock(b, null, WORK, end));
        }
        blocks.add(new BasicBlock(count - 1, null, List.of(), new Terminator.Return(HERE)));
        for (int b = 0; b < count; b++) {
            if (distances(blocks)[b] == Integer.MAX_VALUE) {
                blocks.set(b, new BasicBlock(b, null, WORK, new Terminator.Branch(VARYING, false, blocks.get(b).successors().getFirst(), count - 1, false, HERE)));
            }
        }
        return blocks;
    }

    /** By block: how many further ones there are at least before the end. */
    private static int[] distances(List<BasicBlock> blocks) {
        int[] distances = new int[blocks.size()];
        Arrays.fill(distances, Integer.MAX_VALUE);
        for (boolean changed = true; changed;) {
            changed = false;
            for (BasicBlock block : blocks) {
                int next = block.successors().stream().mapToInt(s -> distances[s]).min().orElse(-1);
                if (next < Integer.MAX_VALUE && next + 1 < distances[block.index()]) {
                    distances[block.index()] = next + 1;
                    changed = true;
                }
            }
        }
        return distances;
    }

    private static LaneFlow flow(List<BasicBlock> blocks) {
        int[] none = new int[blocks.size()];
        Arrays.fill(none, -1);
        BitSet reached = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(0));
        while (!work.isEmpty()) {
            int b = work.pop();
            if (!reached.get(b)) {
                reached.set(b);
                work.addAll(blocks.get(b).successors());
            }
        }
        Region region = new Region(0, null, 0, reached.stream().boxed().toList(), List.of(), true, true);
        LaneFlow flow = new LaneFlow(EMPTY.with(blocks), new Regions(List.of(), List.of(region), none, none, none, Set.of(), false), region);
        // Less is known to vary at first, as while forms are found out.
        flow.diverge(r -> false);
        flow.diverge(r -> r != UNIFORM);
        return flow;
    }

    /** A group of lanes at the beginning of a block. */
    private static final class Lanes {
        private final LaneFlow flow;
        private final List<BasicBlock> blocks;
        private final long[] waiting;
        private int place;
        private long current;

        Lanes(LaneFlow flow, List<BasicBlock> blocks, long current) {
            this.flow = flow;
            this.blocks = blocks;
            this.waiting = new long[flow.size()];
            this.current = current;
        }

        Lanes(Lanes other) {
            this.flow = other.flow;
            this.blocks = other.blocks;
            this.waiting = other.waiting.clone();
            this.place = other.place;
            this.current = other.current;
        }

        BasicBlock block() {
            return blocks.get(flow.block(place));
        }

        boolean ended() {
            return place == ENDS;
        }

        BitSet placesOfOthers() {
            BitSet places = new BitSet();
            for (int p = 0; p < waiting.length; p++) {
                places.set(p, waiting[p] != 0);
            }
            return places;
        }

        /** Each lane that is here goes on at the block that {@code next} gives; a branch that does not vary takes all to one. */
        void step(IntUnaryOperator next) {
            Terminator end = block().terminator();
            if (end instanceof Terminator.Return) {
                leave();
            } else if (block().successors().size() == 1 && !(end instanceof Terminator.Switch) || !LaneFlow.varies(end, r -> r != UNIFORM)) {
                go(next.applyAsInt(Long.numberOfTrailingZeros(current)));
            } else if (end instanceof Terminator.Branch branch) {
                part(branch, goingTo(branch.taken(), next));
            } else {
                for (int target : block().successors()) {
                    if (!flow.drops(target)) {
                        await(flow.placeOf(target), goingTo(target, next));
                    }
                }
                behind();
            }
        }

        private long goingTo(int block, IntUnaryOperator next) {
            return IntStream.range(0, LANES).filter(l -> (current >>> l & 1) != 0 && next.applyAsInt(l) == block).mapToLong(l -> 1L << l).sum();
        }

        private void part(Terminator.Branch branch, long taken) {
            boolean takenEnds = flow.drops(branch.taken());
            if (takenEnds || flow.drops(branch.otherwise())) {
                current = takenEnds ? current & ~taken : taken;
                if (current == 0) {
                    leave();
                } else {
                    go(takenEnds ? branch.otherwise() : branch.taken());
                }
                return;
            }
            int to = flow.placeOf(branch.taken());
            int other = flow.placeOf(branch.otherwise());
            if (flow.straight(place, other, -1) && taken == 0) {
                place = other;
                return;
            }
            if (flow.straight(place, to, -1) && taken == current) {
                place = to;
                return;
            }
            await(to, taken);
            current &= ~taken;
            if (flow.straight(place, other, to)) {
                if (current == 0) {
                    behind();
                } else {
                    place = other;
                }
                return;
            }
            await(other, current);
            behind();
        }

        private void go(int block) {
            if (flow.drops(block)) {
                leave();
            } else if (flow.straight(place, flow.placeOf(block), -1)) {
                place = flow.placeOf(block);
            } else {
                await(flow.placeOf(block), current);
                behind();
            }
        }

        private void await(int at, long lanes) {
            assertTrue(flow.byMask(place) && flow.collects(at), "a mask for " + at);
            waiting[at] |= lanes;
        }

        private void leave() {
            if (flow.waiting(place).isEmpty()) {
                end();
            } else {
                behind();
            }
        }

        private void end() {
            place = ENDS;
            current = 0;
        }

        private void behind() {
            for (int at = place; at < flow.size(); at++) {
                if (at > place && take(at)) {
                    return;
                }
                for (int header : flow.loopsEndingAt(at)) {
                    if (take(header)) {
                        return;
                    }
                }
            }
            end();
        }

        private boolean take(int at) {
            if (!flow.collects(at) || waiting[at] == 0) {
                return false;
            }
            place = at;
            current = waiting[at];
            waiting[at] = 0;
            return true;
        }

        /** What tells this from other states of a few lanes. */
        List<Long> state() {
            List<Long> state = Arrays.stream(waiting).boxed().collect(Collectors.toCollection(ArrayList::new));
            state.add((long) place);
            state.add(current);
            return state;
        }
    }

    private static String text(LaneFlow flow, List<BasicBlock> blocks) {
        return blocks.stream().map(b -> b.index() + " (" + flow.placeOf(b.index()) + "): " + (b.terminator() instanceof Terminator.Return ? "" :
                LaneFlow.varies(b.terminator(), r -> r != UNIFORM) ? "varying " : "uniform ") + b.successors()).collect(Collectors.joining("\n", "\n", "\n"));
    }

    private static void checkClaims(Lanes lanes, long running, String text) {
        assertEquals(0, lanes.placesOfOthers().stream().filter(p -> !lanes.flow.waiting(lanes.place).get(p)).count(), () -> "lanes wait at "
                + lanes.placesOfOthers() + " while " + lanes.place + " runs, where " + lanes.flow.waiting(lanes.place) + " is expected" + text);
        assertTrue(lanes.flow.apart(lanes.place) || lanes.current == running, () -> "all lanes should be at " + lanes.place + text);
    }

    @Test
    void everyLaneGoesItsWay() {
        Random random = new Random(4711);
        for (int n = 0; n < GRAPHS; n++) {
            List<BasicBlock> blocks = random(random, 3 + random.nextInt(10));
            LaneFlow flow = flow(blocks);
            int[] distances = distances(blocks);
            String text = text(flow, blocks);
            int count = 2 + random.nextInt(random.nextInt(4) == 0 ? LANES - 1 : 3);
            long running = -1L >>> LANES - count;
            int[] fuel = new int[LANES];
            int[] next = new int[LANES];
            Arrays.setAll(fuel, l -> random.nextInt(FUEL));
            int turns = 0;
            Lanes lanes = new Lanes(flow, blocks, running);
            while (!lanes.ended()) {
                checkClaims(lanes, running, text);
                assertTrue(++turns < 1_000_000, () -> "lanes go round for ever" + text);
                BasicBlock block = lanes.block();
                List<Integer> ways = block.successors();
                boolean together = !LaneFlow.varies(block.terminator(), r -> r != UNIFORM);
                boolean tired = true;
                for (int l = 0; l < count; l++) {
                    if ((lanes.current >>> l & 1) != 0) {
                        assertEquals(next[l], block.index(), () -> "a lane comes to a block that it does not go to" + text);
                        tired &= fuel[l]-- <= 0;
                    }
                }
                int shortest = ways.stream().min((a, b) -> Integer.compare(distances[a], distances[b])).orElse(ENDS);
                int all = ways.isEmpty() ? ENDS : tired ? shortest : ways.get(random.nextInt(ways.size()));
                for (int l = 0; l < count; l++) {
                    if ((lanes.current >>> l & 1) != 0) {
                        next[l] = together || ways.isEmpty() ? all : fuel[l] <= 0 ? shortest : ways.get(random.nextInt(ways.size()));
                        if (next[l] == ENDS || flow.drops(next[l])) {
                            running &= ~(1L << l);
                        }
                    }
                }
                lanes.step(l -> next[l]);
            }
            assertEquals(0, running, () -> "lanes are forgotten" + text);
        }
    }

    /** Everything that three lanes may do. */
    @Test
    void lanesAreExpectedToWaitExactlyWhereTheyMay() {
        Random random = new Random(42);
        for (int n = 0; n < SMALL_GRAPHS; n++) {
            List<BasicBlock> blocks = random(random, 3 + random.nextInt(5));
            LaneFlow flow = flow(blocks);
            String text = text(flow, blocks);
            BitSet[] seen = new BitSet[flow.size()];
            Arrays.setAll(seen, p -> new BitSet());
            Set<List<Long>> known = new HashSet<>();
            Deque<Lanes> work = new ArrayDeque<>(List.of(new Lanes(flow, blocks, 7)));
            while (!work.isEmpty()) {
                Lanes lanes = work.pop();
                if (lanes.ended()) {
                    assertTrue(lanes.placesOfOthers().isEmpty(), () -> "lanes are forgotten" + text);
                    continue;
                }
                if (!known.add(lanes.state())) {
                    continue;
                }
                seen[lanes.place].or(lanes.placesOfOthers());
                checkClaims(lanes, lanes.current | Arrays.stream(lanes.waiting).reduce(0, (a, b) -> a | b), text);
                List<Integer> ways = lanes.block().successors();
                boolean varies = LaneFlow.varies(lanes.block().terminator(), r -> r != UNIFORM);
                int choices = ways.isEmpty() ? 1 : varies ? ways.size() * ways.size() * ways.size() : ways.size();
                for (int choice = 0; choice < choices; choice++) {
                    int[] next = new int[LANES];
                    for (int l = 0, rest = choice; l < 3 && !ways.isEmpty(); l++) {
                        next[l] = ways.get(rest % ways.size());
                        rest = varies ? rest / ways.size() : rest;
                    }
                    Lanes after = new Lanes(lanes);
                    after.step(l -> next[l]);
                    work.push(after);
                }
            }
            for (int p = 0; p < flow.size(); p++) {
                int place = p;
                assertEquals(seen[p], flow.waiting(p), () -> "while " + place + " runs" + text);
            }
        }
    }
}
