package io.ptx4j.jit.vector;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.support.WarpLanes;

import java.util.List;

/** Emits what becomes of lanes that fail while others of their group go on: their errors wait in the frame until it is known whose comes first. */
final class FailedLanes {
    private final VectorCode vc;
    private final Code code;

    FailedLanes(VectorCode vc) {
        this.vc = vc;
        this.code = vc.code;
    }

    /** Lanes that have failed in the code before go no further. */
    void drop() {
        if (vc.ways() == null) {
            return;
        }
        Place none = new Place();
        pushFailed();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        dropOthers();
        code.place(none);
    }

    private void pushFailed() {
        code.load(vc.c.frame).field(VectorFrame.class, "failed");
    }

    private void dropOthers() {
        keepRunning(vc.ways().current());
        code.load(vc.ways().current()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, vc.ways().leave());
        if (vc.skip() != null) {
            keepRunning(vc.mask());
            code.load(vc.mask()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, vc.skip());
        }
    }

    /** Takes lanes that have failed out of some. */
    void keepRunning(Local lanes) {
        code.load(vc.c.frame).load(lanes).call(VectorLanes.class, "running").store(lanes);
    }

    /**
     * What fails in the code that {@code emit} emits, which all executing lanes run at once, fails for these alone.
     *
     * @param results whose scalar locals the code gives values
     */
    void together(List<Register> results, Runnable emit) {
        if (vc.ways() == null || vc.ways().alone() && vc.skip() == null) {
            emit.run();
            return;
        }
        zeroScalars(results);
        deferred(vc.mask(), emit);
    }

    /** Gives scalar locals of registers that have vectors a value, whichever way the code goes. */
    private void zeroScalars(List<Register> results) {
        for (Register register : results) {
            if (vc.varying(register)) {
                vc.locals.pushZero(vc.c.local(register).type());
                code.store(vc.c.local(register));
            }
        }
    }

    /** As {@link #together} for the lanes of one row, which {@code lanes} keeps of those that execute; nothing is done if there are none. */
    void ofRow(int row, Local lanes, List<Register> results, Runnable emit) {
        if (vc.ways() == null) {
            emit.run();
            return;
        }
        Place none = new Place();
        zeroScalars(results);
        code.load(vc.mask()).push(vc.group.full() >>> vc.group.lanes() - vc.group.width() << row * vc.group.width()).op(Op.LAND).store(lanes);
        code.load(lanes).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        deferred(lanes, emit);
        code.place(none);
    }

    /** What fails in the code that {@code emit} emits fails for these lanes alone, and the others go on. */
    private void deferred(Local lanes, Runnable emit) {
        Place from = new Place();
        Place to = new Place();
        Place handler = new Place();
        Place over = new Place();
        code.place(from);
        emit.run();
        code.place(to).jump(over);
        code.handler(handler);
        code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(lanes).call(Faults.class, "deferAll");
        dropOthers();
        code.place(over);
        code.guard(from, to, handler, RuntimeException.class);
    }

    /** At a warp operation: lanes of a warp of which one has failed wait for it in vain. */
    void stopBeside() {
        if (vc.group.warps() == 1) {
            raise();
            return;
        }
        if (vc.ways() == null) {
            return;
        }
        Place none = new Place();
        pushFailed();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        code.load(vc.c.frame).load(vc.ways().current()).call(WarpLanes.class, "besidesFailed").store(vc.ways().current());
        code.load(vc.ways().current()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, vc.ways().leave()).place(none);
    }

    /** Ends the group's turn if a lane has failed: the others of its warp have come as far as they get without it. */
    void raise() {
        Place none = new Place();
        pushFailed();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        code.load(vc.c.frame).call(VectorFrame.class, "raise").place(none);
    }
}
