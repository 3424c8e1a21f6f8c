package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One test for all accesses of a run through blocks whose places lie at constant {@link Distances}, so that the lowest and the highest tell for all. It is made before the first of them; where it
 * fails, each access is tested by itself, out of line.
 */
final class CommonTests {
    /** The farthest apart that places of one test may lie. */
    static final long MOST = 0x1_0000;

    private final VectorCode vc;
    private final Map<Instruction, Test> tests = new IdentityHashMap<>();
    private final Fetches fetches;

    private CommonTests(VectorCode vc) {
        this.vc = vc;
        this.fetches = new Fetches(vc);
    }

    /**
     * Accesses of a size, their distances being multiples of it.
     *
     * @param root what their addresses have in common
     * @param form of the registers with their addresses
     */
    private record Key(int root, Form form, Part part, int bytes, long remainder) {
    }

    /** The test of some accesses. */
    final class Test {
        private final Operand.Address first;
        /** Where accesses are, from what their addresses have in common. */
        private final Map<Instruction, Long> offsets = new IdentityHashMap<>();
        private final int bytes;
        /** Bytes from the first lane's element to the end of the last one's. */
        private final int length;
        private final long start;
        private final long firstIndex;
        private long low;
        private long high;
        private long highIndex;
        private Local bad;
        /** Of the first access, or of that in each row. */
        private final List<Local> places = new ArrayList<>();

        private Test(Operand.Address first, Distances.Value of, int bytes, int length) {
            this.first = first;
            this.bytes = bytes;
            this.length = length;
            this.start = first.offset() + of.distance();
            this.low = start;
            this.high = start;
            this.firstIndex = of.index();
            this.highIndex = firstIndex;
        }

        /** Only indices behind the first one are tested. */
        private boolean takes(long offset, long index) {
            boolean grows = vc.forms.of(first.register()).row() instanceof Form.Affine a && a.index() instanceof Form.Index x && x.stride() >= 0;
            return Math.max(high, offset) - Math.min(low, offset) <= MOST && (index == firstIndex || index > firstIndex && grows);
        }

        private void add(Instruction i, long offset, long index) {
            offsets.put(i, offset);
            low = Math.min(low, offset);
            high = Math.max(high, offset);
            highIndex = Math.max(highIndex, index);
        }

        /** Where an access is, from what all have in common. */
        long offset(Instruction i) {
            return offsets.get(i);
        }

        /** Pushes a number that is negative where an access may be bad. */
        void pushBad() {
            vc.code.load(bad);
        }

        /** Pushes the place of an access, and {@code extra} bytes, in {@link Windows#pushSegment}, once it is known to be good. */
        void pushPlace(Instruction access, long extra, int row) {
            pushPlaceOf(offset(access) + extra, row);
        }

        /** The same for an {@link #offset}. */
        void pushPlaceOf(long offset, int row) {
            vc.code.load(places.get(Math.min(row, places.size() - 1)));
            long step = vc.forms.of(first.register()) instanceof Form.Affine a ? a.step() * row : 0;
            if (offset + step != low) {
                vc.code.push(offset + step - low).op(Op.LADD);
            }
        }

        /** Whether the rows of the group have places of their own. */
        boolean byRow() {
            return vc.forms.of(first.register()).byRow();
        }

        private void emit() {
            Code code = vc.code;
            Part part = Addresses.part(vc.c, first);
            List<Local> offsets = MemoryVectors.pushOffsets(vc, first, low - start);
            bad = code.newLocal(JvmType.LONG);
            for (int row = 0; row < offsets.size(); row++) {
                pushBad(part, first.register(), offsets.get(row), row);
                if (row > 0) {
                    code.load(bad).op(Op.LOR);
                }
                code.store(bad);
                places.add(code.newLocal(JvmType.LONG));
                vc.windows.pushPlace(part, offsets.get(row), 0);
                code.store(places.getLast());
            }
        }

        private void pushBad(Part part, Register base, Local offset, int row) {
            Code code = vc.code;
            // Negative if the lowest offset is, if nothing is left behind the highest, or where it is not aligned.
            vc.windows.pushSize(part);
            code.push(length + MemoryVectors.height(vc, base) + high - low).op(Op.LSUB).push(-1L).call(Math.class, "max", long.class, long.class);
            code.load(offset).op(Op.LSUB).load(offset).op(Op.LOR);
            if (bytes > 1) {
                vc.windows.pushAlignment(part, offset, bytes);
                code.push(bytes - 1L).op(Op.LAND).op(Op.LNEG).op(Op.LOR);
            }
            if (vc.forms.of(base).row() instanceof Form.Affine affine && affine.index() instanceof Form.Index index) {
                MemoryVectors.pushUnlessWraps(vc, index, vc.locals.indexOf(base, row), highIndex - firstIndex);
                code.op(Op.LOR);
            }
        }
    }

    /** @param run the instructions that follow, in order and with nothing that leads in between */
    static CommonTests of(VectorCode vc, List<Instruction> run) {
        CommonTests found = new CommonTests(vc);
        Map<Key, Test> open = new HashMap<>();
        Distances distances = new Distances(vc.forms);
        for (Instruction i : run) {
            // Code that is skipped must not leave a test to others.
            if ((i.guard() == null || loadsForAll(vc, i)) && MemoryVectors.tested(vc, i) instanceof Operand.Address address) {
                int bytes = MemoryVectors.bytes(i);
                Distances.Value value = distances.of(address.register());
                long offset = address.offset() + value.distance();
                Form form = vc.forms.of(address.register());
                Key key = new Key(value.root(), form instanceof Form.Affine a ? a.unaligned() : form, Addresses.part(vc.c, address), bytes, Math.floorMod(offset, bytes));
                Test test = open.get(key);
                if (test == null || !test.takes(offset, value.index())) {
                    test = found.new Test(address, value, bytes, (form.row() instanceof Form.Uniform ? 1 : vc.group.width()) * bytes);
                    open.put(key, test);
                }
                test.add(i, offset, value.index());
                found.tests.put(i, test);
            }
            found.fetches.next(i, found.tests.get(i));
            distances.next(i);
        }
        found.fetches.close();
        found.tests.values().removeIf(t -> t.offsets.size() < 2);
        return found;
    }

    /** Whether a load with a guard is made without: where its place and those of the other lanes are there, all lanes load, and some take what is loaded. */
    static boolean loadsForAll(VectorCode vc, Instruction i) {
        return i.opcode() == Opcode.LD && i.guard() != null && vc.varying(i.guard().predicate()) && i.operand(0) instanceof Operand.Reg && i.type().bits() == 32 && !vc.group.narrow()
                && i.operand(1) instanceof Operand.Address address && address.register() != null && vc.forms.of(address.register()).row() instanceof Form.Affine;
    }

    Fetches.Fetch fetch(Instruction i) {
        return fetches.of(i);
    }

    boolean has(Instruction i) {
        return tests.containsKey(i);
    }

    /** The test that serves an access, made now if it is the first; null if it is tested by itself. */
    Test test(Instruction i) {
        Test test = tests.get(i);
        if (test != null && test.bad == null) {
            test.emit();
        }
        return test;
    }
}
