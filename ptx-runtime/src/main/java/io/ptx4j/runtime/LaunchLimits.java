package io.ptx4j.runtime;

import io.ptx4j.engine.BlockShape;

import java.util.List;

/** What a launch may ask for: the limits of every current target, and the performance directives of the kernel. */
final class LaunchLimits {
    static final int BLOCK_Z = 64;
    static final int GRID_YZ = 65_535;
    /** Blocks of a cluster: what targets from sm_90 on allow when asked. */
    static final int CLUSTER = 16;

    private LaunchLimits() {
    }

    static void check(Launch launch, Device device) {
        String kernel = launch.kernel().name();
        if (launch.grid() == null) {
            throw new LaunchException(kernel, "the grid is not given; say grid(blocks)");
        }
        if (launch.block() == null) {
            throw new LaunchException(kernel, "the block is not given; say block(threads)");
        }
        extent(kernel, "grid", launch.grid(), Integer.MAX_VALUE, GRID_YZ, GRID_YZ);
        block(launch.kernel(), launch.block());
        cluster(kernel, launch);
        shared(kernel, launch, device);
    }

    private static void extent(String kernel, String what, Dim3 size, int x, int y, int z) {
        if (size.x() < 1 || size.y() < 1 || size.z() < 1) {
            throw new LaunchException(kernel, "the " + what + " is " + size + "; each dimension must be at least 1");
        }
        if (size.x() > x || size.y() > y || size.z() > z) {
            throw new LaunchException(kernel, "the " + what + " is " + size + "; at most " + new Dim3(x, y, z) + " is possible");
        }
    }

    /** Whether {@code kernel} may run in such blocks. */
    static void block(Kernel kernel, Dim3 block) {
        String name = kernel.name();
        extent(name, "block", block, BlockShape.MOST_THREADS, BlockShape.MOST_THREADS, BLOCK_Z);
        if (block.count() > BlockShape.MOST_THREADS) {
            throw new LaunchException(name, "a block of " + block + " has " + block.count() + " threads; at most " + BlockShape.MOST_THREADS + " are possible");
        }
        var limits = kernel.checked().limits();
        if (present(limits.requiredThreads()) && !dim3(limits.requiredThreads()).equals(block)) {
            throw new LaunchException(name, "the block is " + block + "; the kernel requires " + dim3(limits.requiredThreads()) + " (.reqntid)");
        }
        if (present(limits.maxThreads()) && block.count() > dim3(limits.maxThreads()).count()) {
            throw new LaunchException(name, "the block is " + block + ", " + block.count() + " threads; the kernel allows "
                    + dim3(limits.maxThreads()).count() + " (.maxntid)");
        }
    }

    private static void cluster(String kernel, Launch launch) {
        if (launch.isCooperative() && launch.grid().count() > SuspendableBlocks.MOST) {
            throw new LaunchException(kernel, "a cooperative grid of " + launch.grid() + " has " + launch.grid().count()
                    + " blocks; at most " + SuspendableBlocks.MOST + " can be under way together");
        }
        Dim3 cluster = launch.cluster();
        var limits = launch.kernel().checked().limits();
        if (cluster == null) {
            if (limits.explicitCluster()) {
                throw new LaunchException(kernel, "the cluster is not given; say cluster(blocks), since the kernel requires that (.explicitcluster)");
            }
            return;
        }
        extent(kernel, "cluster", cluster, CLUSTER, CLUSTER, CLUSTER);
        if (cluster.count() > CLUSTER) {
            throw new LaunchException(kernel, "a cluster of " + cluster + " has " + cluster.count() + " blocks; at most " + CLUSTER
                    + " are possible");
        }
        if (limits.maxClusterBlocks() > 0 && cluster.count() > limits.maxClusterBlocks()) {
            throw new LaunchException(kernel, "the cluster is " + cluster + ", " + cluster.count() + " blocks; the kernel allows "
                    + limits.maxClusterBlocks() + " (.maxclusterrank)");
        }
        List<Integer> required = limits.clusterSize();
        if (present(required) && !dim3(required).equals(cluster)) {
            throw new LaunchException(kernel, "the cluster is " + cluster + "; the kernel requires " + dim3(required)
                    + " (.reqnctapercluster)");
        }
        Dim3 grid = launch.grid();
        if (grid.x() % cluster.x() != 0 || grid.y() % cluster.y() != 0 || grid.z() % cluster.z() != 0) {
            throw new LaunchException(kernel, "the grid is " + grid + ", which is no multiple of the cluster " + cluster);
        }
    }

    private static void shared(String kernel, Launch launch, Device device) {
        if (launch.sharedBytes() < 0) {
            throw new LaunchException(kernel, launch.sharedBytes() + " bytes of dynamic shared memory; that is less than none");
        }
        long bytes = SharedLayout.bytes(launch.kernel().checked(), launch.sharedBytes());
        if (bytes > device.sharedLimit()) {
            throw new LaunchException(kernel, "a block needs " + Amount.bytes(bytes) + " of shared memory, "
                    + Amount.bytes(launch.sharedBytes()) + " of them dynamic; at most " + Amount.bytes(device.sharedLimit())
                    + " are possible");
        }
    }

    static boolean present(List<Integer> size) {
        return size != null && !size.isEmpty();
    }

    /** Extents as a directive gives them, which may leave out y and z. */
    static Dim3 dim3(List<Integer> size) {
        return new Dim3(size.get(0), size.size() > 1 ? size.get(1) : 1, size.size() > 2 ? size.get(2) : 1);
    }
}
