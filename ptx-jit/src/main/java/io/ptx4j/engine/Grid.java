package io.ptx4j.engine;

import io.ptx4j.engine.checks.LaunchChecks;
import io.ptx4j.ir.Kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * One launch: a grid of blocks, as all its workers see it.
 *
 * <p>Fields are public and final because generated code reads them directly.
 */
public final class Grid {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public final Program program;
    public final Kernel kernel;
    public final int x;
    public final int y;
    public final int z;
    public final BlockShape block;
    public final ClusterShape cluster;
    /**
     * Generic address of the memory in which the blocks of a cooperative launch meet, 0 for other launches. Compilers find it in
     * {@code %envreg1} (upper half) and {@code %envreg2}.
     */
    public final long workspace;
    /** Dynamic shared memory of a block in bytes. */
    public final int dynamicSharedBytes;
    /** The kernel's parameter block: exactly {@link Kernel#parameterBytes()} bytes. */
    public final MemorySegment parameters;
    /** What {@link #parameters} held when the launch was made, in words of eight bytes, the first byte lowest. */
    public final long[] parameterWords;
    /** Generic address of {@link #parameters}. */
    public final long parameterBase;
    /** Number of the launch on its device, {@code %gridid}. */
    public final long gridId;

    /** Where {@code vprintf} prints, a whole text at a time; may be called by several workers at once. */
    public final Consumer<String> output;

    /** Gives memory of that many bytes for runs whose results nobody sees; throws what the host refuses. */
    public final LongFunction<Scratch> scratch;

    private Multicasts multicasts = Multicasts.NONE;
    private MatrixSums matrixSums = MatrixSums.FUSED;
    private LaunchChecks checks;
    private StopSignal stop = new StopSignal();

    public Grid(
            Program program, Kernel kernel, int x, int y, int z, BlockShape block, ClusterShape cluster, long workspace,
            int dynamicSharedBytes, MemorySegment parameters, long parameterBase, long gridId, Consumer<String> output,
            LongFunction<Scratch> scratch) {
        this.program = program;
        this.kernel = kernel;
        this.x = x;
        this.y = y;
        this.z = z;
        this.block = block;
        this.cluster = cluster;
        this.workspace = workspace;
        this.dynamicSharedBytes = dynamicSharedBytes;
        this.parameters = parameters;
        this.parameterWords = words(parameters);
        this.parameterBase = parameterBase;
        this.gridId = gridId;
        this.output = output;
        this.scratch = scratch;
    }

    private static long[] words(MemorySegment bytes) {
        long[] words = new long[(int) (bytes.byteSize() + Long.BYTES - 1 >> 3)];
        int whole = (int) (bytes.byteSize() >> 3);
        for (int i = 0; i < whole; i++) {
            words[i] = bytes.get(WORD, (long) i * Long.BYTES);
        }
        for (long at = (long) whole * Long.BYTES; at < bytes.byteSize(); at++) {
            words[whole] |= (bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFFL) << (at << 3);
        }
        return words;
    }

    /**
     * The same launch with its parameters at another place of the host's memory, and another output.
     *
     * @param together whether asking one of them to stop asks the other one too
     */
    public Grid withParameters(MemorySegment copy, Consumer<String> prints, boolean together) {
        Grid other = new Grid(program, kernel, x, y, z, block, cluster, workspace, dynamicSharedBytes, copy, parameterBase, gridId, prints,
                scratch);
        if (together) {
            other.stop = stop;
        }
        other.multicasts = multicasts;
        other.matrixSums = matrixSums;
        return other;
    }

    public long blocks() {
        return (long) x * y * z;
    }

    /** Gives the launch multicast objects, before any worker is made. */
    public void reach(Multicasts objects) {
        multicasts = objects;
    }

    /** The multicast objects that its threads may use; none unless it was given some. */
    public Multicasts multicasts() {
        return multicasts;
    }

    /** Says how it adds up products of matrices, before any worker is made. */
    public void sum(MatrixSums sums) {
        matrixSums = sums;
    }

    public MatrixSums matrixSums() {
        return matrixSums;
    }

    /** Says what the launch is watched for, before any worker is made. */
    public void watch(LaunchChecks watched) {
        checks = watched;
    }

    /** What watches the launch; null where nobody asked for it. */
    public LaunchChecks checks() {
        return checks;
    }

    /** Asks all workers to stop; loops ask {@link Worker#cancelled()} now and then. */
    public void cancel() {
        stop.give();
    }

    public boolean cancelled() {
        return stop.given;
    }

    StopSignal stop() {
        return stop;
    }
}
