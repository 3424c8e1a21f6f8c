package io.ptx4j.benchmarks.workloads;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What the kernel {@code modexp} computes, in plain Java loops over a parallel stream: operand scanning with 32-bit limbs. */
final class JavaModexp {
    private static final int LIMBS = 32;
    private static final long MASK = 0xffff_ffffL;

    private JavaModexp() {
    }

    static void powers(int n, int exponent, int minusInverse, int[] modulus, int[] bases, int[] powers) {
        IntStream.range(0, n).parallel().forEach(i -> {
            int[] base = Arrays.copyOfRange(bases, LIMBS * i, LIMBS * (i + 1));
            int[] power = base.clone();
            int[] t = new int[LIMBS + 1];
            for (int bit = 30 - Integer.numberOfLeadingZeros(exponent); bit >= 0; bit--) {
                multiply(power, power, t, modulus, minusInverse);
                if ((exponent >> bit & 1) != 0) {
                    multiply(power, base, t, modulus, minusInverse);
                }
            }
            System.arraycopy(power, 0, powers, LIMBS * i, LIMBS);
        });
    }

    private static void multiply(int[] a, int[] b, int[] t, int[] m, int minusInverse) {
        Arrays.fill(t, 0);
        for (int i = 0; i < LIMBS; i++) {
            long factor = b[i] & MASK;
            long carry = 0;
            for (int j = 0; j < LIMBS; j++) {
                long sum = (a[j] & MASK) * factor + (t[j] & MASK) + carry;
                t[j] = (int) sum;
                carry = sum >>> 32;
            }
            long top = (t[LIMBS] & MASK) + carry;
            factor = t[0] * minusInverse & MASK;
            carry = (m[0] & MASK) * factor + (t[0] & MASK) >>> 32;
            for (int j = 1; j < LIMBS; j++) {
                long sum = (m[j] & MASK) * factor + (t[j] & MASK) + carry;
                t[j - 1] = (int) sum;
                carry = sum >>> 32;
            }
            top += carry;
            t[LIMBS - 1] = (int) top;
            t[LIMBS] = (int) (top >>> 32);
        }
        long borrow = 0;
        for (int j = 0; j < LIMBS; j++) {
            long difference = (t[j] & MASK) - (m[j] & MASK) - borrow;
            a[j] = (int) difference;
            borrow = difference >>> 63;
        }
        if (borrow > t[LIMBS]) {
            System.arraycopy(t, 0, a, 0, LIMBS);
        }
    }

    /** The number in words [from, from + 32), least first. */
    static BigInteger number(int[] words, int from) {
        BigInteger number = BigInteger.ZERO;
        for (int k = LIMBS - 1; k >= 0; k--) {
            number = number.shiftLeft(32).or(BigInteger.valueOf(words[from + k] & MASK));
        }
        return number;
    }
}
