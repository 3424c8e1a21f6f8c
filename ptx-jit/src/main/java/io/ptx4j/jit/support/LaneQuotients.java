package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.VectorLanes.DOUBLE;
import static io.ptx4j.jit.support.VectorLanes.LONG;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Quotients and remainders of 64-bit integers for a group's lanes (manual: "div", "rem"), through f64: an estimate that is never too large, then one of what is left, which misses one at most.
 * As in {@link LaneApproximations}, no method takes or returns a vector.
 *
 * <p>Of numbers up to 2^64, as doubles {@code a} and {@code b}, {@code a * (1 / b)} is wrong by less than 5 of 2^53, so {@link #BELOW} keeps it from being too large and misses less than one of
 * 2^49. What is left of the dividend is below 2^16 divisors then, and its estimate is right or one too small.
 */
public final class LaneQuotients {
    private static final double BELOW = 1 - 0x1p-50;
    /** Bits of 2^52 and 2^84, below which the words of a number are the last bits of a double. */
    private static final long LOW = Double.doubleToRawLongBits(0x1p52);
    private static final long HIGH = Double.doubleToRawLongBits(0x1p84);
    private static final long WORD = 0xFFFF_FFFFL;
    /** Added to a number from -2^51 to 2^51, it leaves the nearest whole number in the last bits. */
    private static final double WHOLE = 0x1.8p52;
    private static final long WHOLE_BITS = Double.doubleToRawLongBits(WHOLE);

    private LaneQuotients() {
    }

    /**
     * Divides numbers at the beginning of an array, one for each lane, by those that follow, and leaves results in place of the former. Divided by zero all bits are ones. Elements behind the
     * last lane, up to a whole vector, may change.
     *
     * @param values with room for one vector more
     * @param remainder whether remainders are wanted, which have the dividend's sign
     */
    public static void divide(long[] values, int lanes, boolean signed, boolean remainder) {
        long signs = signed ? -1 : 0;
        long left = remainder ? -1 : 0;
        for (int at = 0; at < lanes; at += LONG.length()) {
            LongVector dividend = LongVector.fromArray(LONG, values, at);
            LongVector divisor = LongVector.fromArray(LONG, values, lanes + at);
            LongVector negative = dividend.lanewise(VectorOperators.ASHR, 63).and(signs);
            LongVector other = divisor.lanewise(VectorOperators.ASHR, 63).and(signs);
            LongVector a = dividend.lanewise(VectorOperators.XOR, negative).sub(negative);
            LongVector b = divisor.lanewise(VectorOperators.XOR, other).sub(other);

            DoubleVector bHigh = b.lanewise(VectorOperators.LSHR, 32).or(HIGH).reinterpretAsDoubles().sub(0x1p84 + 0x1p52);
            DoubleVector inverse = DoubleVector.broadcast(DOUBLE, 1).div(bHigh.add(b.and(WORD).or(LOW).reinterpretAsDoubles())).mul(BELOW);

            DoubleVector aHigh = a.lanewise(VectorOperators.LSHR, 32).or(HIGH).reinterpretAsDoubles().sub(0x1p84 + 0x1p52);
            DoubleVector near = aHigh.add(a.and(WORD).or(LOW).reinterpretAsDoubles()).mul(inverse);
            DoubleVector highWord = near.mul(0x1p-32).add(0x1p52);
            DoubleVector lowWord = near.sub(highWord.sub(0x1p52).mul(0x1p32)).sub(0.5).add(WHOLE);
            LongVector quotient = highWord.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).add(lowWord.reinterpretAsLongs().sub(WHOLE_BITS));
            LongVector rest = a.sub(quotient.mul(b));

            DoubleVector restHigh = rest.lanewise(VectorOperators.LSHR, 32).or(HIGH).reinterpretAsDoubles().sub(0x1p84 + 0x1p52);
            DoubleVector restNear = restHigh.add(rest.and(WORD).or(LOW).reinterpretAsDoubles()).mul(inverse);
            LongVector more = restNear.sub(0.5).add(WHOLE).reinterpretAsLongs().sub(WHOLE_BITS);
            quotient = quotient.add(more);
            rest = rest.sub(more.mul(b));
            // Compared as numbers without signs.
            VectorMask<Long> missed = rest.add(Long.MIN_VALUE).compare(VectorOperators.GE, b.add(Long.MIN_VALUE));
            quotient = quotient.add(1, missed);
            rest = rest.sub(b, missed);

            LongVector result = quotient.lanewise(VectorOperators.XOR, quotient.lanewise(VectorOperators.XOR, rest).and(left));
            LongVector sign = negative.lanewise(VectorOperators.XOR, other.and(~left));
            result = result.lanewise(VectorOperators.XOR, sign).sub(sign);
            result.blend(-1L, divisor.compare(VectorOperators.EQ, 0)).intoArray(values, at);
        }
    }
}
