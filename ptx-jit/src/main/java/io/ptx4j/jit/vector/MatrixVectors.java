package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.MatrixLanes;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.support.WarpWords;

import java.util.List;
import java.util.Set;

import jdk.incubator.vector.VectorSpecies;

/**
 * Matrix instructions to which all threads of a warp come together, in one group (manual: "Warp Level Matrix Multiply-Accumulate Instructions"). Their registers go through arrays of the
 * frame to code that all kernels share.
 */
final class MatrixVectors {
    /** The lanes of a whole warp. */
    private static final long WHOLE = 0xffff_ffffL;

    private MatrixVectors() {
    }

    /** Whether it is a matrix instruction that a warp executes. */
    static boolean isOfWarp(Instruction i) {
        return i.family() == Family.MATRIX;
    }

    /** @throws NoCode if it has operands of 64 bits other than an address */
    static void emit(VectorCode vc, Instruction i, LaneMethods laneMethods) {
        Code code = vc.code;
        int number = vc.c.context().matrixPoints().number(i);
        Place whole = new Place();
        code.load(vc.mask()).push(WHOLE).op(Op.LCMP).jumpIf(Condition.EQ, whole);
        pushFrame(vc);
        code.load(vc.c.thread).load(vc.mask()).push(number).call(MatrixLanes.class, "lacks").place(whole);
        int slot = 0;
        for (Operand input : MeetingPoints.inputs(i)) {
            if (input instanceof Operand.Address address) {
                leaveAddress(vc, i, address, slot, laneMethods);
                slot += 2;
            } else if (MeetingPoints.isWide(input)) {
                throw new NoCode("no vector form");
            } else {
                for (int part = 0; part < vc.group.vectors(); part++) {
                    vc.pushInts(input, part);
                    leave(vc, slot, part);
                }
                slot++;
            }
        }
        code.load(vc.c.worker);
        pushFrame(vc);
        code.load(vc.c.thread).push(number).call(MatrixLanes.class, "execute");
        slot = 0;
        for (Operand output : MeetingPoints.outputs(i)) {
            if (MeetingPoints.isWide(output)) {
                throw new NoCode("no vector form");
            }
            for (int part = 0; part < vc.group.vectors() && output instanceof Operand.Reg; part++) {
                code.staticField(VectorLanes.class, Kind.INT.species(vc.group));
                push(vc, "results", slot, part);
                code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
                vc.popInts(output, part);
            }
            slot++;
        }
    }

    private static void pushFrame(VectorCode vc) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class);
    }

    /** Pushes an array of the words of the warp and where a part of a slot is. */
    private static void push(VectorCode vc, String array, int slot, int part) {
        pushFrame(vc);
        vc.code.field(VectorFrame.class, "warp").field(WarpWords.class, array).push(slot * Group.WARP + part * vc.group.length());
    }

    private static void leave(VectorCode vc, int slot, int part) {
        push(vc, "operands", slot, part);
        vc.code.call(Kind.INT.type, "intoArray", int[].class, int.class);
    }

    /** Leaves the offsets that lanes access within the window of a space, low words first. */
    private static void leaveAddress(VectorCode vc, Instruction i, Operand.Address address, int slot, LaneMethods laneMethods) {
        Code code = vc.code;
        boolean one = address.register() == null || vc.forms.of(address.register()) instanceof Form.Uniform;
        boolean narrow = address.space() == StateSpace.SHARED && !one && address.register().type().bits() == 32 && !vc.c.addressesCluster();
        if (vc.group.perThread(address) || !one && !narrow) {
            Set<Register> sources = one ? Set.of() : Set.of(address.register());
            laneMethods.call(vc, List.of(i), sources, Set.of(), c -> {
                for (int word = 0; word < 2; word++) {
                    c.code().load(c.frame).cast(VectorFrame.class).field(VectorFrame.class, "warp").field(WarpWords.class, "operands");
                    c.code().load(c.thread).push(Group.WARP - 1).op(Op.IAND).push((slot + word) * Group.WARP).op(Op.IADD);
                    Addresses.pushOffset(c, address, 0);
                    c.code().push(word * Integer.SIZE).op(Op.LUSHR).op(Op.L2I).arrayStore(JvmType.INT);
                }
            });
            return;
        }
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        if (one) {
            Addresses.pushOffset(vc.c, address, 0);
            code.store(offset);
        }
        for (int word = 0; word < 2; word++) {
            int half = word;
            for (int part = 0; part < vc.group.vectors(); part++) {
                if (one) {
                    vc.broadcast(Kind.INT, () -> code.load(offset).push(half * Integer.SIZE).op(Op.LUSHR).op(Op.L2I));
                } else if (half == 0) {
                    vc.pushInts(new Operand.Reg(address.register(), address.register().type(), false), part);
                    if (address.offset() != 0) {
                        vc.binary(Kind.INT, "ADD", address.offset());
                    }
                } else {
                    vc.broadcast(Kind.INT, () -> code.push(0));
                }
                leave(vc, slot + half, part);
            }
        }
    }
}
