package io.ptx4j.interpreter;

/** The format ue8m0: powers of two from 2^-127 to 2^127, no sign, no zero (manual: "Alternate Floating-Point Data Formats"). */
final class ScaleFactor {
    private static final int NAN = 0xff;
    private static final int BIAS = 127;

    private ScaleFactor() {
    }

    static Exact decode(long bits) {
        return bits == NAN ? Exact.NotANumber.GENERATED : Exact.powerOfTwo((int) bits - BIAS);
    }

    /** The power of two at {@code rounding}'s side of the magnitude of {@code exact}. */
    static long round(Exact exact, Rounding rounding, boolean satFinite) {
        if (exact.isNaN()) {
            return NAN;
        }
        long beyond = satFinite ? NAN - 1 : NAN;
        if (!(exact instanceof Exact.Number number)) {
            return beyond;
        }
        if (number.isZero()) {
            return 0;
        }
        boolean power = number.magnitude().bitCount() == 1;
        int exponent = number.top() - (power || rounding == Rounding.Fixed.TOWARD_ZERO ? 1 : 0);
        long code = Math.max(0, exponent + BIAS);
        return code >= NAN ? beyond : code;
    }
}
