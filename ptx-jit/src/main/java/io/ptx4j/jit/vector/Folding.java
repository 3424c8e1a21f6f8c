package io.ptx4j.jit.vector;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.jit.flow.FoldedThreads;
import io.ptx4j.jit.flow.Graph;

import java.util.List;
import java.util.Set;

/**
 * A kernel whose blocks of one dimension are taken for blocks of two, since then most addresses have a form. Those that have none where threads work with several widths, as in sorts, are better
 * looked for in all lanes of a longer group.
 *
 * @param group threads that run together, at first
 * @param rows whether several rows may run together; with a number for each row that hangs on a comparison of the row's, more addresses have no form
 */
record Folding(Graph graph, Group group, boolean rows) {
    /** Of so many accesses by addresses without a form one may be left; also where rows, and so groups, are half a vector long. */
    private static final int MOST_LEFT = 3;
    private static final int MOST_LEFT_NARROW = 8;

    /** The best one, or null if none is better than the blocks as they are. */
    static Folding of(Graph graph, Group flat) {
        Set<Integer> widths = FoldedThreads.widths(graph, flat.block());
        int varying = widths.isEmpty() ? 0 : varying(graph, flat);
        if (varying == 0) {
            return null;
        }
        Folding wide = best(graph, flat, widths.stream().filter(width -> width >= flat.length()).toList(), varying / MOST_LEFT);
        return wide != null ? wide : best(graph, flat, widths.stream().filter(width -> width * 2 == flat.length()).toList(), varying / MOST_LEFT_NARROW);
    }

    /** The one with the fewest accesses by addresses without a form, of which there may be {@code most}. */
    private static Folding best(Graph graph, Group flat, List<Integer> widths, int most) {
        Folding best = null;
        int least = Integer.MAX_VALUE;
        for (int width : widths) {
            BlockShape block = FoldedThreads.shape(flat.block(), width);
            Group group = width < flat.length() ? Group.narrow(flat.kernel(), block) : Group.of(flat.kernel(), block, Group.WARP, false);
            Graph folded = FoldedThreads.fold(graph, flat.block(), width);
            if (folded == null) {
                continue;
            }
            Group several = group.ofRows(Group.MOST);
            int left = several == null ? Integer.MAX_VALUE : varying(folded, several);
            boolean rows = left <= most;
            left = rows ? left : varying(folded, group);
            if (left <= most && left < least) {
                best = new Folding(folded, group, rows);
                least = left;
            }
        }
        return best;
    }

    /** How many accesses have addresses without a form. */
    private static int varying(Graph graph, Group group) {
        return Analysis.of(graph, group, group.kernel()).accesses(false).size();
    }
}
