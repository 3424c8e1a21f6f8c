package io.ptx4j.jit.support;

import java.util.stream.IntStream;

/** What the 32 threads of a warp bring to a {@link WarpAction}, and find there behind it: a word of each lane for each slot, those of a slot side by side. */
public final class WarpWords {
    public int[] operands;
    public int[] results;
    /** By slot: where the words of thread 0 are. */
    private final int[] operandAt;
    private final int[] resultAt;
    /** The warp's first thread. */
    private int first;
    /** Whether it is done on vectors, whose code takes long until it is compiled well: the kernel is in the vector shape. */
    public final boolean vectors;

    /**
     * @param operandAt by slot: where the words of thread 0 are
     * @param resultAt the same of the results; these may lie where operands lie
     */
    public WarpWords(int[] operands, int[] operandAt, int[] results, int[] resultAt, boolean vectors) {
        this.operands = operands;
        this.operandAt = operandAt;
        this.results = results;
        this.resultAt = resultAt;
        this.vectors = vectors;
    }

    /** Slots one after the other, each with a word for so many threads. */
    WarpWords(int[] operands, int[] results, int threads, boolean vectors) {
        this(operands, slots(operands, threads), results, slots(results, threads), vectors);
    }

    private static int[] slots(int[] words, int threads) {
        return IntStream.range(0, words.length / threads).map(slot -> slot * threads).toArray();
    }

    /** The words of the warp whose first thread that is. */
    WarpWords of(int thread) {
        first = thread;
        return this;
    }

    /** Where the operands of a slot begin. */
    public int at(int slot) {
        return operandAt[slot] + first;
    }

    /** Where the results of a slot begin. */
    public int resultAt(int slot) {
        return resultAt[slot] + first;
    }

    /** An operand of 64 bits, whose low half is in that slot and whose high half is in the next. */
    public long wide(int slot, int lane) {
        return (long) operands[at(slot + 1) + lane] << 32 | operands[at(slot) + lane] & 0xffff_ffffL;
    }
}
