package io.ptx4j.engine;

/**
 * Which of the threads of a block that fail is named: the first in the order in which they would run if none gave way to others. A thread's
 * place in it is the round in which it began to run from its last meeting point, and in one round its number. So a failure is told only when the
 * threads before it that had given way have come to a meeting point, ended or failed, or have given way {@link GivingWay#ROUNDS} times more.
 */
public final class EarliestFailure {
    /** Stands behind all threads of a block: what fails is nothing that one of them does alone. */
    public static final int ALL = Integer.MAX_VALUE;

    private Fault fault;
    private int round;
    private int thread;

    /** A block of which a thread has failed. */
    public interface Failing {
        /** Tells {@code failure} who failed, and stops the group of that thread but for those before it that had given way. What no thread causes is thrown. */
        void note(Fault fault, EarliestFailure failure);

        /** Runs threads of a group on that had given way and come before {@code failure}; whether there were any. */
        boolean runBefore(EarliestFailure failure, int group);

        /** Whether threads that wait would find nothing changed since this was asked before. */
        boolean stuck();
    }

    private EarliestFailure() {
    }

    /**
     * The failure to tell when one has happened.
     *
     * @param groups of threads, such as warps
     */
    public static Fault of(Fault first, int groups, Failing block) {
        EarliestFailure failure = new EarliestFailure();
        block.note(first, failure);
        boolean any = true;
        for (int rounds = 0; any && rounds < GivingWay.ROUNDS; rounds++) {
            any = false;
            for (int g = 0; g < groups; g++) {
                try {
                    any |= block.runBefore(failure, g);
                } catch (Fault fault) {
                    block.note(fault, failure);
                    any = true;
                }
            }
            any &= !block.stuck();
        }
        return failure.fault;
    }

    /**
     * Notes a failure, unless an earlier one is known.
     *
     * @param ofRound barriers of the block that had opened when the thread began to run
     * @param ofThread its linear index; the last one of its warp for what threads of a warp do together
     */
    public void note(Fault failure, int ofRound, int ofThread) {
        if (fault == null || isAfter(ofRound, ofThread)) {
            fault = failure;
            round = ofRound;
            thread = ofThread;
        }
    }

    /** Whether a thread that began to run in {@code ofRound} comes first. */
    public boolean isAfter(int ofRound, int ofThread) {
        return ofRound < round || ofRound == round && ofThread < thread;
    }
}
