package io.ptx4j.runtime;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** The blocks of a running grid, as the threads see them that run them. */
interface GridWork {
    /**
     * How it ended.
     *
     * @param complete whether every block has run to its end
     * @param fault of the lowest failing block; null if none failed
     * @param worker that it happened on
     * @param notStarted why a worker could not start; null if all could
     */
    record Outcome(boolean complete, Fault fault, Worker worker, Throwable notStarted) {
        static final Outcome NOTHING_TO_DO = new Outcome(true, null, null, null);
    }

    /**
     * Makes the calling thread a worker until no block is left, and others as far as that pays.
     *
     * @param stopOnInterrupt what to do when the thread is interrupted between two blocks; null to ignore interrupts
     */
    void begin(Runnable stopOnInterrupt);

    /** What a failure of any kind in the engine means as fault of {@code block}. */
    static Fault faultOf(Throwable failure, long block) {
        return switch (failure) {
            case Fault fault -> fault;
            case StackOverflowError deep ->
                    new Fault(Fault.Kind.STACK_OVERFLOW, "calls nest deeper than the stack", 0, block, -1, 0, 0, null, deep);
            default -> new Fault(Fault.Kind.INTERNAL, failure.toString(), 0, block, -1, 0, 0, null, failure);
        };
    }
}
