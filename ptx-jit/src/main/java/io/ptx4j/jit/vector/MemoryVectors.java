package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
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
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import jdk.incubator.vector.Vector;

/**
 * Loads and stores of neighbouring elements by neighbouring lanes. They are vector accesses where all lanes' elements lie in the
 * segment and are aligned; whatever does not is done lane by lane, which finds out who fails.
 */
final class MemoryVectors {
    /** Scratch locals of rows have numbers from here on. */
    static final int SCRATCH = 10;

    private MemoryVectors() {
    }

    /** Whether the access has a vector form. */
    static boolean fits(VectorCode vc, Instruction i) {
        return LocalVectors.fits(vc, i) || hasShape(vc, i) || LaneAccesses.fits(vc.forms, vc.c.context().representation(), i);
    }

    static boolean isLoad(Instruction i) {
        return i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU;
    }

    /** Whether it is a load or store without an order. */
    static boolean isPlain(Instruction i) {
        return (isLoad(i) || i.opcode() == Opcode.ST) && Operands.isWeak(i)
                && Math.abs(SteadyLoop.address(i).offset()) <= Integer.MAX_VALUE;
    }

    /** Whether it has a form for how the lanes' elements are known to lie. */
    private static boolean hasShape(VectorCode vc, Instruction i) {
        boolean load = isLoad(i);
        if (!load && i.opcode() != Opcode.ST) {
            return false;
        }
        Operand.Address address = (Operand.Address) i.operand(load ? 1 : 0);
        if (TableVectors.fits(vc, i)) {
            return true;
        }
        if (!isPlain(i)) {
            return false;
        }
        List<Operand> elements = elements(i, load);
        if (!vc.group.perThread(address)) {
            boolean single = elements.size() == 1 && fits(vc, i.type(), elements.getFirst(), load);
            boolean one = single && (i.type().bits() >= 32 || inOnePiece(vc, i, address));
            return neighbours(vc, i, address) ? one || elements.size() > 1 && inOnePiece(vc, i, address) && TupleVectors.fits(vc, i.type(), elements, load)
                    : PlaceVectors.fitsPair(vc, i.type(), address, elements, load) || single && !(elements.getFirst() instanceof Operand.Sink)
                            && (PlaceVectors.fits(vc, i.type(), address) || !load && StridedStores.fits(vc, i, address) || wordsHaveStride(vc, i, address));
        }
        return ownPlaces(vc, address) && elements.stream().allMatch(e -> fits(vc, i.type(), e, load));
    }

    /** The address of a load or store that {@link CommonTests} may serve; else null. */
    static Operand.Address tested(VectorCode vc, Instruction i) {
        if (i.family() != Family.MEMORY || i.opcode() != Opcode.LD && i.opcode() != Opcode.LDU && i.opcode() != Opcode.ST
                || !(i.operand(i.opcode() == Opcode.ST ? 0 : 1) instanceof Operand.Address address) || address.register() == null
                || vc.group.perThread(address) || vc.c.addressesCluster() || !Addresses.part(vc.c, address).isWindow()
                || address.register().type().bits() <= 32 && Addresses.part(vc.c, address) == Part.MEMORY) {
            return null;
        }
        boolean one = vc.forms.of(address.register()).row() instanceof Form.Uniform && stepsUp(vc, i, address);
        return one ? CommonLoads.fits(vc, i) ? address : null : hasShape(vc, i) && neighbours(vc, i, address) ? address : null;
    }

    /** Whether the lanes access the same place of their windows, and those places lie side by side. */
    private static boolean ownPlaces(VectorCode vc, Operand.Address address) {
        return !vc.c.context().locals().isPlain() && !vc.c.context().locals().inArray()
                && (address.register() == null || vc.forms.of(address.register()) instanceof Form.Uniform);
    }

    /** Whether the lanes access neighbouring elements. */
    private static boolean neighbours(VectorCode vc, Instruction i, Operand.Address address) {
        Register base = address.register();
        if (base == null || !(vc.forms.of(base).row() instanceof Form.Affine affine) || affine.stride() != bytes(i) || affine.bits() != null
                || affine.index() != null && Math.abs((long) affine.index().stride()) > bytes(i)) {
            return false;
        }
        return keepsDistance(vc, address, affine) && stepsUp(vc, i, address) && (i.opcode() != Opcode.ST || !isShared(vc, address));
    }

    /** Whether the first elements of the rows lie apart by a distance of so many elements upwards, or each where only the running code knows. */
    private static boolean stepsUp(VectorCode vc, Instruction i, Operand.Address address) {
        return !(vc.forms.of(address.register()) instanceof Form.Affine a) || a.step() >= 0 && a.step() % bytes(i) == 0 && a.step() <= CommonTests.MOST;
    }

    /** Whether the lanes of all rows access the same elements. */
    private static boolean isShared(VectorCode vc, Operand.Address address) {
        return vc.group.rows() > 1 && !vc.forms.of(address.register()).byRow();
    }

    /** Whether the elements of neighbouring lanes lie side by side from the first to the last row. */
    private static boolean inOnePiece(VectorCode vc, Instruction i, Operand.Address address) {
        return vc.group.rows() == 1 || address.register() != null && vc.forms.of(address.register()) instanceof Form.Affine a
                && a.step() == a.stride() * vc.group.width() && a.stride() == bytes(i);
    }

    /** Bytes from the first row's element to the last one's, where that is known. */
    static long height(VectorCode vc, Register base) {
        return vc.forms.of(base) instanceof Form.Affine a ? a.step() * (vc.group.rows() - 1) : 0;
    }

    /** Whether the addresses lie as far apart as the form says: those of 32 bits may wrap around. */
    private static boolean keepsDistance(VectorCode vc, Operand.Address address, Form.Affine affine) {
        return address.register().type().bits() > 32 || affine.plain() && Addresses.part(vc.c, address) != Part.MEMORY;
    }

    /** Whether the lanes access words at a constant distance from lane to lane, which code does that all kernels share. */
    private static boolean wordsHaveStride(VectorCode vc, Instruction i, Operand.Address address) {
        if (vc.group.narrow() || i.type().bits() != 32 || address.register() == null
                || !(vc.forms.of(address.register()).row() instanceof Form.Affine affine) || affine.bits() != null) {
            return false;
        }
        boolean space = switch (address.space()) {
            case GLOBAL, GENERIC, SHARED -> true;
            default -> false;
        };
        return space && keepsDistance(vc, address, affine) && affine.stride() == (int) affine.stride();
    }

    /** Whether the lanes of a vector access words at a constant distance that no {@link io.ptx4j.jit.support.LanePlaces window} holds. */
    private static boolean stepsFar(VectorCode vc, Instruction i, Operand.Address address) {
        return wordsHaveStride(vc, i, address) && Math.abs(((Form.Affine) vc.forms.of(address.register()).row()).stride()) > 2 * i.type().bytes();
    }

    /** Whether it is an access that {@link Records} may make together with others. */
    static boolean isOfRecord(VectorCode vc, Instruction i) {
        if (!LaneAccesses.fits(vc.forms, vc.c.context().representation(), i) && !isOfSharedRecord(vc, i) || bytes(i) > 16 || vc.group.rows() > 1 || vc.group.narrow()
                || vc.group.lanes() < VectorLanes.INT.length() || TableVectors.fits(vc, i)) {
            return false;
        }
        Operand.Address address = SteadyLoop.address(i);
        Form form = vc.forms.of(address.register());
        boolean narrow = i.type().bits() < 32;
        boolean several = i.spelling().vectorLength() > 1;
        boolean other = several && (narrow || i.type().bits() == 64) || !neighbours(vc, i, address);
        return !vc.group.perThread(address) && other && (recordsHaveStride(vc, address) || !form.scalar() && (!narrow || i.opcode() != Opcode.ST));
    }

    /** The same where all lanes of one vector are known to have records side by side. */
    static boolean isOfSureRecord(VectorCode vc, Instruction i) {
        return LaneAccesses.fits(vc.forms, vc.c.context().representation(), i) && bytes(i) <= 16 && vc.group.rows() == 1 && !vc.group.narrow()
                && vc.group.lanes() == VectorLanes.INT.length() && !TableVectors.fits(vc, i) && !vc.group.perThread(SteadyLoop.address(i)) && recordsHaveStride(vc, SteadyLoop.address(i))
                && !fitsNeighbours(vc, i);
    }

    /** Whether words in shared memory lie at a constant distance from lane to lane. */
    private static boolean isOfSharedRecord(VectorCode vc, Instruction i) {
        return isPlain(i) && SteadyLoop.address(i) instanceof Operand.Address address && PlaceVectors.fits(vc, i.type(), address) && recordsHaveStride(vc, address)
                && LaneAccesses.fitsElements(vc.forms, vc.c.context().representation(), i);
    }

    /** Whether records begin at a constant distance from lane to lane. */
    static boolean recordsHaveStride(VectorCode vc, Operand.Address address) {
        return vc.forms.of(address.register()) instanceof Form.Affine affine && affine.bits() == null && affine.stride() > 1
                && affine.stride() == (int) affine.stride() && keepsDistance(vc, address, affine);
    }

    /** Whether the lanes' addresses are one, or lie at a constant distance from lane to lane. */
    static boolean isLinear(VectorCode vc, Operand.Address address) {
        return address.register() != null && (vc.forms.of(address.register()) instanceof Form.Uniform
                || vc.forms.of(address.register()) instanceof Form.Affine affine && affine.bits() == null && affine.step() == 0 && affine.stride() == (int) affine.stride()
                        && keepsDistance(vc, address, affine));
    }

    private static boolean fits(VectorCode vc, ScalarType type, Operand value, boolean load) {
        if (value instanceof Operand.Sink) {
            return true;
        }
        if (type.bits() < 32) {
            return NarrowVectors.fits(vc, type, value, load);
        }
        if (value instanceof Operand.Reg reg) {
            return isHeld(type, reg.register(), vc.c.held(reg.register())) && (!load || vc.varying(reg.register())) && kind(vc, type, value) != null;
        }
        return value instanceof Operand.Immediate && (type.bits() == 32 || type.bits() == 64);
    }

    /** Whether each lane accesses one element, and these lie side by side. */
    static boolean fitsNeighbours(VectorCode vc, Instruction i) {
        boolean load = i.opcode() != Opcode.ST;
        Operand.Address address = (Operand.Address) i.operand(load ? 1 : 0);
        List<Operand> elements = elements(i, load);
        return hasShape(vc, i) && !vc.group.perThread(address) && neighbours(vc, i, address) && elements.size() == 1
                && !(elements.getFirst() instanceof Operand.Sink);
    }

    /** Bytes that a lane accesses. */
    static int bytes(Instruction i) {
        return i.type().bytes() * i.spelling().vectorLength();
    }

    static List<Operand> elements(Instruction i, boolean load) {
        return values(i.operand(load ? 0 : 1));
    }

    static List<Operand> values(Operand operand) {
        return operand instanceof Operand.Vector v ? v.elements() : List.of(operand);
    }

    /** Whether a register may take elements of 32 or 64 bits, or leave them: one of their width, or for words one of 64 bits, which they fill or are cut from. */
    static boolean isHeld(ScalarType type, Register register, Held held) {
        return register.type().bits() == type.bits() || type.bits() == 32 && held == Held.LONG;
    }

    /** How the value goes through memory. */
    private static Kind kind(VectorCode vc, ScalarType type, Operand value) {
        Held held = value instanceof Operand.Reg r ? vc.c.held(r.register()) : null;
        return switch (type.bits()) {
            case 32 -> held == Held.FLOAT ? Kind.FLOAT : Kind.INT;
            case 64 -> held == Held.DOUBLE ? Kind.DOUBLE : Kind.LONG;
            default -> null;
        };
    }

    /** @param laneByLane emits the access for each lane by itself */
    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        Code code = vc.code;
        boolean load = i.opcode() != Opcode.ST;
        Operand.Address address = (Operand.Address) i.operand(load ? 1 : 0);
        List<Operand> elements = elements(i, load);
        if (TableVectors.fits(vc, i)) {
            TableVectors.emit(vc, i);
            return;
        }
        if (vc.recordsOf(i) instanceof Records records) {
            records.emit(i);
            return;
        }
        if (LocalVectors.fits(vc, i)) {
            LocalVectors.emit(vc, i, laneByLane);
            return;
        }
        if (!hasShape(vc, i)) {
            LaneAccesses.emit(vc, i);
            return;
        }
        if (!vc.group.perThread(address) && !neighbours(vc, i, address)) {
            if (elements.size() == 2) {
                pair(vc, i, address, elements);
            } else if (!load && i.type().bits() == 8) {
                StridedStores.emit(vc, address, elements.getFirst(), laneByLane);
            } else if (!PlaceVectors.fits(vc, i.type(), address) || stepsFar(vc, i, address)) {
                vc.places.steps(address, elements.getFirst(), load);
            } else if (load) {
                vc.places.load(address, elements.getFirst(), i.guard() == null);
            } else {
                vc.places.store(address, elements.getFirst(), i.guard() == null);
            }
            return;
        }
        Place slow = new Place();
        Place done = new Place();
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        boolean tuples = elements.size() > 1 && !vc.group.perThread(address);
        boolean words = elements.size() == 1 && i.type().bits() == 32 && !(elements.getFirst() instanceof Operand.Sink) && !vc.group.perThread(address)
                && !vc.group.narrow();
        if (vc.sure() && !vc.group.perThread(address)) {
            Addresses.pushOffset(vc.c, address, 0);
            code.store(offset);
            access(vc, i, elements.getFirst(), Span.at(vc, address, List.of(offset)));
            return;
        }
        List<Local> offsets = List.of(offset);
        CommonTests.Test test = vc.test(i);
        if (test != null) {
            test.pushBad();
            code.push(0L).op(Op.LCMP).jumpIf(Condition.LT, slow);
        } else if (vc.group.perThread(address)) {
            findOwn(vc, i, address, offset, slow);
        } else {
            offsets = findNeighbours(vc, i, address, slow);
        }
        Span all = test == null ? Span.at(vc, address, offsets) : Span.at(vc, i, test);
        if (words && load) {
            loadWords(vc, i, all, slow, () -> vc.places.stepsAside(address, isShared(vc, address)));
            return;
        }
        if (tuples && load) {
            TupleVectors.load(vc, elements, all);
        } else if (tuples) {
            TupleVectors.store(vc, elements, all, slow);
        }
        for (int e = 0; e < elements.size() && !tuples; e++) {
            Operand value = elements.get(e);
            Span span = all.behind(e * vc.group.lanes());
            Kind kind = kind(vc, i.type(), value);
            if (value instanceof Operand.Sink) {
                continue;
            }
            if (i.type().bits() < 32) {
                NarrowVectors.emit(vc, i.type(), value, load, span);
            } else if (load) {
                SpanVectors.load(vc, i, kind, span, value);
            } else if (words) {
                boolean inLine = vc.areTurnsAlone() && Addresses.part(vc.c, address) == Part.SHARED && !SpanVectors.halves(vc, kind, value);
                Place some = inLine ? new Place() : slow;
                code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, some);
                SpanVectors.storeAll(vc, i, kind, span, value);
                if (inLine) {
                    code.jump(done).place(some);
                    SpanVectors.storeAmong(vc, i, kind, span, value);
                }
            } else if (vc.group.perThread(address) && vc.othersHaveEnded()) {
                // Nobody reads local memory of threads that have ended.
                SpanVectors.storeAll(vc, i, kind, span, value);
            } else {
                SpanVectors.store(vc, i, kind, span, value);
            }
        }
        if (vc.group.perThread(address) && isOwn(vc, address, bytes(i))) {
            return;
        }
        code.jump(done).place(slow);
        if (words) {
            vc.places.steps(address, elements.getFirst(), false);
        } else {
            laneByLane.run();
        }
        code.place(done);
    }

    private static void pair(VectorCode vc, Instruction i, Operand.Address address, List<Operand> words) {
        if (isLoad(i)) {
            vc.places.loadPair(address, words, i.guard() == null);
        } else {
            vc.places.storePair(address, words, i.guard() == null);
        }
    }

    /** Loads words from where they lie side by side, be it where they are copied to because they do not. */
    private static void loadWords(VectorCode vc, Instruction i, Span there, Place slow, Runnable loadAside) {
        Code code = vc.code;
        Place read = new Place();
        Place aside = new Place();
        Local segment = vc.c.scratch(JvmType.REFERENCE, 1);
        int rows = there.rows() == Span.Rows.ONE_PIECE || there.rows() == Span.Rows.SHARED ? 1 : vc.group.rows();
        List<Local> places = IntStream.range(0, rows).mapToObj(row -> vc.c.scratch(JvmType.LONG, row == 0 ? 6 : SCRATCH + vc.group.rows() + row)).toList();
        for (int row = 0; row < rows; row++) {
            there.pushPlace(row * vc.group.width(), i.type());
            code.store(places.get(row)).store(segment);
        }
        code.jump(read).place(slow);
        if (i.guard() != null) {
            code.load(vc.mask()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, aside);
        }
        loadAside.run();
        code.place(aside);
        code.load(vc.c.frame).field(VectorFrame.class, "words").call(DirectMemory.class, "whole").store(segment);
        for (int row = 0; row < rows; row++) {
            code.load(vc.c.frame).field(VectorFrame.class, "words").push(4L * row * vc.group.width());
            code.call(DirectMemory.class, "place").store(places.get(row));
        }
        code.place(read);
        SpanVectors.load(vc, i, kind(vc, i.type(), i.operand(0)), new Span(vc, there.rows(), (row, extra) -> {
            code.load(segment);
            vc.windows.pushBehind(places.get(row), extra);
        }, 0), i.operand(0));
    }

    /** Loads or stores the elements of all lanes, which are known to be there. */
    private static void access(VectorCode vc, Instruction i, Operand value, Span span) {
        Kind kind = kind(vc, i.type(), value);
        boolean load = i.opcode() != Opcode.ST;
        if (i.type().bits() < 32) {
            NarrowVectors.emit(vc, i.type(), value, load, span);
        } else if (load) {
            SpanVectors.load(vc, i, kind, span, value);
        } else {
            SpanVectors.storeAll(vc, i, kind, span, value);
        }
    }

    /**
     * Goes to {@code slow} if not all lanes' elements are sure to be there.
     *
     * @return the offset of lane 0's element, or those of each row's first one
     */
    static List<Local> findNeighbours(VectorCode vc, Instruction i, Operand.Address address, Place slow) {
        Part part = Addresses.part(vc.c, address);
        Register base = address.register();
        List<Local> offsets = pushOffsets(vc, address, 0);
        for (int row = 0; row < offsets.size(); row++) {
            vc.windows.testAlignment(part, offsets.get(row), bytes(i), slow);
            if (((Form.Affine) vc.forms.of(base).row()).index() instanceof Form.Index index) {
                testWrap(vc, index, vc.locals.indexOf(base, row), slow);
            }
            vc.windows.testBounds(part, offsets.get(row), (long) vc.group.width() * bytes(i) + height(vc, base), slow);
        }
        return offsets;
    }

    /** Computes the offset of lane 0's element and {@code extra} bytes, or those of each row's first one. */
    static List<Local> pushOffsets(VectorCode vc, Operand.Address address, long extra) {
        List<Local> offsets = new ArrayList<>();
        for (int row = 0; row < (vc.forms.hasRows(address.register()) ? vc.group.rows() : 1); row++) {
            offsets.add(vc.c.scratch(JvmType.LONG, row == 0 ? 5 : SCRATCH + row));
            vc.locals.inRow(row, List.of(address.register()), () -> Addresses.pushOffset(vc.c, address, extra));
            vc.code.store(offsets.getLast());
        }
        return offsets;
    }

    /** Goes to {@code slow} if the index of a lane wraps around. */
    static void testWrap(VectorCode vc, Form.Index index, Local first, Place slow) {
        int span = index.stride() * (vc.group.width() - 1);
        vc.code.load(first);
        if (!index.signed()) {
            vc.code.push(Integer.MIN_VALUE).op(Op.IXOR);
        }
        vc.code.push((span >= 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE) - span);
        vc.code.jumpIfCompared(span >= 0 ? Condition.GT : Condition.LT, slow);
    }

    /**
     * Pushes a {@code long} that is negative if the index of a lane wraps around.
     *
     * @param more added to indices that grow from lane to lane
     */
    static void pushUnlessWraps(VectorCode vc, Form.Index index, Local first, long more) {
        Code code = vc.code;
        int span = index.stride() * (vc.group.width() - 1);
        long bound = (span >= 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE) - span - more;
        if (span >= 0) {
            code.push(bound);
        }
        code.load(first);
        if (!index.signed()) {
            code.push(Integer.MIN_VALUE).op(Op.IXOR);
        }
        code.op(Op.I2L);
        if (span < 0) {
            code.push(bound);
        }
        code.op(Op.LSUB);
    }

    /** As {@link #findNeighbours} for the words of all lanes at one address of their windows. */
    private static void findOwn(VectorCode vc, Instruction i, Operand.Address address, Local offset, Place slow) {
        Code code = vc.code;
        int window = vc.c.context().localBytes();
        if (isOwn(vc, address, bytes(i))) {
            code.push(place(vc, address) * vc.group.lanes());
            code.load(vc.c.thread).op(Op.I2L).push((long) window).op(Op.LMUL).op(Op.LADD).store(offset);
            return;
        }
        findWithin(vc, i, address, offset, slow);
        code.load(offset).push((long) vc.group.lanes()).op(Op.LMUL);
        code.load(vc.c.thread).op(Op.I2L).push((long) window).op(Op.LMUL).op(Op.LADD).store(offset);
    }

    /** Leaves the lanes' one address in their windows in a local; goes to {@code slow} if what they access is not there, or not aligned. */
    static void findWithin(VectorCode vc, Instruction i, Operand.Address address, Local place, Place slow) {
        Code code = vc.code;
        Addresses.pushWithin(vc.c, address, 0);
        code.store(place);
        // Of 64 bits, so that HotSpot sees where a loop's steps are whole elements and looks at the alignment once, before the loop.
        code.load(place).push(bytes(i) - 1L).op(Op.LAND).push(0L).op(Op.LCMP).jumpIf(Condition.NE, slow);
        code.load(place).push(Math.max(0, (long) vc.c.context().localBytes() - bytes(i) + 1)).call(Long.class, "compareUnsigned", long.class, long.class).jumpIf(Condition.GE, slow);
    }

    /** Whether an access of so many bytes to local memory names a place that is known to lie in the thread's window. */
    static boolean isOwn(VectorCode vc, Operand.Address address, int bytes) {
        long place = address.register() == null ? place(vc, address) : -1;
        return place >= 0 && place <= vc.c.context().localBytes() - bytes && place % bytes == 0;
    }

    static long place(VectorCode vc, Operand.Address address) {
        return address.offset() + (address.variable() == null ? 0 : vc.c.context().graph().localOffsets().get(address.variable()));
    }

}
