package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.HopperEmitter;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.LaneApproximations;
import io.ptx4j.jit.support.LaneHalves;
import io.ptx4j.jit.support.LaneHopperApproximations;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.Set;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums, products and fused sums of f16 and bf16 to nearest, minima, maxima, signs and approximations. Sources and results go through the frame, to code that all kernels share. */
final class HalfVectors {
    private static final int LEAST_NORMAL_BF16 = 0x80;
    private static final Set<Modifier> NEAREST = Set.of(Modifier.RN, Modifier.SAT, Modifier.RELU);

    private HalfVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        switch (i.opcode()) {
            case SET, SETP -> ComparisonVectors.emit(vc, i);
            case EX2, TANH -> approximate(vc, i);
            default -> shared(vc, i);
        }
    }

    private static void shared(VectorCode vc, Instruction i) {
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

    /** The approximation of f32, rounded; {@code .ftz}, which {@code ex2} of bf16 has, flushes source and result. */
    private static void approximate(VectorCode vc, Instruction i) {
        Terms t = new Terms(vc);
        HalfNumbers halves = new HalfNumbers(vc, t, i.type());
        boolean ftz = i.spelling().has(Modifier.FTZ);
        int count = i.type().packed() ? 2 : 1;
        for (int half = 0; half < count; half++) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                t.begin();
                t.push(halves.number(i.operand(1), part, half > 0));
                if (ftz) {
                    FloatVectors.flush(vc);
                }
                pushFloats(vc);
                vc.code.push(half * vc.group.lanes() + part * vc.group.length()).call(FloatVector.class, "intoArray", float[].class, int.class);
            }
        }
        pushFloats(vc);
        if (HopperEmitter.applies(vc.c.context().program(), i)) {
            vc.code.load(vc.c.frame).call(VectorFrame.class, "steps").push(count * vc.group.lanes())
                    .call(LaneHopperApproximations.class, HopperEmitter.method(i.spelling()));
        } else {
            vc.code.push(count * vc.group.lanes()).call(LaneApproximations.class, i.opcode().spelling());
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            t.begin();
            Term result = result(vc, t, halves, part, ftz);
            if (count > 1) {
                Term upper = result(vc, t, halves, vc.group.vectors() + part, ftz);
                result = t.binary("OR", result, t.binary("LSHL", upper, 16));
            }
            t.push(result);
            vc.popInts(i.operand(0), part);
        }
    }

    private static Term result(VectorCode vc, Terms t, HalfNumbers halves, int vector, boolean ftz) {
        vc.code.staticField(VectorLanes.class, Kind.FLOAT.species(vc.group));
        pushFloats(vc);
        vc.code.push(vector * vc.group.length()).call(FloatVector.class, "fromArray", VectorSpecies.class, float[].class, int.class);
        Term bits = halves.rounded(t.pop(Kind.FLOAT));
        return ftz ? t.choose(t.binary("AND", bits, 0x7fff), "LT", LEAST_NORMAL_BF16, t.binary("AND", bits, 0x8000), bits) : bits;
    }

    private static void pushFloats(VectorCode vc) {
        vc.code.load(vc.c.frame).field(VectorFrame.class, Kind.FLOAT.lanes);
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
        vc.code.load(vc.c.frame).push(vc.group.lanes()).call(LaneHalves.class, method);
    }

    private static void pushHalves(VectorCode vc) {
        vc.code.load(vc.c.frame).field(VectorFrame.class, "halves");
    }
}
