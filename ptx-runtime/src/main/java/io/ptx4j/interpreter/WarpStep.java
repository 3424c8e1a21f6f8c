package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Instruction;

/**
 * A warp operation.
 *
 * @param members the member mask; null for an operation without one
 * @param sources by operand; null for those that are none
 * @param destinations by operand; null for those that are none
 * @param wholeWarp all 32 threads must come ({@code .aligned} matrix instructions)
 */
record WarpStep(
        Instruction instruction, Source members, Source[] sources, Destination[] destinations, boolean wholeWarp, WarpOperation operation)
        implements MeetingPoint {
    /** An operation whose threads stand at this very instruction. */
    WarpStep(Instruction instruction, Source members, WarpOperation operation) {
        this(instruction, members, null, null, false, operation);
    }

    /** An operation whose threads may stand at several instructions of one spelling: {@link #source} and {@link #destination} are each one's own. */
    static WarpStep anywhere(Instruction instruction, Operands operands, int results, int members, WarpOperation operation) {
        int count = instruction.operands().size();
        Source[] sources = new Source[count];
        Destination[] destinations = new Destination[count];
        for (int i = 0; i < count; i++) {
            if (i < results) {
                destinations[i] = operands.destination(i);
            } else {
                sources[i] = operands.source(i);
            }
        }
        return new WarpStep(instruction, members < 0 ? null : sources[members], sources, destinations, false, operation);
    }

    /** Operand {@code i} of the instruction at which a thread stands. */
    static Source source(int i) {
        return thread -> ((WarpStep) thread.meeting).sources[i].bits(thread);
    }

    /** Result {@code i} of the instruction at which a thread stands. */
    static Destination destination(int i) {
        return (thread, bits) -> ((WarpStep) thread.meeting).destinations[i].write(thread, bits);
    }

    /** Whether threads at the two meet, given the same member mask (manual: "have executed" the instruction "with the same qualifiers and same membermask"). */
    boolean meets(WarpStep other) {
        return other == this || members != null && other.members != null && instruction.spelling().text().equals(other.instruction.spelling().text());
    }

    static WarpStep ofWholeWarp(Instruction instruction, WarpOperation operation) {
        return new WarpStep(instruction, null, null, null, true, operation);
    }

    /** What the operation does to the threads that have met. */
    @FunctionalInterface
    interface WarpOperation {
        /** @param standing lane mask of those threads */
        void execute(Warp warp, int standing);
    }

    @Override
    public void execute(ThreadState thread) {
        thread.meeting = this;
        thread.status = ThreadState.Status.MEETING;
    }

    /** Whether a thread has come with a member mask without its own lane. */
    boolean lacks(ThreadState thread) {
        return members != null && !Bits.bit(members.bits(thread), thread.lane);
    }

    Fault lacking(ThreadState thread) {
        return thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                "member mask " + Warp.hex((int) members.bits(thread)) + " of '" + instruction.spelling() + "' lacks the thread's own lane " + thread.lane);
    }

    @Override
    public String waitingFor(ThreadState thread) {
        String mask = members == null ? "" : " with member mask " + Warp.hex((int) members.bits(thread));
        return instruction.spelling() + mask;
    }
}
