package io.ptx4j.jit.vector;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.VectorLanes;

import java.util.EnumMap;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Formulas on vectors: each term gets a local of its own, which lasts until {@link #begin}. */
final class Terms {
    /** Temporaries below belong to {@link VectorCode} and to emitters that work on the stack. */
    private static final int FIRST = 8;

    /** A vector in a local. */
    record Term(Kind kind, Local local) {
    }

    private final VectorCode vc;
    private final Code code;
    private final EnumMap<Kind, Integer> used = new EnumMap<>(Kind.class);

    Terms(VectorCode vc) {
        this.vc = vc;
        this.code = vc.code;
    }

    /** Ends the life of all terms. */
    void begin() {
        used.clear();
    }

    /** The vector on the stack. */
    Term pop(Kind kind) {
        Local local = vc.locals.temporary(kind, FIRST + used.merge(kind, 1, Integer::sum) - 1);
        code.store(local);
        return new Term(kind, local);
    }

    void push(Term term) {
        code.load(term.local);
    }

    Term binary(String operator, Term a, Term b) {
        code.load(a.local);
        vc.operator(operator);
        code.load(b.local).call(a.kind.type, "lanewise", VectorOperators.Binary.class, Vector.class);
        return pop(a.kind);
    }

    /** With a constant in each lane. */
    Term binary(String operator, Term a, long constant) {
        code.load(a.local);
        vc.binary(a.kind, operator, constant);
        return pop(a.kind);
    }

    /** On each half or byte of the words by itself. */
    Term packed(ScalarType element, String operator, Term a, Term b) {
        boolean bytes = element.bits() == Byte.SIZE;
        String lanes = bytes ? "reinterpretAsBytes" : "reinterpretAsShorts";
        Class<?> type = bytes ? ByteVector.class : ShortVector.class;
        code.load(a.local).call(a.kind.type, lanes);
        vc.operator(operator);
        code.load(b.local).call(b.kind.type, lanes).call(type, "lanewise", VectorOperators.Binary.class, Vector.class).call(type, "reinterpretAsInts");
        return pop(Kind.INT);
    }

    /** The low words of 64-bit lanes. */
    Term cutToWord(Term a) {
        code.load(a.local);
        vc.words.cut();
        return pop(a.kind);
    }

    /** In the lanes of which {@code bits} are set; in the others a. */
    Term binaryWhere(Local bits, int part, String operator, Term a, Term b) {
        code.load(a.local);
        vc.operator(operator);
        code.load(b.local).load(bits);
        vc.vectorMask(a.kind, part);
        code.call(a.kind.type, "lanewise", VectorOperators.Binary.class, Vector.class, VectorMask.class);
        return pop(a.kind);
    }

    Term unary(String operator, Term a) {
        code.load(a.local);
        vc.unary(a.kind, operator);
        return pop(a.kind);
    }

    /** a·b + c, rounded once. */
    Term fma(Term a, Term b, Term c) {
        code.load(a.local);
        vc.operator("FMA");
        code.load(b.local).load(c.local).call(a.kind.type, "lanewise", VectorOperators.Ternary.class, Vector.class, Vector.class);
        return pop(a.kind);
    }

    Term constant(float value) {
        code.push(value);
        vc.broadcast(Kind.FLOAT);
        return pop(Kind.FLOAT);
    }

    Term constant(double value) {
        code.push(value);
        vc.broadcast(Kind.DOUBLE);
        return pop(Kind.DOUBLE);
    }

    Term constant(int value) {
        code.push(value);
        vc.broadcast(Kind.INT);
        return pop(Kind.INT);
    }

    /** A number in each lane of words or 64-bit integers. */
    Term constant(Kind kind, long value) {
        if (kind == Kind.LONG) {
            code.push(value);
        } else {
            code.push((int) value);
        }
        vc.broadcast(kind);
        return pop(kind);
    }

    /** The same bits as integers. */
    Term bits(Term a) {
        boolean wide = a.kind.wide();
        code.load(a.local).call(a.kind.type, wide ? "reinterpretAsLongs" : "reinterpretAsInts");
        return pop(wide ? Kind.LONG : Kind.INT);
    }

    /** The words of 64-bit lanes. */
    Term words(Term a) {
        code.load(a.local).call(a.kind.type, "reinterpretAsInts");
        return pop(Kind.INT);
    }

    /** The same bits as floating-point numbers. */
    Term number(Term a) {
        boolean wide = a.kind.wide();
        code.load(a.local).call(a.kind.type, wide ? "reinterpretAsDoubles" : "reinterpretAsFloats");
        return pop(wide ? Kind.DOUBLE : Kind.FLOAT);
    }

    /** @param part which of the vectors, where the result takes more or fewer, as in {@link Vector#convertShape} */
    Term convert(String conversion, Term a, Kind to, int part) {
        code.load(a.local);
        vc.convert(conversion, to, part);
        return pop(to);
    }

    /** b in the lanes of which {@code bits} are set, else a. */
    Term blend(Local bits, int part, Term a, Term b) {
        code.load(a.local).load(b.local);
        vc.blend(a.kind, part, () -> code.load(bits));
        return pop(a.kind);
    }

    /** {@code yes} in the lanes where a compares so with a constant, else {@code no}. */
    Term choose(Term a, String comparison, long constant, Term yes, Term no) {
        code.load(no.local).load(yes.local).load(a.local);
        vc.operator(comparison);
        switch (a.kind) {
            case FLOAT -> code.push((float) constant);
            case DOUBLE -> code.push((double) constant);
            case INT -> code.push((int) constant);
            case LONG -> code.push(constant);
        }
        code.call(a.kind.type, "compare", VectorOperators.Comparison.class, a.kind.element);
        return blend(a.kind, yes.kind);
    }

    /** {@code yes} in the lanes where a compares so with b, else {@code no}. */
    Term choose(Term a, String comparison, Term b, Term yes, Term no) {
        code.load(no.local).load(yes.local).load(a.local);
        vc.operator(comparison);
        code.load(b.local).call(a.kind.type, "compare", VectorOperators.Comparison.class, Vector.class);
        return blend(a.kind, yes.kind);
    }

    private Term blend(Kind compared, Kind chosen) {
        if (compared.element != chosen.element) {
            code.staticField(VectorLanes.class, chosen.species(vc.group)).call(VectorMask.class, "cast", VectorSpecies.class);
        }
        code.call(chosen.type, "blend", Vector.class, VectorMask.class);
        return pop(chosen);
    }

    /** Leaves a bit for each lane of this one vector on the stack. */
    void compare(String comparison, Term a, Term b) {
        code.load(a.local).load(b.local);
        vc.compare(a.kind, comparison);
    }

    /** As {@link #compare} with a constant, which is cut to the lanes' type. */
    void compare(String comparison, Term a, double constant) {
        code.load(a.local);
        vc.operator(comparison);
        switch (a.kind) {
            case FLOAT -> code.push((float) constant);
            case DOUBLE -> code.push(constant);
            case INT -> code.push((int) constant);
            case LONG -> code.push((long) constant);
        }
        code.call(a.kind.type, "compare", VectorOperators.Comparison.class, a.kind.element);
        code.call(VectorMask.class, "toLong");
    }

    /** Stores the bits on the stack. */
    Local store(Local bits) {
        code.store(bits);
        return bits;
    }

    /** A local for bits of lanes, one for all. */
    Local mask() {
        return vc.c.scratch(JvmType.LONG, 9);
    }
}
