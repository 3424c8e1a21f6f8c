package io.ptx4j.jit.support;

/**
 * The steps of video instructions that are more than a few JVM instructions (manual: "Video Instructions"). Intermediate results are
 * exact numbers, of which nothing but their order and their low 32 bits shows ({@code docs/numerics.md}, Video instructions).
 */
public final class VideoOps {
    private VideoOps() {}

    /** {@code vshl.clamp} of a byte, half or word by an unsigned amount, at most 32. */
    public static long vshlClamp(long a, long b) {
        // 64 bits hold the result but where 32 or more significant bits are shifted by 32: then any such great number will do.
        return b < 32 ? a << b : a >>> 31 == 1 ? 0x7fff_ffffL << 32 : a << 32;
    }

    /** {@code vshl.wrap}. */
    public static long vshlWrap(long a, long b) {
        return a << (b & 31);
    }

    /** {@code vshr.clamp}. */
    public static long vshrClamp(long a, long b) {
        return a >> Math.min(b, 32);
    }

    /** {@code vshr.wrap}. */
    public static long vshrWrap(long a, long b) {
        return a >> (b & 31);
    }

    /** {@code vavrg2} and {@code vavrg4} of one lane: halves are rounded up, of a negative sum down. */
    public static int average(int a, int b) {
        int sum = a + b;
        return sum + 1 + (sum >> 31) >> 1;
    }

    /** {@code vmad} whose final result is unsigned; {@code c} has the one of {@code .po} in it. */
    public static int vmadU(long a, long b, long c, int shift) {
        return (int) (a * b + c >>> shift);
    }

    /** {@code vmad.sat} whose final result is unsigned. */
    public static int vmadSatU(long a, long b, long c, int shift) {
        long result = a * b + c >>> shift;
        return result >>> 32 == 0 ? (int) result : -1;
    }

    /**
     * {@code vmad} whose final result is signed.
     *
     * @param c with the one in it that inverting the product, c or {@code .po} adds
     * @param invert -1 where the product is inverted, else 0
     */
    public static int vmadS(long a, long b, long c, int invert, int shift) {
        long product = a * b ^ invert;
        long sum = product + c;
        return (int) (shift == 0 ? sum : sum >>> shift | upper(a, b, c, invert, product, sum) << 64 - shift);
    }

    /** {@code vmad.sat} whose final result is signed; the sources are those of {@link #vmadS}. */
    public static int vmadSatS(long a, long b, long c, int invert, int shift) {
        long product = a * b ^ invert;
        long sum = product + c;
        long upper = upper(a, b, c, invert, product, sum);
        long lower = shift == 0 ? sum : sum >>> shift | upper << 64 - shift;
        upper >>= shift;
        if (upper != lower >> 63) {
            return upper < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return (int) Math.max(Math.min(lower, Integer.MAX_VALUE), Integer.MIN_VALUE);
    }

    /** The upper 64 bits of the sum: a product of words may need all 64 of its own, and more once it is inverted. */
    private static long upper(long a, long b, long c, int invert, long product, long sum) {
        long ofProduct = Math.multiplyHigh(a, b) ^ invert;
        return ofProduct + (c >> 63) + (Long.compareUnsigned(sum, product) < 0 ? 1 : 0);
    }
}
