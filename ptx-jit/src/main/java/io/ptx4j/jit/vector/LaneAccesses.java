package io.ptx4j.jit.vector;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.LaneMemory;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.List;

import jdk.incubator.vector.VectorSpecies;

/**
 * Loads and stores of global memory and constants at addresses of which nothing is known but by the running code. Addresses and values go through the frame to
 * {@link LaneMemory}, code that all kernels share.
 */
final class LaneAccesses {
    private final VectorCode vc;
    private final Instruction i;
    private final boolean load;
    private final Operand.Address address;
    private final List<Operand> elements;

    private LaneAccesses(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.load = i.opcode() != Opcode.ST;
        this.address = SteadyLoop.address(i);
        this.elements = MemoryVectors.elements(i, load);
    }

    /** Whether an instruction is an access of this form, be its address computed as it may. */
    static boolean fits(Forms forms, Representation representation, Instruction i) {
        if (!MemoryVectors.isPlain(i)) {
            return false;
        }
        Operand.Address address = SteadyLoop.address(i);
        boolean space = address.space() == StateSpace.GLOBAL || address.space() == StateSpace.GENERIC || address.space() == StateSpace.CONST;
        return space && address.register() != null && address.register().type().bits() == 64 && representation.of(address.register()) == Held.LONG && fitsElements(forms, representation, i);
    }

    /** Whether the elements of a plain access may go through arrays of the frame. */
    static boolean fitsElements(Forms forms, Representation representation, Instruction i) {
        List<Operand> elements = MemoryVectors.elements(i, i.opcode() != Opcode.ST);
        return i.type().bits() <= 64 && elements.size() <= 4 && elements.stream().allMatch(e -> fitsElement(forms, representation, i.type(), e, i.opcode() != Opcode.ST));
    }

    static boolean fitsElement(Forms forms, Representation representation, ScalarType type, Operand element, boolean load) {
        if (element instanceof Operand.Sink) {
            return load;
        }
        if (!(element instanceof Operand.Reg reg)) {
            return !load && element instanceof Operand.Immediate;
        }
        ScalarType held = reg.register().type();
        boolean same = type.bits() >= 32 ? MemoryVectors.isHeld(type, reg.register(), representation.of(reg.register())) : held.bits() <= 32 && held.bits() >= type.bits();
        Form form = forms.of(reg.register());
        // Stored, a register is pushed as vectors of the element's width.
        return same && !VectorCode.isPredicate(reg.register()) && (load ? !form.scalar() : !(form.row() instanceof Form.Affine affine) || affine.plain());
    }

    static void emit(VectorCode vc, Instruction i) {
        new LaneAccesses(vc, i).emit();
    }

    private boolean isWide() {
        return i.type().bits() == 64;
    }

    private void emit() {
        IndexedAddresses.Indexed indexed = vc.forms.addresses().of(i);
        if (indexed != null && load && elements.size() == 1 && Long.bitCount(indexed.scale()) == 1 && indexed.scale() > 0 && !vc.group.narrow()) {
            loadIndexed(indexed);
            vc.failed.drop();
            take(elements.getFirst(), 0);
            return;
        }
        leaveAddresses();
        if (!load) {
            for (int e = 0; e < elements.size(); e++) {
                leave(elements.get(e), e);
            }
        }
        pushLanes();
        vc.code.push(delta());
        call();
        vc.failed.drop();
        if (load) {
            for (int e = 0; e < elements.size(); e++) {
                take(elements.get(e), e);
            }
        }
    }

    /** Leaves the lanes' addresses, without the offset that an access names, in the frame's array for lanes. */
    static void leaveAddresses(VectorCode vc, Instruction i) {
        new LaneAccesses(vc, i).leaveAddresses();
    }

    private void leaveAddresses() {
        IndexedAddresses.Indexed indexed = vc.forms.addresses().of(i);
        if (indexed == null) {
            vc.leave(new Operand.Reg(address.register(), ScalarType.B64, false), true, 0);
            return;
        }
        leaveIndices(vc, indexed.index());
        vc.code.load(vc.c.frame);
        pushBase(vc, indexed, indexed.constant());
        vc.code.push(indexed.scale()).push(indexed.signed() ? 1 : 0).call(LaneMemory.class, "address");
    }

    static void leaveIndices(VectorCode vc, IndexedAddresses.Index index) {
        vc.leaveBits((Operand.Reg) NarrowVectors.whole(new Operand.Reg(index.register(), index.register().type(), false)), index.mask(), index.shift());
    }

    /** Pushes what is the same in the addresses of all lanes. */
    static void pushBase(VectorCode vc, IndexedAddresses.Indexed indexed, long constant) {
        vc.code.push(constant);
        for (Register base : indexed.bases()) {
            vc.c.pushLong(new Operand.Reg(base, ScalarType.B64, false));
            vc.code.op(Op.LADD);
        }
    }

    private void loadIndexed(IndexedAddresses.Indexed indexed) {
        // Lanes that wait elsewhere may hold any number, but all lanes load.
        IndexedAddresses.Index index = indexed.index().cut(vc.forms.most(indexed.index().register()));
        leaveIndices(vc, index);
        pushLanes();
        pushBase(vc, indexed, indexed.constant() + delta());
        vc.code.push(Long.numberOfTrailingZeros(indexed.scale())).push(indexed.signed() ? 1 : 0).push(index.isWhole() ? -1 : index.mask() >>> index.shift());
        if (isWide()) {
            vc.code.call(LaneMemory.class, "loadIndexed64");
        } else {
            vc.code.push(i.type().bits()).push(cut()).call(LaneMemory.class, "loadIndexed");
        }
    }

    /** Pushes who accesses, and the part of the worker that addresses lie in. */
    private void pushLanes() {
        vc.code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask());
        vc.c.push(Addresses.part(vc.c, address));
    }

    /** What makes an address an offset. */
    private long delta() {
        return address.offset() - (Addresses.part(vc.c, address) == Part.MEMORY ? AddressSpace.ORIGIN : 0);
    }

    private int cut() {
        int bits = i.type().bits();
        return i.type().signed() || bits == 32 ? -1 : (1 << bits) - 1;
    }

    private void call() {
        if (!isWide()) {
            vc.code.push(i.type().bits());
        }
        vc.code.push(elements.size());
        if (load && !isWide()) {
            vc.code.push(cut());
        }
        vc.code.call(LaneMemory.class, (load ? "load" : "store") + (isWide() ? "64" : ""));
    }

    private void leave(Operand value, int element) {
        if (isWide()) {
            vc.leave(NarrowVectors.whole(value), true, 1 + element);
        } else {
            vc.leave(NarrowVectors.whole(value), false, element);
        }
    }

    private void take(Operand value, int element) {
        if (value instanceof Operand.Sink) {
            return;
        }
        if (isWide()) {
            vc.takeLongs(value, 1 + element);
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.staticField(VectorLanes.class, Kind.INT.species(vc.group));
            vc.code.load(vc.c.frame).field(VectorFrame.class, Kind.INT.lanes);
            vc.code.push(element * vc.group.lanes() + part * vc.group.length()).call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
            vc.popInts(value, part);
        }
    }
}
