package io.ptx4j.jit.scalar;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Kernel;
import io.ptx4j.jit.flow.CombinedPredicates;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Nans;
import io.ptx4j.jit.flow.Representation;

/** What all methods of one compiled kernel have in common. */
public record Context(Program program, Kernel kernel, BlockShape block, Graph graph, Nans nans, CombinedPredicates combined, LocalLayout locals, MatrixPoints matrixPoints) {
    public Context(Program program, Kernel kernel, BlockShape block, Graph graph, LocalLayout locals) {
        this(program, kernel, block, graph, new Nans(graph), new CombinedPredicates(graph), locals, new MatrixPoints());
    }

    /** How registers are held. */
    public Representation representation() {
        return graph.representation();
    }

    /** Bytes of the local window of one thread: variables in fixed places, and the stack where there is one. */
    public int localBytes() {
        return (graph.localBytes() + 15) / 16 * 16 + (graph.usesStack() ? program.stackBytes() : 0);
    }
}
