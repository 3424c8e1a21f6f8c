package io.ptx4j.jit.vector;

/**
 * What a method has room for that HotSpot is to compile.
 *
 * @param bytecodes as {@link Sizes} counts them
 * @param load of a piece of a region ({@link Load})
 */
record Room(int bytecodes, int load) {
    /** Room for as much less as a piece has come out heavier than expected. */
    Room lighter(int heaviest) {
        return new Room(bytecodes, (int) ((long) load * Load.MOST / heaviest));
    }
}
