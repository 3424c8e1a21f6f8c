package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.support.Traps;

/** Miscellaneous instructions (manual: "Miscellaneous Instructions"). */
public final class MiscellaneousEmitter {
    private MiscellaneousEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (i.opcode() == Opcode.TRAP) {
            c.code().call(Traps.class, "trap");
        } else if (!doesNothing(i)) {
            throw new NoCode("not supported by the JIT");
        }
    }

    /** Whether an instruction shows in nothing that a thread can see. */
    public static boolean doesNothing(Instruction i) {
        return switch (i.opcode()) {
            case BRKPT, PMEVENT, NANOSLEEP, SETMAXNREG -> true;
            default -> false;
        };
    }
}
