package io.ptx4j.jit.vector;

/**
 * What a method has room for that HotSpot is to compile.
 *
 * @param bytecodes as {@link Sizes} counts them
 * @param load of a piece of a region ({@link Load})
 * @param whole whether regions of so many bytecodes stay whole, whatever their load
 */
record Room(int bytecodes, int load, boolean whole) {
    /** What code is expected to fit into. */
    static Room of(int bytecodes) {
        return new Room(bytecodes, Load.MOST, true);
    }

    /** Room for as much less as a piece, or a whole region, has come out heavier than expected. */
    Room lighter(int heaviest) {
        return new Room(bytecodes, (int) ((long) load * Load.MOST / heaviest), false);
    }
}
