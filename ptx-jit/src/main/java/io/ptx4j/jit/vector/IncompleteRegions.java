package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.PointKind;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The regions that may run for some lanes of a warp while others stand elsewhere, because they have stopped where lanes had parted or with other member masks. */
final class IncompleteRegions {
    private final Graph graph;

    private IncompleteRegions(Graph graph) {
        this.graph = graph;
    }

    /** Their numbers. */
    static BitSet of(Graph graph, Regions regions, List<LaneFlow> flows, Forms forms) {
        return new IncompleteRegions(graph).find(regions, flows, forms);
    }

    private BitSet find(Regions regions, List<LaneFlow> flows, Forms forms) {
        Set<Integer> partings = new HashSet<>();
        flows.stream().filter(LaneFlow::splits).forEach(flow -> partings.addAll(flow.partings()));
        BitSet differing = new BitSet();
        regions.points().stream().filter(point -> mayDiffer(point, graph, flows, forms)).forEach(point -> {
            differing.set(point.index());
            partings.add(point.block());
        });
        Map<Integer, Boolean> forAll = new HashMap<>();
        BitSet incomplete = new BitSet();
        for (int before = -1; before < incomplete.cardinality();) {
            before = incomplete.cardinality();
            for (LaneFlow flow : flows) {
                boolean some = incomplete.get(flow.region());
                for (int p = 0; p < flow.size(); p++) {
                    int point = regions.pointOfBlock()[flow.block(p)];
                    if (point >= 0 && (some || flow.apart(p) || differing.get(point)) && !forAll.computeIfAbsent(point, x -> isForAll(regions.points().get(x), partings, forms))) {
                        incomplete.set(point + 1);
                    }
                    if (some || flow.byMask(p)) {
                        flow.spins(p).forEach(spin -> incomplete.set(spin + 1));
                    }
                }
            }
        }
        return incomplete;
    }

    /**
     * Whether all threads of a warp that have not ended stand at that very point when they go on, with the same in what is one for all of them: wherever they part, they come there before they can meet anywhere else,
     * and cannot come there from another turn of a loop than others.
     *
     * @param partings blocks behind which threads go different ways
     */
    private boolean isForAll(MeetingPoint meeting, Set<Integer> partings, Forms forms) {
        Point point = MeetingPoints.describe(meeting, meeting.index() + 1);
        Operand mask = MeetingPoints.mask(meeting.instruction());
        boolean ofAll = point.kind() == PointKind.CLUSTER_WAIT || (point.kind().ofBlock() ? MeetingPoints.isForBlock(meeting.instruction()) : mask != null && WarpVectors.ofAll(mask));
        if (!ofAll) {
            return false;
        }
        BitSet before = new BitSet();
        for (int parting : partings) {
            BitSet reached = graph.reached(graph.blocks().get(parting).successors(), b -> b != meeting.block());
            boolean elsewhere = reached.get(meeting.block()) && reached.stream().anyMatch(b -> b != meeting.block() && mayMeet(graph.blocks().get(b), meeting));
            if (elsewhere || reached.get(meeting.block()) && mayDisagree(meeting, reached, forms)) {
                return false;
            }
            if (reached.get(parting)) {
                before.set(parting);
            }
        }
        return !before.intersects(graph.reached(graph.blocks().get(meeting.block()).successors(), b -> true));
    }

    /** Whether threads may come to a point with different values in a register that has one for all of a group: some of them have stopped on their way, where what they wrote was one for them alone. */
    private boolean mayDisagree(MeetingPoint meeting, BitSet reached, Forms forms) {
        Set<Register> written = new HashSet<>();
        reached.stream().filter(b -> b != meeting.block()).forEach(b -> graph.blocks().get(b).instructions().forEach(i -> Operands.definitions(i, written::add)));
        for (Instruction i : graph.blocks().get(meeting.block()).instructions()) {
            boolean theirs = i.guard() != null || Operands.reads(i, written::contains);
            Operands.definitions(i, r -> {
                if (theirs) {
                    written.add(r);
                } else {
                    written.remove(r);
                }
            });
        }
        return meeting.saved().stream().anyMatch(r -> written.contains(r) && forms.of(r).scalar());
    }

    /** Whether threads at the end of a block may meet those at a point. */
    private static boolean mayMeet(BasicBlock block, MeetingPoint meeting) {
        Instruction last = block.instructions().isEmpty() ? null : block.instructions().getLast();
        return last != null && MeetingPoint.kindOf(last) == meeting.kind()
                && (meeting.kind() == MeetingPoint.Kind.BLOCK || last.spelling().text().equals(meeting.instruction().spelling().text()));
    }

    /** Whether the lanes of a group may stop with several member masks: threads meet by the value of these. */
    static boolean mayDiffer(MeetingPoint point, Graph graph, List<LaneFlow> flows, Forms forms) {
        Operand mask = point.instruction() == null ? null : MeetingPoints.mask(point.instruction());
        return mask instanceof Operand.Reg reg && !(forms.of(mask) instanceof Form.Uniform) && !isGivenToAll(reg.register(), graph, flows, forms);
    }

    /** Whether only {@code activemask}, votes and moves of uniform values write a register, all where lanes have not parted. */
    private static boolean isGivenToAll(Register mask, Graph graph, List<LaneFlow> flows, Forms forms) {
        for (LaneFlow flow : flows) {
            for (int p = 0; p < flow.size(); p++) {
                for (Instruction i : graph.blocks().get(flow.block(p)).instructions()) {
                    boolean same = i.opcode() == Opcode.ACTIVEMASK || i.opcode() == Opcode.VOTE
                            || i.opcode() == Opcode.MOV && forms.uniformSources(i);
                    if (Operands.writes(i, mask::equals) && (!same || i.guard() != null || flow.apart(p))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
