package io.ptx4j.jit.support;

/** Integer arithmetic on the halves and bytes of a word: the forms {@code .u16x2} and {@code .s16x2}, {@code dp4a} and {@code dp2a}. */
public final class PackedIntegerOps {
    private PackedIntegerOps() {}

    /** {@code add.u16x2} and {@code add.s16x2}. */
    public static int addX2(int a, int b) {
        return (a & 0x7fff7fff) + (b & 0x7fff7fff) ^ (a ^ b) & 0x80008000;
    }

    /** {@code min.u16x2}. */
    public static int minU16x2(int a, int b) {
        return pack(Math.min(a & 0xffff, b & 0xffff), Math.min(a >>> 16, b >>> 16));
    }

    /** {@code max.u16x2}. */
    public static int maxU16x2(int a, int b) {
        return pack(Math.max(a & 0xffff, b & 0xffff), Math.max(a >>> 16, b >>> 16));
    }

    /** {@code min.s16x2}. */
    public static int minS16x2(int a, int b) {
        return pack(Math.min((short) a, (short) b), Math.min(a >> 16, b >> 16));
    }

    /** {@code max.s16x2}. */
    public static int maxS16x2(int a, int b) {
        return pack(Math.max((short) a, (short) b), Math.max(a >> 16, b >> 16));
    }

    /** {@code min.relu.s16x2}. */
    public static int minReluS16x2(int a, int b) {
        return reluS16x2(minS16x2(a, b));
    }

    /** {@code max.relu.s16x2}. */
    public static int maxReluS16x2(int a, int b) {
        return reluS16x2(maxS16x2(a, b));
    }

    private static int reluS16x2(int a) {
        int signs = a >>> 15 & 0x00010001;
        return a & ~(signs * 0xffff);
    }

    private static int pack(int low, int high) {
        return low & 0xffff | high << 16;
    }

    /** {@code dp4a.u32.u32}. */
    public static int dp4aU32U32(int a, int b, int c) {
        return c + (a & 0xff) * (b & 0xff) + (a >>> 8 & 0xff) * (b >>> 8 & 0xff)
                + (a >>> 16 & 0xff) * (b >>> 16 & 0xff) + (a >>> 24) * (b >>> 24);
    }

    /** {@code dp4a.u32.s32}. */
    public static int dp4aU32S32(int a, int b, int c) {
        return c + (a & 0xff) * (byte) b + (a >>> 8 & 0xff) * (byte) (b >> 8)
                + (a >>> 16 & 0xff) * (byte) (b >> 16) + (a >>> 24) * (b >> 24);
    }

    /** {@code dp4a.s32.u32}. */
    public static int dp4aS32U32(int a, int b, int c) {
        return dp4aU32S32(b, a, c);
    }

    /** {@code dp4a.s32.s32}. */
    public static int dp4aS32S32(int a, int b, int c) {
        return c + (byte) a * (byte) b + (byte) (a >> 8) * (byte) (b >> 8)
                + (byte) (a >> 16) * (byte) (b >> 16) + (a >> 24) * (b >> 24);
    }

    /** {@code dp2a.lo.u32.u32}; for {@code dp2a.hi} the caller shifts b right by 16. */
    public static int dp2aU32U32(int a, int b, int c) {
        return c + (a & 0xffff) * (b & 0xff) + (a >>> 16) * (b >>> 8 & 0xff);
    }

    /** {@code dp2a.lo.u32.s32}; for {@code dp2a.hi} the caller shifts b right by 16. */
    public static int dp2aU32S32(int a, int b, int c) {
        return c + (a & 0xffff) * (byte) b + (a >>> 16) * (byte) (b >> 8);
    }

    /** {@code dp2a.lo.s32.u32}; for {@code dp2a.hi} the caller shifts b right by 16. */
    public static int dp2aS32U32(int a, int b, int c) {
        return c + (short) a * (b & 0xff) + (a >> 16) * (b >>> 8 & 0xff);
    }

    /** {@code dp2a.lo.s32.s32}; for {@code dp2a.hi} the caller shifts b right by 16. */
    public static int dp2aS32S32(int a, int b, int c) {
        return c + (short) a * (byte) b + (a >> 16) * (byte) (b >> 8);
    }
}
