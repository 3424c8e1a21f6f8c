package io.ptx4j.interpreter;

import java.math.BigInteger;

/** The format s2f6: a signed byte times 2^-6, without infinity and NaN (manual: "Fixed-point Data format"). */
final class FixedPoint {
    private static final int FRACTION_BITS = 6;
    private static final BigInteger LEAST = BigInteger.valueOf(-128);
    private static final BigInteger GREATEST = BigInteger.valueOf(127);

    private FixedPoint() {
    }

    static Exact.Number decode(long bits) {
        BigInteger steps = BigInteger.valueOf((byte) bits);
        return new Exact.Number(steps.signum() < 0, steps.abs(), -FRACTION_BITS);
    }

    /** The nearest number, ties to even; the greatest of its sign where {@code exact} lies beyond all, the greatest for NaN. */
    static long round(Exact exact) {
        BigInteger steps = switch (exact) {
            case Exact.NotANumber nan -> GREATEST;
            case Exact.Infinity infinity -> infinity.negative() ? LEAST : GREATEST;
            case Exact.Number number -> new Exact.Number(number.negative(), number.magnitude(), number.exponent() + FRACTION_BITS)
                    .toInteger(Rounding.Fixed.NEAREST_EVEN).max(LEAST).min(GREATEST);
        };
        return Bits.cut(steps.longValue(), 8);
    }
}
