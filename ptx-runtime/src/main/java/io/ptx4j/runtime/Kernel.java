package io.ptx4j.runtime;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.isa.ScalarType;
import java.util.List;
import java.util.Map;
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
    private final Map<BlockShape, PreparedKernel> prepared = new ConcurrentHashMap<>();

    Kernel(PtxModule module, io.ptx4j.ir.Kernel checked) {
        this.module = module;
        this.checked = checked;
        this.parameters = checked.parameters().stream().map(p -> new Parameter(p.name(), p.type(), p.bytes())).toList();
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
