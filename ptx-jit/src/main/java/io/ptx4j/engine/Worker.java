package io.ptx4j.engine;

import io.ptx4j.engine.checks.BlockChecks;

import java.lang.foreign.MemorySegment;

/**
 * What one worker has while it runs blocks of a grid. A worker runs one block at a time, so it needs one shared window and
 * the local windows of one block.
 *
 * <p>Fields are public because generated code reads them directly. All are final but {@link #cancelled}, which other workers set, and
 * {@link #frame}.
 */
public final class Worker {
    public final Grid grid;
    /** All of device memory; byte 0 has the generic address {@link AddressSpace#ORIGIN}. */
    public final MemorySegment memory;
    /** The block's shared memory: exactly its static and dynamic bytes. Not cleared between blocks. */
    public final MemorySegment shared;
    /** Generic address of {@link #shared}. */
    public final long sharedBase;
    /** Local memory of all threads of a block, {@link Executable#localBytesPerThread()} bytes each, by linear thread index. */
    public final MemorySegment local;
    /** Generic address of {@link #local}. */
    public final long localBase;
    /** The module's constant window: exactly its bytes. */
    public final MemorySegment constants;
    /** Number of this worker on its device, from 0: {@code %smid}. */
    public final int index;
    /** What watches the block it runs; null where nobody asked for it. */
    public final BlockChecks checks;
    /** Whether the launch is to stop. */
    public final StopSignal stop;
    /** Whether this worker alone is to stop. */
    public volatile boolean cancelled;
    /** What the executable keeps from block to block (register frames); each executable makes its own. */
    public Object frame;

    private Cluster cluster;
    private TensorMemory tensor;

    public Worker(
            Grid grid, MemorySegment memory, MemorySegment shared, long sharedBase, MemorySegment local, long localBase,
            MemorySegment constants, int index) {
        this.grid = grid;
        this.memory = memory;
        this.shared = shared;
        this.sharedBase = sharedBase;
        this.local = local;
        this.localBase = localBase;
        this.constants = constants;
        this.index = index;
        this.stop = grid.stop();
        this.checks = grid.checks() == null ? null : grid.checks().watch(this);
    }

    /** The blocks that run with this one; the block alone unless it was told otherwise. */
    public Cluster cluster() {
        if (cluster == null) {
            cluster = new Cluster(this);
        }
        return cluster;
    }

    /** Tensor memory of the block with that linear index, which this worker runs. */
    public TensorMemory tensor(long block) {
        return tensorOfPeer().of(block);
    }

    /** Tensor memory of the block that it runs, as another block of its cluster finds it. */
    public TensorMemory tensorOfPeer() {
        if (tensor == null) {
            tensor = new TensorMemory();
        }
        return tensor;
    }

    void restartTensor() {
        if (tensor != null) {
            tensor.restart();
        }
    }

    void join(Cluster joined) {
        cluster = joined;
    }

    /** Asks this worker alone to stop: a block below its own has failed, so what it runs no longer counts. */
    public void cancel() {
        cancelled = true;
    }

    /** Whether this worker should stop, by itself or with its whole grid; loops ask now and then. */
    public boolean cancelled() {
        return cancelled || stop.given;
    }
}
