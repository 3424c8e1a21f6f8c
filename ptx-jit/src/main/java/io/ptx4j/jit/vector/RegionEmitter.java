package io.ptx4j.jit.vector;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.LONG;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.InstructionEmitter;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.VectorLanes;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The method of one region: a loop over groups of threads, in it the region's blocks. */
final class RegionEmitter {
    /** No thread has stopped yet. */
    private static final int NONE = -3;

    private final VectorShape shape;
    private final Region region;
    private final LaneFlow flow;
    private final Code code;
    private final ThreadCode c;
    private final VectorCode vc;
    private final GroupTransfer transfer;
    private final Local thread;
    private final Local end;
    private final Local from;
    private final Local common;
    private final Local current;
    private final Local going;
    private final Local fuel;
    private final boolean manyStops;
    private final Place groupEnd = new Place();
    private final Local[] waiting;
    private final Place[] entries;
    private final Place[] directs;
    private final Place[] behind;
    private GroupInstructions instructions;
    private int line;

    RegionEmitter(VectorShape shape, Region region, LaneFlow flow) {
        this.shape = shape;
        this.region = region;
        this.flow = flow;
        this.code = shape.classCode.staticMethod("region" + region.index(), VectorShape.REGION);
        Local worker = code.parameter(0, REFERENCE);
        Local frame = code.parameter(1, REFERENCE);
        this.thread = code.parameter(2, INT);
        this.end = code.parameter(3, INT);
        this.from = code.parameter(4, INT);
        this.common = code.newLocal(INT);
        this.current = code.newLocal(LONG);
        this.going = code.newLocal(LONG);
        this.fuel = code.newLocal(INT);
        this.c = new ThreadCode(shape.context, code, worker, frame, thread);
        this.vc = new VectorCode(c, shape.group, shape.forms);
        this.transfer = new GroupTransfer(vc, shape);
        this.manyStops = region.stops().size() + (region.ends() ? 1 : 0) > 1;
        this.waiting = new Local[flow.size()];
        this.entries = places(flow.size());
        this.directs = places(flow.size());
        this.behind = places(flow.size());
    }

    private static Place[] places(int count) {
        Place[] places = new Place[count];
        for (int i = 0; i < count; i++) {
            places[i] = new Place();
        }
        return places;
    }

    void emit() {
        Place start = new Place();
        Place handler = new Place();
        Place loop = new Place();
        Place done = new Place();
        Place next = new Place();
        prepare();
        code.push(NONE).store(common).push(1L).store(current).push(0L).store(going).push(Polls.INTERVAL).store(fuel);
        code.place(start);
        hoist();
        code.place(loop).load(thread).load(end).jumpIfCompared(Condition.GE, done);
        code.load(c.frame).load(thread).load(end).push(shape.group.lanes()).load(from).call(VectorLanes.class, "active").store(current);
        code.load(current).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, next);
        enter();
        for (int p = 0; p < flow.size(); p++) {
            block(p);
        }
        code.place(groupEnd).place(next).increment(thread, shape.group.lanes()).jump(loop);
        code.place(done);
        if (manyStops) {
            code.load(common).ret();
        } else {
            code.push(region.ends() || region.stops().isEmpty() ? Frame.ENDED : region.stops().getFirst()).ret();
        }
        code.handler(handler).load(c.worker).load(c.frame).load(thread);
        code.load(current).call(Long.class, "numberOfTrailingZeros").push(63).op(Op.IAND).op(Op.IADD);
        code.call(Faults.class, "locate").raise();
        code.guard(start, handler, handler, RuntimeException.class);
        code.end();
    }

    // Before the loop

    private void prepare() {
        Set<Register> used = new LinkedHashSet<>();
        EnumSet<ThreadCode.Part> parts = EnumSet.noneOf(ThreadCode.Part.class);
        if (region.after() != null) {
            used.addAll(region.after().saved());
            if (region.after().instruction() != null) {
                Operands.definitions(region.after().instruction(), used::add);
            }
        } else {
            used.addAll(shape.liveness.liveIn(0));
        }
        for (int b : region.blocks()) {
            BasicBlock block = shape.graph.blocks().get(b);
            for (Instruction instruction : block.instructions()) {
                if (shape.uniforms.defines(instruction)) {
                    continue;
                }
                Operands.uses(instruction, used::add);
                Operands.definitions(instruction, used::add);
                for (Operand operand : instruction.operands()) {
                    if (operand instanceof Operand.Address address) {
                        parts.add(Addresses.part(c, address));
                    }
                }
            }
            if (Operands.use(block.terminator()) instanceof Register register) {
                used.add(register);
            }
        }
        for (Register register : used) {
            if (!shape.uniforms.contains(register)) {
                vc.zero(register);
            }
        }
        c.loadParts(parts);
        for (int p = 0; p < waiting.length; p++) {
            if (flow.collects(p)) {
                waiting[p] = code.newLocal(LONG);
                code.push(0L).store(waiting[p]);
            }
        }
        instructions = new GroupInstructions(vc, shape.laneMethods);
    }

    /** Computes what is the same for the whole block. */
    private void hoist() {
        Set<Register> needed = new HashSet<>();
        for (int b : region.blocks()) {
            for (Instruction instruction : shape.graph.blocks().get(b).instructions()) {
                if (!shape.uniforms.defines(instruction)) {
                    Operands.uses(instruction, needed::add);
                }
            }
            if (Operands.use(shape.graph.blocks().get(b).terminator()) instanceof Register register) {
                needed.add(register);
            }
        }
        for (Register register : shape.uniforms.order().reversed()) {
            if (needed.contains(register)) {
                Operands.uses(shape.uniforms.definition(register), needed::add);
            }
        }
        for (Register register : shape.uniforms.order()) {
            if (needed.contains(register)) {
                Instruction definition = shape.uniforms.definition(register);
                line(definition.location().line());
                InstructionEmitter.emit(c, definition);
            }
        }
    }

    private void enter() {
        if (region.after() == null) {
            shape.liveness.liveIn(0).stream().filter(r -> !shape.uniforms.contains(r)).forEach(vc::zero);
            return;
        }
        transfer.restore(region.after().saved());
        if (region.after().instruction() != null) {
            line(region.after().instruction().location().line());
            instructions.take(region.after().instruction(), current);
        }
    }

    private void line(int number) {
        if (number != line && number > 0) {
            code.line(number);
            line = number;
        }
    }

    // Blocks

    private void block(int p) {
        BasicBlock block = shape.graph.blocks().get(flow.block(p));
        code.place(entries[p]);
        if (waiting[p] != null) {
            code.load(waiting[p]).store(current).push(0L).store(waiting[p]);
            code.load(current).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, behind[p]);
        } else if (code.reachable() && p > 0) {
            code.jump(behind[p]);
        }
        code.place(directs[p]);
        List<Instruction> all = block.instructions();
        int point = shape.regions.pointOfBlock()[block.index()];
        for (Instruction instruction : point >= 0 ? all.subList(0, all.size() - 1) : all) {
            if (!shape.uniforms.defines(instruction)) {
                line(instruction.location().line());
                instructions.emit(instruction, current, r -> shape.forms.keepsOthers(r, flow, p));
            }
        }
        if (point >= 0) {
            stopAt(point, all.getLast());
        } else {
            line(block.terminator().location().line());
            terminate(p, block.terminator());
        }
        code.place(behind[p]);
        for (int header : flow.loopsEndingAt(p)) {
            if (waiting[header] != null) {
                Place none = new Place();
                code.load(waiting[header]).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
                poll();
                code.jump(entries[header]).place(none);
            }
        }
    }

    private void poll() {
        Place on = new Place();
        code.increment(fuel, -1).load(fuel).jumpIf(Condition.GE, on);
        code.load(c.worker).call(Polls.class, "poll").store(fuel);
        code.place(on);
    }

    private void stopAt(int point, Instruction instruction) {
        MeetingPoint meeting = shape.regions.points().get(point);
        line(instruction.location().line());
        instructions.leave(instruction, current);
        transfer.save(meeting.saved());
        stop(current, point);
        code.jump(groupEnd);
    }

    /** Notes that lanes stop. */
    private void stop(Local lanes, int point) {
        if (manyStops) {
            code.load(c.frame).load(thread).load(lanes).push(point).call(VectorLanes.class, "stop");
            code.load(common).push(point).push(NONE).call(VectorLanes.class, "together").store(common);
        }
    }

    private void terminate(int p, Terminator end) {
        switch (end) {
            case Terminator.Jump jump -> go(p, jump.target());
            case Terminator.Return ret -> endThreads(p);
            case Terminator.Exit exit -> endThreads(p);
            case Terminator.Branch branch -> {
                if (branch.taken() == branch.otherwise()) {
                    go(p, branch.taken());
                } else if (vc.varying(branch.predicate())) {
                    part(p, branch);
                } else {
                    Place taken = new Place();
                    code.load(c.local(branch.predicate())).jumpIf(branch.negated() ? Condition.EQ : Condition.NE, taken);
                    go(p, branch.otherwise());
                    code.place(taken);
                    go(p, branch.taken());
                }
            }
            case Terminator.Switch choice -> throw new NotVectorizable("brx.idx");
        }
    }

    private void endThreads(int p) {
        stop(current, Frame.ENDED);
        code.jump(flow.waiting(p).isEmpty() ? groupEnd : behind[p]);
    }

    /** All lanes that are here go to a block. */
    private void go(int p, int block) {
        if (flow.drops(block)) {
            endThreads(p);
        } else if (flow.waiting(p).isEmpty()) {
            direct(p, flow.placeOf(block));
        } else {
            code.load(waiting[flow.placeOf(block)]).load(current).op(Op.LOR).store(waiting[flow.placeOf(block)]);
            code.jump(behind[p]);
        }
    }

    private void direct(int p, int to) {
        if (to <= p) {
            poll();
        }
        code.jump(directs[to]);
    }

    /** Lanes go different ways. */
    private void part(int p, Terminator.Branch branch) {
        boolean takenEnds = flow.drops(branch.taken());
        boolean otherEnds = flow.drops(branch.otherwise());
        code.load(current).load(vc.maskOf(branch.predicate()));
        if (branch.negated() != otherEnds) {
            code.push(-1L).op(Op.LXOR);
        }
        // Lanes that go to the end, or else those that branch.
        code.op(Op.LAND).store(going);
        if (takenEnds || otherEnds) {
            if (takenEnds && otherEnds) {
                endThreads(p);
                return;
            }
            dropGoing();
            code.load(current).load(going).op(Op.LXOR).store(current);
            code.load(current).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, flow.waiting(p).isEmpty() ? groupEnd : behind[p]);
            go(p, takenEnds ? branch.otherwise() : branch.taken());
            return;
        }
        int taken = flow.placeOf(branch.taken());
        int other = flow.placeOf(branch.otherwise());
        if (flow.waiting(p).isEmpty()) {
            Place some = new Place();
            Place all = new Place();
            code.load(going).push(0L).op(Op.LCMP).jumpIf(Condition.NE, some);
            direct(p, other);
            code.place(some).load(going).load(current).op(Op.LCMP).jumpIf(Condition.NE, all);
            direct(p, taken);
            code.place(all);
        }
        code.load(waiting[taken]).load(going).op(Op.LOR).store(waiting[taken]);
        code.load(waiting[other]).load(current).load(going).op(Op.LXOR).op(Op.LOR).store(waiting[other]);
        code.jump(behind[p]);
    }

    private void dropGoing() {
        if (!manyStops) {
            return;
        }
        Place none = new Place();
        code.load(going).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        stop(going, Frame.ENDED);
        code.place(none);
    }
}
