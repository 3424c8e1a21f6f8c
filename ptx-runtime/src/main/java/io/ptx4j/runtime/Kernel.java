package io.ptx4j.runtime;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.syntax.CompileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** An {@code .entry} of a loaded module (manual: "Kernel and Function Directives: .entry"). Thread-safe. */
public final class Kernel {
    /**
     * A parameter.
     *
     * @param name as declared
     * @param type element type
     * @param bytes whole size; more than that of {@code type} for a struct passed by value
     */
    public record Parameter(String name, ScalarType type, long bytes) {
        @Override
        public String toString() {
            return name + " (" + (bytes == type.bytes() ? type : bytes + " bytes") + ")";
        }
    }

    private final PtxModule module;
    private final io.ptx4j.ir.Kernel checked;
    private final List<Parameter> parameters;
    private final String parametersName;
    private final Map<BlockShape, PreparedKernel> prepared = new ConcurrentHashMap<>();

    Kernel(PtxModule module, io.ptx4j.ir.Kernel checked) {
        this.module = module;
        this.checked = checked;
        this.parameters = checked.parameters().stream().map(p -> new Parameter(p.name(), p.type(), p.bytes())).toList();
        this.parametersName = "parameters of " + checked.name();
    }

    public String name() {
        return checked.name();
    }

    public PtxModule module() {
        return module;
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    /** What the memory of a launch's arguments is called. */
    String parametersName() {
        return parametersName;
    }

    /** Static shared memory of a block in bytes. */
    public int sharedBytes() {
        return checked.sharedBytes();
    }

    /** The checked program of the kernel. */
    public io.ptx4j.ir.Kernel checked() {
        return checked;
    }

    /**
     * The kernel ready for blocks of {@code shape}; quick but for the first time.
     *
     * @throws UnsupportedKernelException if the engine cannot run it
     */
    PreparedKernel prepared(BlockShape shape) {
        PreparedKernel known = prepared.get(shape);
        if (known != null) {
            return known;
        }
        var made = new PreparedKernel(module.device().engine().prepare(module.program(), checked, shape), new BlockTime());
        PreparedKernel first = prepared.putIfAbsent(shape, made);
        return first == null ? made : first;
    }

    /** The kernel if it is ready for blocks of {@code shape}, else null. */
    PreparedKernel ready(BlockShape shape) {
        return prepared.get(shape);
    }

    /** {@link #prepared} within the time that the device allows for compiling. */
    PreparedKernel preparedWithin(BlockShape shape) {
        return CompileTime.within(module.device().programLimits().compiling(), () -> prepared(shape));
    }

    /** {@link #prepare(Dim3)} for the only blocks that a kernel with {@code .reqntid} runs in. */
    public CompletableFuture<Preparation> prepare() {
        Dim3 block = requiredBlock();
        if (block == null) {
            throw new LaunchException(name(), "the block is not given; say prepare(new Dim3(threads, 1, 1)), since the kernel has no .reqntid");
        }
        return prepare(block);
    }

    /**
     * Does what can be done before there are arguments to launch the kernel with, on a thread aside: generates its classes for blocks of such a
     * shape, scalar and vector, and has the JVM load and verify them, so that the first launch begins at once and says nothing new about what is
     * unsupported or beyond the device's limits. {@snippet lang = java :
     * CompletableFuture<Preparation> ready = kernel.prepare(new Dim3(256, 1, 1));
     * // read the data meanwhile
     * ready.join();
     * }
     *
     * <p>Nothing of the kernel runs: how it runs depends on its arguments, and HotSpot compiles what runs. So it is not at full speed then, and goes
     * over to the vector shape after its first launches; with arguments {@link Launch#prepare} waits for that too. Other block shapes are compiled anew.
     *
     * @param block as of {@link Launch#block(int, int, int)}
     * @throws LaunchException if the kernel cannot run in such blocks
     * @throws IllegalStateException if the device or the module is closed
     * @return completes with what was done, or exceptionally with what {@link Launch#launch} would throw; cancelling it stops nothing
     */
    public CompletableFuture<Preparation> prepare(Dim3 block) {
        module.device().checkOpen();
        module.checkOpen();
        LaunchLimits.block(this, block);
        var future = new CompletableFuture<Preparation>();
        Thread.ofPlatform().daemon().name("ptx4j-prepare").start(() -> {
            long start = System.nanoTime();
            try {
                Executable code = preparedWithin(new BlockShape(block.x(), block.y(), block.z())).code();
                code.generate();
                future.complete(new Preparation(name(), module.device().engine().name(), code.shape(), block, Duration.ofNanos(System.nanoTime() - start), Duration.ZERO));
            } catch (RuntimeException | Error broken) {
                future.completeExceptionally(Faults.unprepared(this, broken));
            }
        });
        return future;
    }

    /** The block that {@code .reqntid} asks for; null without one. */
    Dim3 requiredBlock() {
        List<Integer> required = checked.limits().requiredThreads();
        return LaunchLimits.present(required) ? LaunchLimits.dim3(required) : null;
    }

    /** The cluster that {@code .reqnctapercluster} asks for; null without one. */
    Dim3 requiredCluster() {
        List<Integer> required = checked.limits().clusterSize();
        return LaunchLimits.present(required) ? LaunchLimits.dim3(required) : null;
    }

    /** The blocks of a grid that a launch names: with {@code .blocksareclusters} it names clusters. */
    Dim3 blocks(Dim3 grid) {
        Dim3 cluster = requiredCluster();
        if (!checked.limits().blocksAreClusters() || cluster == null) {
            return grid;
        }
        try {
            return new Dim3(Math.multiplyExact(grid.x(), cluster.x()), Math.multiplyExact(grid.y(), cluster.y()),
                    Math.multiplyExact(grid.z(), cluster.z()));
        } catch (ArithmeticException tooMany) {
            throw new LaunchException(name(), "the grid is one of " + grid + " clusters of " + cluster + " blocks (.blocksareclusters), which are too many");
        }
    }

    public Launch grid(int x) {
        return launch().grid(x);
    }

    public Launch grid(int x, int y) {
        return launch().grid(x, y);
    }

    /** A launch with that many blocks; it still needs a block size. */
    public Launch grid(int x, int y, int z) {
        return launch().grid(x, y, z);
    }

    private Launch launch() {
        return new Launch(this, null, null, 0, null, null, null, false);
    }

    @Override
    public String toString() {
        return name() + parameters.stream().map(Parameter::toString)
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
