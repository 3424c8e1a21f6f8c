package io.ptx4j.jit.support;

/** Carry-out of 64-bit sums and differences, as 0 or 1. */
public final class Carries {
    private Carries() {
    }

    /** Carry of {@code a + b}. */
    public static long carry(long a, long b) {
        return Long.compareUnsigned(a + b, a) < 0 ? 1 : 0;
    }

    /** Carry of {@code a + b + carry}. */
    public static long carry(long a, long b, long carry) {
        long sum = a + b;
        return (Long.compareUnsigned(sum, a) < 0 ? 1 : 0) | (Long.compareUnsigned(sum + carry, sum) < 0 ? 1 : 0);
    }

    /** CC.CF after {@code a - b}: 1 when there is no borrow. */
    public static long notBorrow(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? 1 : 0;
    }

    /** CC.CF after {@code a - b - (1 - carry)}. */
    public static long notBorrow(long a, long b, long carry) {
        return Long.compareUnsigned(a, b) > 0 ? 1 : a == b ? carry : 0;
    }

    /** {@code value} clamped to the range of {@code .s32}. */
    public static int clampS32(long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }
}
