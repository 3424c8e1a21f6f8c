package io.ptx4j.engine;

/**
 * A block that has begun and can stop in the middle: where its threads wait for what other blocks do, it gives way to them. It
 * belongs to the {@link Worker} it was begun with, and is resumed by one thread of the host at a time.
 */
public interface BlockRun {
    /** How far a block got. */
    enum State {
        /** All its threads have ended. */
        ENDED,
        /** Its threads wait, and have written something or passed a barrier since it stopped before. */
        WAITING,
        /** Its threads wait, and nothing but their registers has changed: they count turns, look at a clock or read on, which no other block can see. */
        COUNTING,
        /**
         * Its threads wait where they waited before: no register that lives on has changed and nothing was written, so that it
         * will stop here again until others write.
         */
        STUCK;

        /** Whether a block may get on by itself. */
        public boolean mayGoOn() {
            return this == WAITING || this == COUNTING;
        }
    }

    /**
     * Runs until the block has ended, or no thread of it can go on but in a loop that waits.
     *
     * @throws Fault if a thread fails, or threads wait for each other in a way that no other block can end
     */
    State resume();

    /** Whether all threads that have not ended have arrived at the barrier of the cluster. */
    boolean arrivedAtCluster();

    /** The barrier of the cluster has opened: threads that wait there can go on with the next {@link #resume}. */
    void openCluster();

    /** What the threads that have not ended wait for, as the error that ends the launch. */
    Fault deadlock();
}
