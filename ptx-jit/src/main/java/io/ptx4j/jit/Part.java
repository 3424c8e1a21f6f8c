package io.ptx4j.jit;

import io.ptx4j.engine.Worker;

/**
 * The part of a launch that rehearsals run over and over: threads of one block, or whole blocks. It begins as small as it can, because cold
 * code is slow, and grows. In turn it lies among the first blocks, whose data a rehearsal has, and somewhere in the grid, where there may
 * be more to do. Of blocks that wait for those before them all parts lie one behind the other, from the first block on.
 */
final class Part {
    /** A kernel in one shape, with a frame of its own. */
    interface Code {
        /** Runs blocks {@code first} to {@code end - 1}. */
        void run(Worker worker, long first, long end);

        /** Runs some threads of a block, of a kernel whose threads have nothing to do with each other. */
        void runThreads(Worker worker, long block, int first, int end);
    }

    private static final int MOST_BLOCKS = 64;
    /** Few, because a rehearsal's memory is slow where it is touched first. */
    private static final int PLACES_IN_GRID = 8;

    private final int blockThreads;
    private int threads;
    private int blocks = 1;
    private int number;
    private final boolean inOrder;
    /** In order: the first block of the present part, and how many blocks have run since the first. */
    private long first;
    private long ran;

    /**
     * @param inOrder whether blocks wait for those before them
     * @param smallest threads of a block that can run without the others
     * @param blockThreads all of them
     */
    Part(int smallest, int blockThreads, boolean inOrder) {
        this.inOrder = inOrder;
        this.threads = Math.min(smallest, blockThreads);
        this.blockThreads = blockThreads;
    }

    /** Goes on to another part of the launch, of the same size. */
    void next() {
        number++;
        first += blocks;
    }

    /** Whether so many blocks have run, in either shape, that those of {@code count} that have not may be less than the next part's in both: they may take numbers from each other. */
    boolean atEnd(long count) {
        return inOrder && ran > 0 && ran + 2L * blocks > count;
    }

    /** Runs all blocks of the grid in order, or as many as fit into some time. */
    void runAll(Worker worker, Code code, long nanos) {
        long count = worker.grid.blocks();
        long start = OwnWork.nanos();
        for (long at = 0; at < count && OwnWork.nanos() - start < nanos; at += MOST_BLOCKS) {
            code.run(worker, at, Math.min(count, at + MOST_BLOCKS));
        }
    }

    /** The next part is the first one again. */
    void restart() {
        first = 0;
        ran = 0;
    }

    /** Makes it twice as large; false when it is as large as it gets. */
    boolean grow() {
        if (threads < blockThreads) {
            threads = Math.min(blockThreads, 2 * threads);
            return true;
        }
        if (blocks < MOST_BLOCKS) {
            blocks *= 2;
            return true;
        }
        return false;
    }

    /** Nanoseconds that {@code code} takes for it. */
    long time(Worker worker, Code code) {
        long count = worker.grid.blocks();
        long first = inOrder ? this.first % count : place(Math.max(1, count / blocks)) * blocks;
        ran += blocks;
        long start = OwnWork.nanos();
        if (threads == blockThreads) {
            code.run(worker, first, Math.min(count, first + blocks));
        } else {
            int from = number / MOST_BLOCKS % (blockThreads / threads) * threads;
            code.runThreads(worker, first, from, from + threads);
        }
        return OwnWork.nanos() - start;
    }

    /** Which one of {@code places}. */
    private long place(long places) {
        int turn = number / 2;
        if (number % 2 == 0) {
            return turn % Math.min(places, MOST_BLOCKS / blocks);
        }
        // The last blocks often find less data than the others.
        long apart = turn % PLACES_IN_GRID;
        return apart == 0 ? places - 1 : places / PLACES_IN_GRID * apart;
    }

    /** Threads in it, of a launch of {@code count} blocks. */
    long threads(long count) {
        return threads == blockThreads ? Math.min(count, blocks) * blockThreads : threads;
    }
}
