package io.ptx4j.jit;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.Rehearsal.Rehearsed;
import io.ptx4j.jit.flow.Regions.FrameLayout;
import io.ptx4j.jit.scalar.ScalarShape;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.ScalarKernel;
import io.ptx4j.jit.support.Scheduler;

import java.util.List;
import java.util.function.BooleanSupplier;

/** A kernel in the scalar shape. */
final class ScalarExecutable implements Executable {
    /** Threads of a block that a rehearsal begins with. */
    private static final int SMALLEST_PART = 32;
    /** Of a class file, with all that it has beside the code. */
    private static final int BYTES_OF_AN_INSTRUCTION = 100;

    private final ScalarKernel kernel;
    private final Scheduler scheduler;
    private final FrameLayout frame;
    private final List<Point> points;
    private final int localBytes;
    private final int threads;
    private final boolean waits;
    private final boolean rehearsable;
    private final boolean counts;
    private final int instructions;
    private final TextLines lines;
    private final IdleFrames<Frame> frames = new IdleFrames<>(Frame.class, this::newFrame);

    /**
     * @param rehearsable whether launches may run in memory of their own
     * @param counts whether the code counts instructions
     */
    ScalarExecutable(ScalarShape.Generated generated, KernelLoader loader, BlockShape block, boolean rehearsable, boolean counts) {
        this.counts = counts;
        this.instructions = generated.bytes().length / BYTES_OF_AN_INSTRUCTION;
        this.rehearsable = rehearsable;
        this.kernel = loader.instance(generated.className(), generated.bytes());
        this.threads = block.threads();
        this.lines = new TextLines(generated.bytes());
        this.scheduler = new Scheduler(generated.points(), threads);
        this.frame = generated.frame();
        this.points = generated.points();
        this.localBytes = generated.localBytes();
        this.waits = generated.waits();
    }

    @Override
    public String shape() {
        return "scalar";
    }

    @Override
    public long localBytesPerThread() {
        return localBytes;
    }

    @Override
    public void run(Worker worker, long first, long end) {
        run(worker, frames.of(worker), first, end);
    }

    @Override
    public void release(Worker worker) {
        frames.release(worker);
    }

    @Override
    public void rehearse(Worker worker, BooleanSupplier goOn) {
        rehearse(new Rehearsed(worker, true), goOn);
    }

    /** Does nothing where threads wait for other blocks, or a rehearsal would show. */
    void rehearse(Rehearsed launch, BooleanSupplier goOn) {
        if (!waits && rehearsable) {
            new WarmUp(rehearsed(), new Part(divisible() ? SMALLEST_PART : threads, threads, false)).run(launch, goOn);
        }
    }

    @Override
    public boolean waits() {
        return waits;
    }

    @Override
    public BlockRun begin(Worker worker, long block) {
        return begin(worker, frames.of(worker), block);
    }

    BlockRun begin(Worker worker, Frame own, long block) {
        return kernel.begin(worker, own, scheduler, block);
    }

    /** Whether the threads of a block have nothing to do with each other, so that some may run without the others. */
    boolean divisible() {
        return scheduler.pointless();
    }

    /** About how many instructions the code has, with those of functions that were inlined. */
    int instructions() {
        return instructions;
    }

    /** Whether launches may run in memory of their own. */
    boolean rehearsable() {
        return rehearsable;
    }

    /** Threads of a block. */
    int threads() {
        return threads;
    }

    Frame newFrame() {
        Frame own = new Frame(threads, frame.ints(), frame.longs(), frame.floats(), frame.doubles());
        own.reserve(points);
        own.lineOf = lines;
        own.left = counts ? new long[threads] : null;
        return own;
    }

    /** The kernel as rehearsals run it. */
    Part.Code rehearsed() {
        Frame own = newFrame();
        own.alone = waits;
        return new RehearsedKernel(kernel, own, scheduler);
    }

    void run(Worker worker, Frame own, long first, long end) {
        kernel.run(worker, own, scheduler, first, end);
    }
}
