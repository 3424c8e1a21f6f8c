package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;

import java.util.List;

/** Instructions that follow one another and have shorter code together, while what they begin with allows it. */
interface Run {
    List<Instruction> instructions();

    /** @param longWay emits the instructions one by one */
    void emit(Runnable longWay);

    /** The run that begins at {@code first}, or null if there is none or it would not pay. */
    static Run at(ThreadCode c, List<Instruction> all, int first) {
        Run run = DirectedRun.at(c, all, first);
        return run != null ? run : NumberRun.at(c, all, first);
    }
}
