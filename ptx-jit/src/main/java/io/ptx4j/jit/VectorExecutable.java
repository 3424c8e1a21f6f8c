package io.ptx4j.jit;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.Rehearsal.Rehearsed;
import io.ptx4j.jit.support.ScalarKernel;
import io.ptx4j.jit.support.Scheduler;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.vector.Vectorizer;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A kernel in the vector shape. */
final class VectorExecutable implements Executable {
    private final Vectorizer.Generated generated;
    private final BlockShape block;
    private final boolean rehearsable;
    private final ScalarKernel kernel;
    private final Scheduler scheduler;
    private final TextLines lines;
    private final IdleFrames<VectorFrame> frames = new IdleFrames<>(VectorFrame.class, this::newFrame);
    private final StackSteps.Target target = this::runBlocks;
    /** What runs blocks that begin anew; null if none does. */
    private final ScalarExecutable scalar;
    private final Supplier<ScalarExecutable> plain;
    /** What runs blocks that have less shared memory than these need; null until there are such. */
    private ScalarExecutable withLittleMemory;
    private final ScalarKernel.Anew anew = this::runAnew;
    private final ThreadLocal<StackPlace> places = ThreadLocal.withInitial(() -> new StackPlace(StackSteps.count()));

    /**
     * @param rehearsable whether launches may run in memory of their own
     * @param scalar the kernel in the scalar shape, for blocks that begin anew
     */
    VectorExecutable(Vectorizer.Generated generated, KernelLoader loader, BlockShape block, boolean rehearsable, Supplier<ScalarExecutable> scalar) {
        this.scalar = generated.beginsAnew() ? scalar.get() : null;
        this.plain = scalar;
        this.rehearsable = rehearsable;
        this.generated = generated;
        this.block = block;
        this.kernel = loader.instance(generated.className(), generated.bytes());
        this.lines = new TextLines(generated.bytes());
        this.scheduler = new Scheduler(generated.points(), generated.block().threads());
    }

    @Override
    public String shape() {
        return "vector";
    }

    @Override
    public long localBytesPerThread() {
        return scalar == null ? generated.localBytes() : Math.max(generated.localBytes(), scalar.localBytesPerThread());
    }

    @Override
    public void run(Worker worker, long first, long end) {
        if (generated.sharedBytes() > 0 && worker.shared.byteSize() < generated.sharedBytes()) {
            runAside(withLittleMemory(), worker, first, end);
        } else {
            run(worker, frames.of(worker), first, end);
        }
    }

    private void runAnew(Worker worker, long block) {
        runAside(scalar, worker, block, block + 1);
    }

    /** Runs blocks of another executable, in a frame of that. */
    private static void runAside(ScalarExecutable other, Worker worker, long first, long end) {
        Object own = worker.frame;
        worker.frame = null;
        try {
            other.run(worker, first, end);
        } finally {
            other.release(worker);
            worker.frame = own;
        }
    }

    private synchronized ScalarExecutable withLittleMemory() {
        withLittleMemory = withLittleMemory == null ? plain.get() : withLittleMemory;
        return withLittleMemory;
    }

    @Override
    public void release(Worker worker) {
        frames.release(worker);
        if (scalar != null) {
            scalar.release(worker);
        }
    }

    @Override
    public void rehearse(Worker worker, BooleanSupplier goOn) {
        rehearse(new Rehearsed(worker, true), goOn);
    }

    /** Does nothing where threads wait for other blocks, or a rehearsal would show. */
    void rehearse(Rehearsed launch, BooleanSupplier goOn) {
        if (!generated.waits() && rehearsable) {
            new WarmUp(rehearsed(), new Part(scheduler.pointless() && !renumbers() ? lanes() : block.threads(), block.threads(), false)).run(launch, goOn);
        }
    }

    @Override
    public boolean waits() {
        return generated.waits();
    }

    @Override
    public BlockRun begin(Worker worker, long block) {
        return begin(worker, frames.of(worker), block);
    }

    BlockRun begin(Worker worker, VectorFrame own, long block) {
        if (scalar != null) {
            return scalar.begin(worker, block);
        }
        own.beginRun(block + 1);
        return kernel.begin(worker, own, scheduler, block);
    }

    /** Whether threads of the scalar shape have other numbers: rows of the block have more places than threads, or one thread does what several do. */
    boolean renumbers() {
        return generated.columns() < generated.block().x() || generated.warps() > 0;
    }

    /** Threads that run together. */
    int lanes() {
        return generated.extent().lanes();
    }

    VectorFrame newFrame() {
        VectorFrame own = new VectorFrame(generated.block(), generated.columns(), generated.warps(), generated.stride(), generated.frame().ints(), generated.frame().longs(),
                generated.frame().floats(), generated.frame().doubles(), generated.extent(), generated.matrixPlaces(), scheduler);
        own.reserve(generated.points());
        own.lineOf = lines;
        return own;
    }

    /** The kernel as rehearsals run it. */
    Part.Code rehearsed() {
        VectorFrame own = newFrame();
        own.alone = generated.waits();
        return scalar == null ? new RehearsedKernel(kernel, own, scheduler) : new RehearsedSearch(kernel, own, scheduler, scalar.rehearsed());
    }

    void run(Worker worker, VectorFrame own, long first, long end) {
        own.beginRun(end);
        StackPlace place = places.get();
        boolean trying = place.trying();
        long start = trying ? System.nanoTime() : 0;
        int step = place.step();
        if (step == StackPlace.DIRECT) {
            runBlocks(worker, own, first, end);
        } else {
            StackSteps.step(step).run(target, worker, own, first, end);
        }
        if (trying) {
            place.took(System.nanoTime() - start, end - first);
        }
    }

    private void runBlocks(Worker worker, VectorFrame own, long first, long end) {
        // A launch may have failed within a turn.
        own.lines = 0;
        kernel.run(worker, own, scheduler, first, end, anew);
    }
}
