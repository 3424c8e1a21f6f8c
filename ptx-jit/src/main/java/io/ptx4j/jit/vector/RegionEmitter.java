package io.ptx4j.jit.vector;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.LONG;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.InstructionEmitter;
import io.ptx4j.jit.scalar.RegionDispatch;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The method of one region, with its loop over groups of threads; and those of its pieces when it has several. */
final class RegionEmitter {
    private static final String PIECE = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;II)I";
    private static final String ENTER = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;I)V";

    private final VectorShape shape;
    private final Region region;
    private final LaneFlow flow;
    private final Pieces pieces;
    private final boolean manyStops;
    private final Traffic traffic;

    RegionEmitter(VectorShape shape, Region region, LaneFlow flow, Pieces pieces) {
        this.shape = shape;
        this.region = region;
        this.flow = flow;
        this.pieces = pieces;
        this.traffic = new Traffic(flow, pieces, shape);
        this.manyStops = region.stops().size() + (region.ends() ? 1 : 0) > 1;
    }

    void emit() {
        Code code = shape.classCode.staticMethod(RegionDispatch.name(region.index()), RegionDispatch.REGION);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE),
                code.parameter(2, INT));
        Local end = code.parameter(3, INT);
        Local from = code.parameter(4, INT);
        Place start = new Place();
        Place handler = new Place();
        Place loop = new Place();
        Place done = new Place();
        Place next = new Place();
        Turn turn = pieces.single() ? new WholeTurn(c, next) : new PieceTurn(c, next);
        turn.prepare();
        if (manyStops) {
            code.load(c.frame).cast(VectorFrame.class).load(c.thread).load(from).call(VectorLanes.class, "begin");
        }
        code.place(start);
        turn.hoist();
        code.place(loop).load(c.thread).load(end).jumpIfCompared(Condition.GE, done);
        code.load(c.frame).load(c.thread).load(end).push(shape.group.lanes()).load(from).call(VectorLanes.class, "active");
        code.store(turn.current());
        code.load(turn.current()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, next);
        turn.emit();
        code.place(next);
        turn.raiseFailed();
        code.increment(c.thread, shape.group.lanes());
        int cost = LoopCost.ofTurn(region.blocks().stream().map(shape.graph.blocks()::get).toList(), Polls.GROUP);
        if (cost > 0) {
            code.increment(turn.fuel(), -cost).load(turn.fuel()).jumpIf(Condition.GE, loop);
            code.load(c.worker).call(Polls.class, "poll").store(turn.fuel());
        }
        code.jump(loop);
        code.place(done);
        if (manyStops) {
            code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "common").ret();
        } else {
            code.push(region.ends() || region.stops().isEmpty() ? Frame.ENDED : region.stops().getFirst()).ret();
        }
        locate(c, turn::pushFailing, start, handler);
        code.end();
    }

    /** What fails outside of a lane's own code fails for the lowest lane that is there. */
    private static void locate(ThreadCode c, Runnable pushLanes, Place start, Place handler) {
        Code code = c.code();
        code.handler(handler).load(c.worker).load(c.frame).load(c.thread);
        pushLanes.run();
        code.call(Long.class, "numberOfTrailingZeros").push(63).op(Op.IAND).op(Op.IADD);
        code.call(Faults.class, "locate").raise();
        code.guard(start, handler, handler, RuntimeException.class);
    }

    /** One group's way through the region. */
    private interface Turn {
        void prepare();

        void hoist();

        Local current();

        /** Ends the launch if a lane has failed. */
        void raiseFailed();

        /** Pushes the lanes of which one has failed. */
        void pushFailing();

        Local fuel();

        void emit();
    }

    /** Registers that the blocks from {@code low} to {@code high} name, and parts of the worker that they need. */
    private record Names(Set<Register> named, Set<Register> written, EnumSet<ThreadCode.Part> parts) {
    }

    private Names names(ThreadCode c, int low, int high) {
        Names names = new Names(new LinkedHashSet<>(), new LinkedHashSet<>(), EnumSet.noneOf(ThreadCode.Part.class));
        for (int p = low; p < high; p++) {
            BasicBlock block = shape.graph.blocks().get(flow.block(p));
            for (Instruction instruction : block.instructions()) {
                if (shape.isHoisted(instruction)) {
                    continue;
                }
                Operands.uses(instruction, names.named::add);
                Operands.definitions(instruction, names.written::add);
                for (Operand operand : instruction.operands()) {
                    if (operand instanceof Operand.Address address) {
                        names.parts.add(Addresses.part(c, address));
                    }
                }
            }
            if (Operands.use(block.terminator()) instanceof Register register) {
                names.named.add(register);
            }
            int point = shape.regions.pointOfBlock()[block.index()];
            if (point >= 0) {
                names.named.addAll(shape.regions.points().get(point).saved());
            }
        }
        names.named.addAll(names.written);
        names.named.removeIf(shape::isUniform);
        return names;
    }

    /** Registers with which the region begins. */
    private Set<Register> given() {
        Set<Register> given = new LinkedHashSet<>();
        if (region.after() == null) {
            given.addAll(shape.liveness.liveIn(0));
        } else {
            given.addAll(region.after().saved());
            if (region.after().instruction() != null) {
                Operands.definitions(region.after().instruction(), given::add);
            }
        }
        given.removeIf(shape::isUniform);
        return given;
    }

    private void enter(VectorCode vc, BlockEmitter blocks) {
        if (region.after() == null) {
            given().forEach(vc::zero);
            return;
        }
        new GroupTransfer(vc, shape).restore(region.after().saved());
        if (region.after().instruction() != null) {
            blocks.take(region.after().instruction());
        }
    }

    // A region in one method

    private final class WholeTurn implements Turn {
        private final ThreadCode c;
        private final VectorCode vc;
        private final BlockEmitter blocks;

        WholeTurn(ThreadCode c, Place groupEnd) {
            this.c = c;
            this.vc = new VectorCode(c, shape.group, shape.forms);
            this.blocks = new BlockEmitter(shape, flow, 0, flow.size(), vc, manyStops, new BlockEmitter.Outside() {
                @Override
                public Place entry(int place) {
                    throw new IllegalStateException("region " + region.index() + " has one piece");
                }

                @Override
                public Place direct(int place) {
                    return entry(place);
                }

                @Override
                public Place groupEnd() {
                    return groupEnd;
                }
            });
        }

        @Override
        public void prepare() {
            Names names = names(c, 0, flow.size());
            names.named.addAll(given());
            names.named.forEach(vc::zero);
            c.loadParts(names.parts, false);
            vc.measure(names.parts);
            blocks.prepare();
        }

        /** Computes what is the same for the whole block. */
        @Override
        public void hoist() {
            if (shape.uniforms == null) {
                return;
            }
            Set<Register> needed = new HashSet<>();
            for (int b : region.blocks()) {
                for (Instruction instruction : shape.graph.blocks().get(b).instructions()) {
                    if (!shape.isHoisted(instruction)) {
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
                    blocks.line(definition.location().line());
                    InstructionEmitter.emit(c, definition);
                }
            }
        }

        @Override
        public Local current() {
            return blocks.current();
        }

        @Override
        public void raiseFailed() {
            vc.raiseFailed();
        }

        @Override
        public void pushFailing() {
            c.code().load(blocks.current());
        }

        @Override
        public Local fuel() {
            return blocks.fuel();
        }

        @Override
        public void emit() {
            enter(vc, blocks);
            if (flow.size() > 0) {
                c.code().jump(blocks.direct(0));
            }
            blocks.emit();
        }
    }

    // A region in several methods

    private final class PieceTurn implements Turn {
        private final ThreadCode c;
        private final Code code;
        private final Place groupEnd;
        private final Local current;
        private final Local fuel;

        PieceTurn(ThreadCode c, Place groupEnd) {
            this.c = c;
            this.code = c.code();
            this.groupEnd = groupEnd;
            this.current = code.newLocal(LONG);
            this.fuel = code.newLocal(INT);
        }

        @Override
        public void prepare() {
            code.push(1L).store(current).push(Polls.INTERVAL).store(fuel);
            emitEnter();
            for (int i = 0; i < pieces.count(); i++) {
                emitPiece(i);
            }
        }

        @Override
        public void hoist() {
            // Every group computes such values where they stand.
        }

        @Override
        public Local current() {
            return current;
        }

        @Override
        public void raiseFailed() {
            new VectorCode(c, shape.group, shape.forms).raiseFailed();
        }

        /**
         * Pieces have no handlers for all of their code: HotSpot's first compiler takes less than half as many operations of vectors where
         * there is one.
         */
        @Override
        public void pushFailing() {
            code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "current");
        }

        @Override
        public Local fuel() {
            return fuel;
        }

        @Override
        public void emit() {
            Place again = new Place();
            Local entry = code.newLocal(INT);
            code.load(c.frame).cast(VectorFrame.class).load(current).putField(VectorFrame.class, "current");
            code.load(c.worker).load(c.frame).load(c.thread).callOwn(name("enter"), ENTER);
            code.push(Pieces.direct(0)).store(entry);
            List<Place> calls = new ArrayList<>();
            for (int i = 0; i < pieces.count(); i++) {
                calls.add(new Place());
            }
            List<Place> table = new ArrayList<>();
            for (int p = 0; p < flow.size(); p++) {
                table.add(calls.get(pieces.of(p)));
                table.add(calls.get(pieces.of(p)));
            }
            code.place(again).load(entry).tableSwitch(table, groupEnd);
            for (int i = 0; i < pieces.count(); i++) {
                code.place(calls.get(i)).load(c.worker).load(c.frame).load(c.thread).load(entry);
                code.callOwn(name("piece" + i), PIECE).store(entry);
                code.increment(fuel, -Polls.PIECE).load(fuel).jumpIf(Condition.GE, again);
                code.load(c.worker).call(Polls.class, "poll").store(fuel).jump(again);
            }
        }
    }

    private String name(String part) {
        return "region" + region.index() + part;
    }

    /** Puts what the region begins with where its pieces look for it. */
    private void emitEnter() {
        Code code = shape.classCode.staticMethod(name("enter"), ENTER);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE),
                code.parameter(2, INT));
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        BlockEmitter none = new BlockEmitter(shape, flow, 0, 0, vc, manyStops, null);
        given().forEach(vc::zero);
        none.prepare();
        code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "current").store(none.current());
        enter(vc, none);
        pieces.crossing().save(vc, given());
        code.ret().end();
    }

    private void emitPiece(int index) {
        Code code = shape.classCode.staticMethod(name("piece" + index), PIECE);
        ThreadCode c = new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE),
                code.parameter(2, INT));
        Local entry = code.parameter(3, INT);
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        Map<Integer, Place> exits = new HashMap<>();
        Place groupEnd = new Place();
        BlockEmitter blocks = new BlockEmitter(shape, flow, pieces.low(index), pieces.high(index), vc, manyStops,
                new BlockEmitter.Outside() {
                    @Override
                    public Place entry(int place) {
                        return exits.computeIfAbsent(Pieces.waiting(place), k -> new Place());
                    }

                    @Override
                    public Place direct(int place) {
                        return exits.computeIfAbsent(Pieces.direct(place), k -> new Place());
                    }

                    @Override
                    public Place groupEnd() {
                        return groupEnd;
                    }
                });
        Names names = names(c, pieces.low(index), pieces.high(index));
        Place leave = new Place();
        vc.noteLanes();
        seemHot(code);
        names.named.forEach(vc::zero);
        c.loadParts(names.parts, false);
        vc.measure(names.parts);
        blocks.prepare();
        List<Register> saved = traffic.saved(index, names.written);
        pieces.crossing().restore(vc, traffic.restored(index, names.named, saved));
        frameMasks(c, blocks, false);
        List<Place> table = new ArrayList<>();
        for (int p = pieces.low(index); p < pieces.high(index); p++) {
            table.add(blocks.entry(p));
            table.add(blocks.direct(p));
        }
        code.load(entry).push(Pieces.waiting(pieces.low(index))).op(Op.ISUB).tableSwitch(table, groupEnd);
        blocks.emit();
        exits.forEach((way, place) -> code.place(place).push(way).store(entry).jump(leave));
        code.place(leave);
        pieces.crossing().save(vc, saved);
        frameMasks(c, blocks, true);
        code.load(entry).ret();
        code.place(groupEnd);
        frameMasks(c, blocks, true);
        code.push(Pieces.END).ret();
        code.end();
    }

    /**
     * An empty loop, which C2 drops. HotSpot lets C2 compile a method after 5,000 calls, or from 600 on once calls and jumps back are 15,000:
     * pieces before and behind a kernel's loops run once a group, straight, and would be the last to get warm. With more turns the loop
     * itself would pass for hot (40,000 jumps back) where C2 has much to do, and be compiled in the middle.
     */
    private static void seemHot(Code code) {
        Local turn = code.newLocal(INT);
        Place again = new Place();
        code.push(7).store(turn).place(again).increment(turn, -1).load(turn).jumpIf(Condition.GT, again);
    }

    /** Moves the lanes that are here, and those that wait, between the frame and locals. */
    private static void frameMasks(ThreadCode c, BlockEmitter blocks, boolean save) {
        Code code = c.code();
        if (save) {
            code.load(c.frame).cast(VectorFrame.class).load(blocks.current()).putField(VectorFrame.class, "current");
        } else {
            code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "current").store(blocks.current());
        }
        blocks.waiting().forEach((place, local) -> {
            code.load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "waiting").push(place);
            if (save) {
                code.load(local).arrayStore(LONG);
            } else {
                code.arrayLoad(LONG).store(local);
            }
        });
    }
}
