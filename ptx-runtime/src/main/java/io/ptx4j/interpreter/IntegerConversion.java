package io.ptx4j.interpreter;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.math.BigInteger;

/** cvt from and to integers, and cvt.pack. */
final class IntegerConversion {
    private IntegerConversion() {
    }

    /** Integer to integer: extended or cut, clamped with {@code .sat}. */
    static Arithmetic resize(Spelling spelling) {
        ScalarType to = spelling.type();
        ScalarType from = spelling.types().get(1);
        boolean sat = spelling.has(Modifier.SAT);
        return (s, x) -> bits(to, sat ? clamped(to, value(from, x[0])) : value(from, x[0]));
    }

    /** Float to integer: rounded, then clamped whether or not {@code .sat} is spelled (manual: "cvt", Integer Notes). */
    static Arithmetic fromFloat(Spelling spelling) {
        ScalarType to = spelling.type();
        Format from = Format.of(spelling.types().get(1));
        Rounding rounding = Rounding.of(spelling);
        boolean ftz = spelling.has(Modifier.FTZ);
        long nan = from == Format.F64 || to.bits() == 64 ? 1L << to.bits() - 1 : 0;
        return (s, x) -> switch (from.decode(ftz ? from.flushed(x[0]) : x[0])) {
            case Exact.NotANumber ignored -> nan;
            case Exact.Infinity infinity -> bits(to, infinity.negative() ? least(to) : greatest(to));
            case Exact.Number number -> bits(to, clamped(to, number.toInteger(rounding)));
        };
    }

    static Arithmetic toFloat(Spelling spelling) {
        FloatResult result = FloatResult.of(spelling, spelling.type());
        ScalarType from = spelling.types().get(1);
        return (s, x) -> result.bits(Exact.integer(value(from, x[0])));
    }

    /** Manual: "cvt.pack": a above b in the lowest bits; c, where there is one, moves up and fills the rest. */
    static Arithmetic pack(Spelling spelling) {
        ScalarType to = spelling.type();
        int width = to.bits();
        return (s, x) -> {
            long a = bits(to, clamped(to, value(ScalarType.S32, x[0])));
            long b = bits(to, clamped(to, value(ScalarType.S32, x[1])));
            long c = x.length < 3 ? 0 : x[2];
            return (c << 2 * width | a << width | b) & 0xffffffffL;
        };
    }

    private static BigInteger value(ScalarType type, long bits) {
        BigInteger unsigned = BigInteger.valueOf(bits).mod(BigInteger.ONE.shiftLeft(type.bits()));
        return type.signed() && unsigned.testBit(type.bits() - 1) ? unsigned.subtract(BigInteger.ONE.shiftLeft(type.bits())) : unsigned;
    }

    private static long bits(ScalarType type, BigInteger value) {
        return value.mod(BigInteger.ONE.shiftLeft(type.bits())).longValue();
    }

    private static BigInteger clamped(ScalarType type, BigInteger value) {
        return value.max(least(type)).min(greatest(type));
    }

    private static BigInteger least(ScalarType type) {
        return type.signed() ? BigInteger.ONE.shiftLeft(type.bits() - 1).negate() : BigInteger.ZERO;
    }

    private static BigInteger greatest(ScalarType type) {
        return BigInteger.ONE.shiftLeft(type.signed() ? type.bits() - 1 : type.bits()).subtract(BigInteger.ONE);
    }
}
