package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/**
 * How an exact value becomes the bits of a result: rounded once, then flushed, saturated or clamped as the modifiers say.
 *
 * @param ftz subnormal sources and tiny results become zero
 * @param sat results are clamped to [0, 1], NaN to 0
 * @param relu negative results become 0
 * @param satFinite results beyond the greatest number become that
 */
record FloatResult(Format format, Rounding rounding, boolean ftz, boolean sat, boolean relu, boolean satFinite) {
    /** What {@code spelling} says about results of {@code type}. */
    static FloatResult of(Spelling spelling, ScalarType type) {
        return new FloatResult(Format.of(type), Rounding.of(spelling), spelling.has(Modifier.FTZ), spelling.has(Modifier.SAT),
                spelling.has(Modifier.RELU), spelling.has(Modifier.SATFINITE));
    }

    FloatResult with(Rounding other) {
        return new FloatResult(format, other, ftz, sat, relu, satFinite);
    }

    FloatResult withoutFlush() {
        return new FloatResult(format, rounding, false, sat, relu, satFinite);
    }

    /** A source of the result's own format. */
    Exact read(long bits) {
        return format.decode(ftz ? format.flushed(bits) : bits);
    }

    /** The bits of a result; a tiny one lies below the least normal number when it is rounded with unbounded exponent. */
    long bits(Exact exact) {
        if (exact instanceof Exact.NotANumber nan) {
            return sat ? 0 : format == Format.F64 ? quiet(nan) : format.nan();
        }
        if (ftz && exact instanceof Exact.Number number && format.rounded(number, rounding).top() <= format.leastExponent()) {
            return clamped(format.zero(exact.negative()));
        }
        long bits = format.round(exact, rounding);
        return clamped(satFinite && format.isInfinity(bits) ? format.greatest(exact.negative()) : bits);
    }

    /** {@code bits} of a number or infinity after {@code .sat} and {@code .relu}. */
    private long clamped(long bits) {
        if ((sat || relu) && (bits & format.signBit()) != 0) {
            return 0;
        }
        return sat ? Math.min(bits, format.round(Exact.powerOfTwo(0), rounding)) : bits;
    }

    /** Sign and leading payload bits of {@code nan} in this format, quiet. */
    long quiet(Exact.NotANumber nan) {
        int dropped = 53 - format.precision();
        long infinity = format.infinity(nan.negative());
        return infinity | nan.fraction() >>> dropped | 1L << format.precision() - 2;
    }
}
