package io.ptx4j.jit.coarse;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;

/**
 * A kernel for blocks of one shape as one for blocks of one warp.
 *
 * @param graph the kernel; its instructions say at which {@link Steps} they are
 * @param warps of the block as the text has it: lane {@code l} does what threads {@code l}, {@code l + 32}, ... do
 * @param steps how often warps went from barrier to barrier
 * @param sharedBytes shared memory that a block has to have
 */
public record Coarsening(Graph graph, int warps, int steps, long sharedBytes) {
    public static final BlockShape BLOCK = new BlockShape(BlockShape.WARP, 1, 1);
    /** Instructions of a kernel: what more would become is longer than it is worth. */
    private static final int MOST = 500;

    /** Null for a kernel that stays as it is. */
    public static Coarsening of(Graph graph, Kernel kernel, BlockShape block) {
        boolean whole = block.threads() % BlockShape.WARP == 0 && block.threads() <= BlockShape.MOST_THREADS && graph.localBytes() == 0 && !graph.usesStack() && !graph.hasSums()
                && graph.lastLine() < Steps.LINES && graph.instructionCount() <= MOST;
        if (!whole || !Operands.any(graph.blocks(), Coarsening::accessesShared) || Operands.any(graph.blocks(), i -> !Unfolding.mayStand(i))) {
            return null;
        }
        try {
            return new Unfolding(graph, kernel, block).unfold();
        } catch (NotCoarse reason) {
            return null;
        }
    }

    /** Whether it does without branches: nothing is left to decide that other numbers do than those of threads. */
    public boolean isStraight() {
        return graph.blocks().stream().allMatch(b -> b.successors().size() < 2);
    }

    /** How often lanes take words of other lanes. */
    public long exchanges() {
        return graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.opcode() == Opcode.SHFL).count();
    }

    private static boolean accessesShared(Instruction i) {
        return i.family() == Family.MEMORY && i.spelling().space() == StateSpace.SHARED;
    }
}
