package io.ptx4j.jit.matrix;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.HalfOps;

import java.util.stream.IntStream;

/**
 * Sums of products as the tensor cores of an H100 make them (docs/matrix.md, "What an H100 does"): exact products and an addend, cut off behind the 25th binary place below the largest
 * of their exponents, added, and cut off to single precision.
 *
 * @param places binary ones below the largest exponent that terms keep
 * @param kept bits of a sum
 * @param chain whether it is one of the small products of the first tensor cores, which are chains of fused sums there
 * @param leastA exponent that subnormal elements of A count as having
 * @param steps the places of a row of A, as they lie in registers, that each instruction of the machine takes
 * @param apart whether C is added at last, by itself
 * @param half whether D is f16
 */
record HopperSums(int places, int kept, boolean chain, int leastA, int leastB, int[][] steps, boolean apart, boolean half) {
    private static final int PLACES = 25;
    private static final int BITS = 24;
    private static final int PLACES_OF_BYTES = 13;
    private static final int BITS_OF_BYTES = 14;
    private static final int LEAST_HALF = -14;
    private static final int LEAST_E4M3 = -6;
    private static final int NONE = -10_000;
    private static final double BEYOND = 0x1p128;

    /**
     * Of bytes the machine makes f16, those of the lower half of each register first.
     *
     * @param stored elements of a row of A in registers
     * @param at most so many are taken at once
     * @param quads whether it is one of the four products of {@code m8n8k4} on f16
     */
    static HopperSums of(ScalarType a, ScalarType b, ScalarType d, int stored, int at, boolean quads) {
        boolean bytes = a.bits() == 8;
        int count = bytes ? 2 : stored / at;
        int[][] steps = IntStream.range(0, count).mapToObj(n -> IntStream.range(0, stored).filter(p -> (bytes ? p % 4 / 2 : p / at) == n).toArray()).toArray(int[][]::new);
        return new HopperSums(PLACES, BITS, quads, least(a), least(b), steps, bytes, d == ScalarType.F16);
    }

    /** Those of a warpgroup's products. */
    static HopperSums ofWarpgroup(ScalarType a, ScalarType b, ScalarType d, int stored) {
        boolean bytes = a.bits() == 8;
        return new HopperSums(bytes ? PLACES_OF_BYTES : PLACES, bytes ? BITS_OF_BYTES : BITS, false, a == ScalarType.E4M3 ? LEAST_E4M3 : least(a), b == ScalarType.E4M3 ? LEAST_E4M3 : least(b),
                new int[][] {IntStream.range(0, stored).toArray()}, false, d == ScalarType.F16);
    }

    private static int least(ScalarType type) {
        return type == ScalarType.F16 || type.bits() == 8 ? LEAST_HALF : Float.MIN_EXPONENT;
    }

    /** Exponents of the elements of A, of zeros one that none other is below. */
    int[] ofA(float[] elements) {
        return exponents(elements, leastA);
    }

    /** The same of those of B. */
    int[] ofB(float[] elements) {
        return exponents(elements, leastB);
    }

    private static int[] exponents(float[] elements, int least) {
        int[] exponents = new int[elements.length];
        for (int i = 0; i < elements.length; i++) {
            exponents[i] = exponent(elements[i], least);
        }
        return exponents;
    }

    private static int exponent(float number, int least) {
        return number == 0 ? NONE : Math.max(Math.getExponent(number), least);
    }

    /**
     * The element of D.
     *
     * @param products exact ones, in the order of the registers of A
     * @param exponents the sums of the exponents of their factors
     */
    float sum(double[] products, int[] exponents, float c) {
        if (chain) {
            float sum = 0;
            for (double product : products) {
                sum = FloatOps.roundedSum(product, sum);
            }
            return sum + c;
        }
        float sum = apart ? 0 : c;
        for (int[] taken : steps) {
            sum = step(products, exponents, taken, sum);
            sum = half ? HalfOps.fromF16(HalfOps.roundF16(sum)) : sum;
        }
        return apart ? (float) ((double) sum + c) : sum;
    }

    private float step(double[] products, int[] exponents, int[] taken, float addend) {
        double all = addend;
        int top = exponent(addend, Float.MIN_EXPONENT);
        for (int p : taken) {
            all += products[p];
            top = Math.max(top, exponents[p]);
        }
        if (!Double.isFinite(all)) {
            return (float) all;
        }
        if (top <= NONE / 2) {
            return 0;
        }
        double unit = Math.scalb(1.0, places - top);
        // Conversion to an integer cuts off, and all that is converted is below 2^28.
        long sum = (long) (addend * unit);
        for (int p : taken) {
            sum += (long) (products[p] * unit);
        }
        return cutOff(Math.scalb((double) sum, top - places));
    }

    /** To the bits of a sum, towards zero; that of halves, which is rounded to fewer, to an odd number. */
    private float cutOff(double exact) {
        if (Math.abs(exact) >= BEYOND) {
            return (float) exact;
        }
        double few = Double.longBitsToDouble(Double.doubleToRawLongBits(exact) & -1L << Double.PRECISION - kept);
        float nearest = (float) few;
        int bits = Float.floatToRawIntBits(nearest) - (Math.abs(nearest) > Math.abs(few) ? 1 : 0);
        return Float.intBitsToFloat(half && Float.intBitsToFloat(bits) != exact ? bits | 1 : bits);
    }
}
