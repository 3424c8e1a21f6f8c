package io.ptx4j.jit.vector;

import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;

import java.util.function.IntConsumer;

/**
 * An instruction whose vector code is wrong for rare values: the results of all parts are computed before any is stored, and where a lane
 * has such a value the instruction is done lane by lane instead.
 */
final class RareLanes {
    private static final int FIRST = 40;

    private final VectorCode vc;
    private final Kind kind;
    private final Local rare;

    RareLanes(VectorCode vc, Kind kind) {
        this.vc = vc;
        this.kind = kind;
        this.rare = vc.c.scratch(JvmType.LONG, 8);
        vc.code.push(0L).store(rare);
    }

    private Local result(int part) {
        return vc.locals.temporary(kind, FIRST + part);
    }

    /** Keeps the vector on the stack as the result of a part. */
    void keep(int part) {
        vc.code.store(result(part));
    }

    void push(int part) {
        vc.code.load(result(part));
    }

    /** Takes the bits on the stack as lanes whose value is rare; where in the group they lie does not matter. */
    void note() {
        vc.code.load(rare).op(Op.LOR).store(rare);
    }

    /** @param pop stores the vector on the stack as the destination's part */
    void finish(IntConsumer pop, Runnable laneByLane) {
        finish(pop, laneByLane, null);
    }

    /**
     * @param pop stores the vector on the stack as the destination's part
     * @param pushSuspects takes the noted lanes off the stack and leaves those that have rare values after a closer look; or null
     */
    void finish(IntConsumer pop, Runnable laneByLane, Runnable pushSuspects) {
        finish(() -> {
            for (int part = 0; part < kind.parts(vc.group); part++) {
                push(part);
                pop.accept(part);
            }
        }, laneByLane, pushSuspects);
    }

    /** @param store where there are no rare values: stores the results, of which none were kept here */
    void finish(Runnable store, Runnable laneByLane) {
        finish(store, laneByLane, null);
    }

    /** As {@link #finish(IntConsumer, Runnable)} where results that are NaN were noted: only those of lanes that execute count. */
    void finishNans(IntConsumer pop, Runnable laneByLane) {
        finish(pop, laneByLane, () -> suspectNans(kind, this::push));
    }

    /**
     * As {@link #finishNans(IntConsumer, Runnable)}.
     *
     * @param store where no lane that executes has a NaN: stores the results
     * @param pushResult pushes a vector of a part's lanes which is NaN where one of their results is
     */
    void finishNans(Runnable store, Runnable laneByLane, IntConsumer pushResult) {
        finish(store, laneByLane, () -> suspectNans(kind, pushResult));
    }

    /** As {@link #finishNans(IntConsumer, Runnable)} where a source is what may be NaN. */
    void finishNans(IntConsumer pop, Runnable laneByLane, Kind of, IntConsumer pushSource) {
        finish(pop, laneByLane, () -> suspectNans(of, pushSource));
    }

    /** Lanes that do not execute often hold what is a NaN here, as does the root of a negative number behind a test for such. */
    private void suspectNans(Kind kind, IntConsumer push) {
        vc.code.pop();
        for (int part = 0; part < kind.parts(vc.group); part++) {
            pushNans(kind, part, push);
            if (part > 0) {
                vc.code.op(Op.LOR);
            }
        }
        vc.code.load(vc.mask()).op(Op.LAND);
    }

    /** Pushes the lanes of a part in which a vector is NaN. */
    private void pushNans(Kind kind, int part, IntConsumer push) {
        push.accept(part);
        push.accept(part);
        vc.compare(kind, "NE");
        vc.place(kind, part);
    }

    /** Pushes the lanes of a part whose result is NaN. */
    void pushNans(int part) {
        pushNans(kind, part, this::push);
    }

    private void finish(Runnable store, Runnable laneByLane, Runnable pushSuspects) {
        Place good = new Place();
        Place done = new Place();
        vc.code.load(rare).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, good);
        if (pushSuspects != null) {
            vc.code.load(rare);
            pushSuspects.run();
            vc.code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, good);
        }
        laneByLane.run();
        vc.code.jump(done).place(good);
        store.run();
        vc.code.place(done);
    }
}
