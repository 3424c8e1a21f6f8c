package io.ptx4j.engine;

/** For how long threads wait in loops before they let others run, and are waited for: the same on both engines. */
public final class GivingWay {
    /** Turns of a loop that asks what other threads write and hears nothing new, before the thread gives way. */
    public static final int TURNS = 64;
    /** How often a thread may give way before those of its warp meet without it, and before the failure of a later thread is told. */
    public static final int ROUNDS = 256;
    /** Barriers that a block passes without writing anything, before it lets other blocks run: its threads may wait in a loop that has the barrier. */
    public static final int IDLE_BARRIERS = 64;

    /** Warp operations at which threads of a warp meet without writing anything, before the warp lets others run: so many turns of a waiting loop that has one. */
    public static final int IDLE_MEETINGS = TURNS;

    private GivingWay() {
    }
}
