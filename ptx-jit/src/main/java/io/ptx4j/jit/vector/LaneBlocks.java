package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.scalar.ThreadPath;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Blocks that lanes go through one after the other, as threads of the scalar shape. To the others they are one block, the first.
 *
 * @param head block with which they begin; no way leads to another of the blocks but by this one
 * @param blocks all of them, in text order, with those that only end the thread
 * @param next the block at which lanes are together again, or {@link #END}
 * @param results registers that lanes may change and that are read from there on
 */
record LaneBlocks(int head, List<Integer> blocks, int next, List<Register> results) {
    /** In place of a block: lanes end. */
    static final int END = -1;

    /** Whether lanes end there. */
    boolean ends() {
        return next == END;
    }

    /** The code of the blocks for one thread. */
    ThreadPath path(VectorShape shape) {
        return new ThreadPath(shape.blocks, head, blocks, next, results);
    }

    /** The blocks of several of these. */
    static BitSet blocks(Map<Integer, LaneBlocks> several) {
        BitSet all = new BitSet();
        several.values().forEach(one -> one.blocks.forEach(all::set));
        return all;
    }
}
