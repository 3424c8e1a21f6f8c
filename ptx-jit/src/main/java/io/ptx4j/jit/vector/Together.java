package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.MeetingPoint.Stops;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.PointKind;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the warp operations to which all threads of a warp that have not ended come together, or all that the member mask names, with one member mask or one for each tile of the warp: they are done on
 * the spot ({@link WarpVectors}), and no region ends there. To others threads mostly come with all whom they meet, and stop only where some are missing.
 *
 * <p>Of a warp operation it holds at first that no thread stops; each {@link #part} takes back what does not. Instructions count as different where they stand at different places.
 */
final class Together {
    private final Graph graph;
    private final Group group;
    private final UpdateOrder order;
    private final Set<Instruction> all = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Instruction> mostly = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Whether threads may go on where they have come with all whom they meet. */
    private boolean mayPass;

    Together(Graph graph, Group group) {
        this.graph = graph;
        this.group = group;
        this.order = UpdateOrder.of(graph);
        this.mayPass = group.warps() == 1;
        if (group.holdsWarps()) {
            graph.blocks().forEach(b -> b.instructions().stream().filter(i -> WarpVectors.isWarpOperation(i) && (group.lanes() == Group.WARP || !MatrixVectors.isOfWarp(i))).forEach(all::add));
        }
    }

    /** Operations at which no thread stops. */
    Set<Instruction> all() {
        return all;
    }

    Stops stops(Instruction i) {
        return all.contains(i) ? Stops.NEVER : mostly.contains(i) ? Stops.WHERE_SOME_ARE_MISSING : Stops.ALWAYS;
    }

    /** Whether at some operations threads stop where some are missing. */
    boolean mayPass() {
        return !mostly.isEmpty();
    }

    /** At all such operations they stop always: too much code would have to be copied behind them. */
    void passNowhere() {
        mayPass = false;
        mostly.clear();
    }

    /**
     * Finds where threads must stop after all; whether that is anywhere it was not known. Lanes that have stopped may be missing anywhere behind.
     *
     * @param flows how the lanes of one warp go
     * @param context null to take for granted that all have code
     */
    boolean part(Regions regions, List<LaneFlow> flows, Forms forms, Context context) {
        BitSet incomplete = incomplete(regions, flows, forms);
        boolean found = false;
        for (LaneFlow flow : flows) {
            NamedLanes named = new NamedLanes(graph, flow, forms);
            BitSet behind = flow.behindSplits();
            for (int p = 0; p < flow.size(); p++) {
                BasicBlock block = graph.blocks().get(flow.block(p));
                boolean missing = behind.get(p) || incomplete.get(flow.region());
                for (Instruction i : block.instructions()) {
                    if (stops(i) == Stops.ALWAYS) {
                        continue;
                    }
                    boolean done = oneMask(i, forms) && (context == null || hasCode(i, forms, context));
                    boolean here = !missing && (!flow.apart(p) || named.are(i, p) && !order.showsBehind(graph, block.index()));
                    if (all.contains(i) && !(done && here)) {
                        all.remove(i);
                        found = true;
                        if (mayPass && MeetingPoints.mask(i) != null && !MatrixVectors.isOfWarp(i)) {
                            mostly.add(i);
                        }
                    }
                    if (mostly.contains(i) && !done) {
                        mostly.remove(i);
                        found = true;
                    }
                }
            }
        }
        return found;
    }

    /** The regions that may run for some lanes of a warp while others stand elsewhere. */
    private BitSet incomplete(Regions regions, List<LaneFlow> flows, Forms forms) {
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
                    if (point >= 0 && (some || flow.apart(p) || differing.get(point)) && !forAll.computeIfAbsent(point, x -> isForAll(regions.points().get(x), partings))) {
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
    private boolean isForAll(MeetingPoint meeting, Set<Integer> partings) {
        Point point = MeetingPoints.describe(meeting, meeting.index() + 1);
        Operand mask = MeetingPoints.mask(meeting.instruction());
        if (point.kind().ofBlock() ? point.kind() == PointKind.BARRIER_ARRIVE || point.count() >= 0 : mask == null || !WarpVectors.ofAll(mask)) {
            return false;
        }
        Set<Integer> before = new HashSet<>();
        for (int parting : partings) {
            Set<Integer> reached = reach(graph.blocks().get(parting).successors(), meeting.block());
            if (reached.contains(meeting.block()) && reached.stream().anyMatch(b -> b != meeting.block() && mayMeet(graph.blocks().get(b), meeting))) {
                return false;
            }
            if (reached.contains(parting)) {
                before.add(parting);
            }
        }
        return Collections.disjoint(before, reach(graph.blocks().get(meeting.block()).successors(), -1));
    }

    /** The blocks to which threads come from some, these too, without those behind {@code last}. */
    private Set<Integer> reach(List<Integer> from, int last) {
        Set<Integer> reached = new HashSet<>();
        Deque<Integer> work = new ArrayDeque<>(from);
        while (!work.isEmpty()) {
            CompileTime.ask();
            int b = work.pop();
            if (reached.add(b) && b != last) {
                work.addAll(graph.blocks().get(b).successors());
            }
        }
        return reached;
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

    /** Whether all threads of a warp that have not ended stand at that very point when they go on. */
    private boolean isForAll(MeetingPoint meeting) {
        Point point = MeetingPoints.describe(meeting, meeting.index() + 1);
        if (point.kind().ofBlock()) {
            return point.kind() != PointKind.BARRIER_ARRIVE && point.count() < 0 && onlyOne(meeting, false);
        }
        Operand mask = MeetingPoints.mask(meeting.instruction());
        return mask != null && WarpVectors.ofAll(mask) && onlyOne(meeting, true);
    }

    /** Whether threads at no other instruction may meet those at one. */
    private boolean onlyOne(MeetingPoint meeting, boolean ofWarp) {
        return graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> MeetingPoint.kindOf(i) == meeting.kind()
                && (!ofWarp || i.spelling().text().equals(meeting.instruction().spelling().text()))).count() == 1;
    }

    private static boolean oneMask(Instruction i, Forms forms) {
        Operand mask = MeetingPoints.mask(i);
        // A mask that lacks lanes of one warp must not end the other's way.
        return mask == null || (forms.group().warps() > 1 ? WarpVectors.ofAll(mask) : !WarpVectors.hasMasks(forms, i) || WarpVectors.takesMasks(i));
    }

    /** Finds out by trying, in a method that nobody loads. */
    private static boolean hasCode(Instruction i, Forms forms, Context context) {
        Code code = ClassCode.probe().staticMethod("probe",
                "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;IJ)V");
        ThreadCode c = new ThreadCode(context, code, code.parameter(0, JvmType.REFERENCE), code.parameter(1, JvmType.REFERENCE),
                code.parameter(2, JvmType.INT));
        VectorCode probe = new VectorCode(c, forms.group(), forms);
        probe.lanes(code.parameter(3, JvmType.LONG), r -> false);
        try {
            WarpVectors.emit(probe, i, new LaneMethods(ClassCode.probe()));
            return true;
        } catch (NoCode none) {
            return false;
        }
    }
}
