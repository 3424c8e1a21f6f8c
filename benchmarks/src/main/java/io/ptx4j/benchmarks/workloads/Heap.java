package io.ptx4j.benchmarks.workloads;

import java.util.HashMap;
import java.util.Map;

/** A workload's arrays on the Java heap, each a copy of what its {@link Data} holds. */
public final class Heap {
    private final Map<Data, Object> arrays = new HashMap<>();

    public float[] floats(Data data) {
        return (float[]) arrays.computeIfAbsent(data, d -> ((float[]) d.array()).clone());
    }

    public int[] ints(Data data) {
        return (int[]) arrays.computeIfAbsent(data, d -> ((int[]) d.array()).clone());
    }

    public long[] longs(Data data) {
        return (long[]) arrays.computeIfAbsent(data, d -> ((long[]) d.array()).clone());
    }

    public byte[] bytes(Data data) {
        return (byte[]) arrays.computeIfAbsent(data, d -> ((byte[]) d.array()).clone());
    }

    /** The array of {@code data} as it is now. */
    public Object array(Data data) {
        return arrays.getOrDefault(data, data.array());
    }
}
