package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.SpecialRegister;

/** What threads in waiting loops do by which they count as getting on, beside changing their registers. */
public final class Progress {
    private Progress() {
    }

    /** Whether an instruction writes what others may wait for. */
    public static boolean isMadeBy(Instruction i) {
        return switch (i.family()) {
            case ATOMIC, ASYNC_COPY, TENSOR_CORE_5 -> true;
            case MBARRIER -> !SpinLoops.asks(i) && !i.spelling().has(Modifier.PENDING_COUNT);
            default -> i.opcode() == Opcode.ST || i.opcode() == Opcode.MULTIMEM && !i.spelling().has(Modifier.LD_REDUCE);
        };
    }

    public static boolean looksAtTime(Instruction i) {
        return i.family() == Family.DATA_MOVEMENT && i.operands().stream().anyMatch(o -> o instanceof Operand.Special s && isTime(s.register()));
    }

    /** Time gets on by itself. */
    public static boolean isTime(SpecialRegister register) {
        return switch (register) {
            case CLOCK, CLOCK_HI, CLOCK64, GLOBALTIMER, GLOBALTIMER_LO, GLOBALTIMER_HI -> true;
            default -> false;
        };
    }
}
