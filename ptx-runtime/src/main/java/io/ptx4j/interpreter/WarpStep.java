package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Instruction;

/**
 * A warp operation.
 *
 * @param members the member mask; null for an operation without one
 * @param wholeWarp all 32 threads must come ({@code .aligned} matrix instructions)
 */
record WarpStep(Instruction instruction, Source members, boolean wholeWarp, WarpOperation operation) implements MeetingPoint {
    WarpStep(Instruction instruction, Source members, WarpOperation operation) {
        this(instruction, members, false, operation);
    }

    static WarpStep ofWholeWarp(Instruction instruction, WarpOperation operation) {
        return new WarpStep(instruction, null, true, operation);
    }

    /** What the operation does to the threads that have met. */
    @FunctionalInterface
    interface WarpOperation {
        /** @param standing lane mask of those threads */
        void execute(Warp warp, int standing);
    }

    @Override
    public void execute(ThreadState thread) {
        if (members != null && !Bits.bit(members.bits(thread), thread.lane)) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "member mask " + Warp.hex((int) members.bits(thread)) + " of '" + instruction.spelling() + "' lacks the thread's own lane "
                            + thread.lane);
        }
        thread.meeting = this;
        thread.status = ThreadState.Status.MEETING;
    }

    @Override
    public String waitingFor(ThreadState thread) {
        String mask = members == null ? "" : " with member mask " + Warp.hex((int) members.bits(thread));
        return instruction.spelling() + mask;
    }
}
