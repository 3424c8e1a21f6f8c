package io.ptx4j.interpreter;

import io.ptx4j.engine.SpecialFunction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import java.math.BigInteger;

/** The approximate functions as an H100 gives them, step by step as docs/numerics.md, "What an H100 approximates", says. */
final class HopperApproximation {
    private static final long TURN = 0x3e22f983L;
    private static final int FRACTION_BITS = 23;
    private static final int FRACTION = (1 << FRACTION_BITS) - 1;
    private static final long UPPER_WORD = -1L << 32;
    private static final long GROSS_NAN = 0x7fffffff00000000L;
    /** The first interval of each binade of the hyperbolic tangent from 2^-8 on, and how many bits of fractions there its places leave out. */
    private static final int[] BINADES = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
    private static final int[] LEFT_OUT = {6, 6, 6, 5, 5, 4, 4, 4, 3, 2, 3};

    private HopperApproximation() {
    }

    /** What {@code spelling} computes; null where it is no approximation. */
    static Arithmetic definition(Spelling spelling) {
        Opcode opcode = spelling.opcode();
        boolean known = switch (opcode) {
            case DIV, RCP, SQRT, RSQRT, SIN, COS, LG2, EX2, TANH -> true;
            default -> false;
        };
        boolean legacy = known && FloatingPoint.isLegacy(spelling);
        if (!known || !legacy && !spelling.has(Modifier.APPROX) && !spelling.has(Modifier.FULL)) {
            return null;
        }
        boolean ftz = legacy || spelling.has(Modifier.FTZ);
        Format format = Format.of(spelling.type());
        if (format == Format.F64) {
            return (s, x) -> ftz ? gross(opcode, x[0]) : inverseRoot(x[0]);
        }
        if (format != Format.F32) {
            return Lanes.each(spelling.type(), (s, x) -> half(opcode, format, ftz ? format.flushed(x[0]) : x[0]));
        }
        if (opcode == Opcode.DIV) {
            FloatResult product = new FloatResult(Format.F32, Rounding.Fixed.NEAREST_EVEN, ftz, false, false, false);
            return (s, x) -> quotient(product, x[0], x[1], spelling.has(Modifier.FULL));
        }
        return ftz || opcode == Opcode.TANH ? (s, x) -> unit(opcode, x[0]) : (s, x) -> scaled(opcode, x[0]);
    }

    /** What ptxas makes of an instruction without {@code .ftz}: sources that the unit takes for zero, and results that it does not give, are scaled. */
    private static long scaled(Opcode opcode, long bits) {
        boolean subnormal = Format.F32.isSubnormal(bits);
        Exact a = Format.F32.decode(bits);
        return switch (opcode) {
            case RCP -> {
                int scale = subnormal ? 24 : isBeyond126(a) ? -2 : 0;
                yield times(unit(opcode, times(bits, scale)), scale);
            }
            case RSQRT -> subnormal ? times(unit(opcode, times(bits, 24)), 12) : unit(opcode, bits);
            case SQRT -> subnormal ? times(unit(opcode, times(bits, 24)), -12) : unit(opcode, bits);
            case LG2 -> subnormal ? single(ExactArithmetic.add(Format.F32.decode(unit(opcode, times(bits, 24))), Exact.integer(BigInteger.valueOf(-24)), Rounding.Fixed.NEAREST_EVEN))
                    : unit(opcode, bits);
            case EX2 -> {
                if (a.isNaN() || ExactArithmetic.compare(a, Exact.integer(BigInteger.valueOf(-126))) >= 0) {
                    yield unit(opcode, bits);
                }
                Exact root = Format.F32.decode(unit(opcode, times(bits, -1)));
                yield single(ExactArithmetic.multiply(root, root));
            }
            default -> unit(opcode, bits);
        };
    }

    /** The dividend times the divisor's reciprocal, both scaled where the unit would give zero or infinity for it. */
    private static long quotient(FloatResult product, long dividend, long divisor, boolean full) {
        long a = product.ftz() ? Format.F32.flushed(dividend) : dividend;
        long b = product.ftz() ? Format.F32.flushed(divisor) : divisor;
        int scale = full && isBeyond126(Format.F32.decode(b)) ? -2 : Format.F32.isSubnormal(b) ? 24 : 0;
        Exact scaled = product.read(product.bits(ExactArithmetic.multiply(Format.F32.decode(a), Exact.powerOfTwo(scale))));
        return product.bits(ExactArithmetic.multiply(scaled, Format.F32.decode(unit(Opcode.RCP, times(b, scale)))));
    }

    private static boolean isBeyond126(Exact a) {
        return !a.isNaN() && ExactArithmetic.compare(a.negative() ? a.negate() : a, Exact.powerOfTwo(126)) > 0;
    }

    private static long single(Exact exact) {
        return exact.isNaN() ? Format.F32.nan() : Format.F32.round(exact, Rounding.Fixed.NEAREST_EVEN);
    }

    private static long times(long bits, int powerOfTwo) {
        return single(ExactArithmetic.multiply(Format.F32.decode(bits), Exact.powerOfTwo(powerOfTwo)));
    }

    /** What the unit gives for a number of single precision. */
    private static long unit(Opcode opcode, long bits) {
        Exact y = function(opcode, Format.F32.decode(opcode == Opcode.TANH ? bits : Format.F32.flushed(bits)), 128);
        long result = y.isNaN() ? Format.F32.nan() : Format.F32.round(y, Rounding.Fixed.TOWARD_ZERO);
        return opcode == Opcode.TANH ? result : Format.F32.flushed(result);
    }

    private static long half(Opcode opcode, Format format, long bits) {
        Exact y = function(opcode, format.decode(bits), format == Format.F16 ? 16 : 128);
        long result = y.isNaN() ? format.nan() : format.round(y, Rounding.Fixed.TOWARD_ZERO);
        return opcode == Opcode.EX2 && format != Format.F16 ? format.flushed(result) : result;
    }

    /** {@code rcp.approx.ftz.f64} and {@code rsqrt.approx.ftz.f64}. */
    private static long gross(Opcode opcode, long bits) {
        Exact y = function(opcode, Format.F64.decode(Format.F64.flushed(bits & UPPER_WORD)), 1024);
        return y.isNaN() ? GROSS_NAN : Format.F64.flushed(Format.F64.round(y, Rounding.Fixed.TOWARD_ZERO)) & UPPER_WORD;
    }

    /** {@code rsqrt.approx.f64}: y + y·e·(e·3/8 + 1/2), where e is 1 - a·y² and y what the unit gives. */
    private static long inverseRoot(long bits) {
        FloatResult result = new FloatResult(Format.F64, Rounding.Fixed.NEAREST_EVEN, false, false, false, false);
        Exact a = Format.F64.decode(bits);
        if (a.isNaN()) {
            return result.bits(a);
        }
        if (!(a instanceof Exact.Number number) || number.isZero() || a.negative()) {
            return a instanceof Exact.Number zero && zero.isZero() ? Format.F64.infinity(a.negative()) : a.negative() ? Format.F64.nan() : 0;
        }
        boolean subnormal = Format.F64.isSubnormal(bits);
        if (subnormal) {
            a = ExactArithmetic.multiply(a, Exact.powerOfTwo(54));
        }
        Exact y = Format.F64.decode(gross(Opcode.RSQRT, result.bits(a)));
        Exact square = rounded(ExactArithmetic.multiply(y, y));
        Exact error = rounded(ExactArithmetic.multiplyAdd(a, square.negate(), Exact.powerOfTwo(0), Rounding.Fixed.NEAREST_EVEN));
        Exact factor = rounded(ExactArithmetic.multiplyAdd(error, new Exact.Number(false, BigInteger.valueOf(3), -3), Exact.powerOfTwo(-1), Rounding.Fixed.NEAREST_EVEN));
        Exact root = rounded(ExactArithmetic.multiplyAdd(factor, rounded(ExactArithmetic.multiply(y, error)), y, Rounding.Fixed.NEAREST_EVEN));
        return result.bits(subnormal ? ExactArithmetic.multiply(root, Exact.powerOfTwo(27)) : root);
    }

    private static Exact rounded(Exact exact) {
        return Format.F64.decode(Format.F64.round(exact, Rounding.Fixed.NEAREST_EVEN));
    }

    /**
     * What the unit computes, before it is cut off to the result's format.
     *
     * @param infinite the power of two that the result's format does not reach
     */
    private static Exact function(Opcode opcode, Exact a, int infinite) {
        if (a.isNaN()) {
            return a;
        }
        boolean zero = a instanceof Exact.Number number && number.isZero();
        boolean infinity = !(a instanceof Exact.Number);
        return switch (opcode) {
            case RCP -> zero ? new Exact.Infinity(a.negative()) : infinity ? Exact.zero(a.negative()) : reciprocal((Exact.Number) a);
            case RSQRT -> zero ? new Exact.Infinity(a.negative()) : a.negative() ? nan() : infinity ? Exact.zero(false) : inverseRoot((Exact.Number) a);
            case SQRT -> zero ? a : a.negative() ? nan() : infinity ? a : root((Exact.Number) a);
            case EX2 -> infinity ? a.negative() ? Exact.zero(false) : a : power((Exact.Number) a, infinite);
            case LG2 -> zero ? new Exact.Infinity(true) : a.negative() ? nan() : infinity ? a : logarithm((Exact.Number) a);
            case SIN -> infinity ? nan() : sine((Exact.Number) a, 0, a.negative());
            case COS -> infinity ? nan() : sine((Exact.Number) a, 1, false);
            case TANH -> zero ? a : infinity ? one(a.negative()) : tangent((Exact.Number) a);
            default -> throw new IllegalArgumentException(opcode + " is no function of the unit");
        };
    }

    private static Exact nan() {
        return Format.F32.decode(Format.F32.nan());
    }

    private static Exact.Number one(boolean negative) {
        return new Exact.Number(negative, BigInteger.ONE, 0);
    }

    private static Exact.Number number(boolean negative, long magnitude, int exponent) {
        return new Exact.Number(negative, BigInteger.valueOf(magnitude), exponent);
    }

    /** The 23 bits behind the leading one. */
    private static int fraction(Exact.Number a) {
        return a.magnitude().shiftLeft(FRACTION_BITS + 1).shiftRight(a.magnitude().bitLength()).intValueExact() & FRACTION;
    }

    /** The greatest power of two that a magnitude holds, as its exponent. */
    private static int exponent(Exact.Number a) {
        return a.top() - 1;
    }

    /** The square of a place of 17 bits over 2^19, as the unit adds it up: each partial product without its last 18 bits, and of the sum one more. */
    private static long square(long place) {
        long sum = 0;
        for (long left = place; left != 0; left &= left - 1) {
            sum += (place << Long.numberOfTrailingZeros(left)) >> 18;
        }
        return sum >> 1;
    }

    /** {@code C0·2^shift + C1·place + C2·square·2^more + bias} */
    private static long polynomial(SpecialFunction function, int interval, long place, long square, int shift, int more, int bias) {
        return ((long) function.coefficient(interval, 0) << shift) + function.coefficient(interval, 1) * place + (function.coefficient(interval, 2) * square << more) + bias;
    }

    /** The polynomial where intervals have 17 bits. */
    private static long polynomial(SpecialFunction function, int fraction, int shift, int more, int bias) {
        long place = fraction & 0x1ffff;
        return polynomial(function, fraction >> 17, place, square(place), shift, more, bias);
    }

    private static Exact reciprocal(Exact.Number a) {
        int fraction = fraction(a);
        long place = fraction & 0xffff;
        long significand = polynomial(SpecialFunction.RCP, fraction >> 16, place, square(place << 1), 13, 0, 0x7e7) >> 15;
        return number(a.negative(), significand, -24 - exponent(a));
    }

    /** The fraction of a number in [1, 4): 24 bits. */
    private static int fractionOf4(Exact.Number a) {
        return fraction(a) | (exponent(a) & 1) << FRACTION_BITS;
    }

    private static Exact inverseRoot(Exact.Number a) {
        int fraction = fractionOf4(a);
        int half = exponent(a) >> 1;
        return fraction == 0 ? Exact.powerOfTwo(-half) : number(false, polynomial(SpecialFunction.RSQRT, fraction, 14, 2, 0x3fff) >> 16, -24 - half);
    }

    private static Exact root(Exact.Number a) {
        int fraction = fractionOf4(a);
        boolean from2 = fraction > FRACTION;
        long significand = from2 ? polynomial(SpecialFunction.SQRT, fraction, 14, 0, 0x3fff) >> 16 : polynomial(SpecialFunction.SQRT, fraction, 15, 0, 0x7fff) >> 17;
        return number(false, significand, (exponent(a) >> 1) - FRACTION_BITS);
    }

    private static Exact power(Exact.Number a, int infinite) {
        // All formats' powers lie far within 2^8.
        if (!a.isZero() && exponent(a) >= 8) {
            return a.negative() ? Exact.zero(false) : new Exact.Infinity(false);
        }
        long fixed = fixed(a, FRACTION_BITS).longValueExact();
        long whole = fixed >> FRACTION_BITS;
        int fraction = (int) fixed & FRACTION;
        if (a.negative()) {
            whole = fraction == 0 ? -whole : -whole - 1;
            fraction = fraction == 0 ? 0 : FRACTION - fraction;
        }
        Exact.Number power = number(false, polynomial(SpecialFunction.EX2, fraction, 13, 0, 0x17e2) >> 15, (int) whole - FRACTION_BITS);
        return exponent(power) >= infinite ? new Exact.Infinity(false) : power;
    }

    /** The magnitude in units of 2^-bits, cut off. */
    private static BigInteger fixed(Exact.Number a, int bits) {
        return a.magnitude().shiftLeft(Math.max(a.exponent() + bits, 0)).shiftRight(Math.max(-a.exponent() - bits, 0));
    }

    private static Exact logarithm(Exact.Number a) {
        int fraction = fraction(a);
        long behindPoint = fraction == 0 && exponent(a) == 0 ? 0 : polynomial(SpecialFunction.LG2, fraction, 12, 1, 0x345) >> 2;
        long logarithm = ((long) exponent(a) << 36) + behindPoint;
        return logarithm < 0 ? number(true, ~logarithm, -36) : number(false, logarithm, -36);
    }

    /** @param quarters by how many quarter turns the sine of the magnitude is ahead */
    private static Exact sine(Exact.Number a, int quarters, boolean negative) {
        Exact.Number turns = (Exact.Number) Format.F32.decode(Format.F32.round(
                ExactArithmetic.multiply(a.negative() ? a.negated() : a, Format.F32.decode(TURN)), Rounding.Fixed.TOWARD_ZERO));
        int fixed = fixed(turns, 25).intValue();
        int quarter = (fixed >> FRACTION_BITS) + quarters & 3;
        int fraction = (quarter & 1) == 0 ? fixed & FRACTION : FRACTION - (fixed & FRACTION);
        return number(negative != quarter > 1, polynomial(SpecialFunction.SIN, fraction, 11, 0, 0), -37);
    }

    private static Exact tangent(Exact.Number a) {
        int binade = exponent(a) + 8;
        if (binade < 0) {
            return a;
        }
        if (binade >= BINADES.length) {
            return one(a.negative());
        }
        int place = fraction(a) >> LEFT_OUT[binade];
        long magnitude = polynomial(SpecialFunction.TANH, (BINADES[binade] << 17) + place, 16, 0, 0);
        return number(a.negative(), magnitude, Math.min(exponent(a), -1) - 39);
    }
}
