package io.ptx4j.jit.vector;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneRecords;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Records whose code asks each time whether all lanes have them, and whether accesses may change places. Where not, each access is made by itself. */
final class TestedRecords extends Records {
    /** Instead of whether all words are there: all lanes have records that lie side by side, out of which code in line sorts words. */
    private static final int IN_LINE = 2;

    private final Map<RecordRun, Made> made = new IdentityHashMap<>();

    private TestedRecords(VectorCode vc, RecordFinder.Found found) {
        super(vc, found);
    }

    /** @param instructions that follow, in order and with nothing that leads in between */
    static TestedRecords of(VectorCode vc, List<Instruction> instructions, Sorting sorting) {
        return new TestedRecords(vc, RecordFinder.find(vc, instructions, sorting));
    }

    /** A run whose code has begun. */
    private final class Made {
        private final RecordRun run;
        /** What sorts words in line, or null if nothing does. */
        private final SideBySide inLine;
        /** Those words. */
        private final RecordWords words;
        /** Of loads: whether all words are there, or {@link #IN_LINE}. */
        private Local there;
        /** Of stores that may have to be made one by one: whether they are made together. */
        private Local together;

        private Made(RecordRun run) {
            this.run = run;
            this.inLine = run.sideBySide();
            this.words = inLine == null ? null : new RecordWords(vc, run);
        }
    }

    @Override
    void emit(Instruction i) {
        RecordRun run = found.of().get(i);
        if (run.isLoad()) {
            load(i, run);
        } else {
            store(i, made.computeIfAbsent(run, Made::new));
        }
    }

    // Loads

    private void load(Instruction i, RecordRun run) {
        Made its = made.get(run);
        if (its == null) {
            its = loadAll(run);
            made.put(run, its);
        }
        Place take = new Place();
        Place done = new Place();
        if (its.inLine != null) {
            Place other = new Place();
            code.load(its.there).push(IN_LINE).jumpIfCompared(Condition.NE, other);
            its.words.take(i);
            code.jump(done).place(other);
        }
        code.load(its.there).jumpIf(Condition.NE, take);
        callOne(i, run, "loadOne");
        takeFromFrame(i, run, take);
        code.place(done);
    }

    private Made loadAll(RecordRun run) {
        Local there = code.newLocal(JvmType.INT);
        Made its = new Made(run);
        its.there = there;
        Place known = new Place();
        Place meets = new Place();
        if (its.inLine != null) {
            its.words.prepare();
        }
        run.tests().forEach(test -> test.jumpUnlessPassed(meets));
        if (its.inLine != null) {
            Place apart = new Place();
            its.inLine.load(findSideBySide(run, apart), its.words.locals());
            code.push(IN_LINE).store(there).jump(known).place(apart);
        }
        pushWhere(run);
        code.push(run.count(run.counted()));
        if (run.isNarrow()) {
            code.push(run.unit()).push(run.first().type().signed() ? 1 : 0);
        }
        String method = "load" + (run.isNarrow() ? "Narrow" : run.isWide() ? "Wide" : "") + (run.stride() > 0 ? "" : "At");
        code.push(run.alignment()).push(run.slot()).call(LaneRecords.class, method).store(there);
        if (!run.tests().isEmpty()) {
            code.jump(known).place(meets);
            leave(run);
            code.push(0).store(there);
        }
        code.place(known);
        return its;
    }

    /** @param take where all words of the record are there, else those of the access */
    private void takeFromFrame(Instruction i, RecordRun run, Place take) {
        List<Operand> elements = MemoryVectors.elements(i, true);
        if (i.type().bits() == Long.SIZE && !run.isWide()) {
            Place there = new Place();
            code.jump(there).place(take);
            pushFrame();
            code.push(run.slot(i)).push(elements.size()).call(LaneRecords.class, "widen");
            code.place(there);
        } else {
            code.place(take);
        }
        for (int e = 0; e < elements.size(); e++) {
            if (elements.get(e) instanceof Operand.Sink) {
                continue;
            }
            if (i.type().bits() <= 32) {
                vc.takeInts(elements.get(e), "records", (run.slot(i) + e) * vc.group.lanes());
            } else {
                takeLongs(elements.get(e), run.slot(i) + 2 * e);
            }
        }
    }

    /** Takes 64-bit lanes that have been put together from two slots. */
    private void takeLongs(Operand to, int slot) {
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            takeVector(Kind.LONG, slot, part);
            vc.popLongs(to, part);
        }
    }

    // Stores

    private void store(Instruction i, Made its) {
        RecordRun run = its.run;
        boolean conditional = !run.before().isEmpty() || !run.tests().isEmpty();
        if (conditional && i == run.first()) {
            findTogether(its);
        }
        if (its.inLine != null) {
            its.words.keep(i);
        } else {
            leaveWords(i, run);
        }
        Place done = new Place();
        if (conditional) {
            Place later = new Place();
            code.load(its.together).jumpIf(Condition.NE, later);
            for (int e = 0; its.inLine != null && e < MemoryVectors.elements(i, false).size(); e++) {
                leaveWord(its, its.words.word(i) + e);
            }
            callOne(i, run, "storeOne");
            code.jump(done).place(later);
        }
        if (run.isLast(i)) {
            storeAll(its, done);
        }
        code.place(done);
        code.line(i.location().line());
    }

    /** Finds out whether the stores are made together. */
    private void findTogether(Made its) {
        RecordRun run = its.run;
        Place apart = new Place();
        Place known = new Place();
        its.together = code.newLocal(JvmType.INT);
        run.before().forEach(loads -> code.load(made.get(loads).there).jumpIf(Condition.EQ, apart));
        if (run.waitsForStores()) {
            // A thread that fails has made no store behind.
            vc.places.pushSteps(run.address(), 0, run.low() - run.address().offset(), () -> {
                code.load(vc.mask());
                vc.c.push(Addresses.part(vc.c, run.address()));
            });
            code.push(run.count(1)).push(run.alignment()).call(LaneRecords.class, "areThere").jumpIf(Condition.EQ, apart);
        }
        run.tests().forEach(test -> test.jumpUnlessPassed(apart));
        code.push(1).store(its.together).jump(known).place(apart);
        leave(run);
        code.push(0).store(its.together).place(known);
    }

    private void storeAll(Made its, Place done) {
        RecordRun run = its.run;
        if (its.inLine != null) {
            Place apart = new Place();
            its.inLine.store(findSideBySide(run, apart), its.words.locals());
            code.jump(done).place(apart);
            for (int w = 0; w < its.words.locals().length; w++) {
                leaveWord(its, w);
            }
        }
        pushWhere(run);
        code.push(run.count(run.counted())).push(run.isNarrow() ? run.unit() : run.some(run.counted())).push(run.alignment()).push(run.slot());
        code.call(LaneRecords.class, run.isNarrow() ? "storeNarrow" : run.isWide() ? "storeWide" : run.stride() > 0 ? "store" : "storeAt");
        code.jumpIf(Condition.NE, done);
        for (Instruction access : run.accesses()) {
            code.line(access.location().line());
            callOne(access, run, "storeOne");
        }
    }

    /** Leaves the words of a store in the frame's arrays. */
    private void leaveWords(Instruction i, RecordRun run) {
        List<Operand> elements = MemoryVectors.elements(i, false);
        for (int e = 0; e < elements.size(); e++) {
            Operand value = elements.get(e);
            if (i.type().bits() <= 32) {
                leave(Kind.INT, part -> vc.pushInts(NarrowVectors.whole(value), part), run, run.slot(i) + e);
            } else {
                leave(Kind.LONG, part -> vc.pushLongs(NarrowVectors.whole(value), part), run, run.slot(i) + 2 * e);
            }
        }
    }

    /** Leaves a word that has been kept there. */
    private void leaveWord(Made its, int w) {
        Local[] word = its.words.locals()[w];
        Kind kind = its.words.kind();
        leave(kind, part -> code.load(word[part]), its.run, its.run.slot() + (kind == Kind.LONG ? 2 * w : w));
    }

    /** Leaves lanes there; those of 64 bits are words of two slots. */
    private void leave(Kind kind, IntConsumer pushPart, RecordRun run, int slot) {
        for (int part = 0; part < kind.parts(vc.group); part++) {
            pushPart.accept(part);
            leaveVector(kind, slot, part);
        }
        if (kind == Kind.LONG && !run.isWide()) {
            pushFrame();
            code.push(slot).push(1).call(LaneRecords.class, "narrow");
        }
    }

    // Both

    /** Goes to {@code apart} unless all lanes have records that lie side by side. */
    private Local findSideBySide(RecordRun run, Place apart) {
        Local place = vc.c.scratch(JvmType.LONG, 6);
        pushWhere(run);
        code.push(run.alignment()).call(LaneRecords.class, "sideBySide").store(place);
        code.load(place).push(0L).op(Op.LCMP).jumpIf(Condition.LT, apart);
        return place;
    }

    /** Leaves where the lanes' records begin, for accesses one by one. */
    private void leave(RecordRun run) {
        vc.places.pushSteps(run.address(), 0, run.low() - run.address().offset(), this::pushFrame);
        code.push(run.slot()).call(LaneRecords.class, "leave");
    }

    private void pushWhere(RecordRun run) {
        if (run.stride() > 0) {
            vc.places.pushSteps(run.address(), 0, run.low() - run.address().offset(), () -> pushLanes(run));
            return;
        }
        LaneAccesses.leaveAddresses(vc, run.isLoad() ? run.first() : run.accesses().getLast());
        pushLanes(run);
        code.push(run.low() - origin(run));
    }

    private void pushLanes(RecordRun run) {
        pushFrame();
        code.load(vc.mask());
        vc.c.push(Addresses.part(vc.c, run.address()));
    }

    private long origin(RecordRun run) {
        return Addresses.part(vc.c, run.address()) == Part.MEMORY ? AddressSpace.ORIGIN : 0;
    }

    /** Calls what makes one access where not all words are there. */
    private void callOne(Instruction i, RecordRun run, String method) {
        code.load(vc.c.worker);
        pushFrame();
        code.load(vc.c.thread).load(vc.mask());
        vc.c.push(Addresses.part(vc.c, run.address()));
        code.push(RecordRun.offset(i) - (run.stride() > 0 ? run.low() : origin(run)));
        code.push(i.type().bits()).push(MemoryVectors.elements(i, run.isLoad()).size()).push(run.isNarrow() && !i.type().signed() ? (1 << i.type().bits()) - 1 : -1);
        code.push(run.slot()).push(run.slot(i)).call(LaneRecords.class, method);
        vc.failed.drop();
    }
}
