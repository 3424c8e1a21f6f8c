package io.ptx4j.jit;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.BlockBegunAnew;
import io.ptx4j.jit.support.ScalarKernel;
import io.ptx4j.jit.support.Scheduler;
import io.ptx4j.jit.support.VectorFrame;

/** A kernel in the vector shape of which {@code scalar} runs blocks that begin anew. */
record RehearsedSearch(ScalarKernel kernel, VectorFrame frame, Scheduler scheduler, Part.Code scalar) implements Part.Code {
    @Override
    public void run(Worker worker, long first, long end) {
        kernel.run(worker, frame, scheduler, first, end, (same, block) -> scalar.run(same, block, block + 1));
    }

    @Override
    public void runThreads(Worker worker, long block, int first, int end) {
        try {
            kernel.runThreads(worker, frame, block, first, end);
        } catch (BlockBegunAnew begun) {
            frame.beginAnew(block + 1);
            scalar.runThreads(worker, block, first, end);
        }
    }
}
