package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.checks.Stand;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Family;

/**
 * A CTA barrier instruction that waits.
 *
 * @param barrier number of the barrier
 * @param count how many threads it is for; null for all threads of the block
 * @param predicate what a {@code .red} reduces, else null
 * @param result where its result goes, else null
 */
record BarrierStep(
        Instruction instruction, Source barrier, Source count, Source predicate, Destination result)
        implements MeetingPoint {

    @Override
    public void execute(ThreadState thread) {
        Barrier at = barrier(thread);
        long expected = expected(thread);
        thread.meeting = this;
        thread.status = ThreadState.Status.BARRIER;
        at.await(thread, expected);
    }

    /** {@code .arrive}: counts the thread, which need not wait. */
    void arrive(ThreadState thread) {
        barrier(thread).arrive(thread, expected(thread));
    }

    /** As checked mode sees it. */
    Stand stand(ThreadState thread) {
        return new Stand(instruction.location().line(), instruction.location().column(), instruction.spelling().text(), (int) expected(thread));
    }

    private Barrier barrier(ThreadState thread) {
        long number = barrier.bits(thread);
        if (number > 15 && instruction.family() != Family.WARPGROUP_MATRIX) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "barrier " + number + " of '" + instruction.spelling() + "' is not one of 0 to 15");
        }
        return thread.block.barriers.get((int) number);
    }

    /** The thread count given; 0 for none. */
    private long expected(ThreadState thread) {
        if (count == null) {
            return 0;
        }
        long expected = count.bits(thread);
        if (expected == 0 || expected % 32 != 0) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "thread count " + expected + " of '" + instruction.spelling() + "' is not a positive multiple of 32");
        }
        return expected;
    }

    @Override
    public String waitingFor(ThreadState thread) {
        return instruction.spelling() + " " + barrier(thread).progress();
    }
}
