package io.ptx4j.interpreter;

import io.ptx4j.engine.WarpgroupBarriers;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;

/**
 * The manual's "Asynchronous Warpgroup Level Matrix Instructions". Each warp makes its part of a product when it comes to it; who waits for products waits for the other warps of the
 * warpgroup, whose products read the same shared memory.
 */
final class Warpgroups {
    private Warpgroups() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        if (instruction.spelling().has(Modifier.MMA_ASYNC)) {
            return MatrixProduct.ofWarpgroup(instruction, operands);
        }
        return instruction.spelling().has(Modifier.WAIT_GROUP)
                ? new BarrierStep(instruction, thread -> WarpgroupBarriers.number(thread.index), thread -> WarpgroupBarriers.threads(thread.block.threads.size(), thread.index), null, null)
                : thread -> { };
    }
}
