package io.ptx4j.engine;

import java.util.function.BooleanSupplier;

/** A kernel ready to run blocks of one shape. May be used by many workers at once. */
public interface Executable {
    /** The code shape: {@code "interpreter"}, {@code "scalar"}, {@code "vector"} or {@code "suspendable"}. */
    String shape();

    /** Bytes of local memory that each thread needs: the frames of the kernel and of the deepest chain of calls. */
    long localBytesPerThread();

    /**
     * Runs the blocks with linear indices {@code first} to {@code end - 1}, one after the other, to their end.
     *
     * @throws Fault if a thread of one of them fails or the launch is cancelled; the blocks after it have not run
     */
    void run(Worker worker, long first, long end);

    /**
     * The worker runs no more blocks, and none of those that it ran has failed: what the executable kept in {@link Worker#frame} may serve
     * the next launch.
     */
    default void release(Worker worker) {
    }

    /**
     * Makes the kernel as fast as it gets: runs parts of a launch over and over, in memory of its own so that nothing of it shows, until they
     * get no faster. Takes seconds; does nothing where a kernel cannot run like that.
     *
     * @param worker that of the launch, of whose memory copies are used
     * @param goOn asked several times a second; false ends it
     */
    default void rehearse(Worker worker, BooleanSupplier goOn) {
    }

    /** Generates what would otherwise be generated while launches run. Runs nothing of the kernel. */
    default void generate() {
    }

    /** Whether threads of a block may wait for what other blocks do, so that its blocks must be able to give way to others. */
    boolean waits();

    /** Begins the block with linear index {@code block}, to run in turns with others. */
    BlockRun begin(Worker worker, long block);
}
