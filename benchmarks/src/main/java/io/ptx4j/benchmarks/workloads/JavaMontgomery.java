package io.ptx4j.benchmarks.workloads;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What the kernel {@code montgomery_chain} computes, in plain Java loops over a parallel stream: coarsely integrated operand
 * scanning with 32-bit limbs in {@code long} arithmetic.
 */
final class JavaMontgomery {
    private static final int LIMBS = 8;
    private static final long MASK = 0xffff_ffffL;
    private static final long[] P = {
        0xd87cfd47L, 0x3c208c16L, 0x6871ca8dL, 0x97816a91L, 0x8181585dL, 0xb85045b6L, 0xe131a029L, 0x30644e72L};
    private static final long MINUS_P_INVERSE = 0xe4866389L;

    private JavaMontgomery() {
    }

    /** Element i of each array is its words from 8·i on. */
    static void chains(int n, int times, int[] a, int[] b, int[] product) {
        IntStream.range(0, n).parallel().forEach(i -> {
            long[] x = new long[LIMBS];
            long[] y = new long[LIMBS];
            long[] t = new long[LIMBS + 1];
            for (int k = 0; k < LIMBS; k++) {
                x[k] = Integer.toUnsignedLong(a[LIMBS * i + k]);
                y[k] = Integer.toUnsignedLong(b[LIMBS * i + k]);
            }
            for (int time = 0; time < times; time++) {
                multiply(x, y, t);
            }
            for (int k = 0; k < LIMBS; k++) {
                product[LIMBS * i + k] = (int) x[k];
            }
        });
    }

    /** x = x·y·R⁻¹ mod p; {@code t} is room for one limb more. */
    private static void multiply(long[] x, long[] y, long[] t) {
        Arrays.fill(t, 0);
        for (int i = 0; i < LIMBS; i++) {
            long carry = 0;
            for (int j = 0; j < LIMBS; j++) {
                long sum = x[j] * y[i] + t[j] + carry;
                t[j] = sum & MASK;
                carry = sum >>> 32;
            }
            long top = t[LIMBS] + carry;
            long m = t[0] * MINUS_P_INVERSE & MASK;
            carry = m * P[0] + t[0] >>> 32;
            for (int j = 1; j < LIMBS; j++) {
                long sum = m * P[j] + t[j] + carry;
                t[j - 1] = sum & MASK;
                carry = sum >>> 32;
            }
            top += carry;
            t[LIMBS - 1] = top & MASK;
            t[LIMBS] = top >>> 32;
        }
        subtractIfLarge(t, x);
    }

    private static void subtractIfLarge(long[] t, long[] x) {
        long borrow = 0;
        for (int j = 0; j < LIMBS; j++) {
            long difference = t[j] - P[j] - borrow;
            x[j] = difference & MASK;
            borrow = difference >>> 63;
        }
        if (borrow > t[LIMBS]) {
            System.arraycopy(t, 0, x, 0, LIMBS);
        }
    }
}
