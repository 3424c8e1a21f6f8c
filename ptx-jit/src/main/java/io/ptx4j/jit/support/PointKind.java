package io.ptx4j.jit.support;

/** What happens at a meeting point when its threads have come. The operands in order are those of the PTX instruction. */
public enum PointKind {
    /** Threads only change regions. */
    PASS,
    /** A loop has run for long and may wait for others: they get their turn first. */
    SPIN,
    /** The same for a loop that asks mbarriers alone, which no thread of another block changes but in a cluster. */
    ASK,
    /** All threads of the cluster must have arrived at its barrier. */
    CLUSTER_WAIT,
    BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED_POPC, BARRIER_RED_AND, BARRIER_RED_OR,
    WARP_SYNC, SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX, VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT, ACTIVEMASK,
    MATCH_ANY_32, MATCH_ANY_64, MATCH_ALL_32, MATCH_ALL_64,
    REDUX_ADD, REDUX_MIN_S, REDUX_MAX_S, REDUX_MIN_U, REDUX_MAX_U, REDUX_AND, REDUX_OR, REDUX_XOR,
    REDUX_MIN_F32, REDUX_MAX_F32, REDUX_MIN_NAN_F32, REDUX_MAX_NAN_F32, ELECT,
    /** All 32 threads of a warp do what {@link Point#action} says. */
    MATRIX;

    /** Whether threads stop there because a loop has run for long. */
    public boolean spins() {
        return this == SPIN || this == ASK;
    }

    /** Whether the threads of a whole block meet. */
    public boolean ofBlock() {
        return switch (this) {
            case CLUSTER_WAIT, BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED_POPC, BARRIER_RED_AND, BARRIER_RED_OR -> true;
            default -> false;
        };
    }

    /** Whether the threads of a warp meet; those that arrive at a barrier without waiting do. */
    public boolean ofWarp() {
        return switch (this) {
            case PASS, SPIN, ASK, CLUSTER_WAIT, BARRIER_SYNC, BARRIER_RED_POPC, BARRIER_RED_AND, BARRIER_RED_OR -> false;
            default -> true;
        };
    }
}
