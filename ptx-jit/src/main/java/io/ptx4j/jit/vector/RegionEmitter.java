package io.ptx4j.jit.vector;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.scalar.BlockLoop;
import io.ptx4j.jit.scalar.RegionDispatch;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.Scheduler;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

/** The method of one region, with its loop over groups of threads, and over blocks where threads never stop; and those of its pieces when it has several. */
final class RegionEmitter {
    private static final String TURNS = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;)V";

    private final VectorShape shape;
    private final Region region;
    private final RegionCode whole;
    /** Units that the turn of a group takes, 0 where nobody need ask whether to go on. */
    private final int cost;

    RegionEmitter(VectorShape shape, Region region, LaneFlow flow, Pieces pieces) {
        this.shape = shape;
        this.region = region;
        this.whole = new RegionCode(shape, region, flow, pieces);
        this.cost = LoopCost.ofTurn(region.blocks().stream().map(shape.graph.blocks()::get).toList(), Polls.GROUP);
    }

    void emit() {
        Code code = shape.classCode.staticMethod(RegionDispatch.name(region.index()), RegionDispatch.REGION);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE),
                code.parameter(2, INT));
        // Once: HotSpot's first compiler notes at each cast what it has met.
        code.load(c.frame).cast(VectorFrame.class).store(c.frame);
        Local end = code.parameter(3, INT);
        Local from = code.parameter(4, INT);
        Place start = new Place();
        Place handler = new Place();
        Place loop = new Place();
        Place done = new Place();
        Place next = new Place();
        Place block = new Place();
        Place ended = new Place();
        TableVectors.prepare(c, shape.forms, region.blocks().stream().flatMap(b -> shape.graph.blocks().get(b).instructions().stream()));
        BarrierLoop barrierLoop = whole.pieces().single() ? BarrierLoop.of(shape, region, whole.flow()) : null;
        if (barrierLoop != null) {
            Place other = new Place();
            code.load(c.worker).load(c.frame).load(c.thread).load(end).load(from).call(VectorLanes.class, "together").jumpIf(Condition.EQ, other);
            code.load(c.worker).load(c.frame).callOwn(whole.name("turns"), TURNS).place(other);
        }
        LoopAhead ahead = shape.ahead(whole.flow());
        if (ahead != null) {
            ahead.call(whole, c, end, from);
        }
        SureBlocks sure = whole.pieces().single() ? shape.sureBlocks() : null;
        if (sure != null) {
            sure.call(whole, c, end, from);
        }
        GroupTurn turn = whole.pieces().single() ? new WholeTurn(whole, c, next, null) : new PieceTurn(whole, c, next);
        turn.prepare();
        if (whole.manyStops()) {
            code.load(c.frame).load(c.thread).load(end).load(from).call(VectorLanes.class, "begin");
        }
        code.place(start);
        turn.hoist();
        Local first = null;
        if (shape.runsOn()) {
            first = BlockLoop.begin(c, turn.fuel(), block, ended);
        }
        turn.hoistForBlock();
        code.place(loop).load(c.thread).load(end).jumpIfCompared(Condition.GE, done);
        if (shape.splits) {
            code.load(c.frame).load(c.thread).load(end).load(from).call(VectorLanes.class, shape.needsAll(region) ? "activeAll" : "activePart");
        } else {
            code.load(c.frame).load(c.thread).load(end).push(shape.group.lanes()).load(from).call(VectorLanes.class, shape.group.padded() ? "present" : "active");
        }
        code.store(turn.current());
        code.load(turn.current()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, next);
        turn.emit();
        code.place(next);
        turn.raiseFailed();
        if (shape.splits) {
            code.load(c.frame).load(c.thread).load(end).load(from).call(VectorLanes.class, "moreParts").jumpIf(Condition.NE, loop);
        }
        nextGroup(c, turn, loop);
        code.place(done);
        turn.finish();
        if (shape.runsOn()) {
            if (sure != null) {
                code.push(0).store(first);
            }
            BlockLoop.next(c, block);
        }
        code.place(ended);
        if (whole.manyStops()) {
            code.load(c.frame).field(VectorFrame.class, "common").ret();
        } else {
            code.push(region.ends() || region.stops().isEmpty() ? Frame.ENDED : region.stops().getFirst()).ret();
        }
        locate(c, turn::pushFailing, start, handler);
        code.end();
        if (barrierLoop != null) {
            emitTurns(barrierLoop);
        }
        if (ahead != null) {
            ahead.emit(whole);
        }
        if (sure != null) {
            sure.emit(whole);
        }
    }

    /** All groups of the block from barrier to barrier, until the loop ends. */
    private void emitTurns(BarrierLoop loop) {
        Code code = shape.classCode.staticMethod(whole.name("turns"), TURNS);
        Local thread = code.newLocal(INT);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), thread);
        code.push(0).store(thread);
        Place start = new Place();
        Place handler = new Place();
        Place again = new Place();
        Place each = new Place();
        Place done = new Place();
        Place next = new Place();
        WholeTurn turn = new WholeTurn(whole, c, next, loop);
        turn.prepare();
        TreeTurns tree = TreeTurns.of(shape, whole.flow(), loop, turn.vectors());
        int threads = shape.group.block().threads();
        code.place(start);
        turn.hoist();
        turn.hoistForBlock();
        code.place(again).push(0).store(thread);
        if (tree != null) {
            tree.emit(back -> turn.spend(c, Polls.INTERVAL / Scheduler.POLL_STEPS, back), i -> turn.line(i.location().line()));
        }
        code.place(each).load(thread);
        if (tree == null) {
            code.push(threads);
        } else {
            code.load(tree.bound());
        }
        code.jumpIfCompared(Condition.GE, done);
        if (threads % shape.group.lanes() == 0 && !shape.group.padded()) {
            code.push(shape.group.full());
        } else {
            code.load(c.frame).load(thread).push(threads).push(shape.group.lanes()).push(-1).call(VectorLanes.class, shape.group.padded() ? "present" : "active");
        }
        code.store(turn.current());
        turn.emit();
        code.place(next);
        turn.raiseFailed();
        nextGroup(c, turn, each);
        code.place(done);
        turn.finish();
        loop.next(code);
        turn.spend(c, Polls.INTERVAL / Scheduler.POLL_STEPS, again);
        code.place(loop.leave());
        loop.giveBack(turn.vectors());
        code.ret();
        locate(c, turn::pushFailing, start, handler);
        code.end();
    }

    private void nextGroup(ThreadCode c, GroupTurn turn, Place loop) {
        c.code().increment(c.thread, shape.group.lanes());
        if (cost > 0) {
            turn.spend(c, cost, loop);
        } else {
            c.code().jump(loop);
        }
    }

    /** What fails outside of a lane's own code fails for the lowest lane that is there. */
    static void locate(ThreadCode c, Runnable pushLanes, Place start, Place handler) {
        Code code = c.code();
        code.handler(handler).load(c.worker).load(c.frame).load(c.thread);
        pushLanes.run();
        code.call(Long.class, "numberOfTrailingZeros").push(63).op(Op.IAND).op(Op.IADD);
        code.call(Faults.class, "locate").raise();
        code.guard(start, handler, handler, RuntimeException.class);
    }
}
