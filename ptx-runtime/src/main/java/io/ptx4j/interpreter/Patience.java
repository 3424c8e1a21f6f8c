package io.ptx4j.interpreter;

import io.ptx4j.engine.GivingWay;

import java.util.Arrays;

/**
 * Tells a thread that probably waits for another one from a thread that is busy. A thread that only runs on keeps the defined
 * order of execution; one that waits in a loop must let the one it waits for run.
 */
final class Patience {
    /** Backward jumps without a store that a thread makes before it lets others run. */
    static final int JUMPS = 1 << 18;
    private static final int SLOTS = 8;

    private int jumps;
    private int polls;
    private final int[] places = new int[SLOTS];
    private final long[] addresses = new long[SLOTS];
    private final long[] values = new long[SLOTS];

    /** A new run begins. */
    void renew() {
        jumps = 0;
        polls = 0;
        Arrays.fill(places, -1);
    }

    /** Something was written where no other thread looks. */
    void storedForItself() {
        jumps = 0;
    }

    /** Threads of the warp have met: they may wait together, in a loop that has the warp operation. */
    void met() {
        jumps = 0;
    }

    /** Counts a backward jump; whether it was one too many. */
    boolean jumpedBack() {
        return ++jumps >= JUMPS;
    }

    /** Something was written: the thread gets on. */
    void stored() {
        jumps = 0;
        polls = 0;
    }

    /** Counts an atomic or volatile read, one with an order, or a question to an mbarrier; whether it saw the same too often. */
    boolean polled(int place, long address, long value) {
        int slot = place % SLOTS;
        if (places[slot] == place && addresses[slot] == address && values[slot] == value) {
            return ++polls >= GivingWay.TURNS;
        }
        places[slot] = place;
        addresses[slot] = address;
        values[slot] = value;
        polls = 0;
        return false;
    }
}
