package io.ptx4j.jit.vector;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.LONG;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.Question;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.SureGroups;
import io.ptx4j.jit.support.TurnCount;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Groups of neighbouring blocks without tests, where threads never stop and there is a {@link SurePath}. The scalars of two groups and of two blocks are computed: if all that matters grows from block to
 * block as it does over the groups of one, the next block's threads are those that would follow in a longer block, so one loop over groups serves all. One look before it tells for how many
 * groups all lanes pass the guards, every element is there and aligned and no index wraps around. Behind them come groups with all tests.
 */
final class SureBlocks {
    private static final String METHOD = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;)I";
    /** Instructions, beside sums, of which the processor has several turns in flight, so that one vector is as good as several side by side. */
    private static final int SHORT = 24;
    /** Bytecodes of what a group does, so that a method has room for what is around it. */
    private static final int MOST_BYTECODES = 6_000;

    private final VectorShape shape;
    private final LaneFlow flow;
    /** One vector after the other where little is done with it: memory takes longer to give loads of several vectors than a load and its store at a time. */
    private final Group group;
    /** How records are loaded and stored; null if there are none. */
    private final Records.Sorting sorting;
    /** Groups of a block. */
    private final int each;

    private SureBlocks(VectorShape shape, LaneFlow flow, Group group, Records.Sorting sorting) {
        this.shape = shape;
        this.flow = flow;
        this.group = group;
        this.sorting = sorting;
        this.each = group.block().threads() / group.lanes();
    }

    /** Those of a kernel's only region, or null. */
    static SureBlocks of(VectorShape shape, LaneFlow flow) {
        int threads = shape.group.block().threads();
        if (!shape.runsOn() || shape.uniforms == null || shape.group.rows() > 1 || threads != shape.group.block().x() || threads % shape.group.lanes() != 0) {
            return null;
        }
        SurePath path = SurePath.of(shape, probe(shape, shape.group), flow, Records.Sorting.SURE);
        if (path != null && path.body.size() - path.sums.size() > SHORT && path.records().sure().isEmpty()) {
            return new SureBlocks(shape, flow, shape.group, null);
        }
        Group vector = shape.group.vector();
        for (Records.Sorting sorting : new Records.Sorting[] {Records.Sorting.SURE, Records.Sorting.PARTLY_SURE}) {
            VectorCode vc = probe(shape, vector);
            SurePath single = SurePath.of(shape, vc, flow, sorting);
            if (single == null) {
                break;
            }
            boolean records = !single.records().sure().isEmpty();
            if (!records || !isTooLarge(vc, single)) {
                return new SureBlocks(shape, flow, vector, records ? sorting : null);
            }
        }
        return path == null || !path.records().sure().isEmpty() ? null : new SureBlocks(shape, flow, shape.group, null);
    }

    private static VectorCode probe(VectorShape shape, Group group) {
        Code code = ClassCode.probe().staticMethod("probe", "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;I)V");
        return new VectorCode(new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), code.parameter(2, INT)), group, shape.forms);
    }

    /** Whether one method may not have room for what a group does. */
    private static boolean isTooLarge(VectorCode vc, SurePath path) {
        vc.windows.measure(List.of(ThreadCode.Part.MEMORY));
        if (path.body.stream().anyMatch(Words::cuts)) {
            vc.words.prepare();
        }
        vc.loadConstants();
        Local all = vc.code.newLocal(LONG);
        vc.code.push(vc.group.full()).store(all);
        path.records().prepare();
        run(vc, path, new GroupInstructions(vc, new LaneMethods(ClassCode.probe())), all, i -> { });
        return Code.load(vc.code.size(), vc.code.inlined()) > Load.MOST || vc.code.size() > MOST_BYTECODES;
    }

    /** Whether accesses to structures are among those that are made without tests. */
    boolean haveRecords() {
        return sorting != null;
    }

    /** Emits, where the region begins, what runs them and goes on with the first thread behind. */
    void call(RegionCode region, ThreadCode c, Local end, Local from) {
        Code code = c.code();
        Place none = new Place();
        code.load(c.worker).load(c.frame).load(c.thread).load(end).load(from).call(VectorLanes.class, "together").jumpIf(Condition.EQ, none);
        code.load(c.worker).load(c.frame).callOwn(region.name("sure"), METHOD).store(c.thread);
        code.place(none);
    }

    /** A number, its value for the first group, and what it grows by from group to group and from block to block. */
    private static final class Counted {
        final Growing growing;
        final Local first;
        final Local step;
        final Local ofBlock;
        final boolean alike;
        final boolean byBlock;

        Counted(Code code, Growing growing, boolean alike, boolean byBlock) {
            this.growing = growing;
            this.alike = alike;
            this.byBlock = byBlock;
            this.first = code.newLocal(LONG);
            this.step = code.newLocal(LONG);
            this.ofBlock = code.newLocal(LONG);
        }

        /** Bytes from the register's place to the access's. */
        long offset() {
            return SteadyLoop.address(growing.at()).offset();
        }

        void note(Code code, int point) {
            growing.push().run();
            if (point > 0) {
                code.load(first).op(Op.LSUB);
                if (growing.narrow()) {
                    code.op(Op.L2I).op(Op.I2L);
                }
            }
            code.store(point == 0 ? first : point == 1 ? step : ofBlock);
        }
    }

    /** Groups for each one of those with tests. */
    private int parts() {
        return shape.group.lanes() / group.lanes();
    }

    void emit(RegionCode region) {
        Code code = shape.classCode.staticMethod(region.name("sure"), METHOD);
        Local thread = code.newLocal(INT);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), thread);
        VectorCode vc = new VectorCode(c, group, shape.forms);
        BlockEmitter none = new BlockEmitter(shape, flow, 0, 0, vc, false, null, null);
        code.push(0).store(thread);
        RegionCode.Names names = region.names(c, 0, flow.size());
        names.named().addAll(region.given());
        names.prepare(vc, none);
        WholeTurn.hoist(region, c, false, none::line);
        code.push(group.full()).store(none.current());
        SurePath path = SurePath.of(shape, vc, flow, sorting == null ? Records.Sorting.SURE : sorting);
        GroupInstructions instructions = new GroupInstructions(vc, shape.laneMethods);
        Local left = code.newLocal(INT);
        Local turns = code.newLocal(INT);
        path.records().prepare();
        Place row = new Place();
        Place some = new Place();
        Place again = new Place();
        Place done = new Place();
        int most = parts() * Math.max(1, Polls.INTERVAL / LoopCost.ofLoop(path.blocks, Polls.GROUP));
        code.place(row);
        WholeTurn.hoist(region, c, true, none::line);
        code.load(c.worker).load(c.frame).push(each).push(parts()).call(SureGroups.class, "most").store(left);
        code.load(left).jumpIf(Condition.LE, done);
        count(region, vc, path, instructions, none, left);
        code.load(left).push(-parts()).op(Op.IAND).store(left);
        code.place(some).load(left).jumpIf(Condition.LE, done);
        code.load(left).push(most).call(Math.class, "min", int.class, int.class).store(turns);
        code.load(left).load(turns).op(Op.ISUB).store(left);
        code.place(again);
        run(vc, path, instructions, none.current(), i -> none.line(i.location().line()));
        code.increment(thread, group.lanes());
        code.increment(turns, -1).load(turns).jumpIf(Condition.GT, again);
        Question.ask(code, c.worker, turns);
        code.jump(some);
        // Where a row of the grid has ended, the next one has groups of the kind again.
        Place end = new Place();
        code.place(done).load(thread).jumpIf(Condition.EQ, end);
        code.load(c.worker).load(c.frame).load(thread).call(SureGroups.class, "goOn").store(thread);
        code.load(thread).jumpIf(Condition.EQ, row);
        code.place(end).load(thread).ret().end();
    }

    /** Emits what one group does. */
    private static void run(VectorCode vc, SurePath path, GroupInstructions instructions, Local lanes, Consumer<Instruction> line) {
        vc.forget();
        vc.sure(true);
        vc.sureOfCommon(true);
        vc.records(path.records());
        for (Instruction i : path.body) {
            if (!path.isGuardAlone(i)) {
                instructions.emit(List.of(i), lanes, r -> false, line);
            }
        }
        vc.records(null);
        vc.sureOfCommon(false);
        vc.sure(false);
    }

    /** Emits what finds out how many groups are sure, {@code left} at most, from thread 0 of the present block on. */
    private void count(RegionCode region, VectorCode vc, SurePath path, GroupInstructions instructions, BlockEmitter none, Local left) {
        Code code = vc.code;
        ThreadCode c = vc.c;
        List<Counted> all = counted(vc, path);
        Map<Instruction, Counted> places = new IdentityHashMap<>();
        all.stream().filter(n -> n.growing.place()).forEach(n -> places.put(n.growing.at(), n));
        for (SureRecords.Sure record : path.records().sure()) {
            Counted place = new Counted(code, Growing.place(vc, record.widest(), record.before(), record.bytes()), false, false);
            all.add(place);
            record.accesses().forEach(i -> places.put(i, place));
        }
        for (int point = 0; point < 3; point++) {
            if (point == 2) {
                enter(region, c, none, 1);
            }
            code.push(point == 1 ? group.lanes() : 0).store(c.thread);
            int at = point;
            all.stream().filter(n -> shape.isHoisted(n.growing.at())).forEach(n -> n.note(code, at));
            for (Instruction i : path.body) {
                all.stream().filter(n -> n.growing.at() == i).forEach(n -> n.note(code, at));
                if (path.sums.contains(i)) {
                    instructions.emit(List.of(i), none.current(), r -> false, x -> none.line(x.location().line()));
                }
            }
        }
        enter(region, c, none, -1);
        code.push(0).store(c.thread);
        vc.words.forget();
        for (Counted n : all) {
            Growing g = n.growing;
            if (n.alike) {
                code.load(left).load(n.step).load(n.ofBlock).push(each).push(g.narrow() ? 1 : 0).call(SureGroups.class, "alike").store(left);
            }
            if (g.bound() != null) {
                code.load(left).load(n.first).load(n.byBlock ? n.ofBlock : n.step);
                g.bound().run();
                if (n.byBlock) {
                    code.push(each).call(SureGroups.class, "within").store(left);
                } else {
                    code.call(TurnCount.class, "within").store(left);
                }
            }
            if (g.place() && MemoryVectors.bytes(g.at()) > 1) {
                code.load(left);
                vc.windows.pushAlignment(Addresses.part(c, SteadyLoop.address(g.at())), n.first, MemoryVectors.bytes(g.at()));
                code.load(n.step).push(MemoryVectors.bytes(g.at())).call(TurnCount.class, "aligned").store(left);
            }
        }
        countApart(code, path, places, left);
    }

    /** Emits what finds out whether accesses of records may change places with others that may touch the same bytes. */
    private static void countApart(Code code, SurePath path, Map<Instruction, Counted> places, Local left) {
        if (path.records().sure().isEmpty()) {
            return;
        }
        code.load(left).call(SureGroups.class, "direct").store(left);
        for (SureRecords.Sure record : path.records().sure()) {
            for (AliasTest test : record.tests()) {
                if (test.example() != null) {
                    Counted own = places.get(record.widest());
                    Counted other = places.get(test.example());
                    code.load(left).load(other.first).load(own.first).op(Op.LSUB).push(own.offset() - other.offset()).op(Op.LADD);
                    code.load(other.step).load(own.step).op(Op.LSUB);
                    test.pushBounds();
                    code.call(SureGroups.class, "apart").store(left);
                }
            }
        }
    }

    private static void enter(RegionCode region, ThreadCode c, BlockEmitter none, int distance) {
        c.code().load(c.frame).load(c.frame).field(Frame.class, "ctaX").push(distance).op(Op.IADD).putField(Frame.class, "ctaX");
        WholeTurn.hoist(region, c, true, none::line);
    }

    private static List<Counted> counted(VectorCode vc, SurePath path) {
        List<Counted> all = new ArrayList<>();
        for (SurePath.Extension e : path.extensions) {
            Form form = vc.forms.of(e.source().register());
            int stride = form instanceof Form.Affine a ? (int) a.stride() : 0;
            all.add(new Counted(vc.code, Growing.extended(vc, e.at(), e.source(), stride), e.ofBoth(), e.ofBlock()));
        }
        for (SurePath.Use use : path.uses) {
            boolean narrow = use.register().type().bits() == 32;
            Operand.Reg bits = new Operand.Reg(use.register(), use.register().type(), false);
            Growing growing = new Growing(use.at(), false, narrow, () -> {
                if (narrow) {
                    vc.c.pushInt(bits);
                    vc.code.op(Op.I2L);
                } else {
                    vc.c.pushLong(bits);
                }
            }, null);
            all.add(new Counted(vc.code, growing, true, false));
        }
        path.accesses.forEach(i -> all.add(new Counted(vc.code, Growing.place(vc, i), false, false)));
        path.common.forEach(i -> all.add(new Counted(vc.code, Growing.place(vc, i, 0, MemoryVectors.bytes(i)), false, false)));
        path.guards.forEach(g -> all.add(new Counted(vc.code, Growing.compared(vc, g.comparison(), g.numberFirst(vc), g.relation(vc)), false, false)));
        return all;
    }
}
