package io.ptx4j.jit.support;

/**
 * Integer arithmetic that is more than a few JVM instructions (manual, Integer Arithmetic Instructions).
 *
 * <p>Values of 8 and 16 bits are zero-extended {@code int}s, sources and results alike, whatever their sign. What the manual leaves
 * open, above all division by zero, is decided in {@code docs/numerics.md}.
 */
public final class IntegerOps {
    private IntegerOps() {}

    /** {@code div.u16}. */
    public static int divU16(int a, int b) {
        return b == 0 ? 0xffff : a / b;
    }

    /** {@code div.s16}. */
    public static int divS16(int a, int b) {
        return b == 0 ? 0xffff : (short) a / (short) b & 0xffff;
    }

    /** {@code div.u32}. */
    public static int divU32(int a, int b) {
        return b == 0 ? -1 : Integer.divideUnsigned(a, b);
    }

    /** {@code div.s32}. */
    public static int divS32(int a, int b) {
        return b == 0 ? -1 : a / b;
    }

    /** {@code div.u64}. */
    public static long divU64(long a, long b) {
        return b == 0 ? -1 : Long.divideUnsigned(a, b);
    }

    /** {@code div.s64}. */
    public static long divS64(long a, long b) {
        return b == 0 ? -1 : a / b;
    }

    /** {@code rem.u16}. */
    public static int remU16(int a, int b) {
        return b == 0 ? 0xffff : a % b;
    }

    /** {@code rem.s16}. */
    public static int remS16(int a, int b) {
        return b == 0 ? 0xffff : (short) a % (short) b & 0xffff;
    }

    /** {@code rem.u32}. */
    public static int remU32(int a, int b) {
        return b == 0 ? -1 : Integer.remainderUnsigned(a, b);
    }

    /** {@code rem.s32}. */
    public static int remS32(int a, int b) {
        return b == 0 ? -1 : a % b;
    }

    /** {@code rem.u64}. */
    public static long remU64(long a, long b) {
        return b == 0 ? -1 : Long.remainderUnsigned(a, b);
    }

    /** {@code rem.s64}. */
    public static long remS64(long a, long b) {
        return b == 0 ? -1 : a % b;
    }

    /** {@code mul24.lo.u32}, and of {@code mad24.lo.u32} the product: only the low 24 bits of the sources count. */
    public static int mul24LoU32(int a, int b) {
        return (a & 0xff_ffff) * (b & 0xff_ffff);
    }

    /** {@code mul24.lo.s32}, and of {@code mad24.lo.s32} the product: the sources are signed 24-bit numbers. */
    public static int mul24LoS32(int a, int b) {
        return (a << 8 >> 8) * (b << 8 >> 8);
    }

    /** {@code mul24.hi.u32}, and of {@code mad24.hi.u32} the product: bits 47 to 16. */
    public static int mul24HiU32(int a, int b) {
        return (int) ((long) (a & 0xff_ffff) * (b & 0xff_ffff) >>> 16);
    }

    /** {@code mul24.hi.s32}, and of {@code mad24.hi{.sat}.s32} the product: bits 47 to 16. */
    public static int mul24HiS32(int a, int b) {
        return (int) ((long) (a << 8 >> 8) * (b << 8 >> 8) >>> 16);
    }

    /** {@code add.sat.s32}, also the addition of {@code mad.hi.sat.s32} and {@code mad24.hi.sat.s32}. */
    public static int addSatS32(int a, int b) {
        int sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? a >> 31 ^ Integer.MAX_VALUE : sum;
    }

    /** {@code add.sat.u32}. */
    public static int addSatU32(int a, int b) {
        int sum = a + b;
        return sum | (a & b | (a | b) & ~sum) >> 31;
    }

    /** {@code sub.sat.s32}. */
    public static int subSatS32(int a, int b) {
        int difference = a - b;
        return ((a ^ b) & (a ^ difference)) < 0 ? a >> 31 ^ Integer.MAX_VALUE : difference;
    }

    /** {@code sad.u16}. */
    public static int sadU16(int a, int b, int c) {
        return c + Math.abs(a - b) & 0xffff;
    }

    /** {@code sad.s16}. */
    public static int sadS16(int a, int b, int c) {
        return c + Math.abs((short) a - (short) b) & 0xffff;
    }

    /** {@code sad.u32}. */
    public static int sadU32(int a, int b, int c) {
        return c + (Integer.compareUnsigned(a, b) < 0 ? b - a : a - b);
    }

    /** {@code sad.s32}. */
    public static int sadS32(int a, int b, int c) {
        return c + (a < b ? b - a : a - b);
    }

    /** {@code sad.u64}. */
    public static long sadU64(long a, long b, long c) {
        return c + (Long.compareUnsigned(a, b) < 0 ? b - a : a - b);
    }

    /** {@code sad.s64}. */
    public static long sadS64(long a, long b, long c) {
        return c + (a < b ? b - a : a - b);
    }

    /** {@code min.relu.s32}. */
    public static int minReluS32(int a, int b) {
        return Math.max(Math.min(a, b), 0);
    }

    /** {@code max.relu.s32}. */
    public static int maxReluS32(int a, int b) {
        return Math.max(Math.max(a, b), 0);
    }
}
