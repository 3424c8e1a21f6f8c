package io.ptx4j.jit.vector;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.Question;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.TurnsAhead;
import io.ptx4j.jit.support.VectorFrame;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@link SteadyLoop} to which threads come before they have done anything that shows or may fail, and that only loads from global memory: all groups of a block, and of blocks behind it, may
 * run its {@link SureTurns} before the first of them goes on. They do so by turns ({@link TurnsAhead}).
 */
final class LoopAhead {
    private static final String METHOD = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;)V";
    /** Bytecodes, roughly, of what leads to the loop, and of the loop. */
    private static final int BUDGET = 3_000;
    /** Vectors of a group at most: each is loaded and stored once for {@link TurnsAhead#TURNS} turns. */
    private static final int VECTORS = 16;
    /** Bytecodes, roughly, that take a vector out of the frame. */
    private static final int TAKE = 60;
    /** More than any loop is sure of at once. */
    private static final int MOST = 1 << 24;

    private final VectorShape shape;
    private final LaneFlow flow;
    private final int place;
    /** Places of the blocks that lead to the loop. */
    private final BitSet before;
    /** Registers that a turn may change and that outlive it, and with those that it uses. */
    private final List<Register> changed;
    private final List<Register> kept;
    private final LoopState state;

    private LoopAhead(VectorShape shape, LaneFlow flow, int place, BitSet before, SteadyLoop loop, VectorCode vc) {
        this.shape = shape;
        this.flow = flow;
        this.place = place;
        this.before = before;
        Set<Register> named = new LinkedHashSet<>();
        Set<Register> written = new LinkedHashSet<>();
        for (Instruction i : loop.body) {
            Operands.uses(i, named::add);
            Operands.definitions(i, written::add);
        }
        named.addAll(written);
        named.add(loop.branch.predicate());
        int exit = loop.exitBlock();
        this.changed = written.stream().filter(r -> shape.liveness.isLiveIn(r, loop.block.index()) || shape.liveness.isLiveIn(r, exit)).toList();
        this.kept = named.stream().filter(r -> changed.contains(r) || shape.liveness.isLiveIn(r, loop.block.index()))
                .filter(r -> !shape.isUniform(r) || shape.uniforms.isOfBlock(r)).toList();
        this.state = LoopState.of(kept, vc);
    }

    /** The first such loop of a region, or null. */
    static LoopAhead of(VectorShape shape, Region region, LaneFlow flow) {
        if (region.after() != null || shape.runsOn() || shape.regions.spins() || shape.group.rows() > 1 || shape.group.padded() || shape.forms.matrixSlots() > 0) {
            return null;
        }
        for (int p = 0; p < flow.size(); p++) {
            if (flow.isLoop(p) && flow.lastOf(p) == p && isPlain(shape, flow, p, leadingTo(flow, p))) {
                VectorCode vc = probe(shape);
                SteadyLoop loop = SteadyLoop.of(shape, vc, flow, p);
                if (loop != null && loop.body.stream().allMatch(i -> fits(vc, loop, i))) {
                    LoopAhead ahead = new LoopAhead(shape, flow, p, leadingTo(flow, p), loop, vc);
                    return ahead.state.vectors() > VECTORS || size(shape, loop.body.stream()) > BUDGET ? null : ahead;
                }
            }
        }
        return null;
    }

    private static VectorCode probe(VectorShape shape) {
        Code code = ClassCode.probe().staticMethod("probe", "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;I)V");
        return new VectorCode(new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), code.parameter(2, INT)), shape.group, shape.forms);
    }

    /** Places from which another one is reached. */
    private static BitSet leadingTo(LaneFlow flow, int place) {
        BitSet found = new BitSet();
        boolean more = true;
        while (more) {
            int known = found.cardinality();
            for (int p = 0; p < flow.size(); p++) {
                if (p != place && flow.successors(p).stream().anyMatch(s -> s == place || found.get(s))) {
                    found.set(p);
                }
            }
            more = found.cardinality() > known;
        }
        return found;
    }

    private static boolean isPlain(VectorShape shape, LaneFlow flow, int place, BitSet before) {
        Stream<Instruction> all = before.stream().mapToObj(b -> shape.graph.blocks().get(flow.block(b))).flatMap(b -> b.instructions().stream());
        return size(shape, all) <= BUDGET && before.stream().allMatch(b -> b < place && !flow.isLoop(b) && flow.laneBlocks(b) == null && isPure(shape, flow, b));
    }

    private static int size(VectorShape shape, Stream<Instruction> instructions) {
        Set<Register> once = shape.graph.registers().stream().filter(r -> shape.forms.of(r).scalar()).collect(Collectors.toSet());
        return instructions.mapToInt(i -> Pieces.size(i, shape.group, Set.of(), once)).sum();
    }

    /** Whether the block can be run again, and nothing fails in it. */
    private static boolean isPure(VectorShape shape, LaneFlow flow, int place) {
        BasicBlock block = shape.graph.blocks().get(flow.block(place));
        return block.instructions().stream().allMatch(i -> shape.isHoisted(i) || isPure(i));
    }

    private static boolean isPure(Instruction i) {
        return switch (i.family()) {
            case INTEGER, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, EXTENDED_PRECISION, COMPARISON, LOGIC, CONVERSION -> true;
            case DATA_MOVEMENT -> i.opcode() == Opcode.MOV && i.operands().stream().allMatch(o -> !(o instanceof Operand.Special s) || stays(s.register()));
            case MEMORY -> i.opcode() == Opcode.LD && i.operand(1) instanceof Operand.Address a && a.space() == StateSpace.PARAM && a.register() == null
                    || i.opcode() == Opcode.CVTA && i.spelling().space() == StateSpace.GLOBAL;
            default -> false;
        };
    }

    /** Whether a thread finds the same whenever it looks. */
    private static boolean stays(SpecialRegister register) {
        return switch (register) {
            case TID_X, TID_Y, TID_Z, NTID_X, NTID_Y, NTID_Z, CTAID_X, CTAID_Y, CTAID_Z, NCTAID_X, NCTAID_Y, NCTAID_Z, LANEID, WARPID -> true;
            default -> false;
        };
    }

    private static boolean fits(VectorCode vc, SteadyLoop loop, Instruction i) {
        boolean load = (i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU) && loop.accesses.contains(i) && Addresses.part(vc.c, SteadyLoop.address(i)) == Part.MEMORY;
        boolean other = i.family() != Family.MEMORY && i.family() != Family.ATOMIC || i.opcode() == Opcode.CVTA;
        return (load || other) && i.operands().stream().noneMatch(o -> o instanceof Operand.Special);
    }

    int place() {
        return place;
    }

    LoopState state() {
        return state;
    }

    /** Bytecodes, roughly, of {@link #take}. */
    int size() {
        return TAKE + TAKE * state.vectors();
    }

    /** Emits, where a region begins, the call of those turns. */
    void call(RegionCode region, ThreadCode c, Local end, Local from) {
        Code code = c.code();
        Place none = new Place();
        code.load(c.worker).load(c.frame).load(c.thread).load(end).load(from).call(TurnsAhead.class, "begins").jumpIf(Condition.EQ, none);
        code.load(c.worker).load(c.frame).callOwn(region.name("before"), METHOD);
        code.load(c.worker).load(c.frame).callOwn(region.name("ahead"), METHOD);
        code.place(none);
    }

    /** Emits, where a group comes to the loop, what takes the registers from behind the turns that it has run. */
    void take(VectorCode vc, Place inside, Runnable outside) {
        Code code = vc.code;
        Local group = code.newLocal(INT);
        Local left = code.newLocal(INT);
        Place none = new Place();
        code.load(vc.c.frame).load(vc.c.thread).call(TurnsAhead.class, "take").store(group);
        code.load(group).jumpIf(Condition.LT, none);
        code.load(group).push(1).op(Op.IAND).store(left);
        code.load(group).push(1).op(Op.ISHR).store(group);
        state.restore(vc, group, changed);
        code.load(left).jumpIf(Condition.EQ, inside);
        outside.run();
        code.place(none);
    }

    void emit(RegionCode region) {
        emitBefore(region);
        emitTurns(region);
    }

    /** Brings each group to the loop, and tells how many turns of it are sure. */
    private void emitBefore(RegionCode region) {
        Code code = shape.classCode.staticMethod(region.name("before"), METHOD);
        Local thread = code.newLocal(INT);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), thread);
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        Place here = new Place();
        Place other = new Place();
        BlockEmitter blocks = new BlockEmitter(shape, flow, 0, place, vc, false, null, new BlockEmitter.Outside() {
            @Override
            public Place entry(int at) {
                return other;
            }

            @Override
            public Place direct(int at) {
                return at == place ? here : other;
            }

            @Override
            public Place groupEnd() {
                return other;
            }

            @Override
            public boolean emits(int at) {
                return before.get(at);
            }
        });
        code.push(0).store(thread);
        RegionCode.Names names = region.names(c, 0, place + 1);
        names.named().addAll(region.given());
        names.prepare(vc, blocks);
        WholeTurn.hoist(region, c, false, blocks::line);
        Local number = code.newLocal(INT);
        Local block = code.newLocal(INT);
        Place nextBlock = new Place();
        Place each = new Place();
        Place ended = new Place();
        code.push(0).store(number).push(0).store(block).place(nextBlock);
        code.load(c.worker).load(c.frame).load(block).call(TurnsAhead.class, "enter").jumpIf(Condition.EQ, ended);
        code.increment(block, 1).push(0).store(thread);
        WholeTurn.hoist(region, c, true, blocks::line);
        code.place(each).load(thread).push(shape.group.block().threads() - shape.group.lanes()).jumpIfCompared(Condition.GT, nextBlock);
        code.push(shape.group.full()).store(blocks.current());
        blocks.waiting().values().forEach(w -> code.push(0L).store(w));
        region.given().forEach(vc.locals::zero);
        if (place > 0) {
            code.jump(blocks.direct(0));
            blocks.emit();
        }
        code.place(here);
        vc.forget();
        code.load(blocks.current()).push(shape.group.full()).op(Op.LCMP).jumpIf(Condition.NE, other);
        SteadyLoop loop = SteadyLoop.of(shape, vc, flow, place);
        GroupInstructions instructions = new GroupInstructions(vc, shape.laneMethods);
        Local turns = new SureTurns(shape, vc, loop).count(instructions, blocks.current(), MOST, i -> blocks.line(i.location().line()));
        code.load(turns).push(TurnsAhead.TURNS).jumpIfCompared(Condition.LE, other);
        note(c, number, "turns", () -> code.load(turns));
        note(c, number, "state", () -> code.push(TurnsAhead.INSIDE));
        state.save(vc, number, kept);
        code.place(other);
        code.increment(number, 1).increment(thread, shape.group.lanes()).jump(each);
        code.place(ended).ret().end();
    }

    /** Runs those turns, some of each group at a time. */
    private void emitTurns(RegionCode region) {
        Code code = shape.classCode.staticMethod(region.name("ahead"), METHOD);
        Local thread = code.newLocal(INT);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), thread);
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        BlockEmitter none = new BlockEmitter(shape, flow, 0, 0, vc, false, null, null);
        code.push(0).store(thread);
        region.names(c, place, place + 1).prepare(vc, none);
        Place start = new Place();
        Place handler = new Place();
        code.place(start);
        WholeTurn.hoist(region, c, false, none::line);
        code.push(shape.group.full()).store(none.current());
        SteadyLoop loop = SteadyLoop.of(shape, vc, flow, place);
        int cost = LoopCost.ofLoop(List.of(loop.block), Polls.GROUP);
        GroupInstructions instructions = new GroupInstructions(vc, shape.laneMethods);
        Local count = code.newLocal(INT);
        Local number = code.newLocal(INT);
        Local turns = code.newLocal(INT);
        Local left = code.newLocal(INT);
        Local more = code.newLocal(INT);
        Place again = new Place();
        Place each = new Place();
        Place next = new Place();
        Place round = new Place();
        code.load(c.frame).call(TurnsAhead.class, "count").store(count);
        code.place(again).push(0).store(number).push(0).store(more);
        code.place(each).load(number).load(count).jumpIfCompared(Condition.GE, round);
        pushOf(c, number, "turns");
        code.store(left).load(left).jumpIf(Condition.LE, next);
        code.load(left).push(TurnsAhead.TURNS).call(Math.class, "min", int.class, int.class).store(turns);
        code.load(left).load(turns).op(Op.ISUB).store(left);
        note(c, number, "turns", () -> code.load(left));
        code.load(more).load(left).op(Op.IOR).store(more);
        state.restore(vc, number, kept);
        Place save = new Place();
        new SureTurns(shape, vc, loop).run(instructions, none.current(), turns, i -> { }, i -> none.line(i.location().line()), () -> {
            note(c, number, "turns", () -> code.push(0));
            note(c, number, "state", () -> code.push(TurnsAhead.OUTSIDE));
            code.jump(save);
        });
        code.place(save);
        state.save(vc, number, changed);
        code.place(next).increment(number, 1).increment(none.fuel(), -Math.min(Polls.INTERVAL - 1, TurnsAhead.TURNS * cost));
        code.load(none.fuel()).jumpIf(Condition.GE, each);
        Question.ask(code, c.worker, none.fuel());
        code.jump(each);
        code.place(round).load(more).jumpIf(Condition.NE, again);
        code.ret();
        RegionEmitter.locate(c, () -> code.load(none.current()), start, handler);
        code.end();
    }

    private static void pushArray(ThreadCode c, String field) {
        c.code().load(c.frame).field(VectorFrame.class, "ahead").field(TurnsAhead.class, field);
    }

    private static void pushOf(ThreadCode c, Local number, String field) {
        pushArray(c, field);
        c.code().load(number).arrayLoad(INT);
    }

    private static void note(ThreadCode c, Local number, String field, Runnable push) {
        pushArray(c, field);
        c.code().load(number);
        push.run();
        c.code().arrayStore(INT);
    }
}
