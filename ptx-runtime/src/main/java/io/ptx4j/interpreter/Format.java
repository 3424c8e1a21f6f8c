package io.ptx4j.interpreter;

import io.ptx4j.isa.ScalarType;
import java.math.BigInteger;

/** A floating-point format (manual: "Fundamental Types", "Alternate Floating-Point Data Formats"); ue8m0 is {@link ScaleFactor}. */
enum Format {
    F16(5, 10, Specials.INFINITY_AND_NAN), BF16(8, 7, Specials.INFINITY_AND_NAN), F32(8, 23, Specials.INFINITY_AND_NAN),
    F64(11, 52, Specials.INFINITY_AND_NAN),
    /** Kept in the upper 19 bits of a 32-bit register. */
    TF32(8, 10, Specials.INFINITY_AND_NAN, 13),
    E4M3(4, 3, Specials.NAN), E5M2(5, 2, Specials.INFINITY_AND_NAN),
    E2M1(2, 1, Specials.NONE), E2M3(2, 3, Specials.NONE), E3M2(3, 2, Specials.NONE);

    private enum Specials { INFINITY_AND_NAN, NAN, NONE }

    private final int fractionBits;
    private final int exponentBits;
    private final int unusedBits;
    private final boolean hasInfinity;
    /** Bits of the greatest finite magnitude, without the unused ones. */
    private final long greatest;

    Format(int exponentBits, int fractionBits, Specials specials) {
        this(exponentBits, fractionBits, specials, 0);
    }

    Format(int exponentBits, int fractionBits, Specials specials, int unusedBits) {
        this.exponentBits = exponentBits;
        this.fractionBits = fractionBits;
        this.unusedBits = unusedBits;
        this.hasInfinity = specials == Specials.INFINITY_AND_NAN;
        long allOnes = (1L << exponentBits + fractionBits) - 1;
        this.greatest = switch (specials) {
            case INFINITY_AND_NAN -> (((1L << exponentBits) - 1) << fractionBits) - 1;
            case NAN -> allOnes - 1;
            case NONE -> allOnes;
        };
    }

    static Format of(ScalarType type) {
        return switch (type.element()) {
            case F16 -> F16;
            case BF16 -> BF16;
            case F32 -> F32;
            case F64 -> F64;
            case TF32 -> TF32;
            case E4M3 -> E4M3;
            case E5M2 -> E5M2;
            case E2M1 -> E2M1;
            case E2M3 -> E2M3;
            case E3M2 -> E3M2;
            default -> throw new IllegalArgumentException(type + " is no floating-point format");
        };
    }

    /** Bits of a significand. */
    int precision() {
        return fractionBits + 1;
    }

    /** Exponent of the least normal number, 2^leastExponent. */
    int leastExponent() {
        return 2 - (1 << exponentBits - 1);
    }

    long signBit() {
        return 1L << exponentBits + fractionBits + unusedBits;
    }

    /** The canonical NaN; in a format without NaN what stands for it, the greatest number. */
    long nan() {
        return this == F64 ? 0xfff8000000000000L : ((1L << exponentBits + fractionBits) - 1) << unusedBits;
    }

    long infinity(boolean negative) {
        return signed(negative, greatest + 1);
    }

    boolean isInfinity(long bits) {
        return hasInfinity && (bits & signBit() - 1) == infinity(false);
    }

    long greatest(boolean negative) {
        return signed(negative, greatest);
    }

    long zero(boolean negative) {
        return signed(negative, 0);
    }

    private long signed(boolean negative, long magnitude) {
        return magnitude << unusedBits | (negative ? signBit() : 0);
    }

    Exact decode(long bits) {
        boolean negative = (bits & signBit()) != 0;
        long magnitude = (bits & signBit() - 1) >>> unusedBits;
        if (magnitude > greatest) {
            long fraction = magnitude & (1L << fractionBits) - 1;
            return hasInfinity && fraction == 0
                    ? new Exact.Infinity(negative) : new Exact.NotANumber(negative, fraction << 52 - fractionBits);
        }
        long biased = magnitude >>> fractionBits;
        long fraction = magnitude & (1L << fractionBits) - 1;
        long significand = biased == 0 ? fraction : fraction | 1L << fractionBits;
        return new Exact.Number(negative, BigInteger.valueOf(significand), (int) Math.max(biased, 1) - 1 + lastPlace());
    }

    /** Exponent of the last place of subnormal numbers. */
    private int lastPlace() {
        return leastExponent() - fractionBits;
    }

    boolean isSubnormal(long bits) {
        long magnitude = (bits & signBit() - 1) >>> unusedBits;
        return magnitude != 0 && magnitude < 1L << fractionBits;
    }

    /** {@code bits}, or a zero of the same sign when they are a subnormal number. */
    long flushed(long bits) {
        return isSubnormal(bits) ? bits & signBit() : bits;
    }

    /** Bits of the exact value rounded once; NaN becomes {@link #nan}. */
    long round(Exact exact, Rounding rounding) {
        return switch (exact) {
            case Exact.NotANumber nan -> nan();
            case Exact.Infinity infinity -> hasInfinity ? infinity(infinity.negative()) : greatest(infinity.negative());
            case Exact.Number number -> round(number, rounding);
        };
    }

    private long round(Exact.Number number, Rounding rounding) {
        if (number.isZero()) {
            return zero(number.negative());
        }
        int place = Math.max(number.top() - precision(), lastPlace());
        BigInteger significand = roundedAt(number, place, rounding);
        // A normal significand carries its leading bit into the exponent field, so the fields just add up, also after a carry.
        BigInteger magnitude = BigInteger.valueOf(place - lastPlace()).shiftLeft(fractionBits).add(significand);
        if (magnitude.compareTo(BigInteger.valueOf(greatest)) > 0) {
            return hasInfinity && rounding.overflowsToInfinity(number.negative())
                    ? infinity(number.negative()) : greatest(number.negative());
        }
        return signed(number.negative(), magnitude.longValue());
    }

    /** Magnitude in units of 2^place. */
    private static BigInteger roundedAt(Exact.Number number, int place, Rounding rounding) {
        int shift = place - number.exponent();
        if (shift <= 0) {
            return number.magnitude().shiftLeft(-shift);
        }
        return rounding.rounded(number.negative(), number.magnitude(), shift);
    }

    /** The number rounded to this format's precision with unbounded exponent. */
    Exact.Number rounded(Exact.Number number, Rounding rounding) {
        if (number.isZero()) {
            return number;
        }
        int place = number.top() - precision();
        return new Exact.Number(number.negative(), roundedAt(number, place, rounding), place);
    }
}
