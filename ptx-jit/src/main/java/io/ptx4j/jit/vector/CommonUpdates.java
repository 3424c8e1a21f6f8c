package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.AtomicEmitter;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.Atomics;
import io.ptx4j.jit.support.LaneUpdates;
import io.ptx4j.jit.support.SharedAtomics;

import java.lang.foreign.MemorySegment;

/**
 * Atomics at a place that is the same for all lanes: of one lane, which adds its block's sum to that of all or takes a block's ticket, or of several, which bring together
 * what they have and then update memory once. Nobody can tell: no other thread comes in between, as may well be.
 */
final class CommonUpdates {
    private final VectorCode vc;
    private final Instruction i;
    private final boolean wide;
    private final String name;

    private CommonUpdates(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.wide = i.type().bits() == 64;
        this.name = AtomicEmitter.name(i);
    }

    /** Whether the atomic, of 32 or 64 bits, has this form. */
    static boolean fits(VectorCode vc, Instruction i) {
        boolean known = (i.opcode() == Opcode.ATOM || i.opcode() == Opcode.RED) && !i.spelling().has(Modifier.ASYNC) && !i.spelling().has(Modifier.CAS);
        if (!known || i.type().bits() != 32 && i.type().bits() != 64 || AtomicEmitter.spins(i)) {
            return false;
        }
        Operand.Address address = PlaceVectors.target(i);
        Operand value = PlaceVectors.value(i);
        boolean given = value instanceof Operand.Immediate && !i.type().isFloat() || value instanceof Operand.Reg && fits(vc, i, value, false);
        boolean taken = !vc.forms.readsResult(i) || i.operand(0) instanceof Operand.Reg && fits(vc, i, i.operand(0), true);
        return given && taken && (address.space() == StateSpace.GLOBAL || address.space() == StateSpace.SHARED) && CommonStores.isCommon(vc, address);
    }

    private static boolean fits(VectorCode vc, Instruction i, Operand operand, boolean result) {
        return LaneAccesses.fitsElement(vc.forms, vc.c.context().representation(), i.type(), operand, result);
    }

    /** @param otherwise emits the atomic where lanes go one after the other, or where the place is not there or not aligned */
    static void emit(VectorCode vc, Instruction i, Runnable otherwise) {
        new CommonUpdates(vc, i).emit(otherwise);
    }

    private void emit(Runnable otherwise) {
        Code code = vc.code;
        Operand.Address address = PlaceVectors.target(i);
        Part part = Addresses.part(vc.c, address);
        Place slow = new Place();
        Place done = new Place();
        boolean read = vc.forms.readsResult(i);
        boolean several = !read && (isFolded() || addsInTurn());
        if (several) {
            code.load(vc.mask()).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, slow);
        } else {
            code.load(vc.mask()).call(Long.class, "bitCount", long.class).push(1).jumpIfCompared(Condition.NE, slow);
        }
        Local offset = CommonStores.tested(vc, address, i.type().bytes(), slow);
        boolean counted = several && i.spelling().operation() == Modifier.ADD && isFolded() && (PlaceVectors.value(i) instanceof Operand.Immediate || vc.forms.of(PlaceVectors.value(i)) instanceof Form.Uniform);
        if (!counted) {
            CommonStores.leave(vc, i, PlaceVectors.value(i), wide, 0);
        }
        vc.windows.pushSegment(part);
        vc.windows.pushPlace(part, offset, 0);
        Class<?> bits = wide ? long.class : int.class;
        if (counted) {
            pushTimes();
        } else if (!several) {
            CommonStores.pushLane(vc, wide, 0);
        } else {
            vc.pushLanes(wide);
            code.load(vc.mask());
        }
        if (several && !isFolded()) {
            code.call(LaneUpdates.class, part == Part.SHARED ? name.replace("add", "addShared") : name, MemorySegment.class, long.class, bits.arrayType(), long.class);
        } else {
            if (several && !counted) {
                code.call(LaneUpdates.class, name, bits.arrayType(), long.class);
            }
            code.call(part == Part.SHARED ? SharedAtomics.class : Atomics.class, name, MemorySegment.class, long.class, bits);
            take(read);
        }
        code.jump(done).place(slow);
        otherwise.run();
        code.place(done);
    }

    /** What all lanes have, times their number. */
    private void pushTimes() {
        if (wide) {
            vc.c.pushLong(PlaceVectors.value(i));
        } else {
            vc.c.pushInt(PlaceVectors.value(i));
        }
        vc.code.load(vc.mask()).call(Long.class, "bitCount", long.class);
        if (wide) {
            vc.code.op(Op.I2L).op(Op.LMUL);
        } else {
            vc.code.op(Op.IMUL);
        }
    }

    private void take(boolean read) {
        if (!read) {
            vc.code.pop();
            return;
        }
        vc.c.pop(i.operand(0), wide ? JvmType.LONG : JvmType.INT);
        vc.spread(((Operand.Reg) i.operand(0)).register());
    }

    /** Whether lanes may bring together what they have, in any order. */
    private boolean isFolded() {
        Modifier operation = i.spelling().operation();
        return !i.type().isFloat() && !i.type().packed() && switch (operation) {
            case ADD, MIN, MAX, AND, OR, XOR -> true;
            default -> false;
        };
    }

    /** Whether a sum is rounded for each lane, in their order, before memory is updated. */
    private boolean addsInTurn() {
        return name.equals("addF32") || name.equals("addF64");
    }
}
