package io.ptx4j.jit.support;

import io.ptx4j.engine.WarpgroupBarriers;

import io.ptx4j.engine.checks.Stand;

/**
 * A meeting point as the scheduler sees it.
 *
 * @param region region in which threads go on
 * @param line PTX line
 * @param column place in that line; points of one place are copies of one instruction, at which threads meet
 * @param barrier the barrier's number where that is a constant, -1 for none: then threads bring operand 0, their barrier's number
 * @param mask which operand is the member mask, -1 for none
 * @param count which operand is a barrier's thread count, -1 for none
 * @param predicate which operand is a barrier reduction's predicate, -1 for none
 * @param text the instruction, for messages
 * @param action of {@link PointKind#MATRIX}, else null
 */
public record Point(PointKind kind, int region, int line, int column, int barrier, int mask, int count, int predicate, String text, WarpAction action) {
    /** CTA barriers of a block. */
    public static final int BARRIERS = WarpgroupBarriers.ALL;

    /** Whether it is a barrier for all threads of the block, to which they bring nothing. */
    public boolean isPlainBarrier() {
        return kind == PointKind.BARRIER_SYNC && barrier >= 0 && count < 0;
    }

    /** As checked mode sees it. */
    Stand stand(int threads) {
        return new Stand(line, column, text, threads);
    }
}
