package io.ptx4j.jit.vector;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
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

    private LaneAccesses(VectorCode vc, Instruction i, boolean load) {
        this.vc = vc;
        this.i = i;
        this.load = load;
        this.address = (Operand.Address) i.operand(load ? 1 : 0);
        this.elements = MemoryVectors.elements(i, load);
    }

    /** Whether a plain load or store has this form. */
    static boolean fits(VectorCode vc, Instruction i, boolean load) {
        return new LaneAccesses(vc, i, load).fits();
    }

    static void emit(VectorCode vc, Instruction i) {
        new LaneAccesses(vc, i, i.opcode() != Opcode.ST).emit();
    }

    private boolean fits() {
        boolean space = address.space() == StateSpace.GLOBAL || address.space() == StateSpace.GENERIC || address.space() == StateSpace.CONST;
        return space && address.register() != null && address.register().type().bits() == 64 && i.type().bits() <= 64
                && vc.c.held(address.register()) == Held.LONG && elements.size() <= 4 && elements.stream().allMatch(this::fits);
    }

    private boolean fits(Operand element) {
        if (element instanceof Operand.Sink) {
            return load;
        }
        if (!(element instanceof Operand.Reg reg)) {
            return !load && element instanceof Operand.Immediate;
        }
        ScalarType held = reg.register().type();
        boolean same = i.type().bits() >= 32 ? held.bits() == i.type().bits() : held.bits() <= 32 && held.bits() >= i.type().bits();
        return same && !VectorCode.isPredicate(reg.register()) && (load ? vc.varying(reg.register()) : isPlain(reg));
    }

    /** Whether a register's value can be pushed as vectors of the element's width. */
    private boolean isPlain(Operand.Reg reg) {
        return !(vc.forms.of(reg.register()).row() instanceof Form.Affine affine) || affine.plain();
    }

    private boolean isWide() {
        return i.type().bits() == 64;
    }

    private void emit() {
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            vc.pushLongs(new Operand.Reg(address.register(), ScalarType.B64, false), part);
            leaveLongs(0, part);
        }
        if (!load) {
            for (int e = 0; e < elements.size(); e++) {
                leave(elements.get(e), e);
            }
        }
        Code code = vc.code;
        code.load(vc.c.worker).load(vc.c.frame).cast(VectorFrame.class).load(vc.c.thread).load(vc.mask());
        Part part = Addresses.part(vc.c, address);
        vc.c.push(part);
        code.push(address.offset() - (part == Part.MEMORY ? AddressSpace.ORIGIN : 0));
        call();
        vc.failed.drop();
        if (load) {
            for (int e = 0; e < elements.size(); e++) {
                take(elements.get(e), e);
            }
        }
    }

    private void call() {
        Code code = vc.code;
        int bits = i.type().bits();
        if (!load && bits < 64) {
            code.push(bits);
        }
        code.push(elements.size());
        if (load && bits < 32) {
            code.push(i.type().signed() ? -1 : (1 << bits) - 1);
        }
        code.call(LaneMemory.class, load ? "load" + bits : isWide() ? "store64" : "store");
    }

    /** Stores the vector of 64-bit values on the stack into a slot of the frame's array for lanes. */
    private void leaveLongs(int slot, int part) {
        pushLongs();
        vc.code.push(slot * vc.group.lanes() + part * Kind.LONG.length(vc.group)).call(Kind.LONG.type, "intoArray", long[].class, int.class);
    }

    private void pushLongs() {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, Kind.LONG.lanes);
    }

    private void leave(Operand value, int element) {
        if (!isWide()) {
            vc.leaveInts(NarrowVectors.whole(value), element);
            return;
        }
        boolean doubles = value instanceof Operand.Reg r && vc.c.held(r.register()) == Held.DOUBLE;
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            if (doubles) {
                vc.pushDoubles(value, part);
                vc.code.call(Kind.DOUBLE.type, "reinterpretAsLongs");
            } else {
                vc.pushLongs(NarrowVectors.whole(value), part);
            }
            leaveLongs(1 + element, part);
        }
    }

    private void take(Operand value, int element) {
        if (value instanceof Operand.Sink) {
            return;
        }
        Kind kind = isWide() ? Kind.LONG : Kind.INT;
        int slot = isWide() ? 1 + element : element;
        for (int part = 0; part < kind.parts(vc.group); part++) {
            vc.code.staticField(VectorLanes.class, kind.species(vc.group));
            vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, kind.lanes);
            vc.code.push(slot * vc.group.lanes() + part * kind.length(vc.group));
            vc.code.call(kind.type, "fromArray", VectorSpecies.class, kind.array, int.class);
            if (isWide()) {
                vc.popLongs(value, part);
            } else {
                vc.popInts(value, part);
            }
        }
    }
}
