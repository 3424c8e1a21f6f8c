package io.ptx4j.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * How a kernel is to be launched: grid, block, dynamic shared memory. Immutable, so one can be kept and launched many times,
 * from many threads. {@snippet lang = java :
 * kernel.grid(4).block(256).launch(1000, 2.5f, x, y);
 * }
 *
 * <p>Each argument stands for the kernel's parameter of the same index. A pointer parameter takes a {@link DeviceBuffer} or a
 * {@code long} address; a scalar parameter the Java type of its size and kind ({@code int} for {@code .u32}, {@code .s32} and
 * {@code .b32}, {@code float} for {@code .f32} and {@code .b32}, {@code short} holds the bits of {@code .f16} and
 * {@code .bf16}, {@code boolean} fits 8 bits); a struct passed by value a {@code byte[]} or
 * {@link java.lang.foreign.MemorySegment} of exactly its size. Nothing is converted: a {@code .u64} parameter wants
 * {@code 1L}, not {@code 1}.
 *
 * <p>Launches run at the same time as others on their device, whatever they do to the same buffers, unless a {@link Stream}
 * orders them. A kernel can reach what was allocated when it started.
 */
public final class Launch {
    private static final long NANOS_TO_SPIN = 20_000;

    private final Kernel kernel;
    private final Dim3 grid;
    private final Dim3 block;
    private final int sharedBytes;
    private final Duration timeout;
    private final Stream stream;
    private final Dim3 cluster;
    private final boolean cooperative;

    /** @param grid null while not given, as {@code block} and {@code cluster} may be */
    Launch(Kernel kernel, Dim3 grid, Dim3 block, int sharedBytes, Duration timeout, Stream stream, Dim3 cluster,
            boolean cooperative) {
        this.kernel = kernel;
        this.grid = grid;
        this.block = block;
        this.sharedBytes = sharedBytes;
        this.timeout = timeout;
        this.stream = stream;
        this.cluster = cluster;
        this.cooperative = cooperative;
    }

    public Launch grid(int x) {
        return grid(x, 1, 1);
    }

    public Launch grid(int x, int y) {
        return grid(x, y, 1);
    }

    /** Blocks in each dimension: at most 2,147,483,647 in x and 65,535 in y and z. */
    public Launch grid(int x, int y, int z) {
        return new Launch(kernel, new Dim3(x, y, z), block, sharedBytes, timeout, stream, cluster, cooperative);
    }

    public Launch block(int x) {
        return block(x, 1, 1);
    }

    public Launch block(int x, int y) {
        return block(x, y, 1);
    }

    /** Threads of a block in each dimension: at most 1,024 in x and y, 64 in z, and 1,024 in all. */
    public Launch block(int x, int y, int z) {
        return new Launch(kernel, grid, new Dim3(x, y, z), sharedBytes, timeout, stream, cluster, cooperative);
    }

    /** Dynamic shared memory of each block in bytes; 0 unless set. */
    public Launch shared(int bytes) {
        return new Launch(kernel, grid, block, bytes, timeout, stream, cluster, cooperative);
    }

    /** Stops the launch when it has run that long; the device's timeout holds unless this is set. */
    public Launch timeout(Duration duration) {
        return new Launch(kernel, grid, block, sharedBytes, Objects.requireNonNull(duration, "duration"), stream, cluster, cooperative);
    }

    public Launch cluster(int x) {
        return cluster(x, 1, 1);
    }

    public Launch cluster(int x, int y) {
        return cluster(x, y, 1);
    }

    /**
     * Blocks of a cluster in each dimension, which must divide those of the grid; at most 16 in all. What
     * {@code .reqnctapercluster} says unless set, else each block is a cluster of its own (manual: "Cluster of Cooperative Thread
     * Arrays"). The blocks of a cluster run together, in turns on one worker.
     */
    public Launch cluster(int x, int y, int z) {
        return new Launch(kernel, grid, block, sharedBytes, timeout, stream, new Dim3(x, y, z), cooperative);
    }

    /**
     * All blocks are under way together and may wait for each other, with any number of workers, as {@code grid.sync()} of CUDA's
     * cooperative groups does; at most 4,096 blocks. Other launches give way too where their blocks wait for each other in
     * loops, but have no memory of their own to meet in ({@code %envreg1}, {@code %envreg2}).
     */
    public Launch cooperative() {
        return new Launch(kernel, grid, block, sharedBytes, timeout, stream, cluster, true);
    }

    /** Runs after what was put into {@code stream} before. */
    public Launch on(Stream order) {
        return new Launch(kernel, grid, block, sharedBytes, timeout, order, cluster, cooperative);
    }

    public Kernel kernel() {
        return kernel;
    }

    /** Null while not given. */
    public Dim3 grid() {
        return grid;
    }

    /** Null while not given. */
    public Dim3 block() {
        return block;
    }

    public int sharedBytes() {
        return sharedBytes;
    }

    /** Null while not given. */
    public Dim3 cluster() {
        return cluster;
    }

    /** Whether {@link #cooperative()} was asked for. */
    public boolean isCooperative() {
        return cooperative;
    }

    Duration timeout() {
        return timeout;
    }

    /**
     * Runs the kernel and waits for its end. The calling thread runs blocks itself.
     *
     * @throws LaunchException if the launch is wrong; nothing has run
     * @throws UnsupportedPtxException if the engine cannot run the kernel; nothing has run
     * @throws KernelException if a thread of the kernel failed
     * @throws LaunchStoppedException if it was stopped: timeout, interrupt, closed device
     * @throws OutOfDeviceMemoryException if there is no room for shared and local memory
     * @throws IllegalStateException if the device, the module or a buffer is closed
     */
    public LaunchResult launch(Object... arguments) {
        GridRun run = newRun(arguments, false);
        if (stream == null) {
            run.begin(true);
        } else {
            stream.append(run);
        }
        return await(run);
    }

    private static LaunchResult await(GridRun run) {
        // Other workers are at their last grains; a thread that sleeps would take longer to wake up.
        if (!run.ended().isDone()) {
            for (long end = System.nanoTime() + NANOS_TO_SPIN; !run.ended().isDone() && System.nanoTime() < end;) {
                Thread.onSpinWait();
            }
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return run.ended().get();
                } catch (InterruptedException wake) {
                    interrupted = true;
                    run.stop(LaunchStoppedException.Reason.INTERRUPTED);
                } catch (ExecutionException failed) {
                    throw (RuntimeException) failed.getCause().fillInStackTrace();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Starts the kernel on the device's workers. Wrong launches throw here, as in {@link #launch}; what goes wrong later
     * completes the future with the exception that {@code launch} would throw. Cancelling the future stops the kernel soon;
     * its memory may still be written until then.
     */
    public CompletableFuture<LaunchResult> launchAsync(Object... arguments) {
        GridRun run = newRun(arguments, false);
        if (stream == null) {
            kernel.module().device().threads().execute(() -> run.begin(false));
        } else {
            stream.append(run);
        }
        return run.future();
    }

    /**
     * Makes the kernel as fast as it gets for launches like this one, for those who would rather wait once than watch it become fast: parts
     * of the launch are rehearsed on a thread aside, in memory of their own that holds copies of what the arguments point to, until the JVM
     * has compiled the kernel's code and the faster code shape is chosen. Nothing of that shows in device memory, and launches may run meanwhile. {@snippet lang = java :
     * Launch step = kernel.grid(4096).block(256);
     * step.prepare(n, a, x, y).join();
     * }
     *
     * <p>That takes from a second to half a minute for kernels of thousands of instructions; cancelling the future ends it, as closing the
     * device does, and leaves the kernel as fast as it is by then. Timeouts of launches do not count. Kernels whose threads wait for other blocks, or call functions of the
     * host, and launches with clusters, are compiled and not rehearsed. Other block shapes are compiled anew.
     *
     * @param arguments as of {@link #launch}; loops that go by their values, or by what they point to, are rehearsed as the launch would run them
     * @throws LaunchException if the launch would be wrong
     * @throws IllegalStateException if the device, the module or a buffer is closed
     * @return completes with what was done, or exceptionally as that of {@link #launchAsync}; a kernel's fault is none of a rehearsal's
     */
    public CompletableFuture<Preparation> prepare(Object... arguments) {
        GridRun run = newRun(arguments, true);
        var future = new LaunchFuture<Preparation>(run);
        run.ended().whenComplete((result, failure) -> {
            if (failure == null) {
                future.complete(new Preparation(result.kernel(), result.engine(), result.shape(), result.block(), result.preparation(),
                        result.running()));
            } else {
                future.completeExceptionally(failure);
            }
        });
        Thread.ofPlatform().daemon().name("ptx4j-prepare").start(() -> run.begin(false));
        return future;
    }

    /** @param rehearsed whether it only is to be made fast */
    private GridRun newRun(Object[] arguments, boolean rehearsed) {
        Device device = kernel.module().device();
        device.checkOpen();
        kernel.module().checkOpen();
        Launch complete = new Launch(kernel, kernel.blocks(grid), block == null ? kernel.requiredBlock() : block, sharedBytes,
                rehearsed ? null : timeout == null ? device.timeout() : timeout, stream, cluster == null ? kernel.requiredCluster() : cluster, cooperative);
        LaunchLimits.check(complete, device);
        return new GridRun(device, complete, Arguments.encode(kernel, arguments == null ? new Object[] {null} : arguments),
                rehearsed);
    }
}
