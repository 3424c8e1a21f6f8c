package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.support.Traps;

/** Miscellaneous instructions (manual: "Miscellaneous Instructions"). */
final class MiscellaneousEmitter {
    private MiscellaneousEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case TRAP -> c.code().call(Traps.class, "trap");
            case BRKPT, PMEVENT, NANOSLEEP, SETMAXNREG -> { }
            default -> throw new NoCode("not supported by the JIT");
        }
    }
}
