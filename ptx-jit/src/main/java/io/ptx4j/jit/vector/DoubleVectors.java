package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Double precision on vectors, rounded to nearest. Which NaN a result is depends on the sources: where there is one, the instruction is
 * done lane by lane.
 */
final class DoubleVectors {
    private static final Set<Modifier> NEAREST = Set.of(Modifier.RN);
    private static final Set<Modifier> APPROXIMATE = Set.of(Modifier.APPROX, Modifier.FTZ);
    /** The bits of a double that approximations take and give. */
    private static final long UPPER_WORD = -1L << 32;

    private DoubleVectors() {
    }

    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        if (!isKnown(i)) {
            throw new NoCode("no vector form");
        }
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        for (int part = 0; part < Kind.DOUBLE.parts(vc.group); part++) {
            int p = part;
            push(vc, i, k -> vc.pushDoubles(i.operand(k), p));
            nan.keep(part);
            nan.push(part);
            nan.push(part);
            vc.compare(Kind.DOUBLE, "NE");
            nan.note();
        }
        nan.finishNans(part -> vc.popDoubles(i.operand(0), part), laneByLane);
    }

    /** Whether {@link #push} knows how the instruction is rounded. */
    static boolean isKnown(Instruction i) {
        Set<Modifier> modifiers = i.spelling().modifiers();
        return NEAREST.containsAll(modifiers) || approximates(i) || i.opcode() == Opcode.RSQRT && modifiers.equals(Set.of(Modifier.APPROX));
    }

    /** Whether the instruction looks at upper words alone. */
    static boolean approximates(Instruction i) {
        return (i.opcode() == Opcode.RCP || i.opcode() == Opcode.RSQRT) && i.spelling().modifiers().equals(APPROXIMATE);
    }

    /** As {@link NearestVectors#push}; a NaN is any. */
    static void push(VectorCode vc, Instruction i, IntConsumer source) {
        if (approximates(i)) {
            approximate(vc, i, source);
        } else {
            NearestVectors.push(vc, Kind.DOUBLE, i, source);
        }
    }

    /** docs/numerics.md, "rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64". */
    private static void approximate(VectorCode vc, Instruction i, IntConsumer source) {
        Terms t = new Terms(vc);
        source.accept(1);
        Term h = flush(t, t.binary("AND", t.bits(t.pop(Kind.DOUBLE)), UPPER_WORD));
        NearestVectors.push(vc, Kind.DOUBLE, i, k -> t.push(h));
        Term y = flush(t, t.bits(t.pop(Kind.DOUBLE)));
        t.push(t.number(t.binary("AND", t.binary("ADD", t.bits(y), 1L << 31), UPPER_WORD)));
    }

    /** The number of such bits; if it is subnormal, a zero of its sign. */
    private static Term flush(Terms t, Term bits) {
        Term magnitude = t.binary("AND", bits, Long.MAX_VALUE);
        return t.number(t.choose(magnitude, "LT", 1L << 52, t.binary("AND", bits, Long.MIN_VALUE), bits));
    }
}
