package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;

/** An instruction at which threads meet. */
sealed interface MeetingPoint extends Step permits WarpStep, BarrierStep {
    Instruction instruction();

    /** What a waiting thread waits for, in the words of a message. */
    String waitingFor(ThreadState thread);

    /** Before {@code other} in the text. */
    default boolean before(MeetingPoint other) {
        Location here = instruction().location();
        Location there = other.instruction().location();
        return here.line() != there.line() ? here.line() < there.line() : here.column() < there.column();
    }
}
