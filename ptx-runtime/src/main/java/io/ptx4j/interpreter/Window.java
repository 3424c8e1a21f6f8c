package io.ptx4j.interpreter;

import io.ptx4j.engine.AddressSpace;

import java.lang.foreign.MemorySegment;

/** The part of device memory that a state space means to a thread. */
enum Window {
    GENERIC, SHARED,
    /** Shared memory of all blocks of the cluster; see {@link io.ptx4j.engine.Cluster} for addresses. */
    CLUSTER, LOCAL, CONSTANTS, PARAMETERS;

    MemorySegment segment(ThreadState thread) {
        return switch (this) {
            case GENERIC, CLUSTER -> thread.block.worker.memory;
            case SHARED -> thread.block.worker.shared;
            case LOCAL -> thread.local;
            case CONSTANTS -> thread.block.worker.constants;
            case PARAMETERS -> thread.block.grid.parameters;
        };
    }

    /** Generic address of the window's byte 0. */
    long base(ThreadState thread) {
        return switch (this) {
            case GENERIC -> AddressSpace.ORIGIN;
            case SHARED, CLUSTER -> thread.block.worker.sharedBase;
            case LOCAL -> thread.block.worker.localBase + thread.index * thread.block.localBytesPerThread;
            case CONSTANTS -> thread.block.grid.program.constBase();
            case PARAMETERS -> thread.block.grid.parameterBase;
        };
    }

    /** Whether a generic address lies in the window; {@code GENERIC} means global memory, which is what no other window has. */
    boolean holds(ThreadState thread, long address) {
        if (this == CLUSTER) {
            return thread.block.worker.cluster().rankOf(address) >= 0;
        }
        long offset = address - base(thread);
        boolean inside = offset >= 0 && offset < segment(thread).byteSize();
        if (this != GENERIC) {
            return inside;
        }
        for (Window window : values()) {
            if (window != GENERIC && window.holds(thread, address)) {
                return false;
            }
        }
        return true;
    }

    /** For messages. */
    String text() {
        return switch (this) {
            case GENERIC -> "device memory";
            case SHARED -> "the block's shared memory";
            case CLUSTER -> "the cluster's shared memory";
            case LOCAL -> "the thread's local memory";
            case CONSTANTS -> "the module's constant memory";
            case PARAMETERS -> "the kernel's parameters";
        };
    }
}
