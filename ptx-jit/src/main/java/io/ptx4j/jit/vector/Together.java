package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.MeetingPoint.Stops;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;

import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
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
    /** Null until it is asked for. */
    private UpdateOrder order;
    private final Set<Instruction> all = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Instruction> mostly = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Whether threads may go on where they have come with all whom they meet. */
    private boolean mayPass;

    Together(Graph graph, Group group) {
        this.graph = graph;
        this.group = group;
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

    /** Whether there are operations at which threads stop where some are missing, and pass where none are. */
    boolean somePass() {
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
        BitSet incomplete = IncompleteRegions.of(graph, regions, flows, forms);
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
                    boolean here = !missing && (!flow.apart(p) || named.are(i, p) && !showsBehind(block));
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

    /** Whether threads show the order in which they come to what lies behind a block. */
    private boolean showsBehind(BasicBlock block) {
        order = order == null ? UpdateOrder.of(graph) : order;
        return order.showsBehind(graph, block.index());
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
