package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.LaneHalves;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.Set;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums, products and fused sums of f16 and bf16, to nearest. Sources and results go through the frame, to code that all kernels share. */
final class HalfVectors {
    private static final Set<Modifier> NEAREST = Set.of(Modifier.RN, Modifier.SAT, Modifier.RELU);

    private HalfVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        ScalarType type = i.type() == null ? null : i.type().element();
        boolean f16 = type == ScalarType.F16;
        boolean arithmetic = i.opcode() == Opcode.ADD || i.opcode() == Opcode.SUB || i.opcode() == Opcode.MUL || i.opcode() == Opcode.FMA;
        if (!arithmetic || !f16 && type != ScalarType.BF16 || !NEAREST.containsAll(i.spelling().modifiers()) || !f16 && i.spelling().has(Modifier.SAT)) {
            throw new NoCode("no vector form");
        }
        for (int k = 1; k < i.operands().size(); k++) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.pushInts(i.operand(k), part);
                vc.code.call(IntVector.class, "reinterpretAsShorts");
                pushHalves(vc);
                vc.code.push(2 * ((k - 1) * vc.group.lanes() + part * vc.group.length())).call(ShortVector.class, "intoArray", short[].class, int.class);
            }
        }
        call(vc, i.opcode().spelling() + (f16 ? "F16" : "Bf16"));
        if (i.spelling().has(Modifier.SAT)) {
            call(vc, "satF16");
        }
        if (i.spelling().has(Modifier.RELU)) {
            call(vc, "relu");
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.staticField(VectorLanes.class, vc.group.narrow() ? "HALF_HALVES" : "HALVES");
            pushHalves(vc);
            vc.code.push(2 * part * vc.group.length()).call(ShortVector.class, "fromArray", VectorSpecies.class, short[].class, int.class);
            vc.code.call(ShortVector.class, "reinterpretAsInts");
            vc.popInts(i.operand(0), part);
        }
    }

    private static void call(VectorCode vc, String method) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).call(LaneHalves.class, method);
    }

    private static void pushHalves(VectorCode vc) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, "halves");
    }
}
