package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;

import java.util.Set;

/** Conversions on vectors. */
final class ConversionVectors {
    private ConversionVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        ScalarType to = i.type();
        ScalarType from = i.spelling().lastType();
        Set<Modifier> modifiers = i.spelling().modifiers();
        if (i.opcode() != Opcode.CVT || i.operands().size() != 2) {
            throw new NoCode("no vector form");
        }
        if (to.isInteger() && from.isInteger() && modifiers.isEmpty()) {
            integer(vc, i, to);
        } else if (to == ScalarType.F32 && from.isInteger() && modifiers.equals(Set.of(Modifier.RN))
                && (from.bits() < 32 || from.signed() && from.bits() == 32)) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.pushInts(i.operand(1), part);
                vc.convert("I2F", Kind.FLOAT, 0);
                vc.popFloats(i.operand(0), part);
            }
        } else if (to == ScalarType.S32 && from == ScalarType.F32 && modifiers.equals(Set.of(Modifier.RZI))) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.pushFloats(i.operand(1), part);
                vc.convert("F2I", Kind.INT, 0);
                vc.popInts(i.operand(0), part);
            }
        } else {
            throw new NoCode("no vector form");
        }
    }

    private static void integer(VectorCode vc, Instruction i, ScalarType to) {
        if (to.bits() > 32) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.pushLongs(i.operand(1), part);
                vc.popLongs(i.operand(0), part);
            }
            return;
        }
        if (to.bits() == 32 && vc.isWord(i.operand(0)) && ThreadCode.typeOf(i.operand(1)).bits() == 64) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.pushLongs(i.operand(1), part);
                vc.popLongs(i.operand(0), part);
            }
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(i.operand(1), part);
            if (to.bits() < 32) {
                int cut = 32 - to.bits();
                vc.binary(Kind.INT, "LSHL", cut);
                vc.binary(Kind.INT, to.signed() ? "ASHR" : "LSHR", cut);
            }
            vc.popInts(i.operand(0), part);
        }
    }
}
