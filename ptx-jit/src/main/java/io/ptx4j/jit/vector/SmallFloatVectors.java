package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.Set;

/** {@code cvt} to and from pairs of numbers of 8 bits and fewer, and to tf32, on vectors. */
final class SmallFloatVectors {
    private static final int TF32_NAN = 0x7fff_e000;

    /**
     * Numbers of at most 8 bits.
     *
     * @param bits of one in a pair
     * @param fraction its bits
     * @param greatest number
     * @param nan bits of the one NaN, or those that conversions of a NaN give
     */
    private record Format(int bits, int exponent, int fraction, double greatest, int nan) {
        static Format of(ScalarType type) {
            return switch (type.element()) {
                case E4M3 -> new Format(8, 4, 3, 448, 0x7f);
                case E5M2 -> new Format(8, 5, 2, 57344, 0x7f);
                case E2M3 -> new Format(8, 2, 3, 7.5, 0x1f);
                case E3M2 -> new Format(8, 3, 2, 28, 0x1f);
                default -> null;
            };
        }

        int bias() {
            return (1 << exponent - 1) - 1;
        }

        /** How many bits less the fraction has than f32's. */
        int dropped() {
            return 23 - fraction;
        }

        int sign() {
            return 1 << exponent + fraction;
        }
    }

    private final VectorCode vc;
    private final Instruction i;
    private final Terms t;
    private final ScalarType from;

    private SmallFloatVectors(VectorCode vc, Instruction i, Terms t) {
        this.vc = vc;
        this.i = i;
        this.t = t;
        this.from = i.spelling().lastType();
    }

    /** Whether the instruction has such types. */
    static boolean fits(Instruction i) {
        return i.type() == ScalarType.TF32 || Format.of(i.type()) != null && i.type().lanes() == 2 || Format.of(i.spelling().lastType()) != null && i.spelling().lastType().lanes() == 2;
    }

    static void emit(VectorCode vc, Instruction i) {
        Terms t = new Terms(vc);
        SmallFloatVectors conversion = new SmallFloatVectors(vc, i, t);
        for (int part = 0; part < vc.group.vectors(); part++) {
            t.begin();
            t.push(conversion.result(part));
            vc.popInts(i.operand(0), part);
        }
    }

    private Term result(int part) {
        Set<Modifier> modifiers = i.spelling().modifiers();
        Format to = Format.of(i.type());
        if (i.type() == ScalarType.TF32) {
            return tf32(part, modifiers);
        }
        if (!modifiers.contains(Modifier.RN) || !Set.of(Modifier.RN, Modifier.RELU, Modifier.SATFINITE).containsAll(modifiers)) {
            throw new NoCode("no vector form");
        }
        if (to != null) {
            return t.binary("OR", t.binary("LSHL", rounded(to, number(true, part)), to.bits()), rounded(to, number(false, part)));
        }
        if (i.type() != ScalarType.F16X2 || i.operands().size() != 2) {
            throw new NoCode("no vector form");
        }
        vc.pushInts(i.operand(1), part);
        Term pair = t.pop(Kind.INT);
        Format format = Format.of(from);
        return t.binary("OR", t.binary("LSHL", half(format, t.binary("LSHR", pair, format.bits())), 16), half(format, pair));
    }

    /** One of two sources, or one of a source's two halves, of which the first is the upper one. */
    private Term number(boolean upper, int part) {
        if (HalfNumbers.isHalf(from) && from.packed() && i.operands().size() == 2) {
            return new HalfNumbers(vc, t, from).number(i.operand(1), part, upper);
        }
        if (from != ScalarType.F32 || i.operands().size() != 3) {
            throw new NoCode("no vector form");
        }
        vc.pushFloats(i.operand(upper ? 1 : 2), part);
        return t.pop(Kind.FLOAT);
    }

    /** The bits of the nearest number. Below the least normal one a sum rounds, whose last bit is worth a subnormal one's. */
    private Term rounded(Format to, Term a) {
        Term x = i.spelling().has(Modifier.RELU) ? t.choose(a, "LE", 0, t.constant(0f), a) : a;
        Term bits = t.bits(x);
        Term magnitude = t.bits(t.binary("MIN", t.unary("ABS", x), t.constant((float) to.greatest())));
        int dropped = to.dropped();
        Term nearest = HalfNumbers.nearest(t, magnitude, dropped);
        int least = 128 - to.bias() << 23;
        Term normal = t.binary("LSHR", t.binary("SUB", nearest, 127 - to.bias() << 23), dropped);
        float unit = Math.scalb(1f, dropped + 1 - to.bias());
        Term tiny = t.binary("SUB", t.bits(t.binary("ADD", t.number(magnitude), t.constant(unit))), Float.floatToRawIntBits(unit));
        Term some = t.choose(magnitude, "LT", least, tiny, normal);
        Term signed = t.binary("OR", some, t.binary("AND", t.binary("LSHR", bits, 31 - to.exponent() - to.fraction()), to.sign()));
        return t.choose(x, "NE", x, t.constant(to.nan()), signed);
    }

    /** Of a number in the lowest bits the bits as f16, which is exact: a product moves the exponent. */
    private Term half(Format format, Term code) {
        int digits = format.sign() - 1;
        Term magnitude = t.binary("AND", code, digits);
        Term sign = t.binary("LSHL", t.binary("AND", code, format.sign()), 15 - format.exponent() - format.fraction());
        Term half;
        if (format.exponent() == 5) {
            half = t.binary("LSHL", magnitude, 10 - format.fraction());
        } else {
            Term moved = t.binary("MUL", t.number(t.binary("LSHL", magnitude, format.dropped())), t.constant(Math.scalb(1f, 127 - format.bias())));
            Term bits = t.bits(moved);
            half = t.choose(magnitude, "EQ", 0, magnitude, t.binary("LSHR", t.binary("SUB", bits, 112 << 23), 13));
        }
        Term signed = t.binary("OR", half, sign);
        if (i.spelling().has(Modifier.RELU)) {
            signed = t.choose(sign, "NE", 0, t.constant(0), signed);
        }
        return switch (format.exponent()) {
            case 5 -> t.choose(magnitude, "GT", 0x7c, t.constant(Canonical.HALF), signed);
            case 4 -> t.choose(magnitude, "EQ", 0x7f, t.constant(Canonical.HALF), signed);
            default -> signed;
        };
    }

    /** What {@code .rna} makes of a NaN is that without its low bits. */
    private Term tf32(int part, Set<Modifier> modifiers) {
        vc.pushFloatBits(i.operand(1), part);
        Term a = t.pop(Kind.FLOAT);
        Term bits = t.bits(a);
        if (from != ScalarType.F32 || modifiers.size() != 1) {
            throw new NoCode("no vector form");
        }
        Term moved = switch (modifiers.iterator().next()) {
            case RNA -> t.binary("ADD", bits, 0x1000);
            case RN -> HalfNumbers.nearest(t, bits, 13);
            case RZ -> bits;
            default -> throw new NoCode("no vector form");
        };
        Term cut = t.binary("AND", moved, ~0x1fff);
        Term none = modifiers.contains(Modifier.RNA) ? t.binary("AND", bits, ~0x1fff) : t.constant(TF32_NAN);
        return t.choose(a, "NE", a, none, cut);
    }
}
