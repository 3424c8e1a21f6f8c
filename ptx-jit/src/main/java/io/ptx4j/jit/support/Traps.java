package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.ProgramLimits;

/** How generated code ends a launch. */
public final class Traps {
    private Traps() {
    }

    /** {@code trap}. */
    public static void trap() {
        throw Fault.at(Fault.Kind.TRAP, "trap executed", 0, -1, -1);
    }

    /** The block begins anew, in the scalar shape. */
    public static void beginAnew() {
        throw BlockBegunAnew.INSTANCE;
    }

    /** A thread has run as many instructions as it may. */
    public static void outOfInstructions(long limit, int line) {
        throw Fault.at(Fault.Kind.INSTRUCTION_LIMIT, ProgramLimits.tooManyInstructions(limit), line, -1, -1);
    }

    /** {@code brx.idx} with an index outside its list. */
    public static void badIndex(int index, int targets) {
        throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, "index " + Integer.toUnsignedString(index) + " of brx.idx names none of its " + targets
                + " targets", 0, -1, -1);
    }
}
