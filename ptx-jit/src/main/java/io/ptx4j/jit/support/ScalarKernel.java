package io.ptx4j.jit.support;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** Superclass of the classes generated in the scalar shape. */
public abstract class ScalarKernel {
    protected ScalarKernel() {
    }

    /**
     * Runs region {@code region} for threads {@code first} to {@code end - 1}.
     *
     * @param from only threads that stand at this point; -1 for all of them
     * @return the point at which all of them stopped, {@link Frame#ENDED} when all ended, {@link Frame#MIXED} when
     *     {@link Frame#point} tells for each
     */
    protected abstract int region(int region, Worker worker, Frame frame, int first, int end, int from);

    /** Whether the only region runs one block after the other, from {@link Frame#block} to {@link Frame#end}. */
    protected boolean runsOn() {
        return false;
    }

    /** Begins a block that can give way to others. */
    public final BlockRun begin(Worker worker, Frame frame, Scheduler scheduler, long block) {
        frame.enter(worker, block);
        return scheduler.begin(this, worker, frame);
    }

    /** Runs threads {@code first} to {@code end - 1} of a block that has no stops. */
    public final void runThreads(Worker worker, Frame frame, long block, int first, int end) {
        frame.enter(worker, block);
        region(0, worker, frame, first, end, -1);
    }

    /** Runs blocks {@code first} to {@code end - 1}. */
    public final void run(Worker worker, Frame frame, Scheduler scheduler, long first, long end) {
        boolean runsOn = runsOn() && worker.checks == null;
        for (long block = first; block < end; block = frame.end) {
            if (worker.cancelled()) {
                throw Fault.at(Fault.Kind.CANCELLED, "the launch was cancelled", 0, block, -1);
            }
            // A region that runs on has left the frame at the block behind.
            if (runsOn() || block == first) {
                frame.enter(worker, block);
            } else {
                frame.enterNext(worker);
            }
            frame.end = runsOn ? end : frame.end;
            scheduler.runBlock(this, worker, frame);
        }
    }

    /** What runs blocks that have begun anew. */
    public interface Anew {
        /** Runs a block from its beginning to its end. */
        void run(Worker worker, long block);
    }

    /** As {@link #run(Worker, Frame, Scheduler, long, long)}, where blocks may begin anew ({@link BlockBegunAnew}). */
    public final void run(Worker worker, VectorFrame frame, Scheduler scheduler, long first, long end, Anew anew) {
        long next = first;
        while (next < end) {
            try {
                run(worker, frame, scheduler, next, end);
                next = end;
            } catch (BlockBegunAnew begun) {
                long block = frame.block;
                frame.beginAnew(end);
                anew.run(worker, block);
                next = block + 1;
            }
        }
    }
}
