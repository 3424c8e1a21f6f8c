package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.lang.foreign.MemorySegment;

/**
 * Asynchronous copies (manual: "Data Movement: Asynchronous copy"), which are done when they are issued. Addresses are generic.
 */
public final class AsyncCopies {
    private static final int CHUNK = 16;

    private AsyncCopies() {
    }

    /** {@code cp.async}: {@code given} bytes are copied, the rest is zero. */
    public static void copy(Worker worker, long to, long from, int bytes, int given) {
        if (Integer.compareUnsigned(given, bytes) > 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "a source of " + Integer.toUnsignedString(given) + " bytes for a copy of " + bytes,
                    0, -1, -1);
        }
        long target = shared(worker, to, bytes, bytes, true);
        if (given > 0) {
            move(worker.memory, global(worker, from, given, bytes, false), target, given);
        }
        if (given < bytes) {
            worker.memory.asSlice(target + given, bytes - given).fill((byte) 0);
        }
        if (worker.checks != null) {
            worker.checks.copied(target, bytes);
        }
    }

    /** Copies bytes that are there; sixteen, as most programs copy, without a call. */
    private static void move(MemorySegment memory, long source, long target, int bytes) {
        if (bytes == CHUNK) {
            long first = memory.get(DirectMemory.I64, source);
            long second = memory.get(DirectMemory.I64, source + Long.BYTES);
            memory.set(DirectMemory.I64, target, first);
            memory.set(DirectMemory.I64, target + Long.BYTES, second);
        } else {
            MemorySegment.copy(memory, source, memory, target, bytes);
        }
    }

    /** {@code cp.async.bulk} from global memory into shared memory of the cluster. */
    public static void toShared(Worker worker, long to, long from, int bytes) {
        checkSize(bytes);
        long target = shared(worker, to, bytes, CHUNK, true);
        MemorySegment.copy(worker.memory, global(worker, from, bytes, CHUNK, false), worker.memory, target, bytes);
    }

    /** The same to the same place in several blocks, each of which has an mbarrier at the same place. */
    public static void multicast(Worker worker, long to, long from, int bytes, long mbarrier, int blocks) {
        for (int left = blocks & 0xFFFF; left != 0; left &= left - 1) {
            int rank = Integer.numberOfTrailingZeros(left);
            toShared(worker, Clusters.mapGeneric(worker, to, rank), from, bytes);
            complete(worker, Clusters.mapGeneric(worker, mbarrier, rank), bytes);
        }
    }

    /** {@code cp.async.bulk} between blocks of the cluster. */
    public static void betweenShared(Worker worker, long to, long from, int bytes) {
        checkSize(bytes);
        long target = shared(worker, to, bytes, CHUNK, true);
        MemorySegment.copy(worker.memory, shared(worker, from, bytes, CHUNK, false), worker.memory, target, bytes);
    }

    /** {@code cp.async.bulk} to global memory: of each 16 bytes those whose bits {@code mask} has. */
    public static void toGlobal(Worker worker, long to, long from, int bytes, int mask) {
        checkSize(bytes);
        long source = shared(worker, from, bytes, CHUNK, false);
        long target = global(worker, to, bytes, CHUNK, true);
        if ((mask & 0xFFFF) == 0xFFFF) {
            MemorySegment.copy(worker.memory, source, worker.memory, target, bytes);
            return;
        }
        for (int i = 0; i < bytes; i++) {
            if ((mask >>> i % CHUNK & 1) != 0) {
                worker.memory.set(Memory.I8, target + i, worker.memory.get(Memory.I8, source + i));
            }
        }
    }

    /** {@code cp.reduce.async.bulk}. */
    public static void reduce(Worker worker, long to, long from, int bytes, BulkReduction operation) {
        checkSize(bytes);
        long source = shared(worker, from, bytes, CHUNK, false);
        boolean inShared = worker.cluster().rankOf(to) >= 0;
        long target = inShared ? shared(worker, to, bytes, CHUNK, true) : global(worker, to, bytes, CHUNK, true);
        for (int done = 0; done < bytes; done += operation.bytes()) {
            operation.update(worker.memory, target + done, source + done);
        }
    }

    /** The bytes have come: the mbarrier counts them. */
    public static void complete(Worker worker, long mbarrier, int bytes) {
        Mbarriers.complete(worker.memory, Mbarriers.inShared(worker, mbarrier - AddressSpace.ORIGIN), bytes);
        if (worker.checks != null) {
            worker.checks.arrived(mbarrier - AddressSpace.ORIGIN);
        }
    }

    /** {@code st.bulk}: zeros. */
    public static void zero(Worker worker, long to, long bytes) {
        if (bytes < 0 || bytes % 8 != 0 || bytes > worker.shared.byteSize()) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "st.bulk of " + Long.toUnsignedString(bytes)
                    + " bytes; possible are multiples of 8 up to the shared memory", 0, -1, -1);
        }
        long target = shared(worker, to, (int) bytes, 8, true);
        worker.memory.asSlice(target, bytes).fill((byte) 0);
    }

    /** {@code clusterlaunchcontrol.try_cancel}: no launch of a cluster is ever cancelled, and that is what the answer says. */
    public static void noCancel(Worker worker, long to, long mbarrier) {
        worker.memory.asSlice(shared(worker, to, CHUNK, CHUNK, true), CHUNK).fill((byte) 0);
        complete(worker, mbarrier, CHUNK);
    }

    /** As {@link #noCancel}, at the same place in all blocks of the cluster. */
    public static void noCancelAnywhere(Worker worker, long to, long mbarrier) {
        for (int rank = 0; rank < worker.cluster().blocks(); rank++) {
            noCancel(worker, Clusters.mapGeneric(worker, to, rank), Clusters.mapGeneric(worker, mbarrier, rank));
        }
    }

    private static void checkSize(int bytes) {
        if (bytes < 0 || bytes % CHUNK != 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "a bulk copy of " + Integer.toUnsignedString(bytes)
                    + " bytes, which is no multiple of 16", 0, -1, -1);
        }
    }

    static long shared(Worker worker, long address, int bytes, int alignment, boolean store) {
        int rank = worker.cluster().rankOf(address);
        return checked(worker, address, bytes, alignment, store,
                rank >= 0 && (bytes == 0 || worker.cluster().rankOf(address + bytes - 1) == rank));
    }

    static long global(Worker worker, long address, int bytes, int alignment, boolean store) {
        long offset = address - AddressSpace.ORIGIN;
        return checked(worker, address, bytes, alignment, store, offset >= 0 && offset <= worker.memory.byteSize() - bytes);
    }

    private static long checked(Worker worker, long address, int bytes, int alignment, boolean store, boolean inside) {
        long offset = address - AddressSpace.ORIGIN;
        boolean misaligned = (address & alignment - 1) != 0;
        if (!inside || misaligned) {
            throw new Memory.BadAccess(worker.memory.address() + offset, inside ? alignment : bytes, store, inside, null);
        }
        if (worker.checks != null) {
            Checks.range(worker, offset, bytes, store);
        }
        return offset;
    }
}
