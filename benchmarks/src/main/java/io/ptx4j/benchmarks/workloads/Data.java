package io.ptx4j.benchmarks.workloads;

/**
 * An array that a workload's kernels read or write, with what it holds before the first launch. It is told from others by identity.
 *
 * @param array a byte[], int[], long[] or float[]
 */
public record Data(String name, Object array) {
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
