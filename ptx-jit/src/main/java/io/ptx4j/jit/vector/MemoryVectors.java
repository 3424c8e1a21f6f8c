package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.DirectMemory;
import io.ptx4j.jit.support.RowPlaces;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

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
        boolean load = i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU;
        if (!load && i.opcode() != Opcode.ST) {
            return false;
        }
        Modifier order = i.spelling().one(Modifier.Category.ORDER);
        Operand.Address address = (Operand.Address) i.operand(load ? 1 : 0);
        if (TableVectors.fits(vc, i)) {
            return true;
        }
        if (order != null && order != Modifier.WEAK || Math.abs(address.offset()) > Integer.MAX_VALUE) {
            return false;
        }
        List<Operand> elements = elements(i, load);
        if (!vc.group.perThread(address)) {
            boolean single = elements.size() == 1 && fits(vc, i.type(), elements.getFirst(), load);
            boolean one = single && (i.type().bits() >= 32 || inOnePiece(vc, i, address));
            return neighbours(vc, i, address) ? one || elements.size() > 1 && inOnePiece(vc, i, address) && TupleVectors.fits(vc, i.type(), elements, load)
                    : single && !(elements.getFirst() instanceof Operand.Sink)
                            && (PlaceVectors.fits(vc, i.type(), address) || !load && StridedStores.fits(vc, i, address) || steps(vc, i, address));
        }
        return ownPlaces(vc, address) && elements.stream().allMatch(e -> fits(vc, i.type(), e, load));
    }

    /** Whether one load of elements of 32 or 64 bits serves all lanes that {@link #loadOnce} has code for. */
    static boolean fitsOnce(VectorCode vc, Instruction i) {
        Modifier order = i.spelling().one(Modifier.Category.ORDER);
        boolean load = i.opcode() == Opcode.LD && (order == null || order == Modifier.WEAK) && (i.type().bits() == 32 || i.type().bits() == 64);
        return load && i.operand(1) instanceof Operand.Address address && address.register() != null
                && !vc.group.perThread(address) && !vc.c.addressesCluster() && Addresses.part(vc.c, address).isWindow()
                && elements(i, true).stream().allMatch(e -> e instanceof Operand.Reg to && !vc.varying(to.register()) && to.register().type().bits() == i.type().bits());
    }

    /** Whether {@link #loadOnce} has its tests in line: for words of integers, such as those of a large number. */
    static boolean fitsOnceAlone(VectorCode vc, Instruction i) {
        return fitsOnce(vc, i) && i.operand(0) instanceof Operand.Reg to && i.type().bits() == 32 && !i.type().isFloat() && vc.c.held(to.register()) != Held.FLOAT;
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
        return one ? fitsOnce(vc, i) ? address : null : fits(vc, i) && neighbours(vc, i, address) ? address : null;
    }

    /**
     * A load of words that are the same for all lanes, with its tests in line: where a method is long, HotSpot leaves those calls calls that come last, and
     * keeps no vector in a register over them.
     *
     * @param otherwise emits the load where the word is not there or not aligned
     */
    static void loadOnce(VectorCode vc, Instruction i, Runnable otherwise) {
        Code code = vc.code;
        Operand.Address address = (Operand.Address) i.operand(1);
        Part part = Addresses.part(vc.c, address);
        Place slow = new Place();
        Place done = new Place();
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        CommonTests.Test test = vc.test(i);
        Fetches.Fetch fetch = vc.fetch(i);
        if (fetch != null && fetch.byRow()) {
            loadOnceByRow(vc, i, test, fetch);
            return;
        }
        if (fetch != null) {
            fetch.prepare();
        }
        if (test != null) {
            test.pushBad();
            code.push(0L).op(Op.LCMP).jumpIf(Condition.LT, slow);
        } else {
            Addresses.pushOffset(vc.c, address, 0);
            code.store(offset);
            vc.windows.testAlignment(part, offset, bytes(i), slow);
            vc.windows.testBounds(part, offset, bytes(i), slow);
        }
        List<Operand> elements = elements(i, true);
        List<Register> results = elements.stream().map(e -> ((Operand.Reg) e).register()).toList();
        for (int row = 0; row < (results.stream().anyMatch(vc.forms::hasRows) ? vc.group.rows() : 1); row++) {
            int r = row;
            vc.locals.inRow(row, results, () -> loadElements(vc, i, elements, r, offset));
        }
        code.jump(done).place(slow);
        otherwise.run();
        code.place(done);
    }

    /** The same for words side by side, a vector of them for each row; what is not there is brought to where these leave theirs. */
    private static void loadOnceByRow(VectorCode vc, Instruction i, CommonTests.Test test, Fetches.Fetch fetch) {
        Code code = vc.code;
        Operand.Address address = (Operand.Address) i.operand(1);
        Place slow = new Place();
        Place done = new Place();
        fetch.prepare();
        test.pushBad();
        code.push(0L).op(Op.LCMP).jumpIf(Condition.LT, slow);
        for (int row = 0; row < vc.group.rows(); row++) {
            fetch.bring(address, row);
        }
        code.jump(done).place(slow);
        List<Operand> elements = elements(i, true);
        for (int e = 0; e < elements.size(); e++) {
            code.load(vc.c.worker).load(vc.c.frame).cast(VectorFrame.class).load(vc.c.thread).load(vc.mask());
            vc.c.push(Addresses.part(vc.c, address));
            Addresses.pushOffset(vc.c, address, 4L * e);
            code.push(vc.group.width()).push((int) step(vc, address)).push(address.register().type().bits() <= 32 ? 1 : 0);
            fetch.pushWhere(address, 4L * e);
            code.call(RowPlaces.class, "loadOnce");
        }
        vc.failed.drop();
        code.place(done);
        for (int row = 0; row < vc.group.rows(); row++) {
            int r = row;
            vc.locals.inRow(row, elements.stream().map(e -> ((Operand.Reg) e).register()).toList(), () -> {
                for (int e = 0; e < elements.size(); e++) {
                    fetch.pushWord(address, 4L * e, r);
                    vc.c.pop(elements.get(e), vc.c.held(((Operand.Reg) elements.get(e)).register()) == Held.FLOAT ? JvmType.FLOAT : JvmType.INT);
                }
            });
        }
    }

    private static void loadElements(VectorCode vc, Instruction i, List<Operand> elements, int row, Local offset) {
        Code code = vc.code;
        Operand.Address address = (Operand.Address) i.operand(1);
        Part part = Addresses.part(vc.c, address);
        CommonTests.Test test = vc.test(i);
        Fetches.Fetch fetch = vc.fetch(i);
        for (int e = 0; e < elements.size(); e++) {
            Operand to = elements.get(e);
            JvmType type = switch (vc.c.held(((Operand.Reg) to).register())) {
                case FLOAT -> JvmType.FLOAT;
                case DOUBLE -> JvmType.DOUBLE;
                case INT, WIDE -> JvmType.INT;
                case LONG -> JvmType.LONG;
            };
            long distance = (long) e * i.type().bytes();
            if (fetch != null) {
                fetch.push(address, distance);
            } else {
                vc.windows.pushSegment(part);
                code.staticField(DirectMemory.class, (type == JvmType.FLOAT || type == JvmType.DOUBLE ? "F" : "I") + i.type().bits());
                if (test != null) {
                    test.pushPlace(address, distance, row);
                } else {
                    vc.windows.pushPlace(part, offset, distance);
                }
                code.call(MemorySegment.class, "get", layout(type), long.class);
            }
            vc.c.pop(to, type);
        }
    }

    private static Class<?> layout(JvmType type) {
        return switch (type) {
            case FLOAT -> ValueLayout.OfFloat.class;
            case DOUBLE -> ValueLayout.OfDouble.class;
            case LONG -> ValueLayout.OfLong.class;
            case INT -> ValueLayout.OfInt.class;
            case REFERENCE -> throw new IllegalStateException();
        };
    }

    /** Whether the lanes access the same place of their windows, and those places lie side by side. */
    private static boolean ownPlaces(VectorCode vc, Operand.Address address) {
        return !vc.c.context().locals().isPlain()
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
    private static boolean steps(VectorCode vc, Instruction i, Operand.Address address) {
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

    private static boolean fits(VectorCode vc, ScalarType type, Operand value, boolean load) {
        if (value instanceof Operand.Sink) {
            return true;
        }
        if (type.bits() < 32) {
            return NarrowVectors.fits(vc, type, value, load);
        }
        if (value instanceof Operand.Reg reg) {
            // Other widths, such as a 32-bit load into a 64-bit register, go lane by lane.
            return reg.register().type().bits() == type.bits() && (!load || vc.varying(reg.register()))
                    && (kind(vc, type, value) != null);
        }
        return value instanceof Operand.Immediate && (type.bits() == 32 || type.bits() == 64);
    }

    /** Whether each lane accesses one element, and these lie side by side. */
    static boolean fitsNeighbours(VectorCode vc, Instruction i) {
        boolean load = i.opcode() != Opcode.ST;
        Operand.Address address = (Operand.Address) i.operand(load ? 1 : 0);
        List<Operand> elements = elements(i, load);
        return fits(vc, i) && !vc.group.perThread(address) && neighbours(vc, i, address) && elements.size() == 1
                && !(elements.getFirst() instanceof Operand.Sink);
    }

    /** Bytes that a lane accesses. */
    static int bytes(Instruction i) {
        return i.type().bytes() * i.spelling().vectorLength();
    }

    private static List<Operand> elements(Instruction i, boolean load) {
        return i.operand(load ? 0 : 1) instanceof Operand.Vector v ? v.elements() : List.of(i.operand(load ? 0 : 1));
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
        if (!vc.group.perThread(address) && !neighbours(vc, i, address)) {
            if (!load && i.type().bits() == 8) {
                StridedStores.emit(vc, address, elements.getFirst(), laneByLane);
            } else if (!PlaceVectors.fits(vc, i.type(), address)) {
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
        Span all = test == null ? Span.at(vc, address, offsets) : Span.at(vc, address, test);
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
                load(vc, i, kind, span, value);
            } else if (words) {
                code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, slow);
                storeAll(vc, i, kind, span, value);
            } else if (vc.group.perThread(address) && vc.othersHaveEnded()) {
                // Nobody reads local memory of threads that have ended.
                storeAll(vc, i, kind, span, value);
            } else {
                store(vc, i, kind, span, value);
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

    /** Loads words from where they lie side by side, be it where they are copied to because they do not. */
    private static void loadWords(VectorCode vc, Instruction i, Span there, Place slow, Runnable aside) {
        Code code = vc.code;
        Place read = new Place();
        Local segment = vc.c.scratch(JvmType.REFERENCE, 1);
        int rows = there.rows == Rows.ONE_PIECE || there.rows == Rows.SHARED ? 1 : vc.group.rows();
        List<Local> places = IntStream.range(0, rows).mapToObj(row -> vc.c.scratch(JvmType.LONG, row == 0 ? 6 : SCRATCH + vc.group.rows() + row)).toList();
        for (int row = 0; row < rows; row++) {
            there.pushPlace(row * vc.group.width(), i.type());
            code.store(places.get(row)).store(segment);
        }
        code.jump(read).place(slow);
        aside.run();
        code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, "words").call(DirectMemory.class, "whole").store(segment);
        for (int row = 0; row < rows; row++) {
            code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, "words").push(4L * row * vc.group.width());
            code.call(DirectMemory.class, "place").store(places.get(row));
        }
        code.place(read);
        load(vc, i, kind(vc, i.type(), i.operand(0)), new Span(vc, there.rows, (row, extra) -> {
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
            load(vc, i, kind, span, value);
        } else {
            storeAll(vc, i, kind, span, value);
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

    /** Pushes a {@code long} that is negative if the index of a lane wraps around. */
    static void pushUnlessWraps(VectorCode vc, Form.Index index, Local first) {
        Code code = vc.code;
        int span = index.stride() * (vc.group.width() - 1);
        long bound = (span >= 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE) - span;
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
        Addresses.pushWithin(vc.c, address, 0);
        code.store(offset);
        // Of 64 bits, so that HotSpot sees where a loop's steps are whole elements and looks at the alignment once, before the loop.
        code.load(offset).push(bytes(i) - 1L).op(Op.LAND).push(0L).op(Op.LCMP).jumpIf(Condition.NE, slow);
        code.load(offset).push(Math.max(0, (long) window - bytes(i) + 1)).call(Long.class, "compareUnsigned", long.class, long.class).jumpIf(Condition.GE, slow);
        code.load(offset).push((long) vc.group.lanes()).op(Op.LMUL);
        code.load(vc.c.thread).op(Op.I2L).push((long) window).op(Op.LMUL).op(Op.LADD).store(offset);
    }

    /** Whether an access of so many bytes to local memory names a place that is known to lie in the thread's window. */
    private static boolean isOwn(VectorCode vc, Operand.Address address, int bytes) {
        long place = address.register() == null ? place(vc, address) : -1;
        return place >= 0 && place <= vc.c.context().localBytes() - bytes && place % bytes == 0;
    }

    private static long place(VectorCode vc, Operand.Address address) {
        return address.offset() + (address.variable() == null ? 0 : vc.c.context().graph().localOffsets().get(address.variable()));
    }

    /**
     * Where the group's elements lie, side by side, at least those of each row.
     *
     * @param place pushes segment and place of so many bytes behind the first element of a row
     * @param first element of lane 0
     */
    record Span(VectorCode vc, Rows rows, RowPlace place, int first) {
        /** At an offset in the window of an address, or one for each row. */
        static Span at(VectorCode vc, Operand.Address address, List<Local> offsets) {
            Part part = Addresses.part(vc.c, address);
            return new Span(vc, Rows.of(vc, address), (row, extra) -> {
                vc.windows.pushSegment(part);
                vc.windows.pushPlace(part, offsets.get(Math.min(row, offsets.size() - 1)), extra + step(vc, address) * row);
            }, 0);
        }

        /** Where a test of several accesses has found it. */
        static Span at(VectorCode vc, Operand.Address address, CommonTests.Test test) {
            return new Span(vc, Rows.of(vc, address), (row, extra) -> {
                vc.windows.pushSegment(Addresses.part(vc.c, address));
                test.pushPlace(address, extra, row);
            }, 0);
        }

        Span behind(int elements) {
            return new Span(vc, rows, place, first + elements);
        }

        /** Pushes segment and offset of the element of {@code lane}. */
        void pushPlace(int lane, ScalarType type) {
            if (rows == Rows.ONE_PIECE) {
                place.push(0, (long) (first + lane) * type.bytes());
            } else {
                place.push(lane / vc.group.width(), (long) (lane % vc.group.width()) * type.bytes());
            }
        }

        /** Pushes segment, offset of the element of {@code lane}, and byte order. */
        void push(int lane, ScalarType type) {
            pushPlace(lane, type);
            vc.code.staticField(VectorLanes.class, "ORDER");
        }
    }

    /** How the elements of a group's rows lie: as one, all rows the same, or those of each row by themselves. */
    private enum Rows {
        ONE_PIECE, SHARED, APART;

        static Rows of(VectorCode vc, Operand.Address address) {
            if (vc.group.rows() == 1 || vc.group.perThread(address)) {
                return ONE_PIECE;
            }
            Form form = vc.forms.of(address.register());
            return !form.byRow() ? SHARED : form instanceof Form.Affine a && a.step() == a.stride() * vc.group.width() ? ONE_PIECE : APART;
        }
    }

    /** Pushes what lies so many bytes behind the first element of a row. */
    private interface RowPlace {
        void push(int row, long extra);
    }

    /** Bytes from row to row where they are known and for all rows the same, else 0. */
    private static long step(VectorCode vc, Operand.Address address) {
        return address.register() != null && vc.forms.of(address.register()) instanceof Form.Affine a ? a.step() : 0;
    }

    /** Whether the value is a word held zero-extended in two vectors: then each of these goes through memory as a vector of half the size. */
    private static boolean halves(VectorCode vc, Kind kind, Operand value) {
        return kind == Kind.INT && vc.group.spread() == 2 && vc.isWord(value);
    }

    private static void load(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        if (halves(vc, kind, value)) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.code.staticField(VectorLanes.class, "HALF_INT");
                span.push(part * Kind.LONG.length(vc.group), i.type());
                vc.code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
                vc.convert("ZERO_EXTEND_I2L", Kind.LONG, 0);
                vc.store(((Operand.Reg) value).register(), part);
            }
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            boolean again = span.rows == Rows.SHARED && vc.group.row(kind, part) > 0;
            // What all rows have in common is loaded once.
            Local loaded = span.rows == Rows.SHARED ? vc.locals.temporary(kind, 4 + vc.group.column(kind, part) / kind.length(vc.group)) : null;
            if (again) {
                vc.code.load(loaded);
            } else {
                vc.code.staticField(VectorLanes.class, kind.species(vc.group));
                span.push(part * kind.length(vc.group), i.type());
                vc.code.call(kind.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
            }
            if (loaded != null && !again) {
                vc.code.store(loaded).load(loaded);
            }
            switch (kind) {
                case INT -> vc.popInts(value, part);
                case FLOAT -> vc.popFloats(value, part);
                case LONG -> vc.popLongs(value, part);
                case DOUBLE -> vc.popDoubles(value, part);
            }
        }
    }

    /** Stores of all lanes. */
    private static void storeAll(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        if (halves(vc, kind, value)) {
            Local[] words = vc.locals.vectors(((Operand.Reg) value).register());
            if (VectorLanes.INT.vectorBitSize() == 512) {
                // One operation of a processor that chooses words from two vectors, and one store.
                for (int part = 0; part < words.length; part += 2) {
                    vc.code.staticField(VectorLanes.class, "EVEN");
                    vc.code.load(words[part]).call(Kind.LONG.type, "reinterpretAsInts").load(words[part + 1]).call(Kind.LONG.type, "reinterpretAsInts");
                    vc.code.call(Kind.INT.type, "selectFrom", Vector.class, Vector.class);
                    span.push(part * Kind.LONG.length(vc.group), i.type());
                    vc.code.call(Kind.INT.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
                }
                return;
            }
            for (int part = 0; part < words.length; part++) {
                vc.code.load(words[part]);
                vc.convert("L2I", "HALF_INT", Kind.INT, 0);
                span.push(part * Kind.LONG.length(vc.group), i.type());
                vc.code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            push(vc, kind, value, part);
            span.push(part * kind.length(vc.group), i.type());
            vc.code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
        }
    }

    private static void push(VectorCode vc, Kind kind, Operand value, int part) {
        switch (kind) {
            case INT -> vc.pushInts(value, part);
            case FLOAT -> vc.pushFloatBits(value, part);
            case LONG -> vc.pushLongs(value, part);
            case DOUBLE -> vc.pushDoubles(value, part);
        }
    }

    private static void store(VectorCode vc, Instruction i, Kind kind, Span span, Operand value) {
        Code code = vc.code;
        Place masked = new Place();
        Place done = new Place();
        code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, masked);
        storeAll(vc, i, kind, span, value);
        code.jump(done).place(masked);
        if (i.type().bits() == 32 && !vc.group.narrow()) {
            vc.places.storeSome(span, value);
            code.place(done);
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            push(vc, kind, value, part);
            span.push(part * kind.length(vc.group), i.type());
            code.load(vc.mask());
            vc.vectorMask(kind, part);
            code.call(kind.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class, VectorMask.class);
        }
        code.place(done);
    }
}
