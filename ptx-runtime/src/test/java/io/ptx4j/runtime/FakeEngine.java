package io.ptx4j.runtime;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import java.util.List;

/** Runs a piece of Java for each block, so that what the runtime does can be seen without a compiler. */
final class FakeEngine implements Engine {
    interface BlockCode {
        void run(Worker worker, long block);
    }

    private final BlockCode code;
    private final long localBytes;

    FakeEngine(BlockCode code) {
        this(code, 0);
    }

    FakeEngine(BlockCode code, long localBytes) {
        this.code = code;
        this.localBytes = localBytes;
    }

    /** Loops until the worker is stopped, as a kernel that never ends. */
    static void loop(Worker worker) {
        while (!worker.cancelled()) {
            Thread.onSpinWait();
        }
        throw Fault.at(Fault.Kind.CANCELLED, "cancelled", 0, -1, -1);
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public List<Unsupported> unsupported(Module module, Kernel kernel) {
        return List.of();
    }

    @Override
    public Executable prepare(Program program, Kernel kernel, BlockShape shape) {
        return new Executable() {
            @Override
            public String shape() {
                return "fake";
            }

            @Override
            public long localBytesPerThread() {
                return localBytes;
            }

            @Override
            public void run(Worker worker, long first, long end) {
                for (long block = first; block < end; block++) {
                    code.run(worker, block);
                }
            }

            @Override
            public boolean waits() {
                return false;
            }

            @Override
            public BlockRun begin(Worker worker, long block) {
                throw new UnsupportedOperationException("no block of a fake waits");
            }
        };
    }
}
