package io.ptx4j.interpreter;

import io.ptx4j.check.WarpSteps;
import io.ptx4j.engine.EarliestFailure;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.engine.checks.Stand;
import io.ptx4j.interpreter.ThreadState.Status;
import io.ptx4j.isa.Family;

import java.util.List;

/** 32 threads, or fewer at the end of a block, in the order of execution that {@link io.ptx4j.engine} defines. */
final class Warp {
    /** By lane. */
    final List<ThreadState> threads;
    private int roundsWithYields;
    /** A thread of it has failed: only those before it that had let others run go on. */
    private boolean failed;

    Warp(List<ThreadState> threads) {
        this.threads = threads;
    }

    void begin() {
        roundsWithYields = 0;
        failed = false;
    }

    /** Runs its threads until none can go on; whether any of them ran. */
    boolean run() {
        boolean yielded = false;
        for (ThreadState thread : threads) {
            if (thread.status == Status.YIELDED) {
                thread.status = Status.RUNNING;
                yielded = true;
            }
        }
        roundsWithYields = yielded ? roundsWithYields + 1 : 0;
        return goOn();
    }

    /** Runs threads on that have let others run and come before a failure; whether there are any. */
    boolean runBefore(EarliestFailure failure) {
        boolean any = false;
        for (ThreadState thread : threads) {
            if (thread.status == Status.YIELDED && failure.isAfter(thread.began, thread.index)) {
                thread.status = Status.RUNNING;
                any = true;
            }
        }
        return any && goOn();
    }

    /** A thread of it has failed, or what they do together: nobody begins to run any more. */
    void fail() {
        failed = true;
        for (ThreadState thread : threads) {
            if (thread.status == Status.RUNNING) {
                thread.status = thread.gaveWay ? Status.YIELDED : Status.ENDED;
            }
        }
    }

    private boolean goOn() {
        boolean ran = false;
        while (true) {
            ran |= runThreads();
            ThreadState next = failed ? null : firstThatCanGoOn();
            if (next == null) {
                return ran;
            }
            next.ask();
            int standing = standingWith(next);
            WarpStep step = (WarpStep) next.meeting;
            if (next.block.worker.checks != null) {
                watch(next.block.worker.checks, step, standing);
            }
            step.operation().execute(this, standing);
            for (ThreadState thread : threads) {
                if (Bits.bit(standing, thread.lane)) {
                    thread.status = Status.RUNNING;
                    thread.met = true;
                }
            }
        }
    }

    private void watch(BlockChecks checks, WarpStep step, int standing) {
        ThreadState first = threads.get(Integer.numberOfTrailingZeros(standing));
        var location = step.instruction().location();
        if (step.members() != null) {
            checks.members(threads.getFirst().index, standing, (int) step.members().bits(first), first.index,
                    new Stand(location.line(), location.column(), step.instruction().spelling().text(), 0));
        }
        if (WarpSteps.isStep(step.instruction())) {
            // All threads of the warp have stopped for it.
            checks.warpBarrier(threads.getFirst().index, (int) Bits.mask(threads.size()));
        } else if (step.instruction().family() == Family.BARRIER && step.members() != null) {
            checks.warpBarrier(threads.getFirst().index, standing);
        }
    }

    private boolean runThreads() {
        boolean ran = false;
        for (ThreadState thread : threads) {
            if (thread.status == Status.RUNNING) {
                thread.ask();
                thread.run();
                ran = true;
            }
        }
        return ran;
    }

    /** A thread at the meeting point first in the text among those that can execute, or null. */
    private ThreadState firstThatCanGoOn() {
        ThreadState first = null;
        if (threads.stream().anyMatch(thread -> thread.status == Status.MEETING && ((WarpStep) thread.meeting).lacks(thread))) {
            first = firstAmongWrongMasks();
        } else {
            for (ThreadState thread : threads) {
                if (thread.status == Status.MEETING && (first == null || thread.standsBefore(first)) && canExecute(thread)) {
                    first = thread;
                }
            }
        }
        if (first != null && mask(Status.YIELDED) != 0 && roundsWithYields <= GivingWay.ROUNDS) {
            first.block.waits();
            return null;
        }
        return first;
    }

    /** As above where threads have brought masks without their own lanes: one of them fails as soon as it is its operation's turn. */
    private ThreadState firstAmongWrongMasks() {
        List<ThreadState> standing = threads.stream().filter(thread -> thread.status == Status.MEETING)
                .sorted((a, b) -> a.standsBefore(b) ? -1 : b.standsBefore(a) ? 1 : 0).toList();
        for (ThreadState thread : standing) {
            for (ThreadState one : threads) {
                if (one.status == Status.MEETING && one.meeting instanceof WarpStep other && other.meets((WarpStep) thread.meeting) && other.lacks(one)) {
                    throw other.lacking(one);
                }
            }
            if (canExecute(thread)) {
                return thread;
            }
        }
        return null;
    }

    private boolean canExecute(ThreadState thread) {
        WarpStep step = (WarpStep) thread.meeting;
        if (step.wholeWarp()) {
            return allHere(step, thread);
        }
        Source members = step.members();
        if (members == null) {
            return true;
        }
        int missing = (int) members.bits(thread) & ~standingWith(thread) & ~mask(Status.ENDED);
        return (missing & (int) Bits.mask(threads.size())) == 0;
    }

    private boolean allHere(WarpStep step, ThreadState thread) {
        int standing = standingWith(thread);
        int gone = ~(int) Bits.mask(threads.size()) | mask(Status.ENDED);
        if (gone != 0 && (standing | gone) == -1) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "'" + step.instruction().spelling()
                    + "' needs all 32 threads of a warp; lanes " + hex(gone) + " have ended or never were");
        }
        return standing == -1;
    }

    /** Lanes of the threads that meet {@code thread} where they stand: with the same member mask if there is one. */
    private int standingWith(ThreadState thread) {
        WarpStep step = (WarpStep) thread.meeting;
        int mask = 0;
        for (ThreadState one : threads) {
            if (one.status == Status.MEETING && one.meeting instanceof WarpStep other && step.meets(other)
                    && (step.members() == null || (int) other.members().bits(one) == (int) step.members().bits(thread))) {
                mask |= 1 << one.lane;
            }
        }
        return mask;
    }

    /** Lanes whose threads have {@code status}. */
    int mask(Status status) {
        int mask = 0;
        for (ThreadState thread : threads) {
            if (thread.status == status) {
                mask |= 1 << thread.lane;
            }
        }
        return mask;
    }

    static String hex(int mask) {
        return String.format("0x%08x", mask);
    }
}
