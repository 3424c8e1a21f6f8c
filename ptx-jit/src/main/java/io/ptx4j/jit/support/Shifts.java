package io.ptx4j.jit.support;

/** Shifts by amounts that may reach the width of the value or pass it (manual: "shl", "shr", "shf"). Amounts are unsigned. */
public final class Shifts {
    private Shifts() {
    }

    public static int left32(int value, int amount) {
        return Integer.compareUnsigned(amount, 32) < 0 ? value << amount : 0;
    }

    public static long left64(long value, int amount) {
        return Integer.compareUnsigned(amount, 64) < 0 ? value << amount : 0;
    }

    public static int rightUnsigned32(int value, int amount) {
        return Integer.compareUnsigned(amount, 32) < 0 ? value >>> amount : 0;
    }

    public static long rightUnsigned64(long value, int amount) {
        return Integer.compareUnsigned(amount, 64) < 0 ? value >>> amount : 0;
    }

    public static int rightSigned32(int value, int amount) {
        return value >> (Integer.compareUnsigned(amount, 32) < 0 ? amount : 31);
    }

    public static long rightSigned64(long value, int amount) {
        return value >> (Integer.compareUnsigned(amount, 64) < 0 ? amount : 63);
    }

    /** The upper word of {@code b:a} shifted left by {@code amount} modulo 32. */
    public static int funnelLeftWrap(int a, int b, int amount) {
        int n = amount & 31;
        return b << n | a >>> 1 >>> 31 - n;
    }

    /** The upper word of {@code b:a} shifted left by {@code amount}, at most 32. */
    public static int funnelLeftClamp(int a, int b, int amount) {
        return Integer.compareUnsigned(amount, 32) < 0 ? funnelLeftWrap(a, b, amount) : a;
    }

    /** The lower word of {@code b:a} shifted right by {@code amount} modulo 32. */
    public static int funnelRightWrap(int a, int b, int amount) {
        int n = amount & 31;
        return b << 1 << 31 - n | a >>> n;
    }

    /** The lower word of {@code b:a} shifted right by {@code amount}, at most 32. */
    public static int funnelRightClamp(int a, int b, int amount) {
        return Integer.compareUnsigned(amount, 32) < 0 ? funnelRightWrap(a, b, amount) : b;
    }
}
