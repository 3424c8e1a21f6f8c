package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.flow.Operands;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What pieces of a region mean for HotSpot's first compiler ({@link io.ptx4j.jit.code.Code#load}): their code, and vectors taken from the frame and left there.
 */
final class Load {
    /** What a piece may be expected to have. */
    static final int MOST = 1_150;
    /** What a piece may have in fact. */
    static final int TAKEN = 1_260;
    /** Methods inlined to load a vector from an array of the frame, and to store it there. */
    static final int RESTORE = 15;
    static final int SAVE = 9;
    /** The same for what lanes take along from a loop: to where {@link LoopResults} has it, with that of lanes that leave, and back. */
    private static final int RESULT = 2 * RESTORE + 2 * SAVE;

    private final VectorShape shape;
    private final LaneFlow flow;
    private final int[] code;
    /** By place: vectors in registers that the block names, and those that it writes. */
    private final List<Set<Register>> named = new ArrayList<>();
    private final List<Set<Register>> written = new ArrayList<>();
    /** By place: registers that lanes take along from a loop. */
    private final List<Set<Register>> results = new ArrayList<>();
    /** At how many places a register is live. */
    private final Map<Register, Integer> live = new HashMap<>();

    /** @param code loads of the blocks' code, by place */
    Load(VectorShape shape, LaneFlow flow, int[] code) {
        this.shape = shape;
        this.flow = flow;
        this.code = code;
        for (int p = 0; p < flow.size(); p++) {
            Set<Register> names = new LinkedHashSet<>();
            Set<Register> writes = new LinkedHashSet<>();
            Set<Register> leaving = new LinkedHashSet<>();
            int place = p;
            for (Instruction i : flow.instructions(p)) {
                if (!shape.isHoisted(i)) {
                    Operands.uses(i, names::add);
                    Operands.definitions(i, writes::add);
                    if (i.opcode() == Opcode.MOV && i.guard() != null) {
                        Operands.definitions(i, r -> {
                            if (shape.forms.keepsOthers(r, flow, place) && !VectorCode.isPredicate(r)) {
                                leaving.add(r);
                            }
                        });
                    }
                }
            }
            if (flow.laneBlocks(p) instanceof LaneBlocks lanes) {
                names.addAll(lanes.path(shape).needed());
                writes.addAll(lanes.results());
            }
            names.addAll(writes);
            names.removeIf(r -> VectorCode.isPredicate(r) || shape.forms.of(r).scalar() || shape.forms.isOfMatrix(r));
            named.add(names);
            written.add(writes);
            results.add(leaving);
            liveIn(p).forEach(r -> live.merge(r, 1, Integer::sum));
        }
    }

    private Collection<Register> liveIn(int place) {
        return shape.liveness.liveIn(flow.block(place));
    }

    /** The load of a piece that begins at {@code low} and ends before {@code high}, if nobody enters it elsewhere. */
    int of(int low, int high) {
        int sum = 0;
        Set<Register> names = new HashSet<>();
        Set<Register> writes = new HashSet<>();
        Set<Register> leaving = new HashSet<>();
        Map<Register, Integer> inside = new HashMap<>();
        for (int p = low; p < high; p++) {
            sum += code[p];
            names.addAll(named.get(p));
            writes.addAll(written.get(p));
            leaving.addAll(results.get(p));
            if (p > low) {
                liveIn(p).forEach(r -> inside.merge(r, 1, Integer::sum));
            }
        }
        Set<Register> entering = new HashSet<>(liveIn(low));
        for (Register r : names) {
            boolean saved = writes.contains(r) && live.getOrDefault(r, 0) > inside.getOrDefault(r, 0);
            int moves = (saved ? SAVE : 0) + (saved || entering.contains(r) ? RESTORE : 0) + (leaving.contains(r) ? RESULT : 0);
            sum += moves * Kind.of(shape.context.representation().of(r)).parts(shape.group);
        }
        return sum;
    }
}
