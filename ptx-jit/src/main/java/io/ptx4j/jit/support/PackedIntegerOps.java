package io.ptx4j.jit.support;

/**
 * Integer arithmetic on the halves and bytes of a word: the forms {@code .u16x2}, {@code .s16x2}, {@code .u8x4} and {@code .s8x4}, {@code dp4a} and {@code dp2a}.
 * The highest bit of each lane is kept apart, so that nothing is carried into the next one.
 */
public final class PackedIntegerOps {
    private static final int HALVES = 0x80008000;
    private static final int BYTES = 0x80808080;

    private PackedIntegerOps() {}

    /** {@code add.u16x2} and {@code add.s16x2}. */
    public static int add16x2(int a, int b) {
        return sum(a, b, HALVES);
    }

    /** {@code add.u8x4} and {@code add.s8x4}. */
    public static int add8x4(int a, int b) {
        return sum(a, b, BYTES);
    }

    /** {@code sub.u8x4} and {@code sub.s8x4}. */
    public static int sub8x4(int a, int b) {
        return difference(a, b, BYTES);
    }

    /** {@code neg.s8x4}. */
    public static int neg8x4(int a) {
        return difference(0, a, BYTES);
    }

    /** {@code add.sat.u16x2}. */
    public static int addSatU16x2(int a, int b) {
        int sum = add16x2(a, b);
        return sum | halves(carries(a, b, sum));
    }

    /** {@code add.sat.s16x2}. */
    public static int addSatS16x2(int a, int b) {
        int sum = add16x2(a, b);
        return chosen(halves((a ^ sum) & (b ^ sum)), (a >>> 15 & 0x00010001) + ~HALVES, sum);
    }

    /** {@code add.sat.u8x4}. */
    public static int addSatU8x4(int a, int b) {
        int sum = add8x4(a, b);
        return sum | bytes(carries(a, b, sum));
    }

    /** {@code add.sat.s8x4}. */
    public static int addSatS8x4(int a, int b) {
        int sum = add8x4(a, b);
        return chosen(bytes((a ^ sum) & (b ^ sum)), ends(a), sum);
    }

    /** {@code sub.sat.u8x4}. */
    public static int subSatU8x4(int a, int b) {
        int difference = sub8x4(a, b);
        return difference & ~bytes(borrows(a, b, difference));
    }

    /** {@code sub.sat.s8x4}. */
    public static int subSatS8x4(int a, int b) {
        int difference = sub8x4(a, b);
        return chosen(bytes((a ^ b) & (a ^ difference)), ends(a), difference);
    }

    /** {@code min.u8x4}. */
    public static int minU8x4(int a, int b) {
        return chosen(less(a, b), a, b);
    }

    /** {@code max.u8x4}. */
    public static int maxU8x4(int a, int b) {
        return chosen(less(a, b), b, a);
    }

    /** {@code min.s8x4}. */
    public static int minS8x4(int a, int b) {
        return chosen(less(a ^ BYTES, b ^ BYTES), a, b);
    }

    /** {@code max.s8x4}. */
    public static int maxS8x4(int a, int b) {
        return chosen(less(a ^ BYTES, b ^ BYTES), b, a);
    }

    /** {@code min.relu.s8x4}. */
    public static int minReluS8x4(int a, int b) {
        int least = minS8x4(a, b);
        return least & ~bytes(least);
    }

    /** {@code max.relu.s8x4}. */
    public static int maxReluS8x4(int a, int b) {
        int most = maxS8x4(a, b);
        return most & ~bytes(most);
    }

    private static int sum(int a, int b, int signs) {
        return (a & ~signs) + (b & ~signs) ^ (a ^ b) & signs;
    }

    private static int difference(int a, int b, int signs) {
        return (a | signs) - (b & ~signs) ^ (a ^ ~b) & signs;
    }

    /** The highest bit of each lane is set where its sum has carried. */
    private static int carries(int a, int b, int sum) {
        return a & b | (a | b) & ~sum;
    }

    /** The highest bit of each lane is set where its difference has borrowed. */
    private static int borrows(int a, int b, int difference) {
        return ~a & b | (~a | b) & difference;
    }

    /** All bits of the bytes in which a is less than b, both unsigned. */
    private static int less(int a, int b) {
        return bytes(borrows(a, b, sub8x4(a, b)));
    }

    /** By signed byte the end of the range on a's side: 7f or 80. */
    private static int ends(int a) {
        return (a >>> 7 & 0x01010101) + ~BYTES;
    }

    /** All bits of the halves whose highest is set. */
    private static int halves(int bits) {
        int signs = bits & HALVES;
        return (signs << 1) - (signs >>> 15);
    }

    /** All bits of the bytes whose highest is set. */
    private static int bytes(int bits) {
        int signs = bits & BYTES;
        return (signs << 1) - (signs >>> 7);
    }

    private static int chosen(int mask, int yes, int no) {
        return no ^ (yes ^ no) & mask;
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
        int least = minS16x2(a, b);
        return least & ~halves(least);
    }

    /** {@code max.relu.s16x2}. */
    public static int maxReluS16x2(int a, int b) {
        int most = maxS16x2(a, b);
        return most & ~halves(most);
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
