package io.ptx4j.interpreter;

import java.math.BigInteger;

/** What the bits of a floating-point operand stand for, before any rounding. */
sealed interface Exact {
    /** The number -1^negative · magnitude · 2^exponent; zeros have a sign too. */
    record Number(boolean negative, BigInteger magnitude, int exponent) implements Exact {
        boolean isZero() {
            return magnitude.signum() == 0;
        }

        /** The least integer t with |this| &lt; 2^t; meaningless for zero. */
        int top() {
            return magnitude.bitLength() + exponent;
        }

        Number negated() {
            return new Number(!negative, magnitude, exponent);
        }

        /** The integer that {@code rounding} gives for this number. */
        BigInteger toInteger(Rounding rounding) {
            BigInteger integer = exponent >= 0 ? magnitude.shiftLeft(exponent) : rounding.rounded(negative, magnitude, -exponent);
            return negative ? integer.negate() : integer;
        }
    }

    record Infinity(boolean negative) implements Exact {
    }

    /** @param fraction the fraction field as binary64 has it: 52 bits, payloads of narrower formats in its leading bits */
    record NotANumber(boolean negative, long fraction) implements Exact {
        /** What an operation without a NaN source gives. */
        static final NotANumber GENERATED = new NotANumber(true, 1L << 51);
    }

    boolean negative();

    static Number zero(boolean negative) {
        return new Number(negative, BigInteger.ZERO, 0);
    }

    static Number integer(BigInteger value) {
        return new Number(value.signum() < 0, value.abs(), 0);
    }

    static Number powerOfTwo(int exponent) {
        return new Number(false, BigInteger.ONE, exponent);
    }

    default boolean isNaN() {
        return this instanceof NotANumber;
    }

    /** The value with its sign inverted; a NaN stays what it is (docs/numerics.md, "NaN results"). */
    default Exact negate() {
        return switch (this) {
            case Number number -> number.negated();
            case Infinity infinity -> new Infinity(!infinity.negative);
            case NotANumber nan -> nan;
        };
    }
}
