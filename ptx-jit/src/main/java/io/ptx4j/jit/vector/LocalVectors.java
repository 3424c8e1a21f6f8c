package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.support.LocalArrays;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.List;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loads and stores of local memory that lies in an array of the frame ({@link io.ptx4j.jit.scalar.LocalLayout#inArray}): words at one address of all lanes' windows are
 * vectors of that array; those at an address of each lane a processor gathers and scatters ({@link LocalArrays}, code that all kernels share).
 */
final class LocalVectors {
    private final VectorCode vc;
    private final Instruction i;
    private final boolean load;
    private final Operand.Address address;
    private final List<Operand> elements;

    private LocalVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.load = i.opcode() != Opcode.ST;
        this.address = SteadyLoop.address(i);
        this.elements = MemoryVectors.elements(i, load);
    }

    static boolean fits(VectorCode vc, Instruction i) {
        return vc.c.context().locals().inArray() && MemoryVectors.isPlain(i) && vc.group.perThread(SteadyLoop.address(i))
                && (isOne(vc.forms, SteadyLoop.address(i)) ? LaneAccesses.fitsElements(vc.forms, vc.c.context().representation(), i) : isIndexed(vc.forms, i));
    }

    /** Whether it is an access at an address of each lane that has vector code where local memory lies in an array. */
    static boolean isIndexed(Forms forms, Instruction i) {
        if (!MemoryVectors.isPlain(i) || SteadyLoop.address(i).space() != StateSpace.LOCAL || isOne(forms, SteadyLoop.address(i))) {
            return false;
        }
        Representation held = forms.representation();
        Register at = SteadyLoop.address(i).register();
        return i.spelling().vectorLength() == 1 && at.type().bits() == 64 && held.of(at) == Held.LONG && LaneAccesses.fitsElements(forms, held, i);
    }

    private static boolean isOne(Forms forms, Operand.Address address) {
        return address.register() == null || forms.of(address.register()) instanceof Form.Uniform;
    }

    /** @param laneByLane emits the access for each lane by itself */
    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        LocalVectors access = new LocalVectors(vc, i);
        if (isOne(vc.forms, access.address)) {
            access.atOnePlace(laneByLane);
        } else {
            access.atPlaces();
        }
    }

    private void atOnePlace(Runnable laneByLane) {
        Code code = vc.code;
        Place slow = new Place();
        Place done = new Place();
        Local place = vc.c.scratch(JvmType.LONG, 5);
        boolean sure = MemoryVectors.isOwn(vc, address, MemoryVectors.bytes(i));
        if (sure) {
            Addresses.pushWithin(vc.c, address, 0);
            code.store(place);
        } else {
            MemoryVectors.findWithin(vc, i, address, place, slow);
        }
        for (int e = 0; e < elements.size(); e++) {
            if (i.type().bits() < 32) {
                part(elements.get(e), place, e);
            } else if (load) {
                loadWords(elements.get(e), place, e);
            } else {
                storeWords(elements.get(e), place, e);
            }
        }
        if (!sure) {
            code.jump(done).place(slow);
            laneByLane.run();
            code.place(done);
        }
    }

    private void loadWords(Operand value, Local place, int element) {
        if (value instanceof Operand.Sink) {
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.staticField(VectorLanes.class, Kind.INT.species(vc.group));
            pushWord(place, element, part);
            vc.code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
            vc.popInts(value, part);
        }
    }

    private void storeWords(Operand value, Local place, int element) {
        Place some = new Place();
        Place done = new Place();
        // Nobody reads local memory of threads that have ended.
        boolean all = vc.othersHaveEnded();
        if (!all) {
            vc.code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, some);
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(NarrowVectors.whole(value), part);
            pushWord(place, element, part);
            vc.code.call(Kind.INT.type, "intoArray", int[].class, int.class);
        }
        if (!all) {
            vc.code.jump(done).place(some);
            part(value, place, element);
            vc.code.place(done);
        }
    }

    /** Pushes the array and where the words of a vector's lanes lie in it. */
    private void pushWord(Local place, int element, int part) {
        int window = vc.c.context().localBytes();
        Code code = vc.code;
        code.load(vc.c.frame).field(VectorFrame.class, "locals");
        if (MemoryVectors.isOwn(vc, address, MemoryVectors.bytes(i))) {
            code.push(((int) MemoryVectors.place(vc, address) / 4 + element) * vc.group.lanes() + part * vc.group.length());
        } else {
            // Words are aligned, so that nothing is lost by shifting an address less far.
            code.load(place).op(Op.L2I).push(vc.group.lanes() / 4).op(Op.IMUL).push(element * vc.group.lanes() + part * vc.group.length()).op(Op.IADD);
        }
        code.load(vc.c.thread).push(window / 4).op(Op.IMUL).op(Op.IADD);
    }

    /** Elements at one place of all lanes' windows, of 8 or 16 bits or stored by some lanes. */
    private void part(Operand value, Local place, int element) {
        if (!load) {
            vc.leave(NarrowVectors.whole(value), false, 0);
        }
        vc.code.load(vc.c.frame).load(vc.c.thread);
        if (!load) {
            vc.code.load(vc.mask());
        }
        vc.code.load(place).op(Op.L2I).push(element * i.type().bytes()).op(Op.IADD).push(vc.c.context().localBytes()).push(i.type().bits());
        if (load) {
            vc.code.push(i.type().signed() ? 1 : 0);
        }
        vc.code.call(LocalArrays.class, load ? "loadPart" : "storePart");
        if (load) {
            vc.takeInts(value, Kind.INT.lanes, 0);
        }
    }

    /**
     * Words of an array that lanes name by an index.
     *
     * @param log of how far an index is shifted left for the number of a word in an array of all lanes
     */
    record Words(IndexedAddresses.Index index, int log) {
    }

    private void atPlaces() {
        Operand value = elements.getFirst();
        IndexedAddresses.Indexed indexed = vc.forms.addresses().of(i);
        boolean byIndex = indexed != null && Long.bitCount(indexed.scale()) == 1 && indexed.scale() > 0;
        IndexedAddresses.Index index = byIndex ? indexed.index().cut(vc.forms.most(indexed.index().register())) : null;
        if (byIndex && isSure(indexed, index)) {
            atSurePlaces(indexed, index);
            return;
        }
        vc.places.keepWords(null);
        if (byIndex) {
            LaneAccesses.leaveIndices(vc, index);
        } else {
            LaneAccesses.leaveAddresses(vc, i);
        }
        if (!load) {
            vc.leave(NarrowVectors.whole(value), false, 1);
        }
        Code code = vc.code;
        code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask()).push(vc.c.context().localBytes());
        if (byIndex) {
            LaneAccesses.pushBase(vc, indexed, indexed.constant() + address.offset());
            code.push(Long.numberOfTrailingZeros(indexed.scale())).push(indexed.signed() ? 1 : 0).push(index.isWhole() ? -1 : index.mask() >>> index.shift());
        } else {
            code.push(address.offset());
        }
        code.push(i.type().bits());
        if (load) {
            code.push(i.type().signed() ? 1 : 0);
        }
        code.call(LocalArrays.class, (load ? "load" : "store") + (byIndex ? "Indexed" : ""));
        vc.failed.drop();
        if (load && !(value instanceof Operand.Sink)) {
            vc.takeInts(value, Kind.INT.lanes, 0);
        }
    }

    /** Whether the words of all lanes, executing or not, are known to be there. */
    private boolean isSure(IndexedAddresses.Indexed indexed, IndexedAddresses.Index index) {
        long start = indexed.constant() + address.offset();
        return i.type().bits() == 32 && indexed.bases().isEmpty() && indexed.scale() % 4 == 0 && start >= 0 && start % 4 == 0 && !index.isWhole()
                && start + indexed.scale() * (index.mask() >>> index.shift() & 0xFFFF_FFFFL) <= vc.c.context().localBytes() - 4;
    }

    private void atSurePlaces(IndexedAddresses.Indexed indexed, IndexedAddresses.Index index) {
        Code code = vc.code;
        Operand value = elements.getFirst();
        int lanes = vc.group.lanes();
        Words words = new Words(index, Long.numberOfTrailingZeros(indexed.scale() / 4 * lanes));
        if (!words.equals(vc.places.words())) {
            leaveWords(words);
            vc.places.keepWords(i.guard() == null ? words : null);
        }
        if (!load) {
            vc.leave(NarrowVectors.whole(value), false, 0);
        }
        code.load(vc.c.frame);
        if (!load) {
            code.load(vc.mask());
        }
        code.load(vc.c.thread).push(vc.c.context().localBytes() / 4).op(Op.IMUL).push((int) (indexed.constant() + address.offset()) / 4 * lanes).op(Op.IADD);
        code.call(LocalArrays.class, load ? "gather" : "scatter");
        if (load && !(value instanceof Operand.Sink)) {
            vc.takeInts(value, Kind.INT.lanes, 0);
        }
    }

    /** Leaves the numbers of the lanes' words, from the first one's on, where {@link LocalArrays} gathers and scatters. */
    private void leaveWords(Words words) {
        Code code = vc.code;
        Register register = words.index.register();
        int shift = words.log - words.index.shift();
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.locals.requireClass(register, part);
            vc.pushInts(NarrowVectors.whole(new Operand.Reg(register, register.type(), false)), part);
            vc.binary(Kind.INT, "AND", words.index.mask());
            if (shift != 0) {
                vc.binary(Kind.INT, shift > 0 ? "LSHL" : "LSHR", Math.abs(shift));
            }
            vc.operator("ADD");
            code.staticField(LocalArrays.class, "LANE").call(Kind.INT.type, "lanewise", VectorOperators.Binary.class, Vector.class);
            code.load(vc.c.frame).field(VectorFrame.class, "wordsOfLocals").push(part * vc.group.length());
            code.call(Kind.INT.type, "intoArray", int[].class, int.class);
        }
    }
}
