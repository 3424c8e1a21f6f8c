package io.ptx4j.jit.vector;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.RecordOrder;
import io.ptx4j.jit.support.VectorLanes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loads and stores of neighbouring pairs and quadruples of 32-bit elements ({@code .v2}, {@code .v4}): whole vectors of memory, of which the
 * even and the odd elements are sorted out, once for pairs and twice for quadruples.
 */
final class TupleVectors {
    private final VectorCode vc;
    private final List<Operand> elements;
    private final Span span;
    private final int size;

    private TupleVectors(VectorCode vc, List<Operand> elements, Span span) {
        this.vc = vc;
        this.elements = elements;
        this.span = span;
        this.size = elements.size();
    }

    static boolean fits(VectorCode vc, ScalarType type, List<Operand> elements, boolean load) {
        return type.bits() == 32 && (elements.size() == 2 || elements.size() == 4)
                && elements.stream().allMatch(e -> fits(vc, e, load));
    }

    private static boolean fits(VectorCode vc, Operand element, boolean load) {
        if (!(element instanceof Operand.Reg reg)) {
            return load ? element instanceof Operand.Sink : element instanceof Operand.Immediate;
        }
        return MemoryVectors.isHeld(ScalarType.B32, reg.register(), vc.c.held(reg.register()))
                && (load ? vc.varying(reg.register()) : !(vc.forms.of(reg.register()) instanceof Form.Affine a) || a.plain());
    }

    static void load(VectorCode vc, List<Operand> elements, Span span) {
        new TupleVectors(vc, elements, span).load();
    }

    /** Goes to {@code slow} if lanes are missing. */
    static void store(VectorCode vc, List<Operand> elements, Span span, Place slow) {
        new TupleVectors(vc, elements, span).store(slow);
    }

    private void load() {
        Code code = vc.code;
        int length = vc.group.length();
        for (int part = 0; part < vc.group.vectors(); part++) {
            List<Local> sorted = new ArrayList<>();
            for (int n = 0; n < size; n++) {
                code.staticField(VectorLanes.class, species());
                span.push((part * size + n) * length, ScalarType.B32);
                code.call(Kind.INT.type, "fromMemorySegment", VectorSpecies.class, MemorySegment.class, long.class, ByteOrder.class);
                sorted.add(vc.locals.temporary(Kind.INT, 4 + n));
                code.store(sorted.getLast());
            }
            // Pairs of vectors become their even and their odd elements: of 0 1 2 3 | 0 1 2 3 the elements 0 2 and 1 3, then 0, 2, 1, 3.
            for (int pair = 0; pair < size; pair += 2) {
                select("EVEN", "ODD", sorted.get(pair), sorted.get(pair + 1));
            }
            if (size == 4) {
                select("EVEN", "ODD", sorted.get(0), sorted.get(2));
                select("EVEN", "ODD", sorted.get(1), sorted.get(3));
            }
            for (int e = 0; e < size; e++) {
                code.load(sorted.get(e));
                vc.popInts(elements.get(e), part);
            }
        }
    }

    private String species() {
        return Kind.INT.species(vc.group);
    }

    /** Puts what the two index vectors choose from two vectors into the locals of these. */
    private void select(String first, String second, Local a, Local b) {
        Code code = vc.code;
        Local chosen = vc.locals.temporary(Kind.INT, 8);
        code.staticField(RecordOrder.class, species() + "_" + first).load(a).load(b).call(Kind.INT.type, "selectFrom", Vector.class, Vector.class).store(chosen);
        code.staticField(RecordOrder.class, species() + "_" + second).load(a).load(b).call(Kind.INT.type, "selectFrom", Vector.class, Vector.class).store(b);
        code.load(chosen).store(a);
    }

    private void store(Place slow) {
        Code code = vc.code;
        int length = vc.group.length();
        code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, slow);
        for (int part = 0; part < vc.group.vectors(); part++) {
            List<Local> mixed = new ArrayList<>();
            for (int e = 0; e < size; e++) {
                vc.pushInts(elements.get(e), part);
                mixed.add(vc.locals.temporary(Kind.INT, 4 + e));
                code.store(mixed.getLast());
            }
            if (size == 4) {
                select("LOW", "HIGH", mixed.get(0), mixed.get(2));
                select("LOW", "HIGH", mixed.get(1), mixed.get(3));
                select("LOW", "HIGH", mixed.get(0), mixed.get(1));
                select("LOW", "HIGH", mixed.get(2), mixed.get(3));
            } else {
                select("LOW", "HIGH", mixed.get(0), mixed.get(1));
            }
            for (int n = 0; n < size; n++) {
                code.load(mixed.get(n));
                span.push((part * size + n) * length, ScalarType.B32);
                code.call(Kind.INT.type, "intoMemorySegment", MemorySegment.class, long.class, ByteOrder.class);
            }
        }
    }
}
