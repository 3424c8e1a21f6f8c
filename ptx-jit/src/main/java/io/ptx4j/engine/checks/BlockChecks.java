package io.ptx4j.engine.checks;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

/**
 * What is known of the memory that the block of one worker sees. Its shared and local memory begin every block unwritten.
 *
 * <p>Fields are public and final because generated code reads them directly.
 */
public final class BlockChecks {
    /** States of {@link Worker#memory}, byte by byte. */
    public final MemorySegment memory;
    /** States of {@link Worker#shared}. */
    public final MemorySegment shared;
    /** States of {@link Worker#local}. */
    public final MemorySegment local;

    private final LaunchChecks launch;

    BlockChecks(LaunchChecks launch, Worker worker) {
        MemorySegment states = launch.shadow().states();
        this.launch = launch;
        this.memory = states.asSlice(0, worker.memory.byteSize());
        this.shared = states.asSlice(worker.sharedBase - AddressSpace.ORIGIN, worker.shared.byteSize());
        this.local = states.asSlice(worker.localBase - AddressSpace.ORIGIN, worker.local.byteSize());
    }

    /** As {@link Shadow#missing} for an access at an offset into device memory; notes what it writes. */
    public int range(long offset, long bytes, boolean store) {
        int missing = Shadow.missing(memory, offset, bytes, store ? Shadow.neededToWrite(launch.checks()) : Shadow.neededToRead(launch.checks()));
        if (missing == 0 && store) {
            Shadow.write(memory, offset, bytes);
        }
        return missing;
    }

    /** A block begins. */
    public void begin(long block) {
        launch.beginShared(shared);
        local.fill((byte) Shadow.ALLOCATED);
    }
}
