package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.TensorMap;
import io.ptx4j.engine.TensorMode;
import io.ptx4j.engine.Worker;

/** Tensor copies (manual: "cp.async.bulk.tensor"), which are done when they are issued. Addresses are generic. */
public final class TensorCopies {
    private static final int ALIGNMENT = 128;

    private TensorCopies() {
    }

    /** Into shared memory; the mbarrier counts all bytes of the box. {@code i}, {@code j}, {@code k}: the im2col offsets. */
    public static void load(
            Worker worker, TensorMode mode, int dimensions, long map, int x, int y, int z, int w, int v, int i, int j, int k, long to,
            long mbarrier) {
        int[] offsets = {i & 0xFFFF, j & 0xFFFF, k & 0xFFFF};
        TensorMap tensor = TensorMap.read(worker.memory, map, mode, dimensions, offsets);
        TensorWalk walk = new TensorWalk(tensor, mode, new int[] {x, y, z, w, v}, offsets);
        int bytes = tensor.elementType().bytes();
        int elements = mode.elements(tensor, offsets);
        AsyncCopies.shared(worker, to, elements * bytes, ALIGNMENT, true);
        for (int e = 0; e < elements; e++) {
            long from = walk.next();
            long value = from < 0 ? tensor.fill() : get(worker, AsyncCopies.global(worker, from, bytes, bytes, false), bytes);
            set(worker, place(worker, tensor, to, e), bytes, value);
        }
        AsyncCopies.complete(worker, mbarrier, elements * bytes);
    }

    /**
     * Into the same place of several blocks.
     *
     * @param pairs whether of each pair of blocks the mbarrier counts that has the parity of {@code mbarrier}'s block
     */
    public static void multicast(
            Worker worker, TensorMode mode, int dimensions, long map, int x, int y, int z, int w, int v, int i, int j, int k, long to,
            long mbarrier, int blocks, boolean pairs) {
        for (int left = blocks & 0xFFFF; left != 0; left &= left - 1) {
            int rank = Integer.numberOfTrailingZeros(left);
            int told = pairs ? rank & ~1 | worker.cluster().rankOf(mbarrier) & 1 : rank;
            load(worker, mode, dimensions, map, x, y, z, w, v, i, j, k, Clusters.mapGeneric(worker, to, rank),
                    Clusters.mapGeneric(worker, mbarrier, told));
        }
    }

    /** Out of shared memory; what lies outside the tensor is dropped. With an operation a reduction. */
    public static void store(
            Worker worker, TensorMode mode, int dimensions, long map, int x, int y, int z, int w, int v, int i, int j, int k, long from,
            String operation) {
        int[] offsets = {i, j, k};
        TensorMap tensor = TensorMap.read(worker.memory, map, mode, dimensions, offsets);
        TensorWalk walk = new TensorWalk(tensor, mode, new int[] {x, y, z, w, v}, offsets);
        int bytes = tensor.elementType().bytes();
        int elements = mode.elements(tensor, offsets);
        AsyncCopies.shared(worker, from, elements * bytes, ALIGNMENT, false);
        BulkReduction reduction = operation.isEmpty() ? null : BulkReduction.of(operation, tensor.elementType());
        for (int e = 0; e < elements; e++) {
            long to = walk.next();
            if (to < 0) {
                continue;
            }
            long target = AsyncCopies.global(worker, to, bytes, bytes, true);
            long source = place(worker, tensor, from, e);
            if (reduction == null) {
                set(worker, target, bytes, get(worker, source, bytes));
            } else {
                reduction.update(worker.memory, target, source);
            }
        }
    }

    /** Swizzling looks at the address within the block's shared memory, whose window is aligned for it. */
    private static long place(Worker worker, TensorMap tensor, long box, int element) {
        long base = worker.cluster().worker(worker.cluster().rankOf(box)).sharedBase;
        return base + tensor.swizzled(box - base + (long) element * tensor.elementType().bytes()) - AddressSpace.ORIGIN;
    }

    private static long get(Worker worker, long offset, int bytes) {
        return switch (bytes) {
            case 1 -> Memory.loadI8(worker.memory, offset);
            case 2 -> Memory.loadI16(worker.memory, offset);
            case 4 -> Memory.loadI32(worker.memory, offset);
            default -> Memory.loadI64(worker.memory, offset);
        };
    }

    private static void set(Worker worker, long offset, int bytes, long value) {
        switch (bytes) {
            case 1 -> Memory.storeI8(worker.memory, offset, (int) value);
            case 2 -> Memory.storeI16(worker.memory, offset, (int) value);
            case 4 -> Memory.storeI32(worker.memory, offset, (int) value);
            default -> Memory.storeI64(worker.memory, offset, value);
        }
    }
}
