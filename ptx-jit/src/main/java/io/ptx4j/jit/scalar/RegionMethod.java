package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.EarlyEnds;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Regions.Region;
import io.ptx4j.jit.flow.Slots;
import io.ptx4j.jit.support.Faults;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The method of one region, with its loop over threads; and those of its chunks when it has several. */
final class RegionMethod {
    private static final String CHUNK = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/Frame;II)I";
    /** Stops as chunks return them: entries are not negative, point {@code p} is {@code -2 - p}. */
    private static final int STOP = -2;
    /** No thread has stopped yet. */
    private static final int NONE = -3;

    private final ScalarShape shape;
    private final Region region;
    private final Chunks chunks;
    private final Code code;
    private final Local worker;
    private final Local frame;
    private final Local end;
    private final Local from;
    private final Local thread;
    private final Local next;
    private final Local common;
    private final Local low;
    private final Place bodyStart = new Place();
    private final Place threadEnd = new Place();
    private final Place skip = new Place();
    /** Where threads go on with the next one that end early. */
    private final Place early = new Place();
    /** Null where a thread that ends early has as much to do as others. */
    private final EarlyEnds earlyEnds;
    private Local fuel;
    /** Of a region in one method. */
    private FrameTransfer whole;
    /** Whether threads may give way. */
    private final boolean spins;
    private Set<Register> uniforms = Set.of();
    private final boolean manyStops;

    RegionMethod(ScalarShape shape, Region region, Chunks chunks) {
        this.shape = shape;
        this.region = region;
        this.chunks = chunks;
        this.code = shape.classCode.staticMethod(RegionDispatch.name(region.index()), RegionDispatch.REGION);
        this.worker = code.parameter(0, REFERENCE);
        this.frame = code.parameter(1, REFERENCE);
        this.thread = code.parameter(2, INT);
        this.end = code.parameter(3, INT);
        this.from = code.parameter(4, INT);
        this.next = code.newLocal(INT);
        this.common = code.newLocal(INT);
        this.low = code.newLocal(INT);
        this.spins = shape.regions.spins();
        this.manyStops = spins || region.stops().size() + (region.ends() ? 1 : 0) > 1;
        boolean mere = chunks.single() && !manyStops && !shape.context.program().limits().counts();
        this.earlyEnds = mere ? EarlyEnds.of(shape.graph, shape.regions, region) : null;
    }

    void emit() {
        Place start = new Place();
        Place handler = new Place();
        Place done = new Place();
        Place loop = new Place();
        Place turn = new Place();
        Place block = new Place();
        Place ended = new Place();
        ThreadCode c = threadCode(code, worker, frame, thread);
        code.place(start);
        Runnable body = chunks.single() ? wholeRegion(c) : chunkLoop();
        if (shape.runsOn()) {
            BlockLoop.begin(c, fuel, block, ended);
        }
        hoist(c, uniforms, true);
        code.push(NONE).store(common);
        code.load(thread).store(low);
        code.place(loop).load(thread).load(end).jumpIfCompared(Condition.GE, done);
        code.place(turn);
        if (!shape.regions.points().isEmpty()) {
            Place run = new Place();
            code.load(from).jumpIf(Condition.LT, run);
            code.load(frame).field(Frame.class, "point").load(thread).arrayLoad(INT).load(from).jumpIfCompared(Condition.NE, skip);
            code.place(run);
        }
        code.place(bodyStart);
        body.run();
        code.place(threadEnd);
        if (manyStops) {
            recordStop();
        }
        if (fuel != null) {
            askAfterTurn();
        }
        code.place(skip).increment(thread, 1).jump(loop);
        if (earlyEnds != null && !earlyEnds.blocks().isEmpty()) {
            code.place(early).increment(thread, 1).load(thread).load(end).jumpIfCompared(Condition.LT, turn);
        }
        code.place(done);
        if (whole != null) {
            whole.finish();
        }
        if (shape.runsOn()) {
            BlockLoop.next(c, block);
        }
        code.place(ended);
        if (manyStops) {
            code.load(common).ret();
        } else {
            code.push(region.ends() || region.stops().isEmpty() ? Frame.ENDED : region.stops().getFirst()).ret();
        }
        code.handler(handler).load(worker).load(frame).load(thread).call(Faults.class, "locate").raise();
        code.guard(start, handler, handler, RuntimeException.class);
        code.end();
    }

    private ThreadCode threadCode(Code method, Local ofWorker, Local ofFrame, Local ofThread) {
        ThreadCode c = new ThreadCode(shape.context, method, ofWorker, ofFrame, ofThread);
        if (shape.repeated.get(region.index())) {
            c.noteProgress();
        }
        return c;
    }

    /** Long code may have no jump back at all, and is run by thread after thread. */
    private void askAfterTurn() {
        int cost = LoopCost.ofTurn(region.blocks().stream().map(shape.blocks::block).toList(), Polls.THREAD);
        if (cost > 0) {
            code.increment(fuel, -cost).load(fuel).jumpIf(Condition.GE, skip);
            Question.ask(code, worker, fuel);
        }
    }

    /** Notes where the thread stopped: once for all as long as they stop at one point, unless who has given way must be known when another thread fails. */
    private void recordStop() {
        Place first = new Place();
        Place same = new Place();
        Place parted = new Place();
        if (spins) {
            recordOwn();
        }
        code.load(common).load(next).jumpIfCompared(Condition.EQ, same);
        code.load(common).push(NONE).jumpIfCompared(Condition.EQ, first);
        if (!spins) {
            code.load(common).push(Frame.MIXED).jumpIfCompared(Condition.EQ, parted);
            code.load(frame).load(low).load(thread).load(from).load(common).call(Frame.class, "part");
            code.place(parted);
            recordOwn();
        }
        code.push(Frame.MIXED).store(common).jump(same);
        code.place(first).load(next).store(common);
        code.place(same);
    }

    private void recordOwn() {
        code.load(frame).field(Frame.class, "point").load(thread).load(next).arrayStore(INT);
    }

    // A region in one method

    private Runnable wholeRegion(ThreadCode c) {
        FrameTransfer transfer = transfer(c, region.blocks(), true);
        whole = transfer;
        transfer.prepare(region.after() == null ? List.of() : region.after().saved(), savedAtStops());
        Prepared prepared = prepare(c, region.blocks(), transfer, true);
        fuel = prepared.fuel;
        uniforms = prepared.uniforms;
        BlocksEmitter.Exits exits = new BlocksEmitter.Exits() {
            @Override
            public void stop(int point) {
                if (manyStops) {
                    code.push(point).store(next);
                }
                code.jump(threadEnd);
            }

            @Override
            public Place early(int from, int to) {
                return earlyEnds != null && earlyEnds.contains(from, to) ? early : null;
            }

            @Override
            public void cross(int block) {
                throw new IllegalStateException("region " + region.index() + " has one piece");
            }
        };
        BlocksEmitter blocks = new BlocksEmitter(shape.blocks, c, transfer, region.blocks(), prepared.fuel, prepared.count, exits);
        return () -> {
            enter(c, transfer, prepared.count);
            if (region.blocks().isEmpty()) {
                int stop = region.stops().getFirst();
                transfer.save(shape.regions.points().get(stop).saved());
                prepared.count.save();
                exits.stop(stop);
                return;
            }
            if (region.blocks().getFirst() != region.start()) {
                code.jump(blocks.place(region.start()));
            }
            blocks.emit();
            blocks.describe(prepared.slots, threadEnd);
            describeUniforms(c, prepared.uniforms);
        };
    }

    /** The registers that a method with these blocks reads or writes, and what it begins with if it begins the region. */
    private FrameTransfer transfer(ThreadCode c, List<Integer> blocks, boolean begins) {
        Set<Register> named = new HashSet<>();
        Set<Register> written = new HashSet<>();
        for (int b : blocks) {
            for (Instruction instruction : shape.blocks.block(b).instructions()) {
                Operands.uses(instruction, named::add);
                Operands.definitions(instruction, written::add);
            }
            Register use = Operands.use(shape.blocks.block(b).terminator());
            if (use != null) {
                named.add(use);
            }
        }
        if (begins && region.after() == null) {
            written.addAll(shape.liveness.liveIn(0));
        } else if (begins && region.after().instruction() != null) {
            Operands.definitions(region.after().instruction(), r -> {
                if (shape.liveness.isLiveIn(r, region.start())) {
                    written.add(r);
                }
            });
        }
        named.addAll(written);
        return new FrameTransfer(c, shape.frame, named, written, shape::isCommon);
    }

    /** The registers that threads of the region leave in the frame where they stop. */
    private List<Register> savedAtStops() {
        return region.stops().stream().flatMap(point -> shape.regions.points().get(point).saved().stream()).distinct().toList();
    }

    /** Loads what the region starts with: saved registers and the results of the point before it. */
    private void enter(ThreadCode c, FrameTransfer transfer, InstructionCount count) {
        if (region.after() == null) {
            count.begin();
            for (Register register : shape.liveness.liveIn(0)) {
                // a uniform value is there already, and the next thread needs it too
                if (!shape.blocks.isUniform(register)) {
                    zero(c, register);
                }
            }
            return;
        }
        count.restore();
        transfer.restore(region.after().saved());
        if (region.after().instruction() != null) {
            MeetingPoints.take(c, region.after().instruction(), r -> shape.liveness.isLiveIn(r, region.start()));
        }
    }

    /** A register that may be read before it is written holds zero. */
    private static void zero(ThreadCode c, Register register) {
        switch (c.held(register).type()) {
            case INT -> c.code().push(0);
            case LONG -> c.code().push(0L);
            case FLOAT -> c.code().push(0f);
            case DOUBLE -> c.code().push(0.0);
            case REFERENCE -> throw new IllegalStateException();
        }
        c.code().store(c.local(register));
    }

    /** What a method has before its first block: the counters, the registers' locals, the uniform values computed. */
    private record Prepared(Local fuel, InstructionCount count, Slots slots, Set<Register> uniforms) {
    }

    /** Gives registers their locals, loads parts of the worker, computes uniform values. */
    private Prepared prepare(ThreadCode c, List<Integer> blocks, FrameTransfer transfer, boolean hoist) {
        Code method = c.code();
        Slots slots = new Slots(shape.graph, shape.liveness, shape.context.representation(), blocks, method.firstFreeSlot(),
                transfer.named()::contains);
        method.reserve(slots.end());
        for (Register register : slots.registers()) {
            if (!shape.blocks.isUniform(register)) {
                c.bind(register, slots.local(register));
            }
        }
        c.loadParts(shape.blocks.parts(c, blocks), true);
        if (shape.blocks.accessMemoryOften(blocks)) {
            method.linkCalls();
        }
        Local fuel = method.newLocal(INT);
        method.push(Polls.INTERVAL).store(fuel);
        InstructionCount count = new InstructionCount(c);
        Set<Register> needed = hoist && shape.uniforms != null ? neededUniforms(blocks) : Set.of();
        hoist(c, needed, false);
        return new Prepared(fuel, count, slots, needed);
    }

    /** Computes uniform values, those that depend on the block or the others. */
    private void hoist(ThreadCode c, Set<Register> needed, boolean ofBlock) {
        for (Register register : needed.isEmpty() ? List.<Register>of() : shape.uniforms.order()) {
            if (needed.contains(register) && shape.uniforms.isOfBlock(register) == ofBlock) {
                Instruction definition = shape.uniforms.definition(register);
                c.code().line(Math.max(1, definition.location().line()));
                InstructionEmitter.emit(c, definition);
            }
        }
    }

    private void describeUniforms(ThreadCode c, Set<Register> uniforms) {
        for (Register register : shape.uniforms == null ? List.<Register>of() : shape.uniforms.order()) {
            if (uniforms.contains(register)) {
                code.describe(c.local(register), BlocksEmitter.variableName(register), c.held(register).type().descriptor(), bodyStart,
                        threadEnd);
            }
        }
        code.describe(thread, "thread", "I", bodyStart, threadEnd);
    }

    private Set<Register> neededUniforms(List<Integer> blocks) {
        Set<Register> needed = new HashSet<>();
        for (int b : blocks) {
            for (Instruction instruction : shape.blocks.block(b).instructions()) {
                if (!shape.blocks.isHoisted(instruction)) {
                    Operands.uses(instruction, needed::add);
                }
            }
            Register use = Operands.use(shape.blocks.block(b).terminator());
            if (use != null) {
                needed.add(use);
            }
        }
        List<Register> order = shape.uniforms.order();
        for (int i = order.size() - 1; i >= 0; i--) {
            if (needed.contains(order.get(i))) {
                Operands.uses(shape.uniforms.definition(order.get(i)), needed::add);
            }
        }
        return needed;
    }

    // A region in several methods

    private Runnable chunkLoop() {
        for (int p = 0; p < chunks.pieces().size(); p++) {
            emitChunk(p);
        }
        Local left = code.newLocal(INT);
        code.push(Polls.INTERVAL).store(left);
        return () -> {
            Place again = new Place();
            Local entry = next;
            List<Place> calls = new ArrayList<>();
            chunks.pieces().forEach(p -> calls.add(new Place()));
            Place stopped = new Place();
            Place go = new Place();
            code.push(chunks.start()).store(entry);
            code.place(again).increment(left, -Polls.PIECE).load(left).jumpIf(Condition.GE, go);
            Question.ask(code, worker, left);
            code.place(go).load(entry).push(Chunks.PIECE_SHIFT).op(Op.ISHR).tableSwitch(calls, stopped);
            for (int p = 0; p < calls.size(); p++) {
                code.place(calls.get(p)).load(worker).load(frame).load(thread).load(entry).callOwn(chunkName(p), CHUNK);
                code.store(entry).jump(again);
            }
            code.place(stopped).push(STOP).load(entry).op(Op.ISUB).store(next);
            if (!manyStops) {
                code.jump(threadEnd);
            }
        };
    }

    private String chunkName(int piece) {
        return "region" + region.index() + "part" + piece;
    }

    private void emitChunk(int index) {
        Chunks.Piece piece = chunks.pieces().get(index);
        List<Integer> blocks = piece.blocks();
        Code method = shape.classCode.staticMethod(chunkName(index), CHUNK);
        Local entry = method.parameter(3, INT);
        ThreadCode c = threadCode(method, method.parameter(0, REFERENCE), method.parameter(1, REFERENCE), method.parameter(2, INT));
        FrameTransfer transfer = transfer(c, blocks, blocks.contains(region.start()));
        Prepared prepared = prepare(c, blocks, transfer, false);
        BlocksEmitter emitter = new BlocksEmitter(shape.blocks, c, transfer, blocks, prepared.fuel, prepared.count, new BlocksEmitter.Exits() {
            @Override
            public void stop(int point) {
                method.push(STOP - point).ret();
            }

            @Override
            public void cross(int block) {
                method.push(chunks.entryNumber().get(block)).ret();
            }
        });
        List<Place> entries = new ArrayList<>();
        piece.entries().forEach(e -> entries.add(new Place()));
        Place none = new Place();
        method.load(entry).push((1 << Chunks.PIECE_SHIFT) - 1).op(Op.IAND).tableSwitch(entries, none);
        for (int e = 0; e < entries.size(); e++) {
            int block = piece.entries().get(e);
            method.place(entries.get(e));
            if ((index << Chunks.PIECE_SHIFT | e) == chunks.start()) {
                enter(c, transfer, prepared.count);
            } else {
                prepared.count.restore();
                transfer.restore(shape.liveness.liveIn(block));
            }
            method.jump(emitter.place(block));
        }
        method.place(none).push(STOP - Frame.ENDED).ret();
        emitter.emit();
        Place end = new Place();
        method.place(end);
        emitter.describe(prepared.slots, end);
        method.push(STOP - Frame.ENDED).ret().end();
    }
}
