package io.ptx4j.jit.vector;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneRecords;
import io.ptx4j.jit.support.RecordOrder;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Words of one structure for each lane, of one row of a matrix, of a large number: accesses to words of 32 or 64 bits, or to shorter elements, at constant distances from one address. One call of code that
 * all kernels share loads all of them before the first is asked for, or stores all once the last is known ({@link LaneRecords}). Where not all are there, each access
 * is made by itself.
 */
final class Records {
    /** Words of records that code in line sorts beside code for all others: of 32 bits, and of 64, of which four take more code than methods have room for. */
    private static final int MOST_IN_LINE = 4;
    private static final int MOST_WIDE_IN_LINE = 3;
    /** Instead of whether all words are there: all lanes have records that lie side by side, out of which code in line sorts words. */
    private static final int IN_LINE = 2;
    /** Registers whose accesses those of one record may change places with. */
    private static final int MOST_TESTS = 3;
    /** Accesses with which those of one record may change places. */
    private static final int MOST_PASSED = 2 * LaneRecords.WORDS;

    private final VectorCode vc;
    private final Sorting sorting;
    private final Map<Instruction, Run> runs = new IdentityHashMap<>();
    /** In the order of their first accesses. */
    private final List<Run> all = new ArrayList<>();
    /** Where registers have been written last, of the instructions that have come so far. */
    private final Map<Register, Integer> written = new HashMap<>();
    private int place;
    private int slots;
    /** Where the device's memory begins in the process's, before turns without tests. */
    private Local memory;

    private Records(VectorCode vc, Sorting sorting) {
        this.vc = vc;
        this.sorting = sorting;
    }

    /** Where words are sorted. */
    enum Sorting {
        /** In code that all kernels share. */
        SHARED,
        /** In line, where all lanes have records that lie side by side; else in that code. */
        IN_LINE,
        /** In line, since it is known that all lanes have such and that accesses may change places. */
        SURE,
        /** As {@link #SURE}, but records of many words in the code that all kernels share. */
        PARTLY_SURE;

        boolean sure() {
            return this == SURE || this == PARTLY_SURE;
        }
    }

    /**
     * An access between those of a run.
     *
     * @param its loads made before the run's first access, of which it is one; or null
     */
    private record Passed(Instruction access, Run its) {
        Operand.Address address() {
            return SteadyLoop.address(access);
        }
    }

    /** Accesses to the words of one record. */
    private final class Run {
        private final int number = all.size();
        private final boolean load;
        private final Operand.Address address;
        private final List<Instruction> accesses = new ArrayList<>();
        private long low;
        /** Behind the last word. */
        private long end;
        private int alignment;
        private int slot;
        /** Whether all words are there, or {@link #IN_LINE}. */
        private Local there;
        /** Of loads: stores since the first, which those that follow are to overtake. Of stores: accesses since the last, behind which it is to be made with the next. */
        private final List<Passed> passed = new ArrayList<>();
        /** By the other register: what finds out whether they may. */
        private final Map<Register, AliasTest> tests = new LinkedHashMap<>();
        /** Of stores: records of loads that must have been made before the first. */
        private final Set<Run> before = new LinkedHashSet<>();
        /** Of stores: whether others come before them that stand behind some. */
        private boolean waitsForStores;
        /** The place of the first access. */
        private final int start = place;
        /** Of stores that may have to be made one by one: whether they are made together. */
        private Local together;
        /** What sorts words in line, or null if nothing does. */
        private SideBySide inLine;
        /** The same of shorter elements. */
        private NarrowSideBySide narrow;
        /** By word and vector: the words of all lanes, where records lie side by side. */
        private Local[][] words;

        private Run(Instruction first) {
            this.load = first.opcode() != Opcode.ST;
            this.address = SteadyLoop.address(first);
            this.low = address.offset();
            this.end = low;
            add(first);
        }

        private void add(Instruction i) {
            accesses.add(i);
            low = Math.min(low, offset(i));
            end = Math.max(end, offset(i) + MemoryVectors.bytes(i));
            alignment = Math.max(alignment, MemoryVectors.bytes(i));
        }

        private static long offset(Instruction i) {
            return SteadyLoop.address(i).offset();
        }

        /** Bytes from lane to lane; 0 if only the running code knows. */
        private long stride() {
            return MemoryVectors.steps(vc, address) ? ((Form.Affine) vc.forms.of(address.register())).stride() : 0;
        }

        /** Bytes of what has a slot of its own: of a word, or a shorter element. */
        private int unit() {
            return Math.min(4, accesses.getFirst().type().bytes());
        }

        private boolean isNarrow() {
            return unit() < 4;
        }

        private boolean takes(Instruction i) {
            long from = offset(i);
            long to = from + MemoryVectors.bytes(i);
            int room = unit() * LaneRecords.WORDS;
            long most = stride() == 0 ? room : Math.min(room, stride());
            boolean same = isNarrow() ? i.type().bytes() == unit() && i.type().signed() == accesses.getFirst().type().signed() : i.type().bits() >= 32;
            boolean overlaps = accesses.stream().anyMatch(a -> offset(a) < to && from < offset(a) + MemoryVectors.bytes(a));
            return same && SteadyLoop.address(i).register() == address.register() && SteadyLoop.address(i).space() == address.space() && (from - low) % unit() == 0
                    && (load || !overlaps) && Math.max(end, to) - Math.min(low, from) <= most;
        }

        private boolean isSame(Operand.Address other) {
            return other.register() == address.register() && other.space() == address.space();
        }

        /** Whether it may come to change places with an access that comes now, as far as the code shows. */
        private boolean passes(Instruction i, Run its) {
            if (i.family() != Family.MEMORY || !MemoryVectors.isPlain(i) || passed.size() == MOST_PASSED) {
                return false;
            }
            Operand.Address other = SteadyLoop.address(i);
            boolean made = !load && its != null && its.load && its.number < number;
            // Loads that join it later are made here too.
            boolean begins = !load && its != null && its.load && !made;
            boolean tested = !begins && stride() > 0 && AliasTest.isPossible(vc, address, other) && !isWritten(other.register());
            boolean passes = stride() > 0 && made || tested || load && (AliasTest.isApart(address, other) || isSame(other));
            if (passes) {
                passed.add(new Passed(i, made ? its : null));
            }
            return passes;
        }

        /** Takes in an access if it may be made with the first, or the first with it. */
        private boolean join(Instruction i) {
            if (!takes(i) || passed.stream().anyMatch(p -> isSame(p.address()) && crossing(p, i).stream().anyMatch(own -> AliasTest.overlap(own, p.access)))) {
                return false;
            }
            long registers = Stream.concat(tests.keySet().stream(), passed.stream().filter(this::needsTest).map(p -> p.address().register())).distinct().count();
            if (registers > MOST_TESTS) {
                return false;
            }
            for (Passed p : passed) {
                waitsForStores |= !load && p.access.opcode() == Opcode.ST;
                if (p.its != null) {
                    before.add(p.its);
                } else if (needsTest(p)) {
                    AliasTest test = tests.computeIfAbsent(p.address().register(), r -> new AliasTest(vc, address, p.address()));
                    if (mayMeet(p)) {
                        crossing(p, i).forEach(own -> test.add(own, p.access));
                    }
                    if (!load) {
                        test.add(p.access);
                    }
                }
            }
            if (!load) {
                passed.clear();
            }
            add(i);
            return true;
        }

        /** Whether only the running code knows that they touch different bytes. */
        private boolean mayMeet(Passed p) {
            return !isSame(p.address()) && !AliasTest.isApart(address, p.address());
        }

        /** What stores come behind must be there too, since a thread that fails has made its stores before. */
        private boolean needsTest(Passed p) {
            return p.its == null && (!load || mayMeet(p));
        }

        /** Whether a register has another value than at the first access. */
        private boolean isWritten(Register register) {
            return written.getOrDefault(register, -1) >= start;
        }

        /** Those accesses that change places with one that has been passed if another joins. */
        private List<Instruction> crossing(Passed passed, Instruction joining) {
            return load ? List.of(joining) : passed.its != null ? List.of() : accesses;
        }

        private int units() {
            return count(unit());
        }

        /** How many of so many bytes there are from the first word to the last. */
        private int count(int bytes) {
            return (int) (end - low) / bytes;
        }

        /** The slot of an access's first word or element. */
        private int slot(Instruction i) {
            return slot + (int) (offset(i) - low) / unit();
        }

        /** Which of so many bytes each are accessed, as bits. */
        private int some(int bytes) {
            return accesses.stream().mapToInt(i -> (1 << MemoryVectors.bytes(i) / bytes) - 1 << (int) (offset(i) - low) / bytes).reduce(0, (a, b) -> a | b);
        }

        /** Whether all that lies from one record to the next is accessed. */
        private boolean isWhole() {
            return end - low == stride() && some(unit()) == (1 << units()) - 1;
        }

        /** Whether accesses are better made so than by themselves, and are aligned if the first word is. */
        private boolean pays() {
            boolean pays = !isNarrow() ? accesses.size() > 1 || sideBySide() != null || load && stride() > 0 && stride() <= 4 * LaneRecords.WORDS
                    : stride() > 0 && stride() <= LaneRecords.NARROW && (load || stride() <= 4 && isWhole());
            return pays && areAligned();
        }

        /** Whether all accesses of all lanes are aligned if the widest of the first lane is. */
        private boolean areAligned() {
            return stride() % alignment == 0 && accesses.stream().allMatch(i -> (offset(i) - low) % MemoryVectors.bytes(i) == 0);
        }

        /** How many words a record has from lane to lane, if all are of one length and stores fill it; else 0. */
        private int size() {
            int bits = accesses.getFirst().type().bits();
            boolean same = stride() > 0 && bits >= Integer.SIZE && stride() * Byte.SIZE % bits == 0 && accesses.stream().allMatch(i -> i.type().bits() == bits) && (load || isWhole());
            return same ? (int) (stride() * Byte.SIZE / bits) : 0;
        }

        /** Code in line for the words, or null. */
        private SideBySide sideBySide() {
            int size = size();
            boolean room = sorting == Sorting.SURE || sorting != Sorting.SHARED && size <= (isWide() ? MOST_WIDE_IN_LINE : MOST_IN_LINE);
            return room && SideBySide.isPossible(size) ? new SideBySide(vc, kind(), size) : null;
        }

        /** The same for shorter elements, where it is known that all lanes have records that lie side by side. */
        private NarrowSideBySide narrowSideBySide() {
            return isNarrow() && stride() <= Integer.BYTES * LaneRecords.WORDS && NarrowSideBySide.isPossible((int) stride(), load) && (load || isWhole())
                    ? new NarrowSideBySide(vc, unit(), (int) stride(), load && accesses.getFirst().type().signed()) : null;
        }

        /** Whether all words have 64 bits and lie at a known distance from lane to lane. */
        private boolean isWide() {
            return stride() > 0 && accesses.stream().allMatch(i -> i.type().bits() == Long.SIZE);
        }

        /** Bytes of what {@link LaneRecords} count. */
        private int counted() {
            return isWide() ? Long.BYTES : unit();
        }

        /** The number of an access's first word, of as many bits as it has. */
        private int word(Instruction i) {
            return (int) (offset(i) - low) / i.type().bytes();
        }

        private void prepareWords() {
            int bytes = accesses.getFirst().type().bytes();
            int some = some(bytes);
            words = new Local[count(bytes)][];
            for (int w = 0; w < words.length; w++) {
                if ((some >> w & 1) != 0) {
                    words[w] = new Local[parts()];
                    Arrays.setAll(words[w], part -> newVector(kind()));
                }
            }
        }

        private int parts() {
            return kind().parts(vc.group);
        }

        /** Of the vectors of words. */
        private Kind kind() {
            return isWide() ? Kind.LONG : Kind.INT;
        }

        /** The only vector of each element. */
        private Local[] elements() {
            return Arrays.stream(words).map(word -> word == null ? null : word[0]).toArray(Local[]::new);
        }

        /** A local for a vector of words, of which it has some. */
        private Local newVector(Kind kind) {
            Local vector = vc.code.newLocal(JvmType.REFERENCE);
            vc.code.staticField(RecordOrder.class, kind + "_EVEN").store(vector);
            return vector;
        }

        /** Leaves where the lanes' records begin, for accesses one by one. */
        private void leave() {
            vc.places.pushSteps(address, 0, low - address.offset(), () -> vc.code.load(vc.c.frame).cast(VectorFrame.class));
            vc.code.push(slot).call(LaneRecords.class, "leave");
        }

        /** Finds out whether the stores are made together. */
        private void findTogether() {
            Code code = vc.code;
            Place apart = new Place();
            Place known = new Place();
            together = code.newLocal(JvmType.INT);
            before.forEach(loads -> code.load(loads.there).jumpIf(Condition.EQ, apart));
            if (waitsForStores) {
                // A thread that fails has made no store behind.
                vc.places.pushSteps(address, 0, low - address.offset(), () -> {
                    code.load(vc.mask());
                    vc.c.push(Addresses.part(vc.c, address));
                });
                code.push(count(1)).push(alignment).call(LaneRecords.class, "areThere").jumpIf(Condition.EQ, apart);
            }
            tests.values().forEach(test -> test.jumpUnlessPassed(apart));
            code.push(1).store(together).jump(known).place(apart);
            leave();
            code.push(0).store(together).place(known);
        }

        private void pushWhere() {
            Code code = vc.code;
            if (stride() > 0) {
                vc.places.pushSteps(address, 0, low - address.offset(), this::pushLanes);
                return;
            }
            LaneAccesses.leaveAddresses(vc, load ? accesses.getFirst() : accesses.getLast());
            pushLanes();
            code.push(low - origin());
        }

        private void pushLanes() {
            vc.code.load(vc.c.frame).cast(VectorFrame.class).load(vc.mask());
            vc.c.push(Addresses.part(vc.c, address));
        }

        private long origin() {
            return Addresses.part(vc.c, address) == Part.MEMORY ? AddressSpace.ORIGIN : 0;
        }

        /** Calls what makes one access where not all words are there. */
        private void callOne(Instruction i, String method) {
            Code code = vc.code;
            code.load(vc.c.worker).load(vc.c.frame).cast(VectorFrame.class).load(vc.c.thread).load(vc.mask());
            vc.c.push(Addresses.part(vc.c, address));
            code.push(stride() > 0 ? offset(i) - low : offset(i) - origin());
            code.push(i.type().bits()).push(MemoryVectors.elements(i, load).size()).push(isNarrow() && !i.type().signed() ? (1 << i.type().bits()) - 1 : -1);
            code.push(slot).push(slot(i)).call(LaneRecords.class, method);
            vc.failed.drop();
        }
    }

    /** @param run the instructions that follow, in order and with nothing that leads in between */
    static Records of(VectorCode vc, List<Instruction> run, Sorting sorting) {
        Records records = new Records(vc, sorting);
        List<Run> loads = new ArrayList<>();
        List<Run> stores = new ArrayList<>();
        for (Instruction i : run) {
            boolean store = i.opcode() == Opcode.ST;
            boolean ofRecord = i.guard() == null && i.family() == Family.MEMORY
                    && (sorting.sure() ? MemoryVectors.isOfSureRecord(vc, i) : MemoryVectors.isOfRecord(vc, i));
            Run its = ofRecord ? records.add(i, store ? stores : loads) : null;
            if (!Fetches.quiet(i)) {
                loads.removeIf(open -> !open.passes(i, its));
            }
            if (!isSilent(i)) {
                stores.removeIf(open -> open != its && !open.passes(i, its));
            }
            Operands.definitions(i, r -> {
                records.written.put(r, records.place);
                loads.removeIf(open -> open.address.register() == r);
                stores.removeIf(open -> open.address.register() == r);
            });
            records.place++;
        }
        records.choose();
        return records;
    }

    private Run add(Instruction i, List<Run> open) {
        for (Run run : open) {
            if (run.join(i)) {
                runs.put(i, run);
                return run;
            }
        }
        Run run = new Run(i);
        all.add(run);
        open.add(run);
        runs.put(i, run);
        return run;
    }

    /** Whether a store before the instruction may as well be made behind it. */
    private static boolean isSilent(Instruction i) {
        return Fetches.quiet(i) && (i.family() != Family.MEMORY || i.opcode() == Opcode.CVTA || SteadyLoop.address(i).space() == StateSpace.PARAM);
    }

    /** Gives runs that pay their slots, while there are some. */
    private void choose() {
        for (Run run : all) {
            boolean pays = !sorting.sure() ? run.pays() : run.areAligned() && (run.sideBySide() != null || run.narrowSideBySide() != null || LaneRecords.areSorted(run.size(), run.isWide()));
            if (pays && slots + run.units() <= VectorFrame.RECORDS && run.before.stream().allMatch(loads -> has(loads.accesses.getFirst()))) {
                run.slot = slots;
                slots += run.units();
            } else {
                run.accesses.forEach(runs::remove);
            }
        }
    }

    boolean has(Instruction i) {
        return runs.containsKey(i);
    }

    void emit(Instruction i) {
        Run run = runs.get(i);
        if (sorting.sure()) {
            emitSure(i, run);
        } else if (run.load) {
            load(i, run);
        } else {
            store(i, run);
        }
    }

    /** Emits what is there before turns of a loop without tests. */
    void prepareSure() {
        if (!runs.isEmpty()) {
            memory = vc.code.newLocal(JvmType.LONG);
            vc.c.push(Part.MEMORY);
            vc.code.call(MemorySegment.class, "address").store(memory);
        }
        for (Run run : all) {
            if (has(run.accesses.getFirst())) {
                run.inLine = run.sideBySide();
                run.narrow = run.inLine == null ? run.narrowSideBySide() : null;
                if (run.load) {
                    run.prepareWords();
                }
                if (run.narrow != null) {
                    run.narrow.prepare(run.load ? run.elements() : new Local[0], run.load);
                }
            }
        }
    }

    private void emitSure(Instruction i, Run run) {
        if (run.load) {
            if (i == run.accesses.getFirst()) {
                if (run.inLine != null) {
                    run.inLine.load(place(run), run.words);
                } else if (run.narrow != null) {
                    run.narrow.load(place(run), run.elements());
                } else {
                    sort(run);
                }
            }
            takeWords(i, run);
            return;
        }
        keep(i, run);
        if (i != run.accesses.getLast()) {
            return;
        }
        if (run.inLine != null) {
            run.inLine.store(place(run), run.words);
        } else if (run.narrow != null) {
            run.narrow.store(place(run), run.elements());
        } else {
            merge(run);
        }
    }

    /** Has shared code sort the words, and takes them. */
    private void sort(Run run) {
        Code code = vc.code;
        pushShared(run);
        code.push((int) run.stride() / run.accesses.getFirst().type().bytes()).push(run.words.length).push(run.slot).push(vc.group.lanes()).call(LaneRecords.class, run.isWide() ? "sortWide" : "sort");
        for (int w = 0; w < run.words.length; w++) {
            for (int part = 0; run.words[w] != null && part < run.parts(); part++) {
                code.staticField(VectorLanes.class, run.kind().name());
                pushArray(run, w, part);
                code.call(run.kind().type, "fromArray", VectorSpecies.class, run.kind().array, int.class).store(run.words[w][part]);
            }
        }
    }

    /** The other way. */
    private void merge(Run run) {
        Code code = vc.code;
        for (int w = 0; w < run.words.length; w++) {
            for (int part = 0; part < run.parts(); part++) {
                code.load(run.words[w][part]);
                pushArray(run, w, part);
                code.call(run.kind().type, "intoArray", run.kind().array, int.class);
            }
        }
        pushShared(run);
        code.push(run.words.length).push(run.slot).push(vc.group.lanes()).call(LaneRecords.class, run.isWide() ? "mergeWide" : "merge");
    }

    private void pushShared(Run run) {
        Local place = place(run);
        vc.code.load(vc.c.frame).cast(VectorFrame.class).load(place);
    }

    /** Pushes the array in which shared code has a word of all lanes, and where. */
    private void pushArray(Run run, int word, int part) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, run.isWide() ? "wideRecords" : "records");
        vc.code.push((run.slot + (run.isWide() ? 2 * word : word)) * vc.group.lanes() + part * run.kind().length(vc.group));
    }

    /** Where the lanes' records begin in the process's memory. */
    private Local place(Run run) {
        Code code = vc.code;
        Local place = vc.c.scratch(JvmType.LONG, 6);
        code.load(memory);
        Addresses.pushOffset(vc.c, run.address, run.low - run.address.offset());
        code.op(Op.LADD).store(place);
        return place;
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
        return all.stream().filter(run -> has(run.accesses.getFirst())).map(run -> {
            Instruction widest = Collections.max(run.accesses, Comparator.comparingInt(MemoryVectors::bytes));
            long before = Run.offset(widest) - run.low;
            NarrowSideBySide narrow = run.narrowSideBySide();
            long bytes = narrow != null && run.load ? narrow.bytes() : run.stride() * vc.group.lanes();
            return new Sure(widest, before, bytes - before, run.accesses, run.tests.values());
        }).toList();
    }

    private void load(Instruction i, Run run) {
        Code code = vc.code;
        if (run.there == null) {
            run.there = code.newLocal(JvmType.INT);
            run.inLine = run.sideBySide();
            Place known = new Place();
            Place meets = new Place();
            if (run.inLine != null) {
                run.prepareWords();
            }
            run.tests.values().forEach(test -> test.jumpUnlessPassed(meets));
            if (run.inLine != null) {
                sortSideBySide(run, known);
            }
            run.pushWhere();
            code.push(run.count(run.counted()));
            if (run.isNarrow()) {
                code.push(run.unit()).push(i.type().signed() ? 1 : 0);
            }
            String method = run.isNarrow() ? "loadNarrow" : run.isWide() ? "loadWide" : run.stride() > 0 ? "load" : "loadAt";
            code.push(run.alignment).push(run.slot).call(LaneRecords.class, method).store(run.there);
            if (!run.tests.isEmpty()) {
                code.jump(known).place(meets);
                run.leave();
                code.push(0).store(run.there);
            }
            code.place(known);
        }
        Place take = new Place();
        Place done = new Place();
        if (run.inLine != null) {
            takeInLine(i, run, done);
        }
        code.load(run.there).jumpIf(Condition.NE, take);
        run.callOne(i, "loadOne");
        List<Operand> elements = MemoryVectors.elements(i, true);
        if (i.type().bits() == Long.SIZE && !run.isWide()) {
            Place there = new Place();
            code.jump(there).place(take);
            code.load(vc.c.frame).cast(VectorFrame.class).push(run.slot(i)).push(elements.size()).call(LaneRecords.class, "widen");
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
        code.place(done);
    }

    /** Goes to {@code apart} unless all lanes have records that lie side by side. */
    private Local findSideBySide(Run run, Place apart) {
        Code code = vc.code;
        Local place = vc.c.scratch(JvmType.LONG, 6);
        run.pushWhere();
        code.push(run.alignment).call(LaneRecords.class, "sideBySide").store(place);
        code.load(place).push(0L).op(Op.LCMP).jumpIf(Condition.LT, apart);
        return place;
    }

    /** Sorts words out of records that lie side by side, if all lanes have such. */
    private void sortSideBySide(Run run, Place known) {
        Code code = vc.code;
        Place apart = new Place();
        run.inLine.load(findSideBySide(run, apart), run.words);
        code.push(IN_LINE).store(run.there).jump(known).place(apart);
    }

    /** Takes an access's words where they have been sorted. */
    private void takeInLine(Instruction i, Run run, Place done) {
        Code code = vc.code;
        Place other = new Place();
        code.load(run.there).push(IN_LINE).jumpIfCompared(Condition.NE, other);
        takeWords(i, run);
        code.jump(done).place(other);
    }

    private void takeWords(Instruction i, Run run) {
        List<Operand> elements = MemoryVectors.elements(i, true);
        for (int e = 0; e < elements.size(); e++) {
            for (int part = 0; part < run.parts() && !(elements.get(e) instanceof Operand.Sink); part++) {
                vc.code.load(run.words[run.word(i) + e][part]);
                if (run.kind() == Kind.INT) {
                    vc.popInts(elements.get(e), part);
                } else {
                    vc.popLongs(elements.get(e), part);
                }
            }
        }
    }

    /** Keeps the words of a store until all are there. */
    private void keep(Instruction i, Run run) {
        if (run.words == null) {
            run.words = new Local[run.count(run.accesses.getFirst().type().bytes())][];
        }
        List<Operand> elements = MemoryVectors.elements(i, false);
        for (int e = 0; e < elements.size(); e++) {
            Local[] word = new Local[run.parts()];
            run.words[run.word(i) + e] = word;
            for (int part = 0; part < word.length; part++) {
                if (run.kind() == Kind.INT) {
                    vc.pushInts(NarrowVectors.whole(elements.get(e)), part);
                } else {
                    pushLongs(elements.get(e), part);
                }
                word[part] = vc.code.newLocal(JvmType.REFERENCE);
                vc.code.store(word[part]);
            }
        }
    }

    private void storeSideBySide(Run run, Place done) {
        Place apart = new Place();
        run.inLine.store(findSideBySide(run, apart), run.words);
        vc.code.jump(done).place(apart);
        for (int w = 0; w < run.words.length; w++) {
            leaveWord(run, w);
        }
    }

    /** Leaves a word that has been kept in the frame's arrays. */
    private void leaveWord(Run run, int w) {
        Code code = vc.code;
        Local[] word = run.words[w];
        if (run.inLine.kind() == Kind.LONG) {
            leaveLongs(part -> code.load(word[part]), run, run.slot + 2 * w);
            return;
        }
        for (int part = 0; part < word.length; part++) {
            code.load(word[part]);
            pushRecords();
            code.push((run.slot + w) * vc.group.lanes() + part * vc.group.length()).call(Kind.INT.type, "intoArray", int[].class, int.class);
        }
    }

    private void store(Instruction i, Run run) {
        Code code = vc.code;
        boolean conditional = !run.before.isEmpty() || !run.tests.isEmpty();
        if (conditional && i == run.accesses.getFirst()) {
            run.findTogether();
        }
        run.inLine = run.sideBySide();
        List<Operand> elements = run.inLine == null ? MemoryVectors.elements(i, false) : List.of();
        for (int e = 0; e < elements.size(); e++) {
            if (i.type().bits() <= 32) {
                vc.leaveInts(NarrowVectors.whole(elements.get(e)), this::pushRecords, (run.slot(i) + e) * vc.group.lanes());
            } else {
                Operand value = elements.get(e);
                leaveLongs(part -> pushLongs(value, part), run, run.slot(i) + 2 * e);
            }
        }
        if (run.inLine != null) {
            keep(i, run);
        }
        Place done = new Place();
        if (conditional) {
            Place later = new Place();
            code.load(run.together).jumpIf(Condition.NE, later);
            for (int e = 0; run.inLine != null && e < MemoryVectors.elements(i, false).size(); e++) {
                leaveWord(run, run.word(i) + e);
            }
            run.callOne(i, "storeOne");
            code.jump(done).place(later);
        }
        if (i == run.accesses.getLast()) {
            storeAll(run, done);
        }
        code.place(done);
        code.line(i.location().line());
    }

    private void storeAll(Run run, Place done) {
        Code code = vc.code;
        if (run.inLine != null) {
            storeSideBySide(run, done);
        }
        run.pushWhere();
        code.push(run.count(run.counted())).push(run.isNarrow() ? run.unit() : run.some(run.counted())).push(run.alignment).push(run.slot);
        code.call(LaneRecords.class, run.isNarrow() ? "storeNarrow" : run.isWide() ? "storeWide" : run.stride() > 0 ? "store" : "storeAt");
        code.jumpIf(Condition.NE, done);
        for (Instruction access : run.accesses) {
            code.line(access.location().line());
            run.callOne(access, "storeOne");
        }
    }

    private void pushRecords() {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, "records");
    }

    /** Takes 64-bit lanes that have been put together from two slots. */
    private void takeLongs(Operand to, int slot) {
        Code code = vc.code;
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            code.staticField(VectorLanes.class, Kind.LONG.name());
            pushWideRecords(slot, part);
            code.call(Kind.LONG.type, "fromArray", VectorSpecies.class, long[].class, int.class);
            vc.popLongs(to, part);
        }
    }

    private void pushWideRecords(int slot, int part) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, "wideRecords").push(slot * vc.group.lanes() + part * Kind.LONG.length(vc.group));
    }

    private void pushLongs(Operand value, int part) {
        if (value instanceof Operand.Reg r && vc.c.held(r.register()) == Held.DOUBLE) {
            vc.pushDoubles(value, part);
            vc.code.call(Kind.DOUBLE.type, "reinterpretAsLongs");
        } else {
            vc.pushLongs(NarrowVectors.whole(value), part);
        }
    }

    /** Leaves 64-bit lanes, which are words of two slots. */
    private void leaveLongs(IntConsumer pushPart, Run run, int slot) {
        Code code = vc.code;
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            pushPart.accept(part);
            pushWideRecords(slot, part);
            code.call(Kind.LONG.type, "intoArray", long[].class, int.class);
        }
        if (!run.isWide()) {
            code.load(vc.c.frame).cast(VectorFrame.class).push(slot).push(1).call(LaneRecords.class, "narrow");
        }
    }
}
