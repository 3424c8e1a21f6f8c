package io.ptx4j.jit.support;

/** What the 32 threads of a warp bring to a {@link WarpAction} and find there behind it: that of slot {@code s} of lane {@code l} is element {@code s * stride + from + l}. */
public final class WarpWords {
    public final int[] operands;
    public final int[] results;
    /** Elements from one slot to the next. */
    public final int stride;
    /** Whether it is done on vectors, whose code takes long until it is compiled well: the kernel is in the vector shape. */
    public final boolean vectors;
    /** Where the words of lane 0 are within a slot. */
    public int from;

    public WarpWords(int[] operands, int[] results, int stride, boolean vectors) {
        this.operands = operands;
        this.results = results;
        this.stride = stride;
        this.vectors = vectors;
    }

    /** Where the operands of a slot begin. */
    public int at(int slot) {
        return slot * stride + from;
    }

    /** An operand of 64 bits, whose low half is in that slot and whose high half is in the next. */
    public long wide(int slot, int lane) {
        int at = at(slot) + lane;
        return (long) operands[at + stride] << 32 | operands[at] & 0xffff_ffffL;
    }
}
