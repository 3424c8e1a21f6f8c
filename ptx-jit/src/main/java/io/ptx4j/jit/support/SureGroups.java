package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

/** Groups of threads of neighbouring blocks that run one after the other without tests, as if they were of one long block. */
public final class SureGroups {
    /** Threads of the long block at most. */
    private static final int THREADS = 1 << 30;

    /** Beyond all distances of two addresses. */
    private static final long FAR = 1L << 60;

    private SureGroups() {
    }

    /**
     * The groups from the present block on, {@code each} of a block, that lie in one row of the grid; less {@code rest} where the last block of the run is among them. So each
     * run has a group with tests, and HotSpot compiles the way that has them.
     */
    public static int most(Worker worker, Frame frame, int each, int rest) {
        long left = frame.end - frame.block;
        long row = Math.min(left, worker.grid.x - frame.ctaX);
        return (int) Math.min(row * each - (row == left ? rest : 0), THREADS / frame.threads * each);
    }

    /** As many groups if a number that grows by {@code step} from group to group grows as much over all groups of a block as it does from block to block, else none. */
    public static int alike(int groups, long step, long ofBlock, int each, boolean narrow) {
        long apart = step * each - ofBlock;
        return (narrow ? (int) apart : apart) == 0 ? groups : 0;
    }

    /** As many groups at most as those of the blocks for which a number stays within bounds that grows by {@code step} from block to block. */
    public static int within(int groups, long first, long step, long low, long high, int each) {
        // One block more than there are whole ones.
        int blocks = groups / each + 1;
        return TurnCount.within(blocks, first, step, low, high) == blocks ? groups : 0;
    }

    /** Goes on to the block of a thread of the long block; returns which of its threads it is. */
    public static int goOn(Worker worker, Frame frame, int thread) {
        int blocks = thread / frame.threads;
        if (blocks > 0) {
            frame.place(worker, frame.block + blocks);
        }
        return thread - blocks * frame.threads;
    }

    /** As many groups if records may be loaded and stored as whole vectors, else none. */
    public static int direct(int groups) {
        return DirectMemory.isDirect() ? groups : 0;
    }

    /**
     * As many groups at most as those whose lanes' accesses through one register touch no bytes of their accesses through another.
     *
     * @param first the other register minus the one, of the first lane
     * @param step what that grows by from group to group
     * @param low accesses touch the same bytes where it lies between {@code low} and {@code high}
     * @param apartIfEqual whether they do not where both are the same
     */
    public static int apart(int groups, long first, long step, long low, long high, boolean apartIfEqual) {
        if (apartIfEqual && first == 0 && step == 0) {
            return groups;
        }
        // Of the last group's lanes too, which lie before the first of the next one.
        boolean above = first >= high;
        int more = TurnCount.within(groups + 1, first, step, above ? high : -FAR, above ? FAR : low);
        return Math.max(0, Math.min(groups, more - 1));
    }
}
