package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.ClusterShape;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

/** Clusters: their special registers, their barrier, and addresses in the shared memory of their blocks. */
public final class Clusters {
    private Clusters() {
    }

    /** {@code %clusterid}. */
    public static int idX(Worker worker, Frame frame) {
        return frame.ctaX / worker.grid.cluster.x();
    }

    public static int idY(Worker worker, Frame frame) {
        return frame.ctaY / worker.grid.cluster.y();
    }

    public static int idZ(Worker worker, Frame frame) {
        return frame.ctaZ / worker.grid.cluster.z();
    }

    /** {@code %nclusterid}. */
    public static int countX(Worker worker) {
        return worker.grid.x / worker.grid.cluster.x();
    }

    public static int countY(Worker worker) {
        return worker.grid.y / worker.grid.cluster.y();
    }

    public static int countZ(Worker worker) {
        return worker.grid.z / worker.grid.cluster.z();
    }

    /** {@code %cluster_ctaid}. */
    public static int blockX(Worker worker, Frame frame) {
        return frame.ctaX % worker.grid.cluster.x();
    }

    public static int blockY(Worker worker, Frame frame) {
        return frame.ctaY % worker.grid.cluster.y();
    }

    public static int blockZ(Worker worker, Frame frame) {
        return frame.ctaZ % worker.grid.cluster.z();
    }

    /** {@code %cluster_nctaid}. */
    public static int blocksX(Worker worker) {
        return worker.grid.cluster.x();
    }

    public static int blocksY(Worker worker) {
        return worker.grid.cluster.y();
    }

    public static int blocksZ(Worker worker) {
        return worker.grid.cluster.z();
    }

    /** {@code %cluster_ctarank}. */
    public static int rank(Worker worker, Frame frame) {
        ClusterShape shape = worker.grid.cluster;
        return (blockZ(worker, frame) * shape.y() + blockY(worker, frame)) * shape.x() + blockX(worker, frame);
    }

    /** {@code %cluster_nctarank}. */
    public static int blocks(Worker worker) {
        return worker.grid.cluster.blocks();
    }

    /** {@code %is_explicit_cluster}. */
    public static int explicit(Worker worker) {
        return worker.grid.cluster.explicit() ? 1 : 0;
    }

    /** {@code barrier.cluster.arrive}. */
    public static void arrive(Frame frame, int thread) {
        if (frame.atCluster[thread] != Frame.ABSENT) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "barrier.cluster.arrive again without a wait in between", 0, -1, -1);
        }
        frame.atCluster[thread] = Frame.ARRIVED;
        frame.written = true;
    }

    /** Where a {@code .shared::cluster} address lies in device memory. */
    public static long offset(Worker worker, long address) {
        long generic = worker.cluster().generic(worker, address);
        if (generic < 0) {
            throw new Memory.BadAccess(worker.shared.address() + address, 0, false, false, null);
        }
        return generic - AddressSpace.ORIGIN;
    }

    /** The generic address of a {@code .shared::cluster} one; of one that lies nowhere an address beyond the block's window. */
    public static long generic(Worker worker, long address) {
        long generic = worker.cluster().generic(worker, address);
        return generic < 0 ? worker.sharedBase + address : generic;
    }

    /** The {@code .shared::cluster} address of a generic one. */
    public static long shared(Worker worker, long generic) {
        int rank = worker.cluster().rankOf(generic);
        return rank < 0 || worker.cluster().worker(rank) == worker ? generic - worker.sharedBase
                : Cluster.mapped(generic - worker.cluster().worker(rank).sharedBase, rank);
    }

    /** Whether a generic address lies in the shared memory of a block of the cluster. */
    public static int holds(Worker worker, long generic) {
        return worker.cluster().rankOf(generic) >= 0 ? 1 : 0;
    }

    /** {@code mapa.shared::cluster}. */
    public static long map(Worker worker, long address, int rank) {
        return Cluster.mapped(address, checked(worker, rank));
    }

    /** {@code mapa} of a generic address. */
    public static long mapGeneric(Worker worker, long generic, int rank) {
        Worker target = worker.cluster().worker(checked(worker, rank));
        int from = worker.cluster().rankOf(generic);
        if (from < 0) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND,
                    "mapa of 0x" + Long.toHexString(generic) + ", which is no address in shared memory of the cluster", 0, -1, -1);
        }
        return generic - worker.cluster().worker(from).sharedBase + target.sharedBase;
    }

    private static int checked(Worker worker, int rank) {
        if (rank < 0 || rank >= worker.cluster().blocks()) {
            throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "mapa asks for block " + Integer.toUnsignedString(rank) + " of a cluster of "
                    + worker.cluster().blocks(), 0, -1, -1);
        }
        return rank;
    }

    /** {@code getctarank.shared::cluster}: an address below the mapped ones is the block's own. */
    public static int rankOf(Worker worker, Frame frame, long address) {
        long rank = (address >>> Cluster.OFFSET_BITS) - 1;
        return rank < 0 ? rank(worker, frame) : (int) rank;
    }

    /** {@code getctarank} of a generic address; -1 for one that lies in no shared memory of the cluster. */
    public static int rankOfGeneric(Worker worker, long generic) {
        return worker.cluster().rankOf(generic);
    }
}
