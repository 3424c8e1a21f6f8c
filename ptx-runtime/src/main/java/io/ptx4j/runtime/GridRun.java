package io.ptx4j.runtime;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.ClusterShape;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.checks.Findings;
import io.ptx4j.runtime.LaunchStoppedException.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One launch from the call to its end. */
final class GridRun {
    /** Bytes, behind the arguments, in which the blocks of a cooperative launch meet: its size and a word that starts as 0. */
    private static final int WORKSPACE = 8;
    private static final int WORKSPACE_ALIGNMENT = 8;

    private final Device device;
    private final Launch launch;
    private final Allocation parameters;
    private final int argumentBytes;
    private final long number;
    private final boolean rehearsed;
    private final LaunchFuture<LaunchResult> future = new LaunchFuture<>(this);
    /** Completes when nothing of the launch runs any more, which may be later than a cancelled {@link #future}. */
    private final CompletableFuture<LaunchResult> ended = new CompletableFuture<>();

    private final long called = System.nanoTime();
    private long preparing;
    private long started;
    private PreparedKernel kernel;
    private volatile boolean running;
    private volatile boolean gettingOn = true;
    /** Guarded by this, as is all below. */
    private Grid grid;
    private Reason stopped;
    private Future<?> alarm;

    /**
     * @param rehearsed whether it only is to be made fast, with nothing of it to be seen
     * @throws IllegalStateException if the device is closed
     */
    GridRun(Device device, Launch launch, byte[] arguments, boolean rehearsed) {
        this.device = device;
        this.rehearsed = rehearsed;
        this.launch = launch;
        this.number = device.launches().begin(this);
        if (number < 0) {
            throw new IllegalStateException("the device is closed");
        }
        try {
            argumentBytes = arguments.length;
            long bytes = argumentBytes + (launch.isCooperative() ? WORKSPACE_ALIGNMENT + WORKSPACE : 0);
            parameters = device.areas().allocateBelowBuffers(launch.kernel().parametersName(), bytes, Allocator.ALIGNMENT);
            device.areas().slice(parameters).fill((byte) 0).copyFrom(MemorySegment.ofArray(arguments));
        } catch (RuntimeException full) {
            device.launches().end(number);
            throw full;
        }
    }

    LaunchFuture<LaunchResult> future() {
        return future;
    }

    CompletableFuture<LaunchResult> ended() {
        return ended;
    }

    /**
     * Prepares the kernel and lets workers loose on its blocks; the calling thread is one of them.
     *
     * @param interruptible whether an interrupt of the calling thread stops the launch
     */
    void begin(boolean interruptible) {
        if (endIfStopped()) {
            return;
        }
        GridWork blocks;
        try {
            Grid prepared = prepare();
            Allocation constants = launch.kernel().module().constants();
            boolean together = kernel.code().waits() || launch.isCooperative() || prepared.cluster.blocks() > 1;
            if (rehearsed) {
                blocks = together ? none -> blocksEnded(GridWork.Outcome.NOTHING_TO_DO)
                        : new RehearsedBlocks(device, prepared, kernel.code(), constants, this::blocksEnded);
            } else {
                blocks = together ? new SuspendableBlocks(device, prepared, kernel.code(), constants, this, this::blocksEnded)
                        : new Blocks(device, prepared, kernel, constants, started, this::blocksEnded);
            }
            arm(prepared);
        } catch (RuntimeException | Error broken) {
            end(null, Faults.unprepared(launch.kernel(), broken));
            return;
        }
        running = true;
        blocks.begin(interruptible ? () -> stop(Reason.INTERRUPTED) : null);
    }

    private boolean endIfStopped() {
        Reason reason;
        synchronized (this) {
            reason = stopped;
        }
        if (reason != null) {
            end(null, stoppedFor(reason));
        }
        return reason != null;
    }

    private Grid prepare() {
        Kernel entry = launch.kernel();
        BlockShape shape = new BlockShape(launch.block().x(), launch.block().y(), launch.block().z());
        preparing = System.nanoTime();
        started = preparing;
        kernel = entry.ready(shape);
        if (kernel == null) {
            kernel = entry.preparedWithin(shape);
            started = System.nanoTime();
        }
        Grid made = new Grid(entry.module().program(), entry.checked(), launch.grid().x(), launch.grid().y(), launch.grid().z(),
                shape, cluster(), workspace(), launch.sharedBytes(), device.areas().slice(parameters).asSlice(0, argumentBytes), parameters.address(), number, output(),
                DeviceMemory::open);
        made.reach(device.multicasts());
        made.sum(device.matrixSums());
        device.watch(made);
        return made;
    }

    /** Where kernels print; counts the bytes where the device limits them. */
    private Consumer<String> output() {
        long most = device.outputBytes();
        if (most == Long.MAX_VALUE) {
            return device::print;
        }
        AtomicLong printed = new AtomicLong();
        return text -> {
            if (printed.addAndGet(text.getBytes(StandardCharsets.UTF_8).length) > most) {
                throw Fault.at(Fault.Kind.OUTPUT_LIMIT, String.format(Locale.ROOT, "the launch prints more than %,d bytes, which is the device's limit",
                        most), 0, -1, -1);
            }
            device.print(text);
        };
    }

    /** Its generic address; 0 for a launch without one. */
    private long workspace() {
        if (!launch.isCooperative()) {
            return 0;
        }
        long offset = (argumentBytes + WORKSPACE_ALIGNMENT - 1L) / WORKSPACE_ALIGNMENT * WORKSPACE_ALIGNMENT;
        device.areas().slice(parameters).set(ValueLayout.JAVA_INT, offset, WORKSPACE);
        return parameters.address() + offset;
    }

    private ClusterShape cluster() {
        Dim3 asked = launch.cluster();
        return asked == null ? ClusterShape.SINGLE : new ClusterShape(asked.x(), asked.y(), asked.z(), true);
    }

    private synchronized void arm(Grid prepared) {
        grid = prepared;
        if (stopped != null) {
            grid.cancel();
        } else if (launch.timeout() != null) {
            alarm = Timer.after(launch.timeout(), () -> stop(Reason.TIMED_OUT));
        }
    }

    /** Ends a launch that may not start because one before it in its stream failed. */
    void refuse(Throwable earlier) {
        end(null, new LaunchStoppedException(launch.kernel().name(), Reason.EARLIER_FAILURE, "", earlier));
    }

    /** Notes whether blocks of the launch get on: they do not when all of them wait. */
    void gettingOn(boolean does) {
        gettingOn = does;
    }

    /** Whether the launch runs and may write what others wait for. */
    boolean isGettingOn() {
        return gettingOn && running;
    }

    /** Asks all workers to end; the first reason given counts. */
    synchronized void stop(Reason reason) {
        if (stopped == null) {
            stopped = reason;
            if (grid != null) {
                grid.cancel();
            }
        }
    }

    private void blocksEnded(GridWork.Outcome outcome) {
        if (grid.checks() != null) {
            grid.checks().ended();
        }
        Reason reason;
        synchronized (this) {
            reason = stopped;
            if (alarm != null) {
                alarm.cancel(false);
            }
        }
        Fault fault = outcome.fault();
        List<Findings.Finding> found = rehearsed || grid.checks() == null || grid.checks().findings() == null ? List.of() : grid.checks().findings().all();
        if (outcome.complete()) {
            if (found.isEmpty()) {
                end(result(), null);
            } else {
                end(null, Faults.explain(found, device));
            }
        } else if (fault != null && (reason == null || fault.kind() != Fault.Kind.INTERNAL)) {
            end(null, Faults.explain(found, fault, outcome.worker(), device));
        } else if (reason != null) {
            LaunchStoppedException stop = stoppedFor(reason);
            if (!found.isEmpty()) {
                stop.addSuppressed(Faults.explain(found, device));
            }
            end(null, stop);
        } else {
            end(null, outcome.notStarted() instanceof OutOfDeviceMemoryException full ? full
                    : Faults.unprepared(launch.kernel(), outcome.notStarted()));
        }
    }

    private LaunchResult result() {
        return new LaunchResult(launch.kernel().name(), device.engine().name(), kernel.code().shape(), launch.grid(), launch.block(),
                Duration.ofNanos(started - preparing), Duration.ofNanos(System.nanoTime() - started));
    }

    private LaunchStoppedException stoppedFor(Reason reason) {
        Duration after = Duration.ofNanos(System.nanoTime() - called);
        return new LaunchStoppedException(launch.kernel().name(), reason, " after " + Amount.time(after), null);
    }

    private void end(LaunchResult result, PtxException failure) {
        try {
            device.releaseNow(parameters);
            device.launches().end(number);
        } finally {
            if (failure == null) {
                ended.complete(result);
                future.complete(result);
            } else {
                ended.completeExceptionally(failure);
                future.completeExceptionally(failure);
            }
        }
    }
}
