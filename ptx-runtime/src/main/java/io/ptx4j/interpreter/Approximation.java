package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import java.math.BigInteger;

/** The approximate functions, step by step as docs/numerics.md, "Approximations", defines them. */
final class Approximation {
    private static final long ONE = 0x3f800000L;
    private static final long[] EX2 = {0x3f800000L, 0x3f317218L, 0x3e75fdeeL, 0x3d6357bdL, 0x3c1d96e9L, 0x3aaf84a3L, 0x3920bd2eL};
    private static final long[] LG2 = {0x3fb8aa3bL, 0xbf38aa39L, 0x3ef639b4L, 0xbeb8adbcL, 0x3e936e81L, 0xbe74c0dfL, 0x3e5caa2dL,
        0xbe53bcd2L, 0x3e00d04aL};
    private static final long[] SINE = {ONE, 0xbe2aaaa3L, 0x3c0883beL, 0xb94caae6L};
    private static final long[] COSINE = {ONE, 0xbeffffddL, 0x3d2a9fd5L, 0xbab23c12L};
    private static final long[] TANH_ABOVE = {ONE, 0x3deb7c9aL, 0x3ac79a4fL};
    private static final long[] TANH_BELOW = {ONE, 0x3ee58552L, 0x3c90b537L, 0x386e03eeL};
    private static final long TWO_OVER_PI = 0x3f22f983L;
    private static final long[] MINUS_HALF_PI = {0xbfc90fdbL, 0x333bbd2eL};
    private static final long ROOT_OF_HALF = 0x3f3504f3L;
    private static final long F64_NAN = 0x7fffffff00000000L;

    private Approximation() {
    }

    /** The lane-wise definition of an approximate function. */
    static Arithmetic definition(Spelling spelling) {
        Format format = Format.of(spelling.type());
        boolean ftz = spelling.has(Modifier.FTZ) || FloatingPoint.isLegacy(spelling);
        Opcode opcode = spelling.opcode();
        if (format == Format.F64) {
            return ftz ? (s, x) -> gross(opcode, x[0]) : (s, x) -> inverseRoot(Format.F64, x[0]);
        }
        return (s, x) -> {
            Exact a = format.decode(ftz ? format.flushed(x[0]) : x[0]);
            if (a.isNaN()) {
                return format.nan();
            }
            long single = function(opcode, a, Format.F32.round(a, Rounding.Fixed.NEAREST_EVEN));
            long result = format.round(Format.F32.decode(single), Rounding.Fixed.NEAREST_EVEN);
            return ftz ? format.flushed(result) : result;
        };
    }

    /** @param bits the f32 bits of {@code a}, which is no NaN */
    private static long function(Opcode opcode, Exact a, long bits) {
        return switch (opcode) {
            case EX2 -> ex2(a);
            case LG2 -> lg2(a, bits);
            case SIN -> sine(a, bits, 0);
            case COS -> sine(a, bits, 1);
            case TANH -> tanh(a, bits);
            case RSQRT -> inverseRoot(Format.F32, bits);
            default -> throw new IllegalArgumentException(opcode + " is no approximate function");
        };
    }

    private static long ex2(Exact a) {
        Exact least = Exact.integer(BigInteger.valueOf(-152));
        Exact greatest = Exact.integer(BigInteger.valueOf(129));
        Exact x = ExactArithmetic.compare(a, least) < 0 ? least : ExactArithmetic.compare(a, greatest) > 0 ? greatest : a;
        BigInteger nearest = ((Exact.Number) x).toInteger(Rounding.Fixed.NEAREST_EVEN);
        long fraction = single(ExactArithmetic.add(x, Exact.integer(nearest.negate()), Rounding.Fixed.NEAREST_EVEN));
        int n = nearest.intValueExact();
        int half = Math.floorDiv(n, 2);
        long scaled = multiply(polynomial(EX2, fraction), single(Exact.powerOfTwo(half)));
        return multiply(scaled, single(Exact.powerOfTwo(n - half)));
    }

    private static long lg2(Exact a, long bits) {
        if (a instanceof Exact.Number number && number.isZero()) {
            return Format.F32.infinity(true);
        }
        if (a.negative()) {
            return Format.F32.nan();
        }
        if (!(a instanceof Exact.Number number)) {
            return bits;
        }
        // The power of two that brings the source into [√½, √2): its own, or one more.
        long significand = single(new Exact.Number(false, number.magnitude(), -number.magnitude().bitLength()));
        int exponent = significand < ROOT_OF_HALF ? number.top() - 1 : number.top();
        Exact.Number mantissa = new Exact.Number(false, number.magnitude(), number.exponent() - exponent);
        long f = single(ExactArithmetic.add(mantissa, Exact.powerOfTwo(0).negated(), Rounding.Fixed.NEAREST_EVEN));
        return multiplyAdd(f, polynomial(LG2, f), single(Exact.integer(BigInteger.valueOf(exponent))));
    }

    /** @param quadrants by how many quarter turns the sine is ahead */
    private static long sine(Exact a, long bits, int quadrants) {
        if (!(a instanceof Exact.Number number)) {
            return Format.F32.nan();
        }
        boolean far = ExactArithmetic.compare(number.negative() ? number.negated() : number, Exact.powerOfTwo(22)) > 0;
        long x = far ? Format.F32.zero(number.negative()) : bits;
        if (x == Format.F32.zero(number.negative()) && quadrants == 0) {
            return x;
        }
        Exact.Number turns = (Exact.Number) Format.F32.decode(multiply(x, TWO_OVER_PI));
        BigInteger n = turns.toInteger(Rounding.Fixed.NEAREST_EVEN);
        long quarters = single(Exact.integer(n));
        long r = multiplyAdd(quarters, MINUS_HALF_PI[1], multiplyAdd(quarters, MINUS_HALF_PI[0], x));
        int quadrant = n.intValueExact() + quadrants & 3;
        boolean odd = (quadrant & 1) != 0;
        long w = polynomial(odd ? COSINE : SINE, multiply(r, r));
        long magnitude = odd ? w : multiply(r, w);
        return quadrant >= 2 ? magnitude ^ Format.F32.signBit() : magnitude;
    }

    private static long tanh(Exact a, long bits) {
        Exact magnitude = a.negative() ? a.negate() : a;
        if (ExactArithmetic.compare(magnitude, Exact.integer(BigInteger.valueOf(6))) >= 0) {
            return ONE | bits & Format.F32.signBit();
        }
        long square = multiply(bits, bits);
        long above = multiply(bits, polynomial(TANH_ABOVE, square));
        return single(ExactArithmetic.divide(decode(above), decode(polynomial(TANH_BELOW, square))));
    }

    /** RN(1 / RN(sqrt(a))) */
    private static long inverseRoot(Format format, long bits) {
        Exact root = ExactArithmetic.squareRoot(format.decode(bits));
        FloatResult result = new FloatResult(format, Rounding.Fixed.NEAREST_EVEN, false, false, false, false);
        return result.bits(ExactArithmetic.divide(Exact.powerOfTwo(0), format.decode(result.bits(root))));
    }

    /** rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: from the upper word of the source to the upper word of the result. */
    private static long gross(Opcode opcode, long bits) {
        Format format = Format.F64;
        Exact a = format.decode(format.flushed(bits & ~0xffffffffL));
        boolean zero = a instanceof Exact.Number number && number.isZero();
        if (a.isNaN() || opcode == Opcode.RSQRT && a.negative() && !zero) {
            return F64_NAN;
        }
        long y = opcode == Opcode.RSQRT ? inverseRoot(format, format.round(a, Rounding.Fixed.NEAREST_EVEN))
                : format.round(ExactArithmetic.divide(Exact.powerOfTwo(0), a), Rounding.Fixed.NEAREST_EVEN);
        return format.flushed(y) + 0x80000000L & ~0xffffffffL;
    }

    private static Exact decode(long bits) {
        return Format.F32.decode(bits);
    }

    private static long single(Exact exact) {
        return Format.F32.round(exact, Rounding.Fixed.NEAREST_EVEN);
    }

    private static long multiply(long a, long b) {
        return single(ExactArithmetic.multiply(decode(a), decode(b)));
    }

    private static long multiplyAdd(long a, long b, long c) {
        return single(ExactArithmetic.multiplyAdd(decode(a), decode(b), decode(c), Rounding.Fixed.NEAREST_EVEN));
    }

    /** Horner's rule; {@code coefficients} from the constant upwards. */
    private static long polynomial(long[] coefficients, long x) {
        long sum = coefficients[coefficients.length - 1];
        for (int i = coefficients.length - 2; i >= 0; i--) {
            sum = multiplyAdd(x, sum, coefficients[i]);
        }
        return sum;
    }
}
