package io.ptx4j.engine;

import java.util.Arrays;

/**
 * The blocks of one cluster, which run in turns on one thread of the host: where each one's shared memory lies, and their common
 * barrier (manual: "barrier.cluster").
 *
 * <p>A {@code .shared::cluster} address below 2^24 is an offset into the executing block's own shared memory, as any
 * {@code .shared} address; above, its upper bits are a block's rank in the cluster plus one, and its lower 24 bits the offset
 * there. A generic address of another block's shared memory is the address of the byte itself.
 */
public final class Cluster {
    /** Bits of an offset in a mapped address. */
    public static final int OFFSET_BITS = 24;
    private static final long OFFSETS = (1L << OFFSET_BITS) - 1;

    private final Worker[] workers;
    private final BlockRun[] runs;

    /** @param workers what each block runs with, by its rank in the cluster */
    public Cluster(Worker... workers) {
        this.workers = workers.clone();
        this.runs = new BlockRun[workers.length];
        for (Worker worker : workers) {
            worker.join(this);
        }
    }

    public int blocks() {
        return workers.length;
    }

    /** The block's worker, by the block's rank. */
    public Worker worker(int rank) {
        return workers[rank];
    }

    /** The rank of the block that {@code worker} runs. */
    public int rank(Worker worker) {
        return Arrays.asList(workers).indexOf(worker);
    }

    /**
     * Ranks of the pair of blocks to which that one belongs (manual: "CTA pair").
     *
     * @return null if there is no other
     */
    public int[] pair(int rank) {
        int even = rank & ~1;
        return even + 1 < workers.length ? new int[] {even, even + 1} : null;
    }

    /** Notes what runs the block that {@code worker} has. */
    public void begun(Worker worker, BlockRun run) {
        worker.restartTensor();
        for (int rank = 0; rank < workers.length; rank++) {
            if (workers[rank] == worker) {
                runs[rank] = run;
            }
        }
    }

    /** Opens the cluster's barrier if all threads of all blocks have arrived or ended; whether it did. */
    public boolean open() {
        for (BlockRun run : runs) {
            if (run == null || !run.arrivedAtCluster()) {
                return false;
            }
        }
        for (BlockRun run : runs) {
            run.openCluster();
        }
        return true;
    }

    /** Rank of the block in whose shared memory the generic address lies, -1 for none. */
    public int rankOf(long address) {
        for (int rank = 0; rank < workers.length; rank++) {
            long offset = address - workers[rank].sharedBase;
            if (offset >= 0 && offset < workers[rank].shared.byteSize()) {
                return rank;
            }
        }
        return -1;
    }

    /** The {@code .shared::cluster} address of what lies at {@code address}, which may be mapped already, in block {@code rank}. */
    public static long mapped(long address, int rank) {
        return (long) (rank + 1) << OFFSET_BITS | address & OFFSETS;
    }

    /**
     * Where a {@code .shared::cluster} address of the block that {@code own} runs lies, as generic address.
     *
     * @return -1 if the cluster has no such block, or that block no such byte
     */
    public long generic(Worker own, long address) {
        long rank = (address >>> OFFSET_BITS) - 1;
        Worker target = rank < 0 ? own : rank < workers.length ? workers[(int) rank] : null;
        long offset = address & OFFSETS;
        return target == null || offset >= target.shared.byteSize() ? -1 : target.sharedBase + offset;
    }
}
