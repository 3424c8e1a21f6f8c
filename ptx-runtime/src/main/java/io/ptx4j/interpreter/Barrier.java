package io.ptx4j.interpreter;

import io.ptx4j.interpreter.ThreadState.Status;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** One of the sixteen barriers of a block. */
final class Barrier {
    private final int number;
    private final Block block;
    private final List<ThreadState> waiting = new ArrayList<>();
    /** By warp: the lanes that have come, those that only arrived included. */
    private final int[] come;
    /** Whether threads have arrived that do not wait. */
    private boolean arrivedOnly;
    /** Arrivals of threads that had arrived already. */
    private long repeated;
    /** Threads the barrier is for; 0 for all of the block that have not ended. */
    private long expected;

    Barrier(int number, Block block) {
        this.number = number;
        this.block = block;
        this.come = new int[block.warps.size()];
    }

    void await(ThreadState thread, long count) {
        waiting.add(thread);
        count(thread, count);
    }

    void arrive(ThreadState thread, long count) {
        arrivedOnly = true;
        if (block.worker.checks != null) {
            block.worker.checks.arrive(number, thread.index);
        }
        count(thread, count);
    }

    private void count(ThreadState thread, long count) {
        int warp = thread.index / 32;
        if (Bits.bit(come[warp], thread.lane)) {
            repeated++;
        }
        come[warp] |= 1 << thread.lane;
        expected = count;
    }

    /** Lets its threads go on if all that it counts have come; whether any went on. */
    boolean open() {
        if (!complete()) {
            return false;
        }
        boolean anyone = !waiting.isEmpty();
        if (anyone && block.worker.checks != null) {
            watch();
        }
        Barriers.reduce(waiting);
        for (ThreadState thread : waiting) {
            thread.status = Status.RUNNING;
        }
        reset();
        return anyone;
    }

    /** Tells what watches the block who leaves. */
    private void watch() {
        BitSet leaving = new BitSet();
        BitSet ended = new BitSet();
        waiting.forEach(thread -> leaving.set(thread.index));
        block.threads.forEach(thread -> ended.set(thread.index, thread.status == Status.ENDED));
        block.worker.checks.barrier(number, leaving, ended, arrivedOnly, index -> {
            ThreadState thread = block.threads.get(index);
            return ((BarrierStep) thread.meeting).stand(thread);
        });
    }

    void reset() {
        arrivedOnly = false;
        waiting.clear();
        Arrays.fill(come, 0);
        repeated = 0;
        expected = 0;
    }

    private boolean complete() {
        if (expected != 0) {
            return arrivals() >= expected;
        }
        for (int warp = 0; warp < come.length; warp++) {
            if ((come[warp] | ended(warp)) != -1) {
                return false;
            }
        }
        return !waiting.isEmpty();
    }

    /** Lanes of a warp whose threads have ended or never were. */
    private int ended(int warp) {
        Warp threads = block.warps.get(warp);
        return threads.mask(Status.ENDED) | ~(int) Bits.mask(threads.threads.size());
    }

    /** A count is in whole warps, so that a warp counts in full as soon as all threads it has left have come. */
    private long arrivals() {
        long arrivals = repeated;
        for (int warp = 0; warp < come.length; warp++) {
            boolean all = come[warp] != 0 && (come[warp] | ended(warp)) == -1;
            arrivals += all ? 32 : Integer.bitCount(come[warp]);
        }
        return arrivals;
    }

    String progress() {
        long threads = repeated;
        for (int lanes : come) {
            threads += Integer.bitCount(lanes);
        }
        return number + " (" + threads + " of " + (expected != 0 ? expected : block.threads.size()) + " threads have come)";
    }
}
