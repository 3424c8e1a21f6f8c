package io.ptx4j.interpreter;

import java.math.BigInteger;

/**
 * Arithmetic without rounding. A quotient or root has no end, so it is cut behind more bits than any format keeps and its last
 * bit says that something was cut; rounding it then gives the same as rounding the true value.
 */
final class ExactArithmetic {
    /** More than a significand of binary64 and the places below it that decide about rounding. */
    private static final int CUT = 70;

    private ExactArithmetic() {
    }

    /** @param rounding decides the sign of an exact zero: negative only when rounding down (IEEE 754, 6.3) */
    static Exact add(Exact a, Exact b, Rounding rounding) {
        if (a instanceof Exact.Number x && b instanceof Exact.Number y) {
            return add(x, y, rounding);
        }
        if (a.isNaN() || b.isNaN()) {
            return nan(b, a);
        }
        if (a instanceof Exact.Infinity && b instanceof Exact.Infinity) {
            return a.negative() == b.negative() ? a : Exact.NotANumber.GENERATED;
        }
        return a instanceof Exact.Infinity ? a : b;
    }

    private static Exact.Number add(Exact.Number a, Exact.Number b, Rounding rounding) {
        if (a.isZero() && b.isZero()) {
            return Exact.zero(a.negative() == b.negative() ? a.negative() : rounding == Rounding.Fixed.DOWN);
        }
        int exponent = a.isZero() ? b.exponent() : b.isZero() ? a.exponent() : Math.min(a.exponent(), b.exponent());
        BigInteger sum = scaled(a, exponent).add(scaled(b, exponent));
        boolean negative = sum.signum() == 0 ? rounding == Rounding.Fixed.DOWN : sum.signum() < 0;
        return new Exact.Number(negative, sum.abs(), exponent);
    }

    private static BigInteger scaled(Exact.Number number, int exponent) {
        if (number.isZero()) {
            return BigInteger.ZERO;
        }
        BigInteger magnitude = number.magnitude().shiftLeft(number.exponent() - exponent);
        return number.negative() ? magnitude.negate() : magnitude;
    }

    static Exact multiply(Exact a, Exact b) {
        boolean negative = a.negative() != b.negative();
        if (a instanceof Exact.Number x && b instanceof Exact.Number y) {
            return new Exact.Number(negative, x.magnitude().multiply(y.magnitude()), x.exponent() + y.exponent());
        }
        if (a.isNaN() || b.isNaN()) {
            return nan(b, a);
        }
        return isZero(a) || isZero(b) ? Exact.NotANumber.GENERATED : new Exact.Infinity(negative);
    }

    static Exact multiplyAdd(Exact a, Exact b, Exact c, Rounding rounding) {
        return a.isNaN() || b.isNaN() || c.isNaN() ? nan(b, c, a) : add(multiply(a, b), c, rounding);
    }

    static Exact divide(Exact a, Exact b) {
        boolean negative = a.negative() != b.negative();
        if (a.isNaN() || b.isNaN()) {
            return nan(a, b);
        }
        if (isZero(a) && isZero(b) || a instanceof Exact.Infinity && b instanceof Exact.Infinity) {
            return Exact.NotANumber.GENERATED;
        }
        if (a instanceof Exact.Infinity || isZero(b)) {
            return new Exact.Infinity(negative);
        }
        if (!(a instanceof Exact.Number x && b instanceof Exact.Number y) || x.isZero()) {
            return Exact.zero(negative);
        }
        int shift = Math.max(0, CUT + y.magnitude().bitLength() - x.magnitude().bitLength());
        BigInteger[] quotient = x.magnitude().shiftLeft(shift).divideAndRemainder(y.magnitude());
        return cut(negative, quotient, x.exponent() - y.exponent() - shift);
    }

    static Exact squareRoot(Exact a) {
        if (a.isNaN()) {
            return nan(a);
        }
        if (isZero(a)) {
            return a;
        }
        if (a.negative()) {
            return Exact.NotANumber.GENERATED;
        }
        if (!(a instanceof Exact.Number x)) {
            return a;
        }
        int shift = Math.max(0, 2 * CUT - x.magnitude().bitLength());
        shift += x.exponent() - shift & 1;
        return cut(false, x.magnitude().shiftLeft(shift).sqrtAndRemainder(), (x.exponent() - shift) / 2);
    }

    private static Exact.Number cut(boolean negative, BigInteger[] wholeAndRest, int exponent) {
        BigInteger whole = wholeAndRest[0].shiftLeft(1);
        return new Exact.Number(negative, wholeAndRest[1].signum() == 0 ? whole : whole.setBit(0), exponent - 1);
    }

    private static boolean isZero(Exact value) {
        return value instanceof Exact.Number number && number.isZero();
    }

    /** The first NaN among the sources in the order in which the processor asks them (docs/numerics.md, "NaN results"). */
    private static Exact nan(Exact... sources) {
        for (Exact source : sources) {
            if (source.isNaN()) {
                return source;
            }
        }
        return Exact.NotANumber.GENERATED;
    }

    /** Orders numbers and infinities, -0 before +0. */
    static int compare(Exact a, Exact b) {
        if (a.negative() != b.negative()) {
            return a.negative() ? -1 : 1;
        }
        return a.negative() ? -compareMagnitudes(a, b) : compareMagnitudes(a, b);
    }

    private static int compareMagnitudes(Exact a, Exact b) {
        if (a instanceof Exact.Number x && b instanceof Exact.Number y) {
            int exponent = Math.min(x.exponent(), y.exponent());
            return x.magnitude().shiftLeft(x.exponent() - exponent).compareTo(y.magnitude().shiftLeft(y.exponent() - exponent));
        }
        return Boolean.compare(a instanceof Exact.Infinity, b instanceof Exact.Infinity);
    }
}
