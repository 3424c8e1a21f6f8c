package io.ptx4j.jit.support;

import io.ptx4j.engine.Worker;

import java.util.Arrays;

/**
 * Turns of a loop that all groups of some neighbouring blocks have run before these come to it: a few turns of one group, then as many of the next. A grid-stride loop that one
 * group runs alone takes few lines from where it is in memory and goes on far away; so what lies beside them comes from there soon after.
 */
public final class TurnsAhead {
    /**
     * Turns of a group at a time: as many lines have room where caches keep those whose addresses differ by multiples of a power of two, with their neighbours, which
     * the processor loads unasked.
     */
    public static final int TURNS = 8;
    /** Blocks at most, and bytes that their registers may take, which are to stay in the processor's first caches. */
    private static final int BLOCKS = 16;
    private static final int BYTES = 1 << 15;
    private static final int LONGEST_PAUSE = 1 << 12;
    /** What {@link #state} says of a group: it has run no turns, it stands before a turn, or all of its lanes have left the loop. */
    private static final int NONE = 0;
    public static final int INSIDE = 1;
    public static final int OUTSIDE = 2;

    /** Registers of the groups: each has as many elements of each kind as {@link VectorFrame.Extent#ahead} says. */
    public int[] ints;
    public long[] longs;
    public float[] floats;
    public double[] doubles;
    /** By group: turns that are known to need no tests, and where it stands. */
    public final int[] turns;
    public final int[] state;
    private final int lanes;
    /** Whole groups of a block. */
    private final int groups;
    /** Blocks whose groups these are, and the end of the present run of blocks. */
    private long first;
    private long end;
    private long endOfRun;
    /** Blocks that are left alone, since few turns were sure of those before, and how many the last time. */
    private int skipped;
    private int pause;

    TurnsAhead(int threads, int lanes, int[] elements) {
        this.lanes = lanes;
        this.groups = threads / lanes;
        int bytes = Math.max(1, groups) * (4 * (elements[0] + elements[2]) + 8 * (elements[1] + elements[3]));
        int all = groups * Math.clamp(BYTES / bytes, 1, BLOCKS);
        this.ints = new int[elements[0] * all];
        this.longs = new long[elements[1] * all];
        this.floats = new float[elements[2] * all];
        this.doubles = new double[elements[3] * all];
        this.turns = new int[all];
        this.state = new int[all];
    }

    void place() {
        ints = ArrayPlaces.place(ints);
        longs = ArrayPlaces.place(longs);
        floats = ArrayPlaces.place(floats);
        doubles = ArrayPlaces.place(doubles);
    }

    /** Before a run of blocks: nothing is known of them. */
    void beginRun(long endOfBlocks) {
        end = 0;
        endOfRun = endOfBlocks;
    }

    /** Whether turns of the block's groups are to be run now, and of those of blocks behind it. */
    public static boolean begins(Worker worker, VectorFrame frame, int thread, int endOfThreads, int from) {
        TurnsAhead ahead = frame.ahead;
        if (frame.block > ahead.first && frame.block < ahead.end) {
            return false;
        }
        if (ahead.skipped > 0 || ahead.groups == 0 || !VectorLanes.together(worker, frame, thread, endOfThreads, from)) {
            ahead.skipped = Math.max(0, ahead.skipped - 1);
            ahead.end = 0;
            return false;
        }
        ahead.first = frame.block;
        ahead.end = Math.max(ahead.first + 1, Math.min(ahead.endOfRun, ahead.first + ahead.turns.length / ahead.groups));
        Arrays.fill(ahead.state, NONE);
        Arrays.fill(ahead.turns, 0);
        return true;
    }

    /** Goes to the block's {@code n}th successor, whose threads compute with what it is alone; whether it is one of the blocks. */
    public static boolean enter(Worker worker, VectorFrame frame, int n) {
        TurnsAhead ahead = frame.ahead;
        boolean more = ahead.first + n < ahead.end;
        frame.place(worker, more ? ahead.first + n : ahead.first);
        return more;
    }

    /** All groups, or 0 if none of them has turns to run. */
    public static int count(VectorFrame frame) {
        TurnsAhead ahead = frame.ahead;
        int count = (int) (ahead.end - ahead.first) * ahead.groups;
        for (int n = 0; n < count; n++) {
            if (ahead.state[n] != NONE) {
                ahead.pause = 0;
                return count;
            }
        }
        ahead.pause = Math.min(2 * ahead.pause + 1, LONGEST_PAUSE);
        ahead.skipped = ahead.pause;
        return 0;
    }

    /** Twice the number of a group that comes to the loop, and one more if its lanes have left it; -1 if it has run no turns. It goes on from there once. */
    public static int take(VectorFrame frame, int thread) {
        TurnsAhead ahead = frame.ahead;
        int group = thread / ahead.lanes;
        if (frame.block < ahead.first || frame.block >= ahead.end || group >= ahead.groups) {
            return -1;
        }
        int number = (int) (frame.block - ahead.first) * ahead.groups + group;
        int state = ahead.state[number];
        ahead.state[number] = NONE;
        return state == NONE ? -1 : 2 * number + (state == OUTSIDE ? 1 : 0);
    }
}
