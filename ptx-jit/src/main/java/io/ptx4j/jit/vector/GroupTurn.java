package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.Question;
import io.ptx4j.jit.scalar.ThreadCode;

/** One group's way through a region, in the method with the loop over groups. */
interface GroupTurn {
    void prepare();

    /** Computes what is the same for all blocks of the launch. */
    void hoist();

    /** Computes what is the same for the whole block. */
    void hoistForBlock();

    /** The lanes that are here. */
    Local current();

    /** Ends the launch if a lane has failed. */
    void raiseFailed();

    /** Pushes the lanes of which one has failed. */
    void pushFailing();

    /** The units left until the next question whether to go on. */
    Local fuel();

    /** Spends units and jumps back, asking whether to go on when none is left. */
    default void spend(ThreadCode c, int units, Place back) {
        Code code = c.code();
        code.increment(fuel(), -units).load(fuel()).jumpIf(Condition.GE, back);
        Question.ask(code, c.worker, fuel());
        code.jump(back);
    }

    void emit();

    /** All groups have had their turn. */
    default void finish() {
    }
}
