package io.ptx4j.jit.vector;

import static io.ptx4j.jit.code.JvmType.INT;
import static io.ptx4j.jit.code.JvmType.LONG;
import static io.ptx4j.jit.code.JvmType.REFERENCE;

import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.VectorFrame;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The way through a region in several methods, each for a piece of it. */
final class PieceTurn implements GroupTurn {
    private static final String PIECE = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;II)I";
    private static final String ENTER = "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;I)V";
    /** Vectors that one method moves to where pieces look for them: HotSpot's first compiler gave up one of 62. */
    private static final int MOVED = 40;
    /** Bytecodes with which one method calls pieces: those of a call, and those of the two ways to a block. */
    private static final int CALLING = 5_000;
    private static final int CALL = 16;
    private static final int WAYS = 8;

    private final RegionCode region;
    private final VectorShape shape;
    private final LaneFlow flow;
    private final Pieces pieces;
    private final Traffic traffic;
    private final ThreadCode c;
    private final Code code;
    private final Place groupEnd;
    private final Local current;
    private final Local fuel;
    /** By method: what it moves. */
    private final List<List<Register>> entering;
    /** By method that calls pieces: the first it calls; behind them the number of all. */
    private final List<Integer> calling;

    PieceTurn(RegionCode region, ThreadCode c, Place groupEnd) {
        this.region = region;
        this.shape = region.shape();
        this.flow = region.flow();
        this.pieces = region.pieces();
        this.traffic = new Traffic(flow, pieces, shape);
        this.c = c;
        this.code = c.code();
        this.groupEnd = groupEnd;
        this.current = code.newLocal(LONG);
        this.fuel = code.newLocal(INT);
        this.entering = entering();
        this.calling = calling();
    }

    private List<Integer> calling() {
        List<Integer> first = new ArrayList<>(List.of(0));
        int size = 0;
        for (int i = 0; i < pieces.count(); i++) {
            int more = CALL + WAYS * (pieces.high(i) - pieces.low(i));
            if (size > 0 && size + more > CALLING) {
                first.add(i);
                size = 0;
            }
            size += more;
        }
        first.add(pieces.count());
        return first;
    }

    /** Registers with which the region begins and that lie elsewhere than where its pieces look for them, results of a meeting point all together. */
    private List<List<Register>> entering() {
        Set<Register> moved = new LinkedHashSet<>(region.results());
        moved.addAll(region.given());
        if (region.region().after() != null) {
            moved.removeIf(r -> pieces.crossing().kept().contains(r) && region.region().after().saved().contains(r));
        }
        List<List<Register>> parts = new ArrayList<>();
        int vectors = MOVED;
        for (Register register : moved) {
            int more = Kind.of(shape.context.representation().of(register)).parts(shape.group);
            if (vectors + more > MOVED && !region.results().contains(register) || parts.isEmpty()) {
                parts.add(new ArrayList<>());
                vectors = 0;
            }
            parts.getLast().add(register);
            vectors += more;
        }
        return parts;
    }

    @Override
    public void prepare() {
        code.push(1L).store(current).push(Polls.INTERVAL).store(fuel);
        for (int i = 0; i < entering.size(); i++) {
            emitEnter(i);
        }
        for (int i = 0; i < pieces.count(); i++) {
            emitPiece(i);
        }
        for (int i = 0; several() && i < calling.size() - 1; i++) {
            emitCalling(i);
        }
    }

    @Override
    public void hoist() {
        // Every group computes such values where they stand.
    }

    @Override
    public void hoistForBlock() {
        // As above.
    }

    @Override
    public Local current() {
        return current;
    }

    @Override
    public void raiseFailed() {
        new VectorCode(c, shape.group, shape.forms).failed.raise();
    }

    /**
     * Pieces have no handlers for all of their code: HotSpot's first compiler takes less than half as many operations of vectors where
     * there is one.
     */
    @Override
    public void pushFailing() {
        code.load(c.frame).field(VectorFrame.class, "current");
    }

    @Override
    public Local fuel() {
        return fuel;
    }

    @Override
    public void emit() {
        Place again = new Place();
        Local entry = code.newLocal(INT);
        code.load(c.frame).load(current).putField(VectorFrame.class, "current");
        for (int i = 0; i < entering.size(); i++) {
            code.load(c.worker).load(c.frame).load(c.thread).callOwn(region.name("enter" + i), ENTER);
        }
        code.push(Pieces.direct(0)).store(entry);
        Place behind = new Place();
        code.place(again);
        if (several()) {
            code.load(entry).jumpIf(Condition.LT, groupEnd);
            for (int i = 0; i < calling.size() - 1; i++) {
                Place next = new Place();
                if (i < calling.size() - 2) {
                    code.load(entry).push(Pieces.waiting(pieces.low(calling.get(i + 1)))).jumpIfCompared(Condition.GE, next);
                }
                code.load(c.worker).load(c.frame).load(c.thread).load(entry).callOwn(region.name("calls" + i), PIECE).store(entry).jump(behind);
                code.place(next);
            }
        } else {
            call(c, 0, pieces.count(), entry, behind, groupEnd);
        }
        // One end for all, so that a region of two hundred pieces is not too long a method.
        code.place(behind);
        spend(c, Polls.PIECE, again);
    }

    /** Whether there are too many pieces to be called by one method. */
    private boolean several() {
        return calling.size() > 2;
    }

    /** Calls the piece of some to which {@code entry} leads, which then leads on. */
    private void call(ThreadCode c, int first, int last, Local entry, Place behind, Place elsewhere) {
        Code code = c.code();
        List<Place> calls = new ArrayList<>();
        List<Place> table = new ArrayList<>();
        for (int i = first; i < last; i++) {
            calls.add(new Place());
            table.addAll(Collections.nCopies(2 * (pieces.high(i) - pieces.low(i)), calls.getLast()));
        }
        code.load(entry);
        if (first > 0) {
            code.push(Pieces.waiting(pieces.low(first))).op(Op.ISUB);
        }
        code.tableSwitch(table, elsewhere);
        for (int i = first; i < last; i++) {
            code.place(calls.get(i - first)).load(c.worker).load(c.frame).load(c.thread).load(entry);
            code.callOwn(region.name("piece" + i), PIECE).store(entry).jump(behind);
        }
    }

    private void emitCalling(int part) {
        Code code = shape.classCode.staticMethod(region.name("calls" + part), PIECE);
        ThreadCode c = threadCode(code);
        Local entry = code.parameter(3, INT);
        Place end = new Place();
        call(c, calling.get(part), calling.get(part + 1), entry, end, end);
        code.place(end).load(entry).ret().end();
    }

    /** What a method is given first: the worker, the frame and the first thread of the group. */
    private ThreadCode threadCode(Code code) {
        return new ThreadCode(shape.context, code, code.parameter(0, REFERENCE), code.parameter(1, REFERENCE), code.parameter(2, INT));
    }

    /** Puts some of what the region begins with where its pieces look for it. */
    private void emitEnter(int part) {
        List<Register> moved = entering.get(part);
        Code code = shape.classCode.staticMethod(region.name("enter" + part), ENTER);
        ThreadCode c = threadCode(code);
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        BlockEmitter none = new BlockEmitter(shape, flow, 0, 0, vc, region.manyStops(), null, null);
        moved.forEach(vc.locals::zero);
        none.prepare();
        code.load(c.frame).field(VectorFrame.class, "current").store(none.current());
        region.enter(vc, none, moved);
        pieces.crossing().save(vc, moved);
        code.ret().end();
    }

    private void emitPiece(int index) {
        Code code = shape.classCode.staticMethod(region.name("piece" + index), PIECE);
        ThreadCode c = threadCode(code);
        Local entry = code.parameter(3, INT);
        VectorCode vc = new VectorCode(c, shape.group, shape.forms);
        RegionCode.Names names = region.names(c, pieces.low(index), pieces.high(index));
        names.named().removeAll(names.carried());
        Map<Integer, Place> exits = new HashMap<>();
        Place groupEnd = new Place();
        BlockEmitter blocks = new BlockEmitter(shape, flow, pieces.low(index), pieces.high(index), vc, region.manyStops(), null,
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

                    @Override
                    public boolean inFrame(Register register) {
                        return pieces.crossing().kept().contains(register) && !names.written().contains(register);
                    }

                    @Override
                    public boolean carries(Register register) {
                        boolean carries = names.carried().contains(register);
                        if (carries) {
                            new GroupTransfer(vc, shape).carry(register, pieces.crossing());
                        }
                        return carries;
                    }
                });
        Place leave = new Place();
        vc.noteLanes();
        seemHot(code);
        names.prepare(vc, blocks);
        List<Register> saved = traffic.saved(index, names.written());
        pieces.crossing().restore(vc, traffic.restored(index, names.named(), saved));
        frameMasks(c, blocks, false);
        List<Place> table = new ArrayList<>();
        for (int p = pieces.low(index); p < pieces.high(index); p++) {
            // Nobody comes from outside to a block that continues another: what that one left in locals may be used there.
            boolean inside = p > pieces.low(index) && flow.continues(p);
            table.add(inside ? groupEnd : blocks.entry(p));
            table.add(inside ? groupEnd : blocks.direct(p));
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
            code.load(c.frame).load(blocks.current()).putField(VectorFrame.class, "current");
        } else {
            code.load(c.frame).field(VectorFrame.class, "current").store(blocks.current());
        }
        blocks.waiting().forEach((place, local) -> {
            code.load(c.frame).field(VectorFrame.class, "waiting").push(place);
            if (save) {
                code.load(local).arrayStore(LONG);
            } else {
                code.arrayLoad(LONG).store(local);
            }
        });
    }
}
