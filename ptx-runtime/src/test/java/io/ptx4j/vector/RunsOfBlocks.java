package io.ptx4j.vector;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import java.util.List;

/**
 * An engine that has another one run so many neighbouring blocks at a time, from the first launch on. How many a worker takes at a time otherwise depends on the clock, and of cold
 * code it is one.
 *
 * @param length of a run; the last one of a grid may be shorter
 */
public record RunsOfBlocks(Engine engine, long length) implements Engine {
    @Override
    public String name() {
        return engine.name();
    }

    @Override
    public List<Unsupported> unsupported(Module module, Kernel kernel) {
        return engine.unsupported(module, kernel);
    }

    @Override
    public Executable prepare(Program program, Kernel kernel, BlockShape shape) {
        return new Runs(engine.prepare(program, kernel, shape), length);
    }

    /** Who is to run the first block of a run runs all of it. */
    private record Runs(Executable code, long length) implements Executable {
        @Override
        public String shape() {
            return code.shape();
        }

        @Override
        public long localBytesPerThread() {
            return code.localBytesPerThread();
        }

        @Override
        public void run(Worker worker, long first, long end) {
            for (long run = (first + length - 1) / length * length; run < end; run += length) {
                code.run(worker, run, Math.min(run + length, worker.grid.blocks()));
            }
        }

        @Override
        public void release(Worker worker) {
            code.release(worker);
        }

        @Override
        public boolean waits() {
            return code.waits();
        }

        @Override
        public BlockRun begin(Worker worker, long block) {
            return code.begin(worker, block);
        }
    }
}
