package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.Context;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.stream.Stream;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loads of bytes from constants that two vectors have room for, at addresses that are known to lie there: each lane chooses its word of the vectors and
 * shifts its byte down.
 */
final class TableVectors {
    private TableVectors() {
    }

    static boolean fits(VectorCode vc, Instruction i) {
        return fits(vc.c.context(), vc.forms, i);
    }

    static boolean fits(Context context, Forms forms, Instruction i) {
        if (i.opcode() != Opcode.LD || i.type().bits() != 8 || i.spelling().vectorLength() > 1 || !Operands.isWeak(i)
                || !(i.operand(1) instanceof Operand.Address address) || address.space() != StateSpace.CONST || address.register() == null
                || !(i.operand(0) instanceof Operand.Reg to)) {
            return false;
        }
        int bytes = bytes(context);
        return !forms.group().narrow() && bytes <= 2 * VectorLanes.INT.vectorByteSize() && isVarying(forms, address.register()) && isVarying(forms, to.register())
                && context.representation().of(address.register()) == Held.INT && context.representation().of(to.register()) != Held.DOUBLE
                && address.register().type().bits() == 32 && address.offset() >= 0 && forms.most(address.register()) + address.offset() < bytes;
    }

    private static boolean isVarying(Forms forms, Register register) {
        return !forms.of(register).scalar();
    }

    /** Puts the constants where vectors take them from, at the beginning of a region that does. */
    static void prepare(ThreadCode c, Forms forms, Stream<Instruction> region) {
        if (region.anyMatch(i -> fits(c.context(), forms, i))) {
            c.code().load(c.worker).load(c.frame).call(VectorLanes.class, "takeConstants");
        }
    }

    /** Loads the constants into two locals, or one for both where they fit into one vector. */
    static Local[] load(VectorCode vc) {
        Local[] vectors = new Local[2];
        for (int n = 0; n < 2; n++) {
            if (n > 0 && bytes(vc.c.context()) <= VectorLanes.INT.vectorByteSize()) {
                vectors[n] = vectors[0];
                continue;
            }
            vc.code.staticField(VectorLanes.class, Kind.INT.name()).load(vc.c.frame).field(VectorFrame.class, "constants");
            vc.code.push(n * VectorLanes.INT.length()).call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
            vectors[n] = vc.code.newLocal(JvmType.REFERENCE);
            vc.code.store(vectors[n]);
        }
        return vectors;
    }

    private static int bytes(Context context) {
        return context.program().module().constBytes();
    }

    static void emit(VectorCode vc, Instruction i) {
        Code code = vc.code;
        boolean signed = i.type().signed();
        Operand.Address address = (Operand.Address) i.operand(1);
        Operand register = new Operand.Reg(address.register(), ScalarType.U32, false);
        Local place = vc.locals.temporary(Kind.INT, 1);
        Local bits = vc.locals.temporary(Kind.INT, 2);
        Local[] constants = vc.constants();
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(register, part);
            if (address.offset() != 0) {
                vc.binary(Kind.INT, "ADD", address.offset());
            }
            code.store(place).load(place);
            if (signed) {
                vc.binary(Kind.INT, "XOR", 3);
            }
            // Of the amount of a shift the low five bits count.
            vc.binary(Kind.INT, "LSHL", 3);
            code.store(bits).load(place);
            vc.binary(Kind.INT, "LSHR", 2);
            code.load(constants[0]).load(constants[1]).call(Kind.INT.type, "selectFrom", Vector.class, Vector.class);
            vc.operator(signed ? "LSHL" : "LSHR");
            code.load(bits).call(Kind.INT.type, "lanewise", VectorOperators.Binary.class, Vector.class);
            if (signed) {
                vc.binary(Kind.INT, "ASHR", 24);
            } else {
                vc.binary(Kind.INT, "AND", 0xFF);
            }
            vc.popInts(i.operand(0), part);
        }
    }
}
