package io.ptx4j.jit.support;

/** One place of a group's lanes, and what {@link PatternPlaces} has found out about it. */
public final class PatternSlot {
    /** How the lanes' words lie, or null if not all of that is there. */
    LanePattern pattern;
    /** Where lane 0's word is. */
    long from;
    int place;
    long offset;
    int shape;
    int m;

    PatternSlot() {
    }
}
