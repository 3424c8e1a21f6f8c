package io.ptx4j.jit.scalar;

/**
 * How the local memory of a block's threads lies. {@link #PLAIN} gives each thread a window of the block's segment in one piece. Where nothing can
 * tell the difference, the vector shape deals out the windows of a group's threads word by word, so that the same word of all its lanes
 * is one vector: word {@code w} of lane {@code l} lies at {@code (w * lanes + l) * word} in the group's part.
 *
 * @param lanes threads of a group, a power of two; 1 for a window in one piece
 * @param word bytes of a word; all accesses are to whole words, or to parts of one where they lie in an array
 * @param inArray whether the words, of 32 bits, lie in {@link io.ptx4j.jit.support.VectorFrame#locals}, from which a processor gathers those of any index
 */
public record LocalLayout(int lanes, int word, boolean inArray) {
    public static final LocalLayout PLAIN = new LocalLayout(1, 1, false);

    public boolean isPlain() {
        return lanes == 1;
    }
}
