package io.ptx4j.jit;

import io.ptx4j.engine.Worker;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.ScalarKernel;
import io.ptx4j.jit.support.Scheduler;

/** A kernel in the scalar shape, or in the vector shape where no block begins anew, with a frame of its own. */
record RehearsedKernel(ScalarKernel kernel, Frame frame, Scheduler scheduler) implements Part.Code {
    @Override
    public void run(Worker worker, long first, long end) {
        kernel.run(worker, frame, scheduler, first, end);
    }

    @Override
    public void runThreads(Worker worker, long block, int first, int end) {
        kernel.runThreads(worker, frame, block, first, end);
    }
}
