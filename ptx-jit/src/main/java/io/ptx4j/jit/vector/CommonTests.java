package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One test for all accesses of a run through blocks that take their address from one value of a register: their places lie at constant distances, so the lowest and
 * the highest tell for all. It is made before the first of them; where it fails, each access is tested by itself, out of line.
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

    /** Accesses of a size by one register, their distances being multiples of it. */
    private record Key(Register base, Part part, int bytes, long remainder) {
    }

    /** The test of some accesses. */
    final class Test {
        private final List<Operand.Address> addresses = new ArrayList<>();
        private final int bytes;
        /** Bytes from the first lane's element to the end of the last one's. */
        private final int length;
        private long low;
        private long high;
        private Local bad;
        /** Of the first access, or of that in each row. */
        private final List<Local> places = new ArrayList<>();

        private Test(Operand.Address first, int bytes, int length) {
            this.bytes = bytes;
            this.length = length;
            this.low = first.offset();
            this.high = low;
        }

        private boolean takes(Operand.Address address) {
            return Math.max(high, address.offset()) - Math.min(low, address.offset()) <= MOST;
        }

        private void add(Operand.Address address) {
            addresses.add(address);
            low = Math.min(low, address.offset());
            high = Math.max(high, address.offset());
        }

        /** Pushes a number that is negative where an access may be bad. */
        void pushBad() {
            vc.code.load(bad);
        }

        /** Pushes the place of an access, and {@code extra} bytes, in {@link Windows#pushSegment}, once it is known to be good. */
        void pushPlace(Operand.Address address, long extra, int row) {
            pushPlaceOf(address.offset() + extra, row);
        }

        /** The same for an offset behind the register. */
        void pushPlaceOf(long offset, int row) {
            vc.code.load(places.get(Math.min(row, places.size() - 1)));
            long step = vc.forms.of(addresses.getFirst().register()) instanceof Form.Affine a ? a.step() * row : 0;
            if (offset + step != low) {
                vc.code.push(offset + step - low).op(Op.LADD);
            }
        }

        /** Whether the rows of the group have places of their own. */
        boolean byRow() {
            return vc.forms.of(addresses.getFirst().register()).byRow();
        }

        private void emit() {
            Code code = vc.code;
            Operand.Address first = addresses.getFirst();
            Part part = Addresses.part(vc.c, first);
            List<Local> offsets = MemoryVectors.pushOffsets(vc, first, low - first.offset());
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
                MemoryVectors.pushUnlessWraps(vc, index, vc.locals.indexOf(base, row));
                code.op(Op.LOR);
            }
        }
    }

    /** @param run the instructions that follow, in order and with nothing that leads in between */
    static CommonTests of(VectorCode vc, List<Instruction> run) {
        CommonTests found = new CommonTests(vc);
        Map<Key, Test> open = new HashMap<>();
        for (Instruction i : run) {
            // Code that is skipped must not leave a test to others.
            if (i.guard() == null && MemoryVectors.tested(vc, i) instanceof Operand.Address address) {
                int bytes = MemoryVectors.bytes(i);
                Key key = new Key(address.register(), Addresses.part(vc.c, address), bytes, Math.floorMod(address.offset(), bytes));
                Test test = open.get(key);
                if (test == null || !test.takes(address)) {
                    int lanes = vc.forms.of(address.register()).row() instanceof Form.Uniform ? 1 : vc.group.width();
                    test = found.new Test(address, bytes, lanes * bytes);
                    open.put(key, test);
                }
                test.add(address);
                found.tests.put(i, test);
            }
            found.fetches.next(i, found.tests.get(i));
            Operands.definitions(i, r -> open.keySet().removeIf(k -> k.base == r));
        }
        found.fetches.close();
        found.tests.values().removeIf(t -> t.addresses.size() < 2);
        return found;
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
