package io.ptx4j.interpreter;

import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.ScalarType;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Sums of products as the tensor cores of an H100 make them (docs/matrix.md, "What an H100 does"). */
final class HopperSums {
    /** Places below that of the largest exponent that an addend keeps, and bits of a sum; a warpgroup's products of bytes keep fewer. */
    private static final int PLACES = 25;
    private static final int BITS = 24;
    private static final int PLACES_OF_BYTES = 13;
    private static final int BITS_OF_BYTES = 14;

    private final int places;
    private final int kept;
    private final boolean half;
    private final boolean bytes;
    private final boolean quads;
    private final int atOnce;
    private final Format factorA;
    private final Format factorB;
    private final FloatResult single = new FloatResult(Format.F32, Rounding.Fixed.TOWARD_ZERO, false, false, false, false);
    private final FloatResult result;

    /**
     * @param quads whether they are those of {@code m8n8k4} on f16
     * @param warpgroup whether they are those of a warpgroup
     */
    HopperSums(ScalarType a, ScalarType b, ScalarType d, MatrixShape shape, boolean quads, boolean warpgroup) {
        boolean few = a.bits() == 8 && warpgroup;
        this.places = few ? PLACES_OF_BYTES : PLACES;
        this.kept = few ? BITS_OF_BYTES : BITS;
        this.half = d == ScalarType.F16;
        this.bytes = a.bits() == 8 && !warpgroup;
        this.quads = quads;
        this.atOnce = a == ScalarType.TF32 && shape.n() == 16 && !warpgroup ? 4 : shape.k();
        this.factorA = bytes ? Format.F16 : Format.of(a);
        this.factorB = bytes ? Format.F16 : Format.of(b);
        this.result = new FloatResult(Format.of(d), Rounding.Fixed.NEAREST_EVEN, false, false, false, false);
    }

    /** The exact value of the sum, which D has room for. */
    Exact sum(Exact c, Exact[] xs, Exact[] ys) {
        if (quads) {
            return plus(chain(xs, ys), c);
        }
        if (bytes) {
            // The machine makes f16 of bytes, first of the lower half of each register, then of the upper one.
            Exact lower = rounded(step(Exact.zero(false), xs, ys, p -> p % 4 < 2));
            return plus(rounded(step(lower, xs, ys, p -> p % 4 >= 2)), c);
        }
        Exact sum = c;
        for (int n = 0; n * atOnce < xs.length; n++) {
            int from = n * atOnce;
            sum = rounded(step(sum, xs, ys, p -> p >= from && p < from + atOnce));
        }
        return sum;
    }

    private Exact rounded(Exact exact) {
        return result.read(result.bits(exact));
    }

    private Exact plus(Exact sum, Exact c) {
        return rounded(ExactArithmetic.add(sum, c, Rounding.Fixed.NEAREST_EVEN));
    }

    /** The small products of the first tensor cores are chains of fused sums in single precision there. */
    private static Exact chain(Exact[] xs, Exact[] ys) {
        FloatResult single = new FloatResult(Format.F32, Rounding.Fixed.NEAREST_EVEN, false, false, false, false);
        Exact sum = Exact.zero(false);
        for (int p = 0; p < xs.length; p++) {
            sum = single.read(single.bits(ExactArithmetic.multiplyAdd(xs[p], ys[p], sum, Rounding.Fixed.NEAREST_EVEN)));
        }
        return sum;
    }

    private Exact step(Exact addend, Exact[] xs, Exact[] ys, IntPredicate chosen) {
        Exact all = addend;
        List<Exact.Number> terms = new ArrayList<>();
        List<Integer> exponents = new ArrayList<>();
        if (addend instanceof Exact.Number number && !number.isZero()) {
            terms.add(number);
            exponents.add(exponent(number, Format.F32));
        }
        for (int p = 0; p < xs.length; p++) {
            if (chosen.test(p)) {
                Exact product = ExactArithmetic.multiply(xs[p], ys[p]);
                all = ExactArithmetic.add(all, product, Rounding.Fixed.NEAREST_EVEN);
                if (product instanceof Exact.Number number && !number.isZero()) {
                    terms.add(number);
                    exponents.add(exponent((Exact.Number) xs[p], factorA) + exponent((Exact.Number) ys[p], factorB));
                }
            }
        }
        if (!(all instanceof Exact.Number)) {
            return all;
        }
        if (terms.isEmpty()) {
            return Exact.zero(false);
        }
        int last = exponents.stream().mapToInt(Integer::intValue).max().orElseThrow() - places;
        BigInteger sum = BigInteger.ZERO;
        for (Exact.Number term : terms) {
            BigInteger cut = term.magnitude().shiftLeft(term.exponent() - last);
            sum = term.negative() ? sum.subtract(cut) : sum.add(cut);
        }
        return cutOff(new Exact.Number(sum.signum() < 0, sum.abs(), last));
    }

    /** To the bits of a sum; that of halves is rounded as it is. */
    private Exact cutOff(Exact.Number sum) {
        if (half) {
            return sum;
        }
        if (sum.top() > Float.MAX_EXPONENT + 1) {
            return new Exact.Infinity(sum.negative());
        }
        int beyond = Math.max(0, sum.magnitude().bitLength() - kept);
        return single.read(single.bits(new Exact.Number(sum.negative(), sum.magnitude().shiftRight(beyond), sum.exponent() + beyond)));
    }

    /** That of the leading bit; subnormal numbers of the format count as having the least one. */
    private static int exponent(Exact.Number number, Format format) {
        return Math.max(number.top() - 1, format.leastExponent());
    }
}
