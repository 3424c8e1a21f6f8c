package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.support.Traps;

/** Miscellaneous instructions (manual: "Miscellaneous Instructions"). */
public final class MiscellaneousEmitter {
    private MiscellaneousEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        if (i.opcode() == Opcode.TRAP) {
            c.code().call(Traps.class, beginsAnew(i) ? "beginAnew" : "trap");
        } else if (!doesNothing(i)) {
            throw new NoCode("not supported by the JIT");
        }
    }

    /** What stands for an instruction, in a graph of the vector shape, at which a block begins anew in the scalar shape: a {@code trap} with an operand, which PTX does not have. */
    public static Instruction beginAnew(Instruction instead) {
        return Instruction.of("trap", instead.guard(), instead.location(), new Operand.Immediate(ScalarType.U32, 0));
    }

    /** Whether a block begins anew here. */
    public static boolean beginsAnew(Instruction i) {
        return i.opcode() == Opcode.TRAP && !i.operands().isEmpty();
    }

    /** Whether an instruction shows in nothing that a thread can see. */
    public static boolean doesNothing(Instruction i) {
        return switch (i.opcode()) {
            case BRKPT, PMEVENT, NANOSLEEP, SETMAXNREG -> true;
            default -> false;
        };
    }
}
