package io.ptx4j.jit.scalar;

/**
 * How the local memory of a block's threads lies in its segment. {@link #PLAIN} gives each thread a window in one piece. Where nothing can
 * tell the difference, the vector shape deals out the windows of a group's threads word by word, so that the same word of all its lanes
 * is one vector: word {@code w} of lane {@code l} lies at {@code (w * lanes + l) * word} in the group's part.
 *
 * @param lanes threads of a group, a power of two; 1 for a window in one piece
 * @param word bytes of a word; all accesses are to whole words
 */
public record LocalLayout(int lanes, int word) {
    public static final LocalLayout PLAIN = new LocalLayout(1, 1);

    public boolean isPlain() {
        return lanes == 1;
    }
}
