package io.ptx4j.jit.support;

/** Byte permutation (manual: "prmt"). Bytes 0 to 3 are those of {@code a}, 4 to 7 those of {@code b}. */
public final class Bytes {
    private Bytes() {
    }

    /** Each nibble of {@code selectors} chooses a byte; its high bit replicates that byte's sign instead. */
    public static int permute(int a, int b, int selectors) {
        long bytes = (long) b << 32 | Integer.toUnsignedLong(a);
        return pick(bytes, selectors) | pick(bytes, selectors >>> 4) << 8 | pick(bytes, selectors >>> 8) << 16
                | pick(bytes, selectors >>> 12) << 24;
    }

    private static int pick(long bytes, int selector) {
        int value = (int) (bytes >>> (selector & 7) * 8) & 0xFF;
        return (selector & 8) != 0 ? (byte) value >> 7 & 0xFF : value;
    }

    public static int forward4(int a, int b, int c) {
        long bytes = (long) b << 32 | Integer.toUnsignedLong(a);
        return (int) (bytes >>> (c & 3) * 8);
    }

    /** Bytes n, n-1, n-2, n-3 modulo 8. */
    public static int backward4(int a, int b, int c) {
        int n = c & 3;
        return permute(a, b, n | (n - 1 & 7) << 4 | (n - 2 & 7) << 8 | (n - 3 & 7) << 12);
    }

    public static int replicate8(int a, int b, int c) {
        return permute(a, b, (c & 3) * 0x1111);
    }

    public static int edgeClampLeft(int a, int b, int c) {
        int n = c & 3;
        return permute(a, b, n | Math.max(1, n) << 4 | Math.max(2, n) << 8 | 3 << 12);
    }

    public static int edgeClampRight(int a, int b, int c) {
        int n = c & 3;
        return permute(a, b, Math.min(1, n) << 4 | Math.min(2, n) << 8 | n << 12);
    }

    public static int replicate16(int a, int b, int c) {
        return (c & 1) == 0 ? permute(a, b, 0x1010) : permute(a, b, 0x3232);
    }
}
