package io.ptx4j.jit.scalar;

import io.ptx4j.engine.StopSignal;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Polls;

/** What loops ask now and then: whether to go on ({@link Polls}). */
public final class Question {
    private Question() {
    }

    /**
     * Asks, and leaves in {@code fuel} the units until the next question. Where nothing watches the launch there is no call from which the code goes on: HotSpot keeps no vector in a register over
     * one, and a loop of a few operations that asks once in a hundred turns would take three times as long.
     */
    public static void ask(Code code, Local worker, Local fuel) {
        Place run = new Place();
        Place go = new Place();
        code.load(worker).field(Worker.class, "stop").field(StopSignal.class, "given");
        code.load(worker).field(Worker.class, "cancelled").op(Op.IOR).jumpIf(Condition.EQ, run);
        code.call(Polls.class, "cancelled").raise();
        code.place(run).push(Polls.INTERVAL).store(fuel);
        code.load(worker).field(Worker.class, "checks").jumpIfNull(go);
        code.load(worker).field(Worker.class, "checks").call(BlockChecks.class, "giveWay");
        code.place(go);
    }
}
