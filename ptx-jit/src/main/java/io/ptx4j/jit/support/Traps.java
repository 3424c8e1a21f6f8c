package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;

/** How generated code ends a launch. */
public final class Traps {
    private Traps() {
    }

    /** {@code trap}. */
    public static void trap() {
        throw Fault.at(Fault.Kind.TRAP, "trap executed", 0, -1, -1);
    }

    /** {@code brx.idx} with an index outside its list. */
    public static void badIndex(int index, int targets) {
        throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "brx.idx index " + Integer.toUnsignedString(index) + " is outside its list of "
                + targets + " targets", 0, -1, -1);
    }
}
