package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.flow.Graph;
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
 * the spot ({@link WarpVectors}), and no region ends there.
 */
final class Together {
    private Together() {
    }

    /** All that may be such; instructions count as different where they stand at different places. */
    static Set<Instruction> candidates(Graph graph, Group group) {
        Set<Instruction> candidates = Collections.newSetFromMap(new IdentityHashMap<>());
        if (group.holdsWarps()) {
            graph.blocks().forEach(b -> b.instructions().stream().filter(i -> WarpVectors.isWarpOperation(i) && (group.lanes() == Group.WARP || !MatrixVectors.isOfWarp(i))).forEach(candidates::add));
        }
        return candidates;
    }

    /**
     * Of {@code together} those at which threads must stop after all. Lanes that have stopped in a waiting loop may be missing anywhere behind it.
     *
     * @param flows how the lanes of one warp go
     * @param context null to take for granted that all have code
     */
    static Set<Instruction> apart(Graph graph, Set<Instruction> together, List<LaneFlow> flows, Forms forms, Context context) {
        Set<Instruction> apart = Collections.newSetFromMap(new IdentityHashMap<>());
        for (LaneFlow flow : flows) {
            NamedLanes named = new NamedLanes(graph, flow, forms);
            BitSet behind = flow.behindSplits();
            for (int p = 0; p < flow.size(); p++) {
                BasicBlock block = graph.blocks().get(flow.block(p));
                for (Instruction i : block.instructions()) {
                    if (together.contains(i) && (behind.get(p) || flow.apart(p) && !named.are(i, p) || !oneMask(i, forms) || context != null && !hasCode(i, forms, context))) {
                        apart.add(i);
                    }
                }
            }
        }
        return apart;
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
