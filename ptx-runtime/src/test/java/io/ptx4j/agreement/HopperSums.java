package io.ptx4j.agreement;

import io.ptx4j.isa.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How the tensor cores of an H100 add up the products of {@code mma} (docs/matrix.md, "What an H100 does"), bit by bit. Products are exact. They and the addend are cut off behind
 * the 25th binary place below the largest of their exponents, added, and the sum is cut off to single precision.
 */
final class HopperSums {
    /** Places that stay below the largest exponent: 23 of single precision and two more. */
    private static final int PLACES = 25;
    private static final int LEAST = -126;

    private final ScalarType a;
    private final ScalarType b;
    private final ScalarType result;

    HopperSums(ScalarType a, ScalarType b, ScalarType result) {
        this.a = a;
        this.b = b;
        this.result = result;
    }

    /** A number {@code significand · 2^scale}; the exponent says where it is cut off, which of a product is the sum of its factors' exponents. */
    private record Term(long significand, int scale, int exponent) {
        static final Term ZERO = new Term(0, 0, LEAST);

        double value() {
            return Math.scalb((double) significand, scale);
        }
    }

    /** The bits of the sum of c and the products of a row and a column, in the order of k. */
    long sum(long[] row, long[] column, long c) {
        if (a.bits() > 8) {
            return step(row, column, k -> true, c);
        }
        // Bytes are made halves: first what lies in the lower half of each word, then in the upper one; c is added at last, by itself.
        long first = step(row, column, k -> k % 4 < 2, 0);
        long both = step(row, column, k -> k % 4 > 1, first);
        return encoded(number(result, both) + number(result, c));
    }

    /** One instruction of the machine: the bits of an addend and of some products. */
    private long step(long[] row, long[] column, IntPredicate chosen, long addend) {
        int[] ks = IntStream.range(0, row.length).filter(chosen).toArray();
        double special = number(result, addend);
        for (int k : ks) {
            special += number(a, row[k]) * number(b, column[k]);
        }
        if (!Double.isFinite(special)) {
            return encoded(special);
        }
        List<Term> terms = new ArrayList<>(List.of(of(result, addend)));
        for (int k : ks) {
            Term x = of(a, row[k]);
            Term y = of(b, column[k]);
            terms.add(new Term(x.significand * y.significand, x.scale + y.scale, x.exponent + y.exponent));
        }
        return encoded(cutOff(terms));
    }

    private static float cutOff(List<Term> terms) {
        terms.removeIf(term -> term.significand == 0);
        if (terms.isEmpty()) {
            return 0;
        }
        int last = terms.stream().mapToInt(Term::exponent).max().orElseThrow() - PLACES;
        long sum = 0;
        for (Term term : terms) {
            int down = last - term.scale;
            long magnitude = Math.abs(term.significand);
            long cut = down <= 0 ? magnitude << -down : down < Long.SIZE ? magnitude >>> down : 0;
            sum += term.significand < 0 ? -cut : cut;
        }
        double exact = Math.scalb((double) sum, last);
        float nearest = (float) exact;
        return Math.abs(nearest) > Math.abs(exact) ? Float.intBitsToFloat(Float.floatToRawIntBits(nearest) - 1) : nearest;
    }

    private long encoded(double value) {
        if (Double.isNaN(value)) {
            return result == ScalarType.F16 ? 0x7fff : 0x7fff_ffffL;
        }
        return result == ScalarType.F16 ? Float.floatToFloat16((float) value) & 0xffff : Float.floatToRawIntBits((float) value) & 0xffff_ffffL;
    }

    private static double number(ScalarType type, long bits) {
        Soft number = Soft.decode(Model.format(type), bits);
        return switch (number.kind()) {
            case NAN -> Double.NaN;
            case INFINITE -> number.negative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            default -> of(type, bits).value();
        };
    }

    private static Term of(ScalarType type, long bits) {
        Soft.Format format = Model.format(type);
        Soft number = Soft.decode(format, bits);
        if (number.kind() == Soft.Kind.ZERO) {
            return Term.ZERO;
        }
        int zeros = Long.numberOfTrailingZeros(number.significand());
        long significand = number.significand() >>> zeros;
        // Subnormal numbers of the type that is multiplied count as having the least exponent; bytes are halves by then, and theirs are none.
        int least = type.bits() == 8 ? Soft.Format.F16.least() : format.least();
        return new Term(number.negative() ? -significand : significand, number.exponent() - 62 + zeros, Math.max(number.exponent(), least));
    }
}
