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
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

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
                case E2M1 -> new Format(4, 2, 1, 6, 7);
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
        if (!modifiers.contains(Modifier.RN) || !Set.of(Modifier.RN, Modifier.RELU, Modifier.SATFINITE, Modifier.SCALED_N2_UE8M0).containsAll(modifiers)) {
            throw new NoCode("no vector form");
        }
        if (to != null) {
            return t.binary("OR", t.binary("LSHL", rounded(to, number(true, part)), to.bits()), rounded(to, number(false, part)));
        }
        if (i.type() != ScalarType.F16X2 && i.type() != ScalarType.BF16X2) {
            throw new NoCode("no vector form");
        }
        Format format = Format.of(from);
        Term pair = word(1, part);
        Term scale = modifiers.contains(Modifier.SCALED_N2_UE8M0) ? word(2, part) : null;
        Term high = half(format, t.binary("LSHR", pair, format.bits()), scale == null ? null : t.binary("LSHR", scale, 8));
        return t.binary("OR", t.binary("LSHL", high, 16), half(format, pair, scale));
    }

    private Term word(int operand, int part) {
        vc.pushInts(i.operand(operand), part);
        return t.pop(Kind.INT);
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

    private Term half(Format format, Term code, Term scale) {
        return i.type() == ScalarType.F16X2 ? f16(format, code) : bf16(format, code, scale);
    }

    /** Of a number in the lowest bits the bits as f16, which is exact: a product moves the exponent. */
    private Term f16(Format format, Term code) {
        Term magnitude = t.binary("AND", code, format.sign() - 1);
        Term half;
        if (format.exponent() == 5) {
            half = t.binary("LSHL", magnitude, 10 - format.fraction());
        } else {
            Term bits = t.bits(single(format, magnitude));
            half = t.choose(magnitude, "EQ", 0, magnitude, t.binary("LSHR", t.binary("SUB", bits, 112 << 23), 13));
        }
        Term signed = signed(format, code, half);
        return switch (format.exponent()) {
            case 5 -> t.choose(magnitude, "GT", 0x7c, t.constant(Canonical.HALF), signed);
            case 4 -> t.choose(magnitude, "EQ", 0x7f, t.constant(Canonical.HALF), signed);
            default -> signed;
        };
    }

    /** As bf16, the upper half of an f32, which has all products with scale factors but those that are too great. */
    private Term bf16(Format format, Term code, Term scale) {
        Term magnitude = t.binary("AND", code, format.sign() - 1);
        Term bits = t.bits(single(format, magnitude));
        if (format.exponent() >= 4) {
            // An infinity, or else a NaN.
            bits = t.choose(magnitude, "GE", format.exponent() == 5 ? 0x7c : 0x7f, t.binary("OR", bits, INFINITY), bits);
        }
        Term half = scale == null ? t.binary("LSHR", bits, 16)
                : new HalfNumbers(vc, t, i.type()).rounded(t.binary("MUL", t.number(bits), power(t.binary("AND", scale, 0xff))));
        Term finite = i.spelling().has(Modifier.SATFINITE) ? t.choose(half, "EQ", INFINITY >>> 16, t.constant((INFINITY >>> 16) - 1), half) : half;
        return t.choose(half, "GT", INFINITY >>> 16, t.constant(Canonical.HALF), signed(format, code, finite));
    }

    /** A magnitude as f32, which has all but infinities and NaNs: a product moves the exponent. */
    private Term single(Format format, Term magnitude) {
        return t.binary("MUL", t.number(t.binary("LSHL", magnitude, format.dropped())), t.constant(Math.scalb(1f, 127 - format.bias())));
    }

    /** A half with the sign of a number, which {@code .relu} makes +0. */
    private Term signed(Format format, Term code, Term half) {
        Term sign = t.binary("LSHL", t.binary("AND", code, format.sign()), 15 - format.exponent() - format.fraction());
        return i.spelling().has(Modifier.RELU) ? t.choose(sign, "NE", 0, t.constant(0), half) : t.binary("OR", half, sign);
    }

    /** The power of two that a ue8m0 number is. */
    private Term power(Term scale) {
        Term some = t.choose(scale, "EQ", 0, t.constant(Float.floatToRawIntBits(0x1p-127f)), t.binary("LSHL", scale, 23));
        return t.number(t.choose(scale, "EQ", 0xff, t.constant(Float.floatToRawIntBits(Float.NaN)), some));
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
