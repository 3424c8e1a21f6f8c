package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** How many vectors a kernel has in use at once. */
final class Pressure {
    private Pressure() {
    }

    /**
     * The most vectors of varying registers that are live between two instructions.
     *
     * @param left blocks that lanes run one by one
     */
    static int of(Graph graph, Liveness liveness, Forms forms, Representation representation, BitSet left) {
        int most = 0;
        for (BasicBlock block : graph.blocks()) {
            if (left.get(block.index())) {
                continue;
            }
            Set<Register> live = new HashSet<>(liveness.liveOut(block.index()));
            most = Math.max(most, vectors(live, forms, representation));
            for (Instruction i : block.instructions().reversed()) {
                if (i.guard() == null) {
                    Operands.definitions(i, live::remove);
                }
                Operands.uses(i, live::add);
                most = Math.max(most, vectors(live, forms, representation));
            }
        }
        return most;
    }

    private static int vectors(Set<Register> live, Forms forms, Representation representation) {
        return live.stream().filter(r -> !forms.of(r).scalar() && !VectorCode.isPredicate(r))
                .mapToInt(r -> Kind.of(representation.of(r)).parts(forms.group())).sum();
    }
}
