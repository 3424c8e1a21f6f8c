package io.ptx4j.jit;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Fault;

import java.util.function.LongConsumer;

/** A block that runs in turns, and tells how long they have taken once it has ended; then the next one. */
final class CountedRun implements BlockRun {
    private BlockRun block;
    private LongConsumer ended;
    private long nanos;

    /** @param told takes the nanoseconds of the block */
    CountedRun of(BlockRun next, LongConsumer told) {
        block = next;
        ended = told;
        nanos = 0;
        return this;
    }

    @Override
    public State resume() {
        long start = System.nanoTime();
        State state = block.resume();
        nanos += System.nanoTime() - start;
        if (state == State.ENDED) {
            ended.accept(nanos);
        }
        return state;
    }

    @Override
    public boolean arrivedAtCluster() {
        return block.arrivedAtCluster();
    }

    @Override
    public void openCluster() {
        block.openCluster();
    }

    @Override
    public Fault deadlock() {
        return block.deadlock();
    }
}
