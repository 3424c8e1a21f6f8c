package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.DirectMemory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Stores to a place that is the same for all lanes, of words that are not: mostly one lane does it for the others, as where a block's sum is stored. */
final class CommonStores {
    private CommonStores() {
    }

    /** Whether the store, of elements of 32 or 64 bits, has this form. */
    static boolean fits(VectorCode vc, Instruction i) {
        if (i.opcode() != Opcode.ST || !MemoryVectors.isPlain(i) || i.type().bits() != 32 && i.type().bits() != 64) {
            return false;
        }
        return isCommon(vc, SteadyLoop.address(i)) && LaneAccesses.fitsElements(vc.forms, vc.c.context().representation(), i);
    }

    /** Whether an address is the same for all lanes, of memory that has a window. */
    static boolean isCommon(VectorCode vc, Operand.Address address) {
        return address.register() != null && vc.forms.of(address.register()) instanceof Form.Uniform && !vc.group.perThread(address) && !vc.c.addressesCluster()
                && Addresses.part(vc.c, address).isWindow() && (Addresses.part(vc.c, address) != Part.MEMORY || address.register().type().bits() == 64);
    }

    /** @param otherwise emits the store of several lanes, or where the place is not there or not aligned */
    static void emit(VectorCode vc, Instruction i, Runnable otherwise) {
        Code code = vc.code;
        Operand.Address address = SteadyLoop.address(i);
        Part part = Addresses.part(vc.c, address);
        List<Operand> elements = MemoryVectors.elements(i, false);
        boolean wide = i.type().bits() == 64;
        Place slow = new Place();
        Place done = new Place();
        code.load(vc.mask()).call(Long.class, "bitCount", long.class).push(1).jumpIfCompared(Condition.NE, slow);
        Local offset = tested(vc, address, MemoryVectors.bytes(i), slow);
        for (int e = 0; e < elements.size(); e++) {
            leave(vc, i, elements.get(e), wide, e);
        }
        for (int e = 0; e < elements.size(); e++) {
            vc.windows.pushSegment(part);
            code.staticField(DirectMemory.class, wide ? "I64" : "I32");
            vc.windows.pushPlace(part, offset, (long) e * i.type().bytes());
            pushLane(vc, wide, e);
            code.call(MemorySegment.class, "set", wide ? ValueLayout.OfLong.class : ValueLayout.OfInt.class, long.class, wide ? long.class : int.class);
        }
        code.jump(done).place(slow);
        otherwise.run();
        code.place(done);
    }

    /** The offset of a place, which is there and aligned. */
    static Local tested(VectorCode vc, Operand.Address address, int bytes, Place slow) {
        Part part = Addresses.part(vc.c, address);
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        Addresses.pushOffset(vc.c, address, 0);
        vc.code.store(offset);
        vc.windows.testAlignment(part, offset, bytes, slow);
        vc.windows.testBounds(part, offset, bytes, slow);
        return offset;
    }

    /** Puts what lanes have that may execute {@code i} into a slot of the frame; what others have is left out, so that HotSpot does not compute it. */
    static void leave(VectorCode vc, Instruction i, Operand element, boolean wide, int slot) {
        long lanes = vc.forms.executing(i);
        int length = (wide ? Kind.LONG : Kind.INT).length(vc.group);
        vc.leave(NarrowVectors.whole(element), wide, slot, p -> (lanes >>> p * length & (1L << length) - 1) != 0);
    }

    /** Pushes what the first executing lane has left there. */
    static void pushLane(VectorCode vc, boolean wide, int slot) {
        vc.pushLanes(wide);
        vc.code.load(vc.mask()).call(Long.class, "numberOfTrailingZeros", long.class).push(slot * vc.group.lanes()).op(Op.IADD).arrayLoad(wide ? JvmType.LONG : JvmType.INT);
    }
}
