package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Representation;

import java.util.Arrays;
import java.util.BitSet;

/** How many vectors a kernel has in use at once. */
final class Pressure {
    private Pressure() {
    }

    /**
     * The most vectors of varying registers that are live between two instructions.
     *
     * @param left blocks that lanes run one by one
     */
    static int of(Graph graph, Forms forms, BitSet left) {
        return graph.blocks().stream().filter(block -> !left.get(block.index()))
                .flatMapToInt(block -> Arrays.stream(graph.liveness().live(block, r -> vectors(r, forms, graph.representation())))).max().orElse(0);
    }

    private static int vectors(Register register, Forms forms, Representation representation) {
        return forms.of(register).scalar() || VectorCode.isPredicate(register) || forms.isOfMatrix(register) ? 0 : Kind.of(representation.of(register)).parts(forms.group());
    }
}
