package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.MatrixLanes;
import io.ptx4j.jit.support.VectorFrame;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Matrix instructions to which all threads of a warp come together, in one group (manual: "Warp Level Matrix Multiply-Accumulate Instructions"). Their registers lie in the frame
 * ({@link Forms#matrixSlot}), where code that all kernels share finds them.
 */
final class MatrixVectors {
    private MatrixVectors() {
    }

    /** Whether it is a matrix instruction that a warp executes. */
    static boolean isOfWarp(Instruction i) {
        return i.family() == Family.MATRIX;
    }

    /** The operands and results of 32 bits. */
    static List<Operand> words(Instruction i) {
        return Stream.concat(MeetingPoints.inputs(i).stream(), MeetingPoints.outputs(i).stream()).filter(o -> !(o instanceof Operand.Address) && !MeetingPoints.isWide(o)).toList();
    }

    /** @throws NoCode if it has operands of 64 bits other than an address */
    static void emit(VectorCode vc, Instruction i, LaneMethods laneMethods) {
        List<Operand> inputs = MeetingPoints.inputs(i);
        List<Operand> outputs = MeetingPoints.outputs(i);
        if (Stream.concat(inputs.stream(), outputs.stream()).anyMatch(o -> !(o instanceof Operand.Address) && MeetingPoints.isWide(o))) {
            throw new NoCode("no vector form");
        }
        Code code = vc.code;
        // The first slot that no register has keeps its zeros.
        int zeros = vc.forms.matrixSlots();
        int free = zeros + 1;
        List<Integer> operands = new ArrayList<>();
        List<Integer> results = new ArrayList<>();
        for (Operand input : inputs) {
            Integer slot = slot(vc, input);
            operands.add(slot == null ? free++ : slot);
            if (input instanceof Operand.Address address) {
                operands.add(isNarrow(vc, address) ? zeros : free++);
            }
        }
        for (Operand output : outputs) {
            Integer slot = slot(vc, output);
            results.add(slot == null ? free++ : slot);
        }
        int number = vc.c.context().matrixPoints().number(i, ints(operands), ints(results));
        int next = 0;
        for (Operand input : inputs) {
            int slot = operands.get(next++);
            if (input instanceof Operand.Address address) {
                if (isNarrow(vc, address)) {
                    leaveNarrow(vc, address, slot);
                } else {
                    leaveAddress(vc, i, address, slot, laneMethods);
                }
                next++;
            } else if (slot(vc, input) == null || showsNans(vc, i, (Operand.Reg) input)) {
                for (int part = 0; part < vc.group.vectors(); part++) {
                    vc.pushInts(input, part);
                    vc.locals.popMatrix(slot, part);
                }
            }
        }
        code.load(vc.c.worker).load(vc.c.frame).load(vc.c.thread).load(vc.mask()).push(number).call(MatrixLanes.class, "execute");
        for (int n = 0; n < outputs.size(); n++) {
            // Words that are held in 64-bit lanes have no slot of their own.
            for (int part = 0; part < vc.group.vectors() && outputs.get(n) instanceof Operand.Reg && slot(vc, outputs.get(n)) == null; part++) {
                vc.locals.pushMatrix(results.get(n), part);
                vc.popInts(outputs.get(n), part);
            }
        }
    }

    /** Whether the bits of a NaN show that arithmetic may have left in a register: those of C do not, since results are canonical. */
    private static boolean showsNans(VectorCode vc, Instruction i, Operand.Reg input) {
        boolean product = i.opcode() == Opcode.MMA || i.opcode() == Opcode.WGMMA || i.opcode() == Opcode.WMMA && i.spelling().has(Modifier.MMA);
        return vc.c.held(input.register()) == Held.FLOAT && vc.c.context().nans().cleanAtUse(input.register()) && !(product && input.register().type() == ScalarType.F32);
    }

    /** The slot in which an operand or result lies, or null. */
    private static Integer slot(VectorCode vc, Operand operand) {
        return operand instanceof Operand.Reg r ? vc.forms.matrixSlot(r.register()) : null;
    }

    private static int[] ints(List<Integer> slots) {
        return slots.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Whether lanes access offsets of 32 bits that differ, as those within shared memory mostly are. */
    private static boolean isNarrow(VectorCode vc, Operand.Address address) {
        return address.space() == StateSpace.SHARED && address.register() != null && address.register().type().bits() == Integer.SIZE && !vc.c.addressesCluster()
                && !(vc.forms.of(address.register()) instanceof Form.Uniform);
    }

    private static void leaveNarrow(VectorCode vc, Operand.Address address, int slot) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(new Operand.Reg(address.register(), address.register().type(), false), part);
            if (address.offset() != 0) {
                vc.binary(Kind.INT, "ADD", address.offset());
            }
            vc.locals.popMatrix(slot, part);
        }
    }

    /** Leaves the offsets that lanes access within the window of a space, low words first. */
    private static void leaveAddress(VectorCode vc, Instruction i, Operand.Address address, int slot, LaneMethods laneMethods) {
        Code code = vc.code;
        boolean one = address.register() == null || vc.forms.of(address.register()) instanceof Form.Uniform;
        if (vc.group.perThread(address) || !one) {
            Set<Register> sources = one ? Set.of() : Set.of(address.register());
            laneMethods.call(vc, List.of(i), sources, Set.of(), c -> {
                for (int word = 0; word < 2; word++) {
                    c.code().load(c.frame).field(VectorFrame.class, "matrix");
                    c.code().load(c.thread).push((slot + word) * vc.group.paddedThreads()).op(Op.IADD);
                    Addresses.pushOffset(c, address, 0);
                    c.code().push(word * Integer.SIZE).op(Op.LUSHR).op(Op.L2I).arrayStore(JvmType.INT);
                }
            });
            return;
        }
        Local offset = vc.c.scratch(JvmType.LONG, 5);
        Addresses.pushOffset(vc.c, address, 0);
        code.store(offset);
        for (int word = 0; word < 2; word++) {
            int half = word;
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.broadcast(Kind.INT, () -> code.load(offset).push(half * Integer.SIZE).op(Op.LUSHR).op(Op.L2I));
                vc.locals.popMatrix(slot + half, part);
            }
        }
    }
}
