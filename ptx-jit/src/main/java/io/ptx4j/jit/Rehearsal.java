package io.ptx4j.jit;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Scratch;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Variable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A launch that runs in memory of its own, so that nothing of it shows. At its start that memory holds the launch's parameters, the module's
 * variables and constants and the first bytes of what the parameters point to; the rest reads as zero. Other threads may write
 * what is copied meanwhile: it decides which way the code goes, no result depends on it. A rehearsal of blocks that wait for others begins when its launch does, and can begin anew.
 */
final class Rehearsal implements AutoCloseable {
    /** Bytes copied of each variable and from each pointer on. */
    private static final long COPIED = 1 << 20;
    private static final ValueLayout.OfLong ADDRESS = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Bytes from a place of memory on as they were at the start. */
    private record Copy(long offset, byte[] bytes) {
    }

    private final Scratch scratch;
    private final Worker worker;
    private final boolean repeats;
    private final List<Copy> copies = new ArrayList<>();

    /**
     * @throws RuntimeException if the memory cannot be had, or that of {@code real} is gone
     */
    Rehearsal(Rehearsed real) {
        repeats = real.repeats;
        scratch = real.grid.scratch.apply(real.memory.byteSize());
        try {
            MemorySegment parameters = slice(real.grid.parameterBase, real.parameters.length);
            parameters.copyFrom(MemorySegment.ofArray(real.parameters));
            copy(real, real.grid.program.constBase(), real.worker.constants.byteSize());
            for (Variable variable : real.grid.program.module().variables()) {
                copy(real, real.grid.program.address(variable), Math.min(variable.bytes(), COPIED));
            }
            for (int at = 0; at + 8 <= real.parameters.length; at += 8) {
                copy(real, parameters.get(ADDRESS, at), COPIED);
            }
            Grid own = real.grid.withParameters(parameters, text -> { }, real.together);
            Worker of = real.worker;
            worker = new Worker(own, scratch.segment(), slice(of.sharedBase, of.shared.byteSize()), of.sharedBase,
                    slice(of.localBase, of.local.byteSize()), of.localBase,
                    slice(real.grid.program.constBase(), of.constants.byteSize()), of.index);
        } catch (RuntimeException failure) {
            scratch.close();
            throw failure;
        }
    }

    /** What a rehearsal is made from; takes the parameters at once, since the launch may end. */
    static final class Rehearsed {
        private final Worker worker;
        private final Grid grid;
        private final MemorySegment memory;
        private final byte[] parameters;
        private final boolean together;
        private final boolean repeats;

        /** @param together whether the rehearsal is to stop when the launch is */
        Rehearsed(Worker worker, boolean together) {
            this(worker, together, false);
        }

        /** @param repeats whether it is to begin anew */
        Rehearsed(Worker worker, boolean together, boolean repeats) {
            this.repeats = repeats;
            this.together = together;
            this.worker = worker;
            this.grid = worker.grid;
            this.memory = worker.memory;
            this.parameters = grid.parameters.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Runs the rehearsal's blocks. */
    Worker worker() {
        return worker;
    }

    /** Puts all that was copied back. */
    void repeat() {
        for (Copy copy : copies) {
            MemorySegment.copy(MemorySegment.ofArray(copy.bytes), 0, scratch.segment(), copy.offset, copy.bytes.length);
        }
    }

    private MemorySegment slice(long address, long bytes) {
        return bytes == 0 ? scratch.segment().asSlice(0, 0) : scratch.segment().asSlice(address - AddressSpace.ORIGIN, bytes);
    }

    private void copy(Rehearsed real, long address, long bytes) {
        long offset = address - AddressSpace.ORIGIN;
        if (offset >= 0 && offset < real.memory.byteSize()) {
            long count = Math.min(bytes, real.memory.byteSize() - offset);
            MemorySegment.copy(real.memory, offset, scratch.segment(), offset, count);
            if (repeats) {
                copies.add(new Copy(offset, scratch.segment().asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE)));
            }
        }
    }

    @Override
    public void close() {
        scratch.close();
    }
}
