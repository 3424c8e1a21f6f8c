package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;

/** An instruction at which threads meet. */
sealed interface MeetingPoint extends Step permits WarpStep, BarrierStep, ClusterWait {
    Instruction instruction();

    /** What a waiting thread waits for, in the words of a message. */
    String waitingFor(ThreadState thread);
}
