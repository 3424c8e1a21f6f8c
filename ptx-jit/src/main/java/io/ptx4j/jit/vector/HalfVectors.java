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

/** Sums, products and fused sums of f16 and bf16 to nearest, minima, maxima and signs. Sources and results go through the frame, to code that all kernels share. */
final class HalfVectors {
    private static final Set<Modifier> NEAREST = Set.of(Modifier.RN, Modifier.SAT, Modifier.RELU);

    private HalfVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        String method = method(i);
        for (int k = 1; k < i.operands().size(); k++) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.pushInts(i.operand(k), part);
                vc.code.call(IntVector.class, "reinterpretAsShorts");
                pushHalves(vc);
                vc.code.push(2 * ((k - 1) * vc.group.lanes() + part * vc.group.length())).call(ShortVector.class, "intoArray", short[].class, int.class);
            }
        }
        call(vc, method);
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
            if (!i.type().packed()) {
                vc.binary(Kind.INT, "AND", 0xffff);
            }
            vc.popInts(i.operand(0), part);
        }
    }

    /** The method of {@link LaneHalves} that does the instruction, but for clamping. */
    private static String method(Instruction i) {
        ScalarType type = i.type() == null ? null : i.type().element();
        boolean f16 = type == ScalarType.F16;
        Set<Modifier> possible = switch (i.opcode()) {
            case ADD, SUB, MUL, FMA -> f16 ? NEAREST : Set.of(Modifier.RN, Modifier.RELU);
            case MIN, MAX -> Set.of(Modifier.NAN);
            case ABS, NEG -> Set.of();
            default -> throw new NoCode("no vector form");
        };
        if (!f16 && type != ScalarType.BF16 || i.operands().size() > 3 && i.opcode() != Opcode.FMA || !possible.containsAll(i.spelling().modifiers())) {
            throw new NoCode("no vector form");
        }
        return i.opcode().spelling() + (i.spelling().has(Modifier.NAN) ? "Nan" : "") + (f16 ? "F16" : "Bf16");
    }

    private static void call(VectorCode vc, String method) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).push(vc.group.lanes()).call(LaneHalves.class, method);
    }

    private static void pushHalves(VectorCode vc) {
        vc.code.load(vc.c.frame).cast(VectorFrame.class).field(VectorFrame.class, "halves");
    }
}
