package io.ptx4j.jit;

import io.ptx4j.engine.Worker;

/**
 * The part of a launch that rehearsals run over and over: threads of one block, or whole blocks. It begins as small as it can, because cold
 * code is slow, and grows. In turn it lies among the first blocks, whose data a rehearsal has, and somewhere in the grid, where there may
 * be more to do.
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

    /**
     * @param smallest threads of a block that can run without the others
     * @param blockThreads all of them
     */
    Part(int smallest, int blockThreads) {
        this.threads = Math.min(smallest, blockThreads);
        this.blockThreads = blockThreads;
    }

    /** Goes on to another part of the launch, of the same size. */
    void next() {
        number++;
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
        long first = place(Math.max(1, count / blocks)) * blocks;
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
        return number % 2 == 0 ? turn % Math.min(places, MOST_BLOCKS / blocks) : places / PLACES_IN_GRID * (turn % PLACES_IN_GRID);
    }

    /** Threads in it, of a launch of {@code count} blocks. */
    long threads(long count) {
        return threads == blockThreads ? Math.min(count, blocks) * blockThreads : threads;
    }
}
