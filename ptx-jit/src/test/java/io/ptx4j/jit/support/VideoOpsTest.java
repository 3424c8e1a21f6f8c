package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class VideoOpsTest {
    private static final BigInteger WORD = BigInteger.ONE.shiftLeft(32);

    /** Words as both types read them, and their ends. */
    private static long[] numbers(boolean signed) {
        long[] numbers = new long[Samples.ints().length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = signed ? Samples.ints()[i] : Samples.ints()[i] & 0xffff_ffffL;
        }
        return numbers;
    }

    private static BigInteger big(long number) {
        return BigInteger.valueOf(number);
    }

    @Test
    void shiftsKeepTheirOrderAndTheirLowWord() {
        for (boolean signed : new boolean[] {true, false}) {
            for (long a : numbers(signed)) {
                for (long b : numbers(false)) {
                    int clamped = (int) Math.min(b, 32);
                    sameShown(big(a).shiftLeft(clamped), VideoOps.vshlClamp(a, b), a, b);
                    sameShown(big(a).shiftLeft((int) (b & 31)), VideoOps.vshlWrap(a, b), a, b);
                    sameShown(big(a).shiftRight(clamped), VideoOps.vshrClamp(a, b), a, b);
                    sameShown(big(a).shiftRight((int) (b & 31)), VideoOps.vshrWrap(a, b), a, b);
                }
            }
        }
    }

    /** The same low word, and the same place among numbers of a word. */
    private static void sameShown(BigInteger expected, long actual, long a, long b) {
        BigInteger least = big(Integer.MIN_VALUE);
        BigInteger greatest = WORD.subtract(BigInteger.ONE);
        assertEquals(expected.intValue(), (int) actual, () -> a + " by " + b);
        assertEquals(expected.max(least).min(greatest), big(actual).max(least).min(greatest), () -> a + " by " + b);
    }

    @Test
    void averagesOfNegativeSumsAreRoundedDown() {
        for (int a = -70_000; a < 70_000; a += 997) {
            for (int b = -130; b < 130; b++) {
                int sum = a + b;
                assertEquals(sum >= 0 ? Math.floorDiv(sum + 1, 2) : Math.floorDiv(sum, 2), VideoOps.average(a, b));
            }
        }
    }

    private static void multiplyAdd(long a, long b, int word, boolean signed, boolean invert, int one, int shift) {
        long c = (signed ? word : word & 0xffff_ffffL) + one;
        BigInteger product = big(a).multiply(big(b));
        BigInteger exact = (invert ? product.not() : product).add(big(c)).shiftRight(shift);
        BigInteger least = signed ? big(Integer.MIN_VALUE) : BigInteger.ZERO;
        BigInteger greatest = signed ? big(Integer.MAX_VALUE) : WORD.subtract(BigInteger.ONE);
        int plain = signed ? VideoOps.vmadS(a, b, c, invert ? -1 : 0, shift) : VideoOps.vmadU(a, b, c, shift);
        int clamped = signed ? VideoOps.vmadSatS(a, b, c, invert ? -1 : 0, shift) : VideoOps.vmadSatU(a, b, c, shift);
        if (exact.intValue() != plain || exact.max(least).min(greatest).intValue() != clamped) {
            String what = "%d * %d, %d, signed %s, inverted %s, shifted by %d".formatted(a, b, c, signed, invert, shift);
            assertEquals(exact.intValue(), plain, what);
            assertEquals(exact.max(least).min(greatest).intValue(), clamped, what + ", saturated");
        }
    }

    private static void multiplyAdd(int a, int b, int c) {
        long ua = a & 0xffff_ffffL;
        long ub = b & 0xffff_ffffL;
        for (int shift : new int[] {0, 7, 15}) {
            for (int one = 0; one <= 1; one++) {
                multiplyAdd(ua, ub, c, false, false, one, shift);
                multiplyAdd(ua, ub, c, true, false, one, shift);
                multiplyAdd(ua, ub, c, true, true, 1, shift);
                multiplyAdd(a, ub, c, true, one == 1, one, shift);
                multiplyAdd(a, b, c, true, one == 1, one, shift);
            }
        }
    }

    @Test
    void productsOfWordsAreExactWhateverTheirSigns() {
        int[] edges = Samples.ints();
        for (int a : edges) {
            for (int b : edges) {
                for (int c : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                    multiplyAdd(a, b, c);
                }
            }
        }
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 20_000; i++) {
            multiplyAdd(random.nextInt() >> (i & 31), random.nextInt() >>> (i >> 5 & 31), random.nextInt());
        }
    }
}
