package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/** Definitions of the manual's floating-point instructions; choices it leaves open are in docs/numerics.md. */
final class FloatingPoint {
    private FloatingPoint() {
    }

    /** What {@code spelling} computes; null when there is no definition here. */
    static Arithmetic definition(Spelling spelling) {
        Arithmetic scalar = switch (spelling.opcode()) {
            case ADD, SUB, MUL, FMA -> arithmetic(spelling);
            case MAD -> spelling.one(Modifier.Category.ROUNDING) == null && Format.of(spelling.type()) == Format.F32
                    ? truncatingMad(spelling) : arithmetic(spelling);
            case DIV -> divide(spelling);
            case RCP -> reciprocal(spelling);
            case SQRT -> squareRoot(spelling);
            case RSQRT, SIN, COS, LG2, EX2, TANH -> Approximation.definition(spelling);
            case ABS, NEG -> sign(spelling);
            case MIN, MAX -> MinMax.of(spelling);
            case TESTP -> testp(spelling);
            case COPYSIGN -> copysign(Format.of(spelling.type()));
            default -> null;
        };
        return scalar == null ? null : Lanes.each(spelling.type(), scalar);
    }

    /** Manual: "add", "sub", "mul", "fma", "mad"; also of the half precision chapter. */
    static Arithmetic arithmetic(Spelling spelling) {
        FloatResult result = FloatResult.of(spelling, spelling.type());
        Rounding rounding = result.rounding();
        return switch (spelling.opcode()) {
            case ADD -> (s, x) -> result.bits(ExactArithmetic.add(result.read(x[0]), result.read(x[1]), rounding));
            case SUB -> (s, x) -> result.bits(ExactArithmetic.add(result.read(x[0]), result.read(x[1]).negate(), rounding));
            case MUL -> (s, x) -> result.bits(ExactArithmetic.multiply(result.read(x[0]), result.read(x[1])));
            case FMA, MAD -> (s, x) -> result.bits(
                    ExactArithmetic.multiplyAdd(result.read(x[0]), result.read(x[1]), result.read(x[2]), rounding));
            default -> throw new IllegalArgumentException(spelling.text());
        };
    }

    /** mad.f32 without a rounding, of targets sm_1x: the product loses what does not fit 24 bits (PTX 1.4: "mad"). */
    private static Arithmetic truncatingMad(Spelling spelling) {
        FloatResult result = new FloatResult(Format.F32, Rounding.Fixed.NEAREST_EVEN, true, spelling.has(Modifier.SAT), false, false);
        FloatResult factor = new FloatResult(Format.F32, Rounding.Fixed.NEAREST_EVEN, true, false, false, false);
        return (s, x) -> {
            Exact product = ExactArithmetic.multiply(result.read(x[0]), result.read(x[1]));
            Exact addend = result.read(x[2]);
            if (addend instanceof Exact.Number c && c.isZero()) {
                product = result.read(factor.bits(product));
            } else if (product instanceof Exact.Number number) {
                product = Format.F32.rounded(number, Rounding.Fixed.TOWARD_ZERO);
            }
            return result.bits(ExactArithmetic.add(product, addend, Rounding.Fixed.NEAREST_EVEN));
        };
    }

    private static Arithmetic divide(Spelling spelling) {
        FloatResult result = quotient(spelling);
        boolean approximate = spelling.has(Modifier.APPROX) || isLegacy(spelling);
        return (s, x) -> {
            Exact a = result.read(x[0]);
            Exact b = result.read(x[1]);
            if (approximate && b instanceof Exact.Number divisor && exceeds126(divisor)) {
                return a instanceof Exact.Number ? result.bits(Exact.zero(a.negative() != b.negative())) : result.format().nan();
            }
            return result.bits(ExactArithmetic.divide(a, b));
        };
    }

    /** Whether |b| > 2^126, where div.approx divides no more. */
    private static boolean exceeds126(Exact.Number b) {
        return ExactArithmetic.compare(b.negative() ? b.negated() : b, Exact.powerOfTwo(126)) > 0;
    }

    private static Arithmetic reciprocal(Spelling spelling) {
        if (Format.of(spelling.type()) == Format.F64 && spelling.has(Modifier.APPROX)) {
            return Approximation.definition(spelling);
        }
        FloatResult result = quotient(spelling);
        return (s, x) -> result.bits(ExactArithmetic.divide(Exact.powerOfTwo(0), result.read(x[0])));
    }

    private static Arithmetic squareRoot(Spelling spelling) {
        FloatResult result = quotient(spelling);
        return (s, x) -> result.bits(ExactArithmetic.squareRoot(result.read(x[0])));
    }

    private static FloatResult quotient(Spelling spelling) {
        boolean ftz = spelling.has(Modifier.FTZ) || isLegacy(spelling);
        return new FloatResult(Format.of(spelling.type()), Rounding.of(spelling), ftz, false, false, false);
    }

    /** Without a modifier, as PTX 1.0 to 1.3 allow, the f32 forms are the approximate flushing ones, the f64 forms round. */
    static boolean isLegacy(Spelling spelling) {
        return spelling.type() == ScalarType.F32 && spelling.one(Modifier.Category.ROUNDING) == null
                && !spelling.has(Modifier.APPROX) && !spelling.has(Modifier.FULL);
    }

    /** Manual: "abs", "neg"; also of the half precision chapter. */
    static Arithmetic sign(Spelling spelling) {
        FloatResult result = FloatResult.of(spelling, spelling.type());
        boolean negates = spelling.opcode() == Opcode.NEG;
        return (s, x) -> {
            Exact a = result.read(x[0]);
            return result.bits(negates || a.negative() ? a.negate() : a);
        };
    }

    private static Arithmetic copysign(Format format) {
        return (s, x) -> x[1] & ~format.signBit() | x[0] & format.signBit();
    }

    private static Arithmetic testp(Spelling spelling) {
        Format format = Format.of(spelling.type());
        Modifier property = spelling.one(Modifier.Category.MODE);
        return (s, x) -> holds(property, format, x[0]) ? 1 : 0;
    }

    private static boolean holds(Modifier property, Format format, long bits) {
        Exact a = format.decode(bits);
        return switch (property) {
            case FINITE -> a instanceof Exact.Number;
            case INFINITE -> a instanceof Exact.Infinity;
            case NUMBER -> !a.isNaN();
            case NOTANUMBER -> a.isNaN();
            case NORMAL -> a instanceof Exact.Number && !format.isSubnormal(bits);
            case SUBNORMAL -> format.isSubnormal(bits);
            default -> throw new IllegalArgumentException(property + " is no property of a number");
        };
    }
}
