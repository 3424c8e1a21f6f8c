package io.ptx4j.engine;

/**
 * Blocks of a cluster in each dimension (manual: "Cluster of Cooperative Thread Arrays").
 *
 * @param explicit whether the kernel or its launch asked for clusters: {@code %is_explicit_cluster}
 */
public record ClusterShape(int x, int y, int z, boolean explicit) {
    /** What a grid has whose launch does not speak of clusters: each block is one. */
    public static final ClusterShape SINGLE = new ClusterShape(1, 1, 1, false);

    public int blocks() {
        return x * y * z;
    }

    @Override
    public String toString() {
        return "(" + x + "," + y + "," + z + ")";
    }
}
