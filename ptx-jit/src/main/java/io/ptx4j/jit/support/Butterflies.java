package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.INT;

import java.lang.foreign.MemorySegment;

/**
 * Butterflies of sorts and transforms: every lane loads a word of shared memory at each of two places and stores one there, and the compiler knows how they
 * lie but for one number {@code m} ({@link PatternPlaces}). Where each vector of lanes has all words of two vectors of memory, these are loaded and
 * stored as they are, and lanes choose their words in registers.
 */
@SuppressWarnings("exports")
public final class Butterflies {
    /** Slots of {@link VectorFrame#laneInts} with what lanes have loaded from either place, and what they store. */
    public static final int LOADED = 1;
    public static final int RESULTS = 3;
    /** What {@link #find} gives. */
    public static final int FOUND = 1;
    public static final int LATER = 2;
    /** All memory of the process, or null where only a pattern's own segment may be had. */
    public static final MemorySegment ALL = DirectMemory.whole(null);
    public static final boolean DIRECT = DirectMemory.isDirect();
    /** Bytes of a vector. */
    public static final int BYTES = 4 * INT.length();
    /** Patterns found out before a kernel that always needs others is taken for one that has none. */
    private static final int PATIENCE = 1_000;
    private static final int RARELY = 64;

    private Butterflies() {
    }

    /**
     * Finds out where the lanes have their words.
     *
     * @param mask the executing lanes
     * @param place of lane 0, an unsigned number of bytes
     * @param offset bytes from a lane's place to its word
     * @param shape stride and factor ({@link PatternPlaces#shape})
     * @param number of the first place in the kernel
     * @param site of the butterfly in the kernel's code
     * @return {@link #FOUND} if all lanes are there and have whole vectors, which {@link VectorFrame#pending} then has; {@link #LATER} if other groups that it has must come
     *     first; 0 if each access is to be done by itself
     */
    public static int find(VectorFrame frame, MemorySegment segment, long mask, int place, long offset, int shape, int otherPlace, long otherOffset,
            int otherShape, int m, int number, int site) {
        int bits = m & frame.lanes - 1;
        int at = (number & VectorFrame.BUTTERFLIES - 1) * frame.lanes + bits;
        long first = place & 0xFFFF_FFFFL;
        long otherFirst = otherPlace & 0xFFFF_FFFFL;
        long start = first + offset;
        long otherStart = otherFirst + otherOffset;
        int phases = ((int) start & BYTES - 1) * BYTES + ((int) otherStart & BYTES - 1);
        ButterflyPattern pattern = frame.butterflies[at];
        if (pattern == null || !pattern.is(shape, otherShape, phases, otherStart - start)) {
            if (frame.butterflyMisses++ > PATIENCE && frame.butterflyMisses % RARELY != 0) {
                return 0;
            }
            pattern = new ButterflyPattern(frame.lanes, shape, otherShape, bits, phases, otherStart - start);
            frame.butterflies[at] = pattern;
        }
        // All words must lie in the segment, and no place beyond 32 bits.
        long size = segment.byteSize();
        long beyond = first + pattern.least | 0xFFFF_FFFFL - first - pattern.most | start + pattern.least | size - start - pattern.most
                | otherFirst + pattern.otherLeast | 0xFFFF_FFFFL - otherFirst - pattern.otherMost | otherStart + pattern.otherLeast | size - otherStart - pattern.otherMost
                | segment.address() << 62 | segment.address() << 63;
        if (beyond < 0 || !pattern.fits || !frame.isFull(mask)) {
            return 0;
        }
        return frame.pending.add(pattern, site, segment, m, place, offset, otherPlace, otherOffset) ? FOUND : LATER;
    }

    /** Keeps the words that the lanes have loaded from place {@code n}, for a method of the kernel. */
    public static void keep(VectorFrame frame, int n) {
        System.arraycopy(frame.laneInts, 0, frame.laneInts, (LOADED + n) * frame.lanes, frame.lanes);
    }

    /** Brings what the method has left for place {@code n} to where stores find it. */
    public static void bring(VectorFrame frame, int n) {
        System.arraycopy(frame.laneInts, (RESULTS + n) * frame.lanes, frame.laneInts, 0, frame.lanes);
    }
}
