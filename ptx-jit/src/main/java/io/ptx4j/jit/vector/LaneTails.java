package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Regions;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds what lanes do one after the other from a loop on until they end: one that lanes leave one by one and that mostly loads and stores where its data say, as
 * a search over a graph does. In vectors each of these accesses would go lane by lane, with all registers through the frame. What comes before the loop, such as finding out that a thread
 * has nothing to do, is done for all lanes at once.
 */
final class LaneTails {
    /** Other instructions for each access: fewer, and the accesses are most of what the loop takes. */
    private static final int OTHERS = 4;
    /** How often blocks of a loop run for each time that those around it do, as far as is known. */
    private static final int TURNS = 8;
    private static final int DEEPEST = 4;
    /** Instructions of a block before a loop that lanes had better compute one by one than hand over. */
    private static final int SHORT = 8;

    private LaneTails() {
    }

    /** Those of a kernel's region, by head; none where threads meet. */
    static Map<Integer, LaneBlocks> of(Graph graph, Regions regions, LaneFlow flow, Forms forms) {
        Map<Integer, LaneBlocks> tails = new HashMap<>();
        if (!regions.points().isEmpty()) {
            return tails;
        }
        BitSet taken = new BitSet();
        for (int p = 1; p < flow.size(); p++) {
            if (!taken.get(flow.block(p)) && flow.isLoop(p) && parts(graph, flow, forms, p)) {
                int head = before(graph, flow, flow.block(p));
                BitSet blocks = from(graph, head);
                if (!blocks.intersects(taken) && isClosed(graph, flow, head, blocks) && isScattered(graph, forms, blocks)) {
                    tails.put(head, new LaneBlocks(head, blocks.stream().boxed().toList(), LaneBlocks.END, List.of()));
                    blocks.stream().filter(b -> !flow.drops(b)).forEach(taken::set);
                }
            }
        }
        return tails;
    }

    /** The first of the blocks that lead to a loop and nowhere else: what they compute need not be handed over. */
    private static int before(Graph graph, LaneFlow flow, int header) {
        int head = header;
        while (true) {
            int first = head;
            List<Integer> outside = graph.predecessors().get(head).stream().filter(b -> flow.placeOf(b) < flow.placeOf(first)).toList();
            BasicBlock block = outside.size() == 1 ? graph.blocks().get(outside.getFirst()) : null;
            if (block == null || block.index() == 0 || !(block.terminator() instanceof Terminator.Jump) || block.instructions().size() > SHORT) {
                return head;
            }
            head = block.index();
        }
    }

    /** Whether lanes go different ways in a loop, or out of it. */
    private static boolean parts(Graph graph, LaneFlow flow, Forms forms, int header) {
        return IntStream.rangeClosed(header, flow.lastOf(header))
                .anyMatch(p -> LaneFlow.varies(graph.blocks().get(flow.block(p)).terminator(), r -> !(forms.of(r) instanceof Form.Uniform)));
    }

    private static BitSet from(Graph graph, int head) {
        BitSet reached = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(head));
        reached.set(head);
        while (!work.isEmpty()) {
            for (int next : graph.blocks().get(work.remove()).successors()) {
                if (!reached.get(next)) {
                    reached.set(next);
                    work.add(next);
                }
            }
        }
        return reached;
    }

    private static boolean isClosed(Graph graph, LaneFlow flow, int head, BitSet blocks) {
        return !blocks.get(0) && blocks.stream().allMatch(b -> b == head || flow.drops(b) || graph.predecessors().get(b).stream().allMatch(blocks::get))
                && blocks.stream().mapToObj(graph.blocks()::get).noneMatch(b -> b.instructions().stream().anyMatch(i -> MeetingPoint.kindOf(i) != null));
    }

    /** Whether accesses that go lane by lane are most of what threads do. */
    private static boolean isScattered(Graph graph, Forms forms, BitSet blocks) {
        long accesses = 0;
        long others = 0;
        for (BasicBlock block : blocks.stream().mapToObj(graph.blocks()::get).toList()) {
            long weight = (long) Math.pow(TURNS, Math.min(DEEPEST, graph.loopDepth()[block.index()]));
            for (Instruction i : block.instructions()) {
                if (goesLaneByLane(i, forms)) {
                    accesses += weight;
                } else {
                    others += weight;
                }
            }
            if (block.terminator() instanceof Terminator.Switch) {
                others += OTHERS * weight;
            }
        }
        return accesses > 0 && others <= OTHERS * accesses;
    }

    private static boolean goesLaneByLane(Instruction i, Forms forms) {
        return (i.family() == Family.MEMORY || i.family() == Family.ATOMIC) && i.operands().stream().anyMatch(o -> o instanceof Operand.Address a && goesLaneByLane(a, forms));
    }

    private static boolean goesLaneByLane(Operand.Address address, Forms forms) {
        if (address.register() == null) {
            return false;
        }
        Form form = forms.of(address.register());
        return switch (address.space()) {
            case GENERIC, GLOBAL -> !form.scalar();
            // Stacks and tables of each thread, where lanes stand at different places.
            case LOCAL -> !(form instanceof Form.Uniform) && !forms.localsInArray();
            default -> false;
        };
    }
}
