package io.ptx4j.runtime;

import java.time.Duration;

/**
 * What a launch did.
 *
 * @param kernel its name
 * @param engine {@code "jit"} or {@code "interpreter"}
 * @param shape the code shape that ran: {@code "interpreter"}, {@code "scalar"}, {@code "vector"} or {@code "suspendable"}
 * @param preparation time to compile the kernel for this block shape; next to nothing when that was done before
 * @param running time from the first block's start to the last block's end
 */
public record LaunchResult(
        String kernel, String engine, String shape, Dim3 grid, Dim3 block, Duration preparation, Duration running) {
    public long threads() {
        return grid.count() * block.count();
    }
}
