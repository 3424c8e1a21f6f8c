package io.ptx4j.engine;

import io.ptx4j.ir.Kernel;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * One launch: a grid of blocks, as all its workers see it.
 *
 * <p>Fields are public and final because generated code reads them directly.
 */
public final class Grid {
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
    /** Generic address of {@link #parameters}. */
    public final long parameterBase;
    /** Number of the launch on its device, {@code %gridid}. */
    public final long gridId;

    /** Where {@code vprintf} prints, a whole text at a time; may be called by several workers at once. */
    public final Consumer<String> output;

    private volatile boolean cancelled;

    public Grid(
            Program program, Kernel kernel, int x, int y, int z, BlockShape block, ClusterShape cluster, long workspace,
            int dynamicSharedBytes, MemorySegment parameters, long parameterBase, long gridId, Consumer<String> output) {
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
        this.parameterBase = parameterBase;
        this.gridId = gridId;
        this.output = output;
    }

    public long blocks() {
        return (long) x * y * z;
    }

    /** Asks all workers to stop; loops ask {@link Worker#cancelled()} now and then. */
    public void cancel() {
        cancelled = true;
    }

    public boolean cancelled() {
        return cancelled;
    }
}
