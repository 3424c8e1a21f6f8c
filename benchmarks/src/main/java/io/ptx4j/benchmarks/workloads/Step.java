package io.ptx4j.benchmarks.workloads;

import io.ptx4j.runtime.Dim3;
import java.util.List;

/**
 * One launch of a workload.
 *
 * @param shared dynamic shared memory of a block, in bytes
 * @param arguments the kernel's: {@link Data}, Integer, Long or Float
 */
public record Step(String kernel, Dim3 grid, Dim3 block, int shared, List<Object> arguments) {
    static Step of(String kernel, int grid, int block, Object... arguments) {
        return new Step(kernel, new Dim3(grid, 1, 1), new Dim3(block, 1, 1), 0, List.of(arguments));
    }

    static Step of(String kernel, Dim3 grid, Dim3 block, Object... arguments) {
        return new Step(kernel, grid, block, 0, List.of(arguments));
    }

    Step shared(int bytes) {
        return new Step(kernel, grid, block, bytes, arguments);
    }
}
