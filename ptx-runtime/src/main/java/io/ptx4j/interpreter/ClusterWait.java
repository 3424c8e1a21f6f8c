package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.interpreter.ThreadState.AtCluster;
import io.ptx4j.ir.Instruction;

/** The manual's {@code barrier.cluster}: a thread arrives and later waits until all threads of the cluster have arrived or ended. */
record ClusterWait(Instruction instruction) implements MeetingPoint {
    static void arrive(ThreadState thread) {
        if (thread.atCluster != AtCluster.ABSENT) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "barrier.cluster.arrive again without a wait in between");
        }
        thread.atCluster = AtCluster.ARRIVED;
        thread.stored();
    }

    @Override
    public void execute(ThreadState thread) {
        if (thread.atCluster == AtCluster.ABSENT) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, instruction.spelling() + " without an arrive before it");
        }
        thread.meeting = this;
        thread.status = ThreadState.Status.BARRIER;
    }

    /** Lets a waiting thread go on if the barrier has opened since it arrived. */
    static boolean pass(ThreadState thread) {
        if (thread.atCluster != AtCluster.MAY_PASS) {
            return false;
        }
        thread.atCluster = AtCluster.ABSENT;
        thread.status = ThreadState.Status.RUNNING;
        if (thread.block.worker.checks != null) {
            thread.block.worker.checks.leaveCluster(thread.index);
        }
        return true;
    }

    @Override
    public String waitingFor(ThreadState thread) {
        return instruction.spelling().text();
    }
}
