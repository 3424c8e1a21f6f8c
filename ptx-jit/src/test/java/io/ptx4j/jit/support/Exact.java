package io.ptx4j.jit.support;

import java.math.BigInteger;

/**
 * A number {@code significand · 2^exponent}; where {@code more} is set its magnitude is greater by less than 2^exponent. Rounding
 * happens once, in {@link #round}.
 */
record Exact(BigInteger significand, int exponent, boolean more) {
    /** Bits that a quotient or root gets beyond those of any format. */
    private static final int PRECISION = 200;

    enum Mode { RN, RNA, RZ, RM, RP }

    static Exact of(double number) {
        long bits = Double.doubleToRawLongBits(number);
        int field = (int) (bits >>> 52 & 0x7ff);
        long fraction = bits & 0xf_ffff_ffff_ffffL | (field == 0 ? 0 : 1L << 52);
        return new Exact(BigInteger.valueOf(bits < 0 ? -fraction : fraction), Math.max(field, 1) - 1075, false);
    }

    static Exact of(BigInteger number) {
        return new Exact(number, 0, false);
    }

    Exact add(Exact other) {
        int least = Math.min(exponent, other.exponent);
        return new Exact(significand.shiftLeft(exponent - least).add(other.significand.shiftLeft(other.exponent - least)), least, false);
    }

    Exact multiply(Exact other) {
        return new Exact(significand.multiply(other.significand), exponent + other.exponent, false);
    }

    Exact divide(Exact other) {
        BigInteger[] parts = significand.shiftLeft(PRECISION).divideAndRemainder(other.significand);
        return new Exact(parts[0], exponent - other.exponent - PRECISION, parts[1].signum() != 0);
    }

    Exact root() {
        int odd = exponent & 1;
        BigInteger[] parts = significand.shiftLeft(2 * PRECISION + odd).sqrtAndRemainder();
        return new Exact(parts[0], (exponent - odd) / 2 - PRECISION, parts[1].signum() != 0);
    }

    boolean isZero() {
        return significand.signum() == 0;
    }

    /** Whether the number, rounded to the precision of a format with unbounded exponent, lies below the format's least normal number. */
    boolean isTiny(Format format, Mode mode) {
        Format unbounded = new Format(Format.F64.exponentBits(), format.fractionBits());
        return (round(unbounded, mode) & unbounded.signBit() - 1) < (long) (format.leastExponent() + unbounded.greatestExponent()) << format.fractionBits();
    }

    /** The number's code in a format, without its sign if it rounds to zero. */
    long round(Format format, Mode mode) {
        boolean negative = significand.signum() < 0;
        BigInteger magnitude = significand.abs();
        int top = magnitude.bitLength() - 1 + exponent;
        int unit = Math.max(top, format.leastExponent()) - format.fractionBits();
        BigInteger units = magnitude.shiftRight(unit - exponent);
        BigInteger rest = unit > exponent ? magnitude.subtract(units.shiftLeft(unit - exponent)) : BigInteger.ZERO;
        boolean inexact = rest.signum() != 0 || more;
        int half = rest.shiftLeft(1).compareTo(unit > exponent ? BigInteger.ONE.shiftLeft(unit - exponent) : BigInteger.ONE);
        boolean up = switch (mode) {
            case RN -> half > 0 || half == 0 && (more || units.testBit(0));
            case RNA -> half >= 0;
            case RZ -> false;
            case RM -> inexact && negative;
            case RP -> inexact && !negative;
        };
        long code = units.longValueExact() + (up ? 1 : 0) + ((long) (unit + format.fractionBits() - format.leastExponent()) << format.fractionBits());
        boolean toInfinity = mode == Mode.RN || mode == Mode.RNA || mode == (negative ? Mode.RM : Mode.RP);
        long limit = toInfinity ? format.infinity() : format.infinity() - 1;
        code = top > format.greatestExponent() ? limit : Math.min(code, limit);
        return negative ? code | format.signBit() : code;
    }

    /** A binary interchange format by the widths of its fields. */
    record Format(int exponentBits, int fractionBits) {
        static final Format F64 = new Format(11, 52);
        static final Format F32 = new Format(8, 23);
        static final Format F16 = new Format(5, 10);
        static final Format BF16 = new Format(8, 7);

        int leastExponent() {
            return 2 - (1 << exponentBits - 1);
        }

        int greatestExponent() {
            return (1 << exponentBits - 1) - 1;
        }

        long infinity() {
            return (1L << exponentBits) - 1 << fractionBits;
        }

        long signBit() {
            return 1L << exponentBits + fractionBits;
        }
    }
}
