package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Instruction;

/** The manual's "Miscellaneous Instructions". */
final class Miscellaneous {
    private Miscellaneous() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case TRAP -> thread -> {
                throw thread.fault(Fault.Kind.TRAP, "trap executed");
            };
            case BRKPT, PMEVENT, NANOSLEEP, SETMAXNREG -> thread -> { };
            default -> null;
        };
    }
}
