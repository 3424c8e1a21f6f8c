package io.ptx4j.benchmarks.peers;

import io.ptx4j.benchmarks.workloads.Data;
import io.ptx4j.benchmarks.workloads.Workload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** A workload's arrays in native memory, aligned to pages as a device's memory is. */
final class Native {
    private static final long PAGE = 4096;

    private final Arena arena;
    private final Map<Data, MemorySegment> segments = new HashMap<>();

    Native(Arena arena) {
        this.arena = arena;
    }

    MemorySegment of(Data data) {
        return segments.computeIfAbsent(data, d -> {
            MemorySegment heap = heap(d.array());
            return arena.allocate(heap.byteSize(), PAGE).copyFrom(heap);
        });
    }

    private static MemorySegment heap(Object array) {
        return switch (array) {
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            default -> throw new IllegalArgumentException("no memory for " + array.getClass());
        };
    }

    /** The result as an array on the heap. */
    Object result(Workload workload) {
        MemorySegment result = of(workload.result());
        return switch (workload.result().array()) {
            case byte[] _ -> result.toArray(ValueLayout.JAVA_BYTE);
            case int[] _ -> result.toArray(ValueLayout.JAVA_INT);
            case long[] _ -> result.toArray(ValueLayout.JAVA_LONG);
            default -> result.toArray(ValueLayout.JAVA_FLOAT);
        };
    }

    /** How C takes an argument of a step. */
    static MemoryLayout layout(Object argument) {
        return switch (argument) {
            case Data _ -> ValueLayout.ADDRESS;
            case Integer _ -> ValueLayout.JAVA_INT;
            case Float _ -> ValueLayout.JAVA_FLOAT;
            case Long _ -> ValueLayout.JAVA_LONG;
            default -> throw new IllegalArgumentException("no C type for " + argument.getClass());
        };
    }
}
