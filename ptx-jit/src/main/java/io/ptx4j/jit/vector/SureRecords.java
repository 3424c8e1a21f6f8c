package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneRecords;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Records of which it is known before that all lanes have them, side by side, and that their accesses may change places with those between them. */
final class SureRecords extends Records {
    private final Map<RecordRun, Sorted> sorted = new IdentityHashMap<>();
    /** Where the device's memory begins in the process's. */
    private Local memory;

    private SureRecords(VectorCode vc, RecordFinder.Found found) {
        super(vc, found);
    }

    /** @param instructions that follow, in order and with nothing that leads in between */
    static SureRecords of(VectorCode vc, List<Instruction> instructions, Sorting sorting) {
        return new SureRecords(vc, RecordFinder.find(vc, instructions, sorting));
    }

    /**
     * A run and what sorts its words.
     *
     * @param inLine or null
     * @param narrow or null; shared code sorts where both are
     */
    private record Sorted(RecordRun run, SideBySide inLine, NarrowSideBySide narrow, RecordWords words) {
    }

    /**
     * Records of which it must be known that all are there.
     *
     * @param widest the access that needs most alignment
     * @param before bytes before its first lane's that are to be there
     * @param bytes those from it on
     * @param tests whether accesses may change places
     */
    record Sure(Instruction widest, long before, long bytes, List<Instruction> accesses, Collection<AliasTest> tests) {
    }

    List<Sure> sure() {
        return found.all().stream().map(run -> {
            long before = RecordRun.offset(run.widest()) - run.low();
            NarrowSideBySide narrow = run.narrowSideBySide();
            long bytes = narrow != null && run.isLoad() ? narrow.bytes() : run.stride() * vc.group.lanes();
            return new Sure(run.widest(), before, bytes - before, run.accesses(), run.tests());
        }).toList();
    }

    /** Emits what is there before turns of a loop without tests. */
    void prepare() {
        if (!found.all().isEmpty()) {
            memory = code.newLocal(JvmType.LONG);
            vc.c.push(Part.MEMORY);
            code.call(MemorySegment.class, "address").store(memory);
        }
        for (RecordRun run : found.all()) {
            SideBySide inLine = run.sideBySide();
            NarrowSideBySide narrow = inLine == null ? run.narrowSideBySide() : null;
            RecordWords words = new RecordWords(vc, run);
            if (run.isLoad()) {
                words.prepare();
            }
            if (narrow != null) {
                narrow.prepare(run.isLoad() ? words.elements() : new Local[0], run.isLoad());
            }
            sorted.put(run, new Sorted(run, inLine, narrow, words));
        }
    }

    @Override
    void emit(Instruction i) {
        RecordRun run = found.of().get(i);
        Sorted its = sorted.get(run);
        if (run.isLoad()) {
            if (i == run.first()) {
                load(its);
            }
            its.words.take(i);
        } else {
            its.words.keep(i);
            if (run.isLast(i)) {
                store(its);
            }
        }
    }

    private void load(Sorted its) {
        if (its.inLine != null) {
            its.inLine.load(place(its.run), its.words.locals());
        } else if (its.narrow != null) {
            its.narrow.load(place(its.run), its.words.elements());
        } else {
            sort(its.run, its.words);
        }
    }

    private void store(Sorted its) {
        if (its.inLine != null) {
            its.inLine.store(place(its.run), its.words.locals());
        } else if (its.narrow != null) {
            its.narrow.store(place(its.run), its.words.elements());
        } else {
            merge(its.run, its.words);
        }
    }

    /** Has shared code sort the words, and takes them. */
    private void sort(RecordRun run, RecordWords words) {
        Local[][] locals = words.locals();
        pushShared(run);
        code.push((int) run.stride() / run.first().type().bytes()).push(locals.length).push(run.slot()).push(vc.group.lanes()).call(LaneRecords.class, run.isWide() ? "sortWide" : "sort");
        for (int w = 0; w < locals.length; w++) {
            for (int part = 0; locals[w] != null && part < locals[w].length; part++) {
                takeVector(words.kind(), slot(run, w), part);
                code.store(locals[w][part]);
            }
        }
    }

    /** The other way. */
    private void merge(RecordRun run, RecordWords words) {
        Local[][] locals = words.locals();
        for (int w = 0; w < locals.length; w++) {
            for (int part = 0; part < locals[w].length; part++) {
                code.load(locals[w][part]);
                leaveVector(words.kind(), slot(run, w), part);
            }
        }
        pushShared(run);
        code.push(locals.length).push(run.slot()).push(vc.group.lanes()).call(LaneRecords.class, run.isWide() ? "mergeWide" : "merge");
    }

    private static int slot(RecordRun run, int word) {
        return run.slot() + (run.isWide() ? 2 * word : word);
    }

    private void pushShared(RecordRun run) {
        Local place = place(run);
        pushFrame();
        code.load(place);
    }

    /** Where the lanes' records begin in the process's memory. */
    private Local place(RecordRun run) {
        Local place = vc.c.scratch(JvmType.LONG, 6);
        code.load(memory);
        Addresses.pushOffset(vc.c, run.address(), run.low() - run.address().offset());
        code.op(Op.LADD).store(place);
        return place;
    }
}
