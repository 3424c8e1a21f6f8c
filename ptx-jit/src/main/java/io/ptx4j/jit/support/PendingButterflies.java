package io.ptx4j.jit.support;

import java.lang.foreign.MemorySegment;

/**
 * Groups of a block that have come to one butterfly and have whole vectors of memory there: nothing is done yet. All of them take one vector of lanes after the
 * other, so that which words its lanes choose is loaded once for the block.
 */
public final class PendingButterflies {
    private static final long BEYOND = 1L << 32;

    /** How the words of all groups lie. */
    public ButterflyPattern pattern;
    /** In which they lie. */
    public MemorySegment segment;
    /** By group that has come: where lane 0's words are in the segment. */
    public final long[] from;
    public final long[] other;
    /** Groups that have come. */
    public int count;
    /** Which butterfly of the kernel's code it is. */
    public int site;
    private final long full;
    /** Of the first group: the place, what the other one is more, and {@code m}; and the places at which a group that lies like it has all its words. */
    private long first;
    private int distance;
    private int m;
    private long lowest;
    private long highest;

    PendingButterflies(int groups, int lanes) {
        this.from = new long[groups];
        this.other = new long[groups];
        this.full = -1L >>> Long.SIZE - lanes;
    }

    /**
     * Notes a group whose words lie like those of the first one, elsewhere.
     *
     * @return false if nothing is known about it
     */
    public boolean addLike(MemorySegment in, long mask, int place, int otherPlace, int bits, int at) {
        int n = count;
        long here = Integer.toUnsignedLong(place);
        long behind = here - first;
        if (n == 0 || n == from.length || site != at || m != bits || segment != in || mask != full || otherPlace - place != distance
                || (behind & Butterflies.BYTES - 1) != 0 || here < lowest || here > highest) {
            return false;
        }
        from[n] = from[0] + behind;
        other[n] = other[0] + behind;
        count = n + 1;
        return true;
    }

    /** Notes a group with the offsets from its places; false if others wait at another butterfly or with another pattern. */
    boolean add(ButterflyPattern of, int at, MemorySegment in, int bits, int place, long offset, int otherPlace, long otherOffset) {
        int n = count;
        if (n > 0 && (pattern != of || site != at || segment != in || n == from.length)) {
            return false;
        }
        long here = Integer.toUnsignedLong(place);
        long there = Integer.toUnsignedLong(otherPlace);
        if (n == 0) {
            site = at;
            m = bits;
            first = here;
            distance = otherPlace - place;
            // Writing a reference costs more than looking whether it is there.
            if (pattern != of) {
                pattern = of;
            }
            if (segment != in) {
                segment = in;
            }
            long more = there - here;
            lowest = Math.max(-of.least - Math.min(0, offset), -more - of.otherLeast - Math.min(0, otherOffset));
            highest = Math.min(Math.min(BEYOND - 1, in.byteSize() - offset) - of.most, Math.min(BEYOND - 1, in.byteSize() - otherOffset) - of.otherMost - more);
        }
        from[n] = DirectMemory.place(in, here + offset);
        other[n] = of.isApart() ? DirectMemory.place(in, there + otherOffset) : from[n];
        count = n + 1;
        return true;
    }

    /** Forgets the groups of a block that was given up. */
    void clear() {
        count = 0;
    }
}
