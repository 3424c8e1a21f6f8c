package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Butterflies;
import io.ptx4j.jit.support.ButterflyPattern;
import io.ptx4j.jit.support.PatternPlaces;
import io.ptx4j.jit.support.PendingButterflies;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Neighbouring instructions that load a word at each of two places of shared memory, compute, and store one at either. Where {@link Butterflies} finds that
 * vectors of lanes have whole vectors of memory, a method of its own does one after the other; else words are loaded and stored each access by itself.
 *
 * @param before instructions among them that compute scalars, and may come first
 * @param all the others, in order
 * @param first the place loaded first
 * @param scalars uniform registers that they read
 * @param end behind the last in the list that they come from
 */
record Butterfly(List<Instruction> before, List<Instruction> all, Operand.Address first, Operand.Address second, List<Register> scalars, int end) {
    /** Beyond so many instructions between the first and the last access nobody looks. */
    private static final int MOST = 64;
    private static final int ACCESSES = 4;

    /** What begins with instruction {@code from} of a block's; null if that is none. */
    static Butterfly at(VectorShape shape, VectorCode vc, int block, List<Instruction> alone, int from) {
        if (from < 0 || vc.group.narrow() || vc.forms.matrixSlots() > 0 || place(vc, alone.get(from)) == null || alone.get(from).opcode() != Opcode.LD) {
            return null;
        }
        List<Instruction> before = new ArrayList<>();
        List<Instruction> all = new ArrayList<>();
        List<Operand.Address> loaded = new ArrayList<>();
        List<Operand.Address> stored = new ArrayList<>();
        int end = from;
        while (loaded.size() + stored.size() < ACCESSES) {
            if (end == alone.size() || end - from > MOST) {
                return null;
            }
            Instruction i = alone.get(end++);
            Operand.Address address = place(vc, i);
            if (address != null) {
                boolean load = i.opcode() == Opcode.LD;
                if ((load ? loaded : stored).contains(address) || load && !stored.isEmpty() || !load && !loaded.contains(address)) {
                    return null;
                }
                (load ? loaded : stored).add(address);
                all.add(i);
            } else if (isPure(i) && isScalar(vc, i)) {
                before.add(i);
            } else if (isPure(i)) {
                all.add(i);
            } else {
                return null;
            }
        }
        if (loaded.size() != 2 || !bits(vc, loaded.get(0)).origin().equals(bits(vc, loaded.get(1)).origin()) || !mayComeFirst(before, alone.subList(from, end))) {
            return null;
        }
        Set<Register> written = new HashSet<>();
        all.forEach(i -> Operands.definitions(i, written::add));
        Set<Register> scalars = new LinkedHashSet<>();
        boolean self = true;
        Set<Register> known = new HashSet<>();
        for (Instruction i : all) {
            if (place(vc, i) == null || i.opcode() == Opcode.ST) {
                for (Register read : reads(vc, i)) {
                    boolean uniform = vc.forms.of(read) instanceof Form.Uniform;
                    // A scalar that comes with a vector stays in the method that computes it.
                    self &= uniform != known.contains(read);
                    if (uniform) {
                        scalars.add(read);
                    }
                }
            }
            Operands.definitions(i, known::add);
        }
        Butterfly butterfly = new Butterfly(before, all, loaded.get(0), loaded.get(1), List.copyOf(scalars), end);
        return self && isOver(shape, block, alone, end, written) && butterfly.hasCode(vc) ? butterfly : null;
    }

    private static Form.Bits bits(VectorCode vc, Operand.Address address) {
        return ((Form.Affine) vc.forms.of(address.register())).bits();
    }

    /** The place of a load or store whose lanes lie in a known way; else null. */
    private static Operand.Address place(VectorCode vc, Instruction i) {
        if (i.guard() != null || BitPlaces.address(i) == null || !MemoryVectors.fits(vc, i)) {
            return null;
        }
        Operand.Address address = (Operand.Address) i.operand(i.opcode() == Opcode.LD ? 1 : 0);
        return PlaceVectors.hasPattern(vc, address) ? address : null;
    }

    /** Whether it can do nothing but give its results. */
    static boolean isPure(Instruction i) {
        return i.guard() == null && i.operands().stream().noneMatch(o -> o instanceof Operand.Special) && switch (i.family()) {
            case INTEGER, FLOATING_POINT, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> true;
            default -> false;
        };
    }

    private static boolean isScalar(VectorCode vc, Instruction i) {
        boolean[] scalar = {true};
        Operands.definitions(i, r -> scalar[0] &= !vc.varying(r));
        return scalar[0];
    }

    /** Registers read, but for those that say where an access goes. */
    private static List<Register> reads(VectorCode vc, Instruction i) {
        List<Register> reads = new ArrayList<>();
        Operands.uses(i, reads::add);
        if (place(vc, i) != null) {
            reads.clear();
            reads.add(((Operand.Reg) i.operand(1)).register());
        }
        return reads;
    }

    /** Whether those that compute scalars read nothing that the others write, and overwrite nothing that another one before them reads or writes. */
    static boolean mayComeFirst(List<Instruction> before, List<Instruction> run) {
        Set<Register> seen = new HashSet<>();
        Set<Register> written = new HashSet<>();
        for (Instruction i : run) {
            if (before.contains(i)) {
                boolean[] over = {false};
                Operands.definitions(i, r -> over[0] |= seen.contains(r));
                Operands.uses(i, r -> over[0] |= written.contains(r));
                if (over[0]) {
                    return false;
                }
            } else {
                Operands.definitions(i, written::add);
                Operands.uses(i, seen::add);
                seen.addAll(written);
            }
        }
        return true;
    }

    /** Whether nobody reads behind the end what is written. */
    private static boolean isOver(VectorShape shape, int block, List<Instruction> alone, int end, Set<Register> written) {
        Set<Register> read = new HashSet<>(shape.liveness.liveOut(block));
        List<Instruction> whole = shape.graph.blocks().get(block).instructions();
        for (Instruction i : whole.subList(whole.indexOf(alone.get(end - 1)) + 1, whole.size())) {
            Operands.uses(i, read::add);
        }
        read.add(Operands.use(shape.graph.blocks().get(block).terminator()));
        return written.stream().noneMatch(read::contains);
    }

    /** Finds out by trying, in a method that nobody loads. */
    private boolean hasCode(VectorCode vc) {
        try {
            emitMethod(vc, ClassCode.probe(), "butterfly", true);
            return true;
        } catch (NoCode none) {
            return false;
        }
    }

    /** Whether a group does nothing behind it but stop, so that it may wait for the other groups ({@link PendingGroups}). */
    boolean waits(boolean stops, List<Instruction> alone) {
        return scalars.isEmpty() && stops && alone.subList(end, alone.size()).stream().noneMatch(PendingGroups::touches);
    }

    /**
     * Emits the question whether all have whole vectors, and what is done then and else.
     *
     * @param waits whether other groups come to it before anything is done
     * @param line called before each access that may fail
     */
    void emit(VectorCode vc, ClassCode classCode, PendingGroups pending, boolean waits, Consumer<Instruction> line) {
        String descriptor = descriptor(vc);
        int site = pending.next();
        String name = "butterfly" + site;
        if (!classCode.isProbe()) {
            emitMethod(vc, classCode, name, true);
            emitMethod(vc, classCode, name + "apart", false);
            pending.add(name, waits);
        }
        Code code = vc.code;
        Place again = new Place();
        Place apart = new Place();
        Place done = new Place();
        vc.places.forgetAll();
        if (waits) {
            code.load(vc.c.frame).field(VectorFrame.class, "pending");
            vc.c.push(Part.SHARED);
            code.load(vc.mask());
            vc.c.pushInt(placeOf(first));
            vc.c.pushInt(placeOf(second));
            code.load(vc.locals.indexOf(first.register())).push(site).call(PendingButterflies.class, "addLike").jumpIf(Condition.NE, done);
        }
        code.place(again).load(vc.c.frame);
        vc.c.push(Part.SHARED);
        code.load(vc.mask());
        pushPlace(vc, first);
        pushPlace(vc, second);
        code.load(vc.locals.indexOf(first.register())).push(vc.forms.number(first.register())).push(site).call(Butterflies.class, "find");
        if (waits) {
            Local found = vc.c.scratch(JvmType.INT, 4);
            code.store(found).load(found).push(Butterflies.FOUND).jumpIfCompared(Condition.EQ, done);
            PendingGroups.finish(vc);
            code.load(found).jumpIf(Condition.NE, again);
        } else {
            code.jumpIf(Condition.EQ, apart);
            call(vc, name, descriptor);
            code.jump(done);
        }
        code.place(apart);
        for (Instruction i : all) {
            if (i.opcode() == Opcode.LD) {
                line.accept(i);
                vc.places.load((Operand.Address) i.operand(1), null, true);
                code.load(vc.c.frame).push(number(i.operand(1))).call(Butterflies.class, "keep");
            }
        }
        call(vc, name + "apart", descriptor);
        for (Instruction i : all) {
            if (i.opcode() == Opcode.ST) {
                line.accept(i);
                code.load(vc.c.frame).push(number(i.operand(0))).call(Butterflies.class, "bring");
                vc.places.store((Operand.Address) i.operand(0), null, true);
            }
        }
        code.place(done);
        vc.places.forgetAll();
    }

    private void call(VectorCode vc, String name, String descriptor) {
        vc.code.load(vc.c.frame);
        scalars.forEach(r -> vc.code.load(vc.c.local(r)));
        vc.code.callOwn(name, descriptor);
    }

    private int number(Operand address) {
        return address.equals(first) ? 0 : 1;
    }

    private static Operand placeOf(Operand.Address address) {
        return new Operand.Reg(address.register(), ScalarType.U32, false);
    }

    private static void pushPlace(VectorCode vc, Operand.Address address) {
        Form.Affine form = (Form.Affine) vc.forms.of(address.register());
        vc.c.pushInt(placeOf(address));
        vc.code.push(address.offset()).push(PatternPlaces.shape((int) form.stride(), form.bits().factor()));
    }

    private String descriptor(VectorCode vc) {
        StringBuilder text = new StringBuilder("(Lio/ptx4j/jit/support/VectorFrame;");
        scalars.forEach(r -> text.append(vc.c.held(r).type().descriptor()));
        return text.append(")V").toString();
    }

    /**
     * Emits the method that goes from one vector of lanes to the next, of all groups that have come.
     *
     * @param whole whether it loads and stores whole vectors of memory; else it finds words in the frame and leaves them there, those of one group
     */
    private void emitMethod(VectorCode vc, ClassCode classCode, String name, boolean whole) {
        Code code = classCode.staticMethod(name, descriptor(vc));
        Local frame = code.parameter(0, JvmType.REFERENCE);
        ThreadCode c = new ThreadCode(vc.c.context(), code, frame, frame, frame);
        int slot = 1;
        for (Register register : scalars) {
            Local local = code.parameter(slot, c.held(register).type());
            slot += local.type().slots();
            c.bind(register, local);
        }
        VectorCode one = new VectorCode(c, vc.group.vector(), vc.forms);
        Local lanes = code.newLocal(JvmType.LONG);
        Local v = code.newLocal(JvmType.INT);
        Local lane = code.newLocal(JvmType.INT);
        Local[] results = {code.newLocal(JvmType.REFERENCE), code.newLocal(JvmType.REFERENCE)};
        code.push(one.group.full()).store(lanes).push(0).store(v).push(0).store(lane);
        one.lanes(lanes, r -> false);
        Memory memory = whole ? new Memory(code, frame) : null;
        Place again = new Place();
        code.place(again);
        if (whole) {
            memory.begin(v);
        }
        for (Instruction i : all) {
            code.line(Math.max(1, i.location().line()));
            if (place(vc, i) == null) {
                VectorEmitter.emit(one, i, () -> {
                    throw new NoCode("lane by lane");
                });
            } else if (i.opcode() == Opcode.LD && whole) {
                memory.choose(memory.words[number(i.operand(1))], memory.vectors);
                one.popInts(i.operand(0), 0);
            } else if (i.opcode() == Opcode.LD) {
                code.staticField(VectorLanes.class, Kind.INT.name());
                pushWords(vc, code, frame, lane, Butterflies.LOADED + number(i.operand(1)));
                code.call(IntVector.class, "fromArray", VectorSpecies.class, int[].class, int.class);
                one.popInts(i.operand(0), 0);
            } else {
                // What is stored first may be overwritten before the second is.
                one.pushInts(i.operand(1), 0);
                code.store(results[number(i.operand(0))]);
            }
        }
        for (int n = 0; n < 2; n++) {
            if (whole) {
                memory.store(n, results);
            } else {
                code.load(results[n]);
                pushWords(vc, code, frame, lane, Butterflies.RESULTS + n);
                code.call(IntVector.class, "intoArray", int[].class, int.class);
            }
        }
        if (whole) {
            memory.next();
        }
        code.increment(lane, one.group.lanes()).increment(v, 1);
        code.load(v).push(vc.group.vectors()).jumpIfCompared(Condition.LT, again);
        if (whole) {
            code.load(memory.pending).push(0).putField(PendingButterflies.class, "count");
        }
        code.ret().end();
    }

    private static void pushWords(VectorCode vc, Code code, Local frame, Local lane, int slot) {
        code.load(frame).field(VectorFrame.class, Kind.INT.lanes).load(lane).push(slot * vc.group.lanes()).op(Op.IADD);
    }

    /** Accesses to whole vectors of memory, of one group after the other. */
    private static final class Memory {
        private final Code code;
        private final Local pending;
        private final Local pattern;
        private final Local memory;
        private final Local tables;
        private final Local table;
        private final Local group;
        private final Local count;
        /** Where all groups' words are, and how far from there the present vector of lanes has its two vectors. */
        private final Local[] places = new Local[2];
        private final Local[] distances = new Local[2];
        private final Local[] vectors = new Local[2];
        /** Numbers of the words that lanes load, and of the lanes whose words are stored. */
        private final Local[] words = new Local[2];
        private final Local[] lanes = new Local[2];
        private final Place again = new Place();

        Memory(Code code, Local frame) {
            this.code = code;
            this.pending = code.newLocal(JvmType.REFERENCE);
            this.pattern = code.newLocal(JvmType.REFERENCE);
            this.memory = code.newLocal(JvmType.REFERENCE);
            this.tables = code.newLocal(JvmType.REFERENCE);
            this.table = code.newLocal(JvmType.LONG);
            this.group = code.newLocal(JvmType.INT);
            this.count = code.newLocal(JvmType.INT);
            code.load(frame).field(VectorFrame.class, "pending").store(pending);
            code.load(pending).field(PendingButterflies.class, "pattern").store(pattern);
            code.load(pending).field(PendingButterflies.class, "count").store(count);
            for (int n = 0; n < 2; n++) {
                places[n] = code.newLocal(JvmType.REFERENCE);
                distances[n] = code.newLocal(JvmType.LONG);
                vectors[n] = code.newLocal(JvmType.REFERENCE);
                words[n] = code.newLocal(JvmType.REFERENCE);
                lanes[n] = code.newLocal(JvmType.REFERENCE);
                code.load(pending).field(PendingButterflies.class, n == 0 ? "from" : "other").store(places[n]);
            }
            Place direct = new Place();
            code.load(pattern).field(ButterflyPattern.class, "at").store(table);
            code.staticField(Butterflies.class, "ALL").store(memory).staticField(Butterflies.class, "ALL").store(tables);
            code.staticField(Butterflies.class, "DIRECT").jumpIf(Condition.NE, direct);
            code.load(pending).field(PendingButterflies.class, "segment").store(memory);
            code.load(pattern).field(ButterflyPattern.class, "numbers").store(tables).place(direct);
        }

        /** Begins a vector of lanes: what is the same for all groups, and the words of the first. */
        void begin(Local v) {
            for (int n = 0; n < 2; n++) {
                code.load(pattern).field(ButterflyPattern.class, n == 0 ? "low" : "high").load(v).arrayLoad(JvmType.INT).op(Op.I2L).store(distances[n]);
                numbers(n, words[n]);
                numbers(2 + n, lanes[n]);
            }
            code.load(table).push((long) ButterflyPattern.NUMBERS * Butterflies.BYTES).op(Op.LADD).store(table);
            code.push(0).store(group).place(again);
            for (int n = 0; n < 2; n++) {
                code.staticField(VectorLanes.class, Kind.INT.name()).load(memory);
                pushPlace(n);
                code.staticField(VectorLanes.class, "ORDER").call(IntVector.class, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
                code.store(vectors[n]);
            }
        }

        private void numbers(int n, Local to) {
            code.staticField(VectorLanes.class, Kind.INT.name()).load(tables).load(table).push((long) n * Butterflies.BYTES).op(Op.LADD);
            code.staticField(VectorLanes.class, "ORDER").call(IntVector.class, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
            code.store(to);
        }

        void store(int n, Local[] results) {
            choose(lanes[n], results);
            code.load(memory);
            pushPlace(n);
            code.staticField(VectorLanes.class, "ORDER").call(IntVector.class, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
        }

        /** Goes on with the next group. */
        void next() {
            code.increment(group, 1).load(group).load(count).jumpIfCompared(Condition.LT, again);
        }

        /** Pushes where vector {@code n} of memory is. */
        private void pushPlace(int n) {
            code.load(places[n]).load(group).arrayLoad(JvmType.LONG).load(distances[n]).op(Op.LADD);
        }

        /** Pushes a vector of elements of two others. */
        void choose(Local numbers, Local[] of) {
            code.load(numbers).load(of[0]).load(of[1]).call(IntVector.class, "selectFrom", Vector.class, Vector.class);
        }
    }
}
