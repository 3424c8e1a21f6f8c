package io.ptx4j.jit.vector;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.vector.Terms.Term;

/** Halves (f16 and bf16) on vectors as numbers of f32, and such numbers rounded to halves. */
final class HalfNumbers {
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final VectorCode vc;
    private final Terms t;
    private final boolean f16;

    /** @param type a half or two of them */
    HalfNumbers(VectorCode vc, Terms t, ScalarType type) {
        this.vc = vc;
        this.t = t;
        this.f16 = type.element() == ScalarType.F16;
    }

    static boolean isHalf(ScalarType type) {
        return type.element() == ScalarType.F16 || type.element() == ScalarType.BF16;
    }

    /** A part of an operand, which holds a half. */
    Term number(Operand operand, int part) {
        vc.pushInts(operand, part);
        return number(t.pop(Kind.INT));
    }

    /** A part of an operand that holds two. */
    Term number(Operand pair, int part, boolean upper) {
        vc.pushInts(pair, part);
        Term bits = t.pop(Kind.INT);
        return number(upper ? t.binary("LSHR", bits, 16) : bits);
    }

    /**
     * Of an f16 the exponent is moved by a product, which is exact also for a subnormal half; that of infinities and NaNs is the highest of f32. A bf16 is the upper half of an f32, whose NaNs
     * keep their payload.
     */
    private Term number(Term bits) {
        if (!f16) {
            return t.number(t.binary("LSHL", bits, 16));
        }
        Term magnitude = t.number(t.binary("LSHL", t.binary("AND", bits, 0x7fff), 13));
        Term moved = t.binary("MUL", magnitude, t.constant(0x1p112f));
        Term single = t.bits(moved);
        Term all = t.choose(moved, "GE", 0x10000, t.binary("OR", single, INFINITY), single);
        return t.number(t.binary("OR", all, t.binary("LSHL", t.binary("AND", bits, 0x8000), 16)));
    }

    /** The bits of the nearest half, of two as near the even one; NaNs are the canonical one. */
    Term rounded(Term single) {
        Term bits = t.bits(single);
        Term half = f16 ? f16(single, bits) : t.binary("LSHR", nearest(t, bits, 16), 16);
        return t.choose(single, "NE", single, t.constant(Canonical.HALF), half);
    }

    /** Bits that cut off at a place are those of the nearest number, of two as near the even one. */
    static Term nearest(Terms t, Term bits, int place) {
        Term odd = t.binary("AND", t.binary("LSHR", bits, place), 1);
        return t.binary("ADD", t.binary("ADD", bits, (1L << place - 1) - 1), odd);
    }

    /** Below the least normal half a sum rounds, whose last bit is worth a subnormal one's. */
    private Term f16(Term single, Term bits) {
        Term magnitude = t.binary("AND", bits, Integer.MAX_VALUE);
        Term normal = t.binary("LSHR", t.binary("SUB", nearest(t, magnitude, 13), 112 << 23), 13);
        Term tiny = t.binary("SUB", t.bits(t.binary("ADD", t.unary("ABS", single), t.constant(0.5f))), Float.floatToRawIntBits(0.5f));
        Term some = t.choose(magnitude, "LT", 113 << 23, tiny, t.binary("MIN", normal, 0x7c00));
        return t.binary("OR", some, t.binary("AND", t.binary("LSHR", bits, 16), 0x8000));
    }
}
