package io.ptx4j.engine;

import java.util.Locale;

/** What a device can be asked to watch kernels for, beyond the bounds and alignment that it always watches. */
public enum Check {
    /**
     * Accesses to memory that belongs to no buffer, variable or allocation, or no longer does; generic ones to the local memory of another
     * thread; to what lies between the variables of a block's shared memory.
     */
    MEMORY("memory"),
    /** Reads of bytes in global, shared or local memory that nobody has written. */
    INITIALIZATION("init"),
    /** Two accesses to one place in global or shared memory, at least one a write, that no synchronisation orders. */
    RACES("race"),
    /** Barriers that threads of a warp reach by different ways, member masks with threads that have ended, mbarriers initialised twice. */
    SYNCHRONIZATION("sync");

    private final String word;

    Check(String word) {
        this.word = word;
    }

    /** The check that command lines and case files call {@code word}: {@code memory}, {@code init}, {@code race} or {@code sync}. */
    public static Check named(String word) {
        for (Check check : values()) {
            if (check.word.equals(word.toLowerCase(Locale.ROOT))) {
                return check;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no check; there are memory, init, race and sync");
    }

    @Override
    public String toString() {
        return word;
    }
}
