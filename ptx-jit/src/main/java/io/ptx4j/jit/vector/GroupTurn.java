package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.Local;

/** One group's way through a region, in the method with the loop over groups. */
interface GroupTurn {
    void prepare();

    /** Computes what is the same for the whole block. */
    void hoist();

    /** The lanes that are here. */
    Local current();

    /** Ends the launch if a lane has failed. */
    void raiseFailed();

    /** Pushes the lanes of which one has failed. */
    void pushFailing();

    /** The units left until the next question whether to go on. */
    Local fuel();

    void emit();
}
