package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.flow.FoldedThreads;
import io.ptx4j.jit.flow.Graph;

/**
 * A kernel whose blocks of one dimension are taken for blocks of two, since then most addresses have a form. Those that have none where threads work with several widths, as in sorts, are better
 * looked for in all lanes of a longer group.
 *
 * @param group threads that run together, at first
 */
record Folding(Graph graph, Group group) {
    /** Of so many accesses by addresses without a form one may be left, and of groups that are half as long. */
    private static final int MOST_LEFT = 3;
    private static final int MOST_LEFT_NARROW = 8;

    /** The best one, or null if none is better than the blocks as they are. */
    static Folding of(Graph graph, Group flat) {
        Folding best = null;
        long varying = -1;
        long least = 0;
        for (int width : FoldedThreads.widths(graph, flat.block())) {
            Group group = group(flat, FoldedThreads.shape(flat.block(), width));
            Graph folded = group == null ? null : FoldedThreads.fold(graph, flat.block(), width);
            if (folded != null) {
                if (varying < 0) {
                    varying = varying(graph, flat);
                    least = varying;
                }
                Group rows = group.ofRows(Group.MOST);
                long left = varying(folded, rows == null ? group : rows);
                if (left < least && left * (group.narrow() ? MOST_LEFT_NARROW : MOST_LEFT) <= varying) {
                    best = new Folding(folded, group);
                    least = left;
                }
            }
        }
        return best;
    }

    /** Threads of one row, which must be a vector's at least. */
    private static Group group(Group flat, BlockShape block) {
        int length = flat.length();
        if (block.x() * 2 == length) {
            return Group.narrow(flat.kernel(), block);
        }
        return block.x() >= length ? Group.of(flat.kernel(), block, Group.WARP, false) : null;
    }

    /** Accesses by addresses that have no form. */
    private static long varying(Graph graph, Group group) {
        Forms forms = Analysis.of(graph, group, group.kernel()).forms();
        long count = 0;
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                for (Operand operand : i.operands()) {
                    if (operand instanceof Operand.Address a && a.register() != null && !forms.of(a.register()).scalar()) {
                        count++;
                    }
                }
            }
        }
        return count;
    }
}
