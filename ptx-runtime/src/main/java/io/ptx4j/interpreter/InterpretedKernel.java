package io.ptx4j.interpreter;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** A kernel ready to be interpreted, in blocks of any shape. */
record InterpretedKernel(KernelCode code, long localBytesPerThread) implements Executable {
    InterpretedKernel(KernelCode code) {
        this(code, code.localBytesPerThread());
    }

    @Override
    public String shape() {
        return "interpreter";
    }

    @Override
    public void run(Worker worker, long first, long end) {
        for (long number = first; number < end; number++) {
            if (worker.cancelled()) {
                throw Fault.at(Fault.Kind.CANCELLED, "the launch was cancelled", 0, number, -1);
            }
            BlockRun block = begin(worker, number);
            while (block.resume() != BlockRun.State.ENDED) {
                Thread.onSpinWait();
            }
        }
    }

    /** Any loop may turn out to wait for another block, and giving way costs nothing here. */
    @Override
    public boolean waits() {
        return true;
    }

    @Override
    public BlockRun begin(Worker worker, long number) {
        if (!(worker.frame instanceof Block)) {
            worker.frame = new Block(worker, localBytesPerThread);
        }
        Block block = (Block) worker.frame;
        block.begin(code.entry(), number);
        return block;
    }
}
