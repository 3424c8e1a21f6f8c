package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Progress;
import io.ptx4j.jit.scalar.Question;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadPath;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.Traps;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.support.WarpLanes;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Emits neighbouring blocks of a region, in the flow's order, for one group of threads. */
final class BlockEmitter {
    /** Where code goes on that lies outside of these blocks. */
    interface Outside {
        /** The way to a block, for the lanes that wait there. */
        Place entry(int place);

        /** The way to a block with all lanes that are here. */
        Place direct(int place);

        /** The way to the end of the group's turn. */
        Place groupEnd();

        /** Whether the block at that place is emitted. */
        default boolean emits(int place) {
            return true;
        }

        /** Whether a register that outlives a stop need not be left in the frame, since it lies there. */
        default boolean inFrame(Register register) {
            return false;
        }

        /** Leaves a register in the frame that has no local here; whether it is one. */
        default boolean carries(Register register) {
            return false;
        }
    }

    private final VectorShape shape;
    private final LaneFlow flow;
    private final int low;
    private final int high;
    private final Outside outside;
    private final VectorCode vc;
    private final ThreadCode c;
    private final Code code;
    private final GroupTransfer transfer;
    private final Local current;
    private final Local going;
    private final Local fuel;
    private final boolean manyStops;
    private final BarrierLoop barrierLoop;
    /** Whether the region runs between stops of a waiting loop, and so notes that threads get on. */
    private final boolean notesProgress;
    private final Map<Integer, Local> waiting = new HashMap<>();
    private final Map<Integer, Place> entries = new HashMap<>();
    private final Map<Integer, Place> directs = new HashMap<>();
    private final Map<Integer, Place> behind = new HashMap<>();
    /** By place of a loop's header. */
    private final Map<Integer, LoopResults> results = new HashMap<>();
    /** By place: where a turn with all tests begins, in loops that have turns without. */
    private final Map<Integer, Place> tested = new HashMap<>();
    private GroupInstructions instructions;
    private Prefetches prefetches;
    /** Whether groups come to a butterfly at which they wait for others. */
    private boolean groupsWait;
    private int line;

    /**
     * @param low place of the first block
     * @param high place behind the last block
     * @param manyStops whether the frame must be told where threads stop
     * @param barrierLoop whose blocks alone are emitted, those of one turn; null for all blocks
     */
    BlockEmitter(VectorShape shape, LaneFlow flow, int low, int high, VectorCode vc, boolean manyStops, BarrierLoop barrierLoop, Outside outside) {
        this.shape = shape;
        this.flow = flow;
        this.low = low;
        this.high = high;
        this.outside = outside;
        this.vc = vc;
        this.c = vc.c;
        this.code = vc.code;
        this.transfer = new GroupTransfer(vc, shape);
        this.manyStops = manyStops;
        this.barrierLoop = barrierLoop;
        this.notesProgress = shape.repeated.get(flow.region());
        this.current = code.newLocal(JvmType.LONG);
        this.going = code.newLocal(JvmType.LONG);
        this.fuel = code.newLocal(JvmType.INT);
        for (int p = low; p < high; p++) {
            if (emits(p)) {
                entries.put(p, new Place());
                directs.put(p, new Place());
                behind.put(p, new Place());
            }
        }
    }

    private boolean emits(int place) {
        return (barrierLoop == null || barrierLoop.contains(place)) && (outside == null || outside.emits(place));
    }

    /** The lanes that are here. */
    Local current() {
        return current;
    }

    /** The units left until the next question whether to go on. */
    Local fuel() {
        return fuel;
    }

    /** By place: lanes that wait there, for the places that these blocks name. */
    Map<Integer, Local> waiting() {
        return waiting;
    }

    /** Gives all locals their first value. */
    void prepare() {
        code.push(1L).store(current).push(0L).store(going).push(Polls.INTERVAL).store(fuel);
        for (int p : named()) {
            Local local = code.newLocal(JvmType.LONG);
            code.push(0L).store(local);
            waiting.put(p, local);
        }
        groupsWait = low == 0 && high == flow.size() && !shape.runsOn() && !shape.regions.spins() && IntStream.range(low, high).anyMatch(p -> emits(p) && waitsAt(p) != null);
        instructions = new GroupInstructions(vc, shape.laneMethods, notesProgress ? this::noteProgress : null);
        prefetches = new Prefetches(vc);
        for (int p = low; p < high; p++) {
            if (emits(p) && flow.isLoop(p) && flow.lastOf(p) < high) {
                prefetches.find(IntStream.rangeClosed(p, flow.lastOf(p)).mapToObj(this::alone).flatMap(List::stream).toList());
            }
        }
    }

    /** Whether groups may wait for others when all have had their turn. */
    boolean groupsWait() {
        return groupsWait;
    }

    private Set<Integer> named() {
        Set<Integer> named = new TreeSet<>();
        for (int p = low; p < high; p++) {
            if (!emits(p)) {
                continue;
            }
            if (flow.collects(p)) {
                named.add(p);
            }
            if (flow.byMask(p)) {
                flow.successors(p).stream().filter(flow::collects).forEach(named::add);
            }
            flow.loopsEndingAt(p).stream().filter(flow::collects).forEach(named::add);
        }
        return named;
    }

    Place entry(int place) {
        return entries.containsKey(place) ? entries.get(place) : outside.entry(place);
    }

    Place direct(int place) {
        return directs.containsKey(place) ? directs.get(place) : outside.direct(place);
    }

    /** Takes the results of the point that the region goes on from. */
    void take(Instruction instruction) {
        line(instruction.location().line());
        instructions.take(instruction, current);
    }

    void emit() {
        for (int p = low; p < high; p++) {
            if (emits(p)) {
                block(p);
            }
        }
        code.jump(high < flow.size() ? outside.entry(high) : outside.groupEnd());
    }

    void line(int number) {
        if (number != line && number > 0) {
            code.line(number);
            line = number;
        }
    }

    private void block(int p) {
        CompileTime.ask();
        BasicBlock block = shape.graph.blocks().get(flow.block(p));
        LoopResults taken = emitsLoop(p) && SteadyLoop.of(shape, vc, flow, p) == null ? LoopResults.of(shape, vc, flow, p) : null;
        Place none = taken == null ? behind.get(p) : taken.behind();
        code.place(entries.get(p));
        if (flow.collects(p)) {
            takeWaiting(p);
            code.load(current).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
        } else if (code.reachable()) {
            code.jump(none);
        }
        code.place(directs.get(p));
        if (taken != null) {
            results.put(p, taken);
            taken.begin(vc);
            code.place(taken.again());
        }
        boolean noneWaits = flow.waiting(p).isEmpty();
        vc.ways(new VectorCode.Ways(current, leave(p), noneWaits, noneWaits && !shape.splits));
        if (groupsWait && (flow.laneBlocks(p) != null || touchesMemory(p))) {
            PendingGroups.finish(vc);
        }
        if (notesProgress && flow.laneBlocks(p) != null) {
            note("written");
            note("timed");
        } else if (notesProgress) {
            noteProgress(alone(p).stream().filter(i -> i.guard() == null).toList());
        }
        if (flow.laneBlocks(p) instanceof LaneBlocks lanes) {
            oneByOne(p, lanes);
            endBlock(p);
            return;
        }
        boolean first = p == low || !flow.continues(p);
        if (first) {
            vc.forget();
            vc.tests(null);
            vc.records(null);
        }
        instructions.inner(flow.isLoop(p) && flow.lastOf(p) == p);
        if (first) {
            vc.byteSums(ByteSums.of(vc, run(p)));
        }
        sureTurns(p);
        if (flow.isLoop(p) && flow.lastOf(p) < high) {
            vc.locals.requireClasses(carried(p));
        }
        if (first) {
            vc.tests(CommonTests.of(vc, run(p)));
            vc.records(TestedRecords.of(vc, run(p), shape.sorting()));
        }
        List<Instruction> all = block.instructions();
        int point = shape.regions.pointOfBlock()[block.index()];
        List<Instruction> alone = alone(p);
        int next = 0;
        while (next < alone.size()) {
            Butterfly butterfly = Butterfly.at(shape, vc, block.index(), alone, next);
            if (butterfly != null) {
                for (Instruction i : butterfly.before()) {
                    instructions.emit(List.of(i), current, r -> false, x -> line(x.location().line()));
                }
                line(butterfly.all().getFirst().location().line());
                vc.lanes(current, r -> false);
                butterfly.emit(vc, shape.classCode, shape.pendingGroups, groupsWait && butterfly.waits(flow.stopsBehind(block.index()), alone), i -> line(i.location().line()));
                next = butterfly.end();
                continue;
            }
            prefetches.before(alone.get(next));
            next = instructions.emit(alone, next, sameGuard(alone, next), current, r -> shape.forms.keepsOthers(r, flow, p), i -> line(i.location().line()));
        }
        if (flow.passes(block.index())) {
            Place passes = new Place();
            line(all.getLast().location().line());
            instructions.pass(all.getLast(), Unnoticed.isBehind(shape.graph, block) ? -1 : point, current, passes);
            stopAt(point, all.getLast());
            code.place(passes);
            vc.forget();
            instructions.emit(List.of(all.getLast()), current, r -> shape.forms.keepsOthers(r, flow, p), i -> line(i.location().line()));
            terminate(p, block.terminator());
        } else if (point >= 0) {
            stopAt(point, all.getLast());
        } else {
            line(block.terminator().location().line());
            terminate(p, block.terminator());
        }
        endBlock(p);
    }

    /** Whether a loop begins at the block that is emitted as a whole. */
    private boolean emitsLoop(int p) {
        return barrierLoop == null && flow.isLoop(p) && flow.lastOf(p) < high && IntStream.rangeClosed(p, flow.lastOf(p)).allMatch(this::emits);
    }

    private void takeWaiting(int p) {
        code.load(waiting.get(p)).store(current).push(0L).store(waiting.get(p));
    }

    /** Registers that the loop changes whose values come round to its header, for lanes that go on or those that wait. */
    private Set<Register> carried(int header) {
        Set<Register> carried = new LinkedHashSet<>();
        for (int p = header; p <= flow.lastOf(header); p++) {
            int place = p;
            flow.definitions(p, r -> {
                if (!vc.locals.isAside(r) && (shape.liveness.isLiveIn(r, flow.block(header)) || shape.forms.keepsOthers(r, flow, place))) {
                    carried.add(r);
                }
            });
        }
        return carried;
    }

    /** Lanes go through some blocks one by one. */
    private void oneByOne(int p, LaneBlocks lanes) {
        ThreadPath path = lanes.path(shape);
        vc.forget();
        vc.tests(null);
        vc.records(null);
        line(path.line());
        vc.lanes(current, r -> shape.forms.keepsOthers(r, flow, p));
        shape.laneMethods.follow(vc, path);
        if (lanes.ends()) {
            endThreads(p);
        } else {
            go(p, lanes.next());
        }
    }

    /** Where code comes to behind a block, which may go back to the headers of loops that end here. */
    private void endBlock(int p) {
        code.place(behind.get(p));
        for (int header : flow.loopsEndingAt(p)) {
            LoopResults taken = results.remove(header);
            if (flow.collects(header)) {
                Place none = new Place();
                Place entry = taken == null ? entry(header) : taken.inner();
                code.load(waiting.get(header)).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, none);
                int spin = flow.spinOf(header);
                if (spin >= 0) {
                    spend(header, p, entry);
                    takeWaiting(header);
                    giveWay(spin, none);
                } else {
                    back(header, p, entry, entry, waiting.get(header), none);
                }
                if (taken != null) {
                    code.place(entry);
                    takeWaiting(header);
                    code.jump(taken.again());
                }
                code.place(none);
            }
            if (taken != null) {
                taken.take(vc);
                taken.end(vc);
                code.place(taken.behind());
            }
        }
    }

    /** The butterfly at which groups wait for others, or null. */
    private Butterfly waitsAt(int p) {
        int block = flow.block(p);
        List<Instruction> alone = alone(p);
        for (int next = 0; next < alone.size() && shape.regions.pointOfBlock()[block] >= 0; next++) {
            Butterfly butterfly = Butterfly.at(shape, vc, block, alone, next);
            if (butterfly != null && butterfly.waits(flow.stopsBehind(block), alone)) {
                return butterfly;
            }
        }
        return null;
    }

    /** Whether a block does more that accesses memory than come to a butterfly at which groups wait. */
    private boolean touchesMemory(int p) {
        Butterfly butterfly = waitsAt(p);
        return alone(p).stream().anyMatch(i -> PendingGroups.touches(i) && (butterfly == null || !butterfly.all().contains(i)));
    }

    /** What a block does for each group, but for the meeting point at its end. */
    private List<Instruction> alone(int p) {
        BasicBlock block = shape.graph.blocks().get(flow.block(p));
        List<Instruction> alone = new ArrayList<>(flow.instructions(p));
        if (shape.regions.pointOfBlock()[block.index()] >= 0) {
            alone.removeLast();
        }
        alone.removeIf(shape::isHoisted);
        return alone;
    }

    /** The instructions of a block and of those that continue it. */
    private List<Instruction> run(int p) {
        List<Instruction> run = new ArrayList<>(alone(p));
        for (int next = p + 1; next < high && flow.continues(next); next++) {
            run.addAll(alone(next));
        }
        return run;
    }

    private void sureTurns(int p) {
        SteadyLoop loop = SteadyLoop.of(shape, vc, flow, p);
        if (loop == null) {
            return;
        }
        Place place = new Place();
        LoopAhead ahead = shape.ahead(flow);
        if (ahead != null && ahead.place() == p) {
            ahead.take(vc, place, () -> go(p, loop.exitBlock()));
        }
        new SureTurns(shape, vc, loop).emit(instructions, current, fuel, cost(p, p), prefetches::before, i -> line(i.location().line()), () -> go(p, loop.exitBlock()));
        tested.put(p, place);
        code.place(place);
        vc.forget();
    }

    /** Units that a turn of the loop takes. */
    private int cost(int header, int last) {
        return LoopCost.ofLoop(IntStream.rangeClosed(header, last).mapToObj(p -> shape.graph.blocks().get(flow.block(p))).toList(), Polls.GROUP);
    }

    /** Instructions from {@code first} on that one test of a guard serves. */
    private static int sameGuard(List<Instruction> all, int first) {
        int end = first + 1;
        Instruction.Guard guard = all.get(first).guard();
        while (guard != null && end < all.size() && guard.equals(all.get(end).guard()) && !Operands.writes(all.get(end - 1), r -> r == guard.predicate())) {
            end++;
        }
        return end;
    }

    /**
     * Jumps back from one place to another and asks now and then whether to go on. These are two ways back: HotSpot makes an inner loop of
     * the frequent one, without a call in it, or else it keeps vectors that the loop hardly uses in memory, and loads them every turn.
     *
     * @param frequent where code goes on if it need not ask
     * @param target where it goes on after it has asked
     * @param lanes that go back
     * @param otherwise where code goes on if none of them may
     */
    private void back(int to, int from, Place frequent, Place target, Local lanes, Place otherwise) {
        code.increment(fuel, -cost(to, from)).load(fuel).jumpIf(Condition.GE, frequent);
        Question.ask(code, c.worker, fuel);
        // Lanes above one that has failed may go round for ever.
        vc.failed.keepRunning(lanes);
        code.load(lanes).push(0L).op(Op.LCMP).jumpIf(Condition.NE, target).jump(otherwise);
    }

    private void stopAt(int point, Instruction instruction) {
        MeetingPoint meeting = shape.regions.points().get(point);
        line(instruction.location().line());
        instructions.leave(instruction, current);
        if (barrierLoop != null) {
            barrierLoop.stop(vc);
        } else {
            save(meeting);
        }
        stop(current, point);
        code.jump(leave(flow.placeOf(meeting.block())));
    }

    private void save(MeetingPoint stop) {
        transfer.save(flow.changed(stop).stream().filter(r -> !outside.inFrame(r) && !outside.carries(r)).toList());
    }

    /**
     * Jumps back in the text, in a loop that may wait for other threads: for a while, and then they get their turn. In a
     * region that begins in the middle of a loop its first block comes later.
     */
    private void spin(int p, int to, int point) {
        spend(to, p, direct(to));
        giveWay(point, leave(p));
    }

    private void giveWay(int point, Place behind) {
        save(shape.regions.points().get(point));
        stop(current, point);
        code.jump(behind);
    }

    /** Goes on in a waiting loop if it has not run for long. */
    private void spend(int to, int from, Place again) {
        if (to <= from && directs.containsKey(to)) {
            List<BasicBlock> loop = IntStream.rangeClosed(to, from).mapToObj(at -> shape.graph.blocks().get(flow.block(at))).toList();
            code.increment(fuel, -shape.regions.costOfWaiting(flow.block(to), loop)).load(fuel).jumpIf(Condition.GE, again);
        } else {
            // Each piece begins with all of its units, and in another order than the text's another jump back may use them up.
            code.load(c.frame).call(VectorFrame.class, "goesOnWaiting").jumpIf(Condition.NE, again);
        }
    }

    /** Notes that lanes stop. */
    private void stop(Local lanes, int point) {
        if (manyStops) {
            code.load(c.frame).load(c.thread).load(lanes).push(point).call(VectorLanes.class, shape.splits ? "stopPart" : shape.regions.spins() ? "stopEach" : "stop");
        }
    }

    private void noteProgress(List<Instruction> instructions) {
        if (instructions.stream().anyMatch(Progress::isMadeBy)) {
            note("written");
        }
        if (instructions.stream().anyMatch(Progress::looksAtTime)) {
            note("timed");
        }
    }

    private void note(String progress) {
        code.load(c.frame).push(1).putField(Frame.class, progress);
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
            case Terminator.Switch choice -> choose(p, choice);
        }
    }

    /** {@code brx.idx}: lanes of one index go together, one index after the other. */
    private void choose(int p, Terminator.Switch choice) {
        Operand index = new Operand.Reg(choice.index(), choice.index().type(), false);
        List<Place> stubs = choice.targets().stream().map(t -> new Place()).toList();
        Place outside = new Place();
        Place again = new Place();
        Local value = c.scratch(JvmType.INT, 4);
        Local rest = c.scratch(JvmType.LONG, 6);
        boolean varying = !(vc.forms.of(choice.index()) instanceof Form.Uniform);
        if (varying) {
            vc.leave(index, false, 0);
            code.load(current).store(rest).place(again);
            code.load(c.frame).load(rest).call(WarpLanes.class, "first").store(value);
            code.load(c.frame).load(rest).call(WarpLanes.class, "likeFirst").store(going);
            code.load(rest).load(going).op(Op.LXOR).store(rest);
        } else {
            c.pushInt(index);
            code.store(value);
        }
        code.load(value).tableSwitch(stubs, outside);
        Local failing = varying ? going : current;
        Place failed = new Place();
        code.place(outside);
        vc.note(failing);
        vc.lanes(failing, r -> false);
        vc.ways(new VectorCode.Ways(failing, failed, false, false));
        vc.failed.together(List.of(), () -> code.load(value).push(stubs.size()).call(Traps.class, "badIndex"));
        code.place(failed);
        if (varying) {
            vc.failed.keepRunning(rest);
            code.load(rest).push(0L).op(Op.LCMP).jumpIf(Condition.NE, again).jump(behind.get(p));
        } else {
            code.jump(leave(p));
        }
        for (int i = 0; i < stubs.size(); i++) {
            code.place(stubs.get(i));
            int target = choice.targets().get(i);
            if (!varying) {
                go(p, target);
                continue;
            }
            if (flow.drops(target)) {
                stop(going, Frame.ENDED);
            } else {
                await(p, flow.placeOf(target), going);
            }
            code.load(rest).push(0L).op(Op.LCMP).jumpIf(Condition.NE, again).jump(behind.get(p));
        }
    }

    private void endThreads(int p) {
        stop(current, Frame.ENDED);
        code.jump(leave(p));
    }

    /** Where code goes on behind a block when no lane is here any more. */
    private Place leave(int p) {
        return flow.waiting(p).isEmpty() ? outside.groupEnd() : behind.get(p);
    }

    /** All lanes that are here go to a block. */
    private void go(int p, int block) {
        if (barrierLoop != null && (flow.drops(block) || !barrierLoop.contains(flow.placeOf(block)))) {
            code.jump(barrierLoop.leave());
        } else if (flow.drops(block)) {
            endThreads(p);
        } else if (flow.straight(p, flow.placeOf(block), -1)) {
            direct(p, flow.placeOf(block));
        } else {
            await(p, flow.placeOf(block), current);
            code.jump(behind.get(p));
        }
    }

    private void direct(int p, int to) {
        int spin = flow.spinAt(p, to);
        if (spin >= 0) {
            spin(p, to, spin);
        } else if (to <= p) {
            Place again = results.containsKey(to) ? results.get(to).again() : direct(to);
            back(to, p, tested.getOrDefault(to, again), again, current, leave(p));
        } else {
            results.values().stream().filter(taken -> taken.endsBefore(to)).forEach(taken -> taken.take(vc));
            code.jump(direct(to));
        }
    }

    /** Lanes go different ways. */
    private void part(int p, Terminator.Branch branch) {
        boolean takenEnds = flow.drops(branch.taken());
        boolean otherEnds = flow.drops(branch.otherwise());
        code.load(current).load(vc.locals.maskOf(branch.predicate()));
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
            code.load(current).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, leave(p));
            go(p, takenEnds ? branch.otherwise() : branch.taken());
            return;
        }
        int taken = flow.placeOf(branch.taken());
        int other = flow.placeOf(branch.otherwise());
        if (flow.straight(p, other, -1)) {
            Place some = new Place();
            code.load(going).push(0L).op(Op.LCMP).jumpIf(Condition.NE, some);
            direct(p, other);
            code.place(some);
        }
        if (flow.straight(p, taken, -1)) {
            Place not = new Place();
            code.load(going).load(current).op(Op.LCMP).jumpIf(Condition.NE, not);
            direct(p, taken);
            code.place(not);
        }
        await(p, taken, going);
        code.load(current).load(going).op(Op.LXOR).store(current);
        if (flow.straight(p, other, taken)) {
            code.load(current).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, behind.get(p));
            direct(p, other);
        } else {
            await(p, other, current);
            code.jump(behind.get(p));
        }
    }

    /** Lanes wait at a block for their turn. Those that jump back in the text, but not here, to a loop that may wait may stop instead: the loop's header is no place at which to stop. */
    private void await(int from, int to, Local lanes) {
        int spin = to > from ? flow.spinAt(from, to) : -1;
        Place stopped = new Place();
        if (spin >= 0) {
            Place goesOn = new Place();
            code.load(c.frame).call(VectorFrame.class, "goesOnWaiting").jumpIf(Condition.NE, goesOn);
            code.load(lanes).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, goesOn);
            save(shape.regions.points().get(spin));
            stop(lanes, spin);
            code.jump(stopped).place(goesOn);
        }
        code.load(waiting.get(to)).load(lanes).op(Op.LOR).store(waiting.get(to));
        code.place(stopped);
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
