package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.support.LaneRecords;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Accesses to the words of one record that may be made together, all loads or all stores, and what must hold for that. */
final class RecordRun {
    /** Words of records that code in line sorts beside code for all others: of 32 bits, and of 64, of which four take more code than methods have room for. */
    private static final int MOST_IN_LINE = 4;
    private static final int MOST_WIDE_IN_LINE = 3;
    /** Registers whose accesses those of one record may change places with. */
    private static final int MOST_TESTS = 3;
    /** Accesses with which those of one record may change places. */
    private static final int MOST_PASSED = 2 * LaneRecords.WORDS;

    private final VectorCode vc;
    private final RecordFinder finder;
    private final int number;
    /** The place of the first access. */
    private final int start;
    private final boolean load;
    private final Operand.Address address;
    private final List<Instruction> accesses = new ArrayList<>();
    private long low;
    /** Behind the last word. */
    private long end;
    private int alignment;
    private int slot;
    /** Of loads: stores since the first, which those that follow are to overtake. Of stores: accesses since the last, behind which it is to be made with the next. */
    private final List<Passed> passed = new ArrayList<>();
    /** By the other register: what finds out whether they may. */
    private final Map<Register, AliasTest> tests = new LinkedHashMap<>();
    /** Of stores: records of loads that must have been made before the first. */
    private final Set<RecordRun> before = new LinkedHashSet<>();
    /** Of stores: whether others come before them that stand behind some. */
    private boolean waitsForStores;

    /**
     * An access between those of a run.
     *
     * @param its loads made before the run's first access, of which it is one; or null
     */
    private record Passed(Instruction access, RecordRun its) {
        Operand.Address address() {
            return SteadyLoop.address(access);
        }
    }

    /** @param number of runs that have begun before */
    RecordRun(VectorCode vc, RecordFinder finder, int number, Instruction first) {
        this.vc = vc;
        this.finder = finder;
        this.number = number;
        this.start = finder.place();
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

    // Which accesses it has

    private boolean takes(Instruction i) {
        long from = offset(i);
        long to = from + MemoryVectors.bytes(i);
        int room = unit() * LaneRecords.WORDS;
        long most = stride() == 0 ? room : Math.min(room, stride());
        boolean same = isNarrow() ? i.type().bytes() == unit() && i.type().signed() == first().type().signed() : i.type().bits() >= 32;
        boolean overlaps = accesses.stream().anyMatch(a -> offset(a) < to && from < offset(a) + MemoryVectors.bytes(a));
        return same && SteadyLoop.address(i).register() == address.register() && SteadyLoop.address(i).space() == address.space() && (from - low) % unit() == 0
                && (load || !overlaps) && Math.max(end, to) - Math.min(low, from) <= most;
    }

    private boolean isSame(Operand.Address other) {
        return other.register() == address.register() && other.space() == address.space();
    }

    /** Whether it may come to change places with an access that comes now, as far as the code shows. */
    boolean passes(Instruction i, RecordRun its) {
        if (i.family() != Family.MEMORY || !MemoryVectors.isPlain(i) || passed.size() == MOST_PASSED) {
            return false;
        }
        Operand.Address other = SteadyLoop.address(i);
        boolean made = !load && its != null && its.load && its.number < number;
        // Loads that join it later are made here too.
        boolean begins = !load && its != null && its.load && !made;
        boolean tested = !begins && stride() > 0 && AliasTest.isPossible(vc, address, other) && !finder.isWrittenSince(start, other.register());
        boolean passes = stride() > 0 && made || tested || load && (AliasTest.isApart(address, other) || isSame(other));
        if (passes) {
            passed.add(new Passed(i, made ? its : null));
        }
        return passes;
    }

    /** Takes in an access if it may be made with the first, or the first with it. */
    boolean join(Instruction i) {
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

    /** Those accesses that change places with one that has been passed if another joins. */
    private List<Instruction> crossing(Passed passed, Instruction joining) {
        return load ? List.of(joining) : passed.its != null ? List.of() : accesses;
    }

    boolean isLoad() {
        return load;
    }

    Operand.Address address() {
        return address;
    }

    List<Instruction> accesses() {
        return accesses;
    }

    Instruction first() {
        return accesses.getFirst();
    }

    boolean isLast(Instruction i) {
        return i == accesses.getLast();
    }

    /** The access that needs most alignment. */
    Instruction widest() {
        return Collections.max(accesses, Comparator.comparingInt(MemoryVectors::bytes));
    }

    Collection<AliasTest> tests() {
        return tests.values();
    }

    Set<RecordRun> before() {
        return before;
    }

    boolean waitsForStores() {
        return waitsForStores;
    }

    // Where its words are

    static long offset(Instruction i) {
        return SteadyLoop.address(i).offset();
    }

    /** The offset of the first word. */
    long low() {
        return low;
    }

    int alignment() {
        return alignment;
    }

    /** Bytes from lane to lane; 0 if only the running code knows. */
    long stride() {
        return MemoryVectors.recordsHaveStride(vc, address) ? ((Form.Affine) vc.forms.of(address.register())).stride() : 0;
    }

    /** Bytes of what has a slot of its own: of a word, or a shorter element. */
    int unit() {
        return Math.min(4, first().type().bytes());
    }

    boolean isNarrow() {
        return unit() < 4;
    }

    int units() {
        return count(unit());
    }

    /** How many of so many bytes there are from the first word to the last. */
    int count(int bytes) {
        return (int) (end - low) / bytes;
    }

    int slot() {
        return slot;
    }

    void slot(int first) {
        slot = first;
    }

    /** The slot of an access's first word or element. */
    int slot(Instruction i) {
        return slot + (int) (offset(i) - low) / unit();
    }

    /** Which of so many bytes each are accessed, as bits. */
    int some(int bytes) {
        return accesses.stream().mapToInt(i -> (1 << MemoryVectors.bytes(i) / bytes) - 1 << (int) (offset(i) - low) / bytes).reduce(0, (a, b) -> a | b);
    }

    /** Whether all that lies from one record to the next is accessed. */
    private boolean isWhole() {
        return end - low == stride() && some(unit()) == (1 << units()) - 1;
    }

    /** Whether accesses are better made so than by themselves, and are aligned if the first word is. */
    boolean pays() {
        if (finder.sorting().sure()) {
            return areAligned() && (sideBySide() != null || narrowSideBySide() != null || LaneRecords.areSorted(size(), isWide()));
        }
        boolean pays = !isNarrow() ? accesses.size() > 1 || sideBySide() != null || load && stride() > 0 && stride() <= 4 * LaneRecords.WORDS
                : load ? accesses.size() > 1 || stride() > 0 && stride() <= LaneRecords.NARROW : stride() > 0 && stride() <= 4 && isWhole();
        return pays && areAligned();
    }

    /** Whether all accesses of all lanes are aligned if the widest of the first lane is. */
    private boolean areAligned() {
        return stride() % alignment == 0 && accesses.stream().allMatch(i -> (offset(i) - low) % MemoryVectors.bytes(i) == 0);
    }

    /** How many words a record has from lane to lane, if all are of one length and stores fill it; else 0. */
    private int size() {
        int bits = first().type().bits();
        boolean same = stride() > 0 && bits >= Integer.SIZE && stride() * Byte.SIZE % bits == 0 && accesses.stream().allMatch(i -> i.type().bits() == bits) && (load || isWhole());
        return same ? (int) (stride() * Byte.SIZE / bits) : 0;
    }

    /** Code in line for the words, or null. */
    SideBySide sideBySide() {
        int size = size();
        Records.Sorting sorting = finder.sorting();
        boolean room = sorting == Records.Sorting.SURE || sorting != Records.Sorting.SHARED && size <= (isWide() ? MOST_WIDE_IN_LINE : MOST_IN_LINE);
        return room && SideBySide.isPossible(size) ? new SideBySide(vc, kind(), size) : null;
    }

    /** The same for shorter elements, where it is known that all lanes have records that lie side by side. */
    NarrowSideBySide narrowSideBySide() {
        return isNarrow() && stride() <= Integer.BYTES * LaneRecords.WORDS && NarrowSideBySide.isPossible((int) stride(), load) && (load || isWhole())
                ? new NarrowSideBySide(vc, unit(), (int) stride(), load && first().type().signed()) : null;
    }

    /** Whether all words have 64 bits and lie at a known distance from lane to lane. */
    boolean isWide() {
        return stride() > 0 && accesses.stream().allMatch(i -> i.type().bits() == Long.SIZE);
    }

    /** Of the vectors of words. */
    Kind kind() {
        return isWide() ? Kind.LONG : Kind.INT;
    }

    /** Bytes of what {@link LaneRecords} count. */
    int counted() {
        return isWide() ? Long.BYTES : unit();
    }
}
