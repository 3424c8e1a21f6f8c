package io.ptx4j.jit.support;

/**
 * Bit fields, shifts and permutations (manual, Integer Arithmetic Instructions from {@code bfind} on, Logic and Shift Instructions,
 * and {@code prmt}).
 */
public final class BitOps {
    private BitOps() {}

    /** {@code bfind.u32}. */
    public static int bfindU32(int a) {
        return 31 - Integer.numberOfLeadingZeros(a);
    }

    /** {@code bfind.s32}. */
    public static int bfindS32(int a) {
        return bfindU32(a ^ a >> 31);
    }

    /** {@code bfind.u64}. */
    public static int bfindU64(long a) {
        return 63 - Long.numberOfLeadingZeros(a);
    }

    /** {@code bfind.s64}. */
    public static int bfindS64(long a) {
        return bfindU64(a ^ a >> 63);
    }

    /** {@code bfind.shiftamt.u32}. */
    public static int bfindShiftamtU32(int a) {
        return a == 0 ? -1 : Integer.numberOfLeadingZeros(a);
    }

    /** {@code bfind.shiftamt.s32}. */
    public static int bfindShiftamtS32(int a) {
        return bfindShiftamtU32(a ^ a >> 31);
    }

    /** {@code bfind.shiftamt.u64}. */
    public static int bfindShiftamtU64(long a) {
        return a == 0 ? -1 : Long.numberOfLeadingZeros(a);
    }

    /** {@code bfind.shiftamt.s64}. */
    public static int bfindShiftamtS64(long a) {
        return bfindShiftamtU64(a ^ a >> 63);
    }

    /** {@code fns.b32}; a base beyond 31, which the manual leaves undefined, finds nothing; 0 for the least offset, as GPUs give. */
    public static int fns(int mask, int base, int offset) {
        if (offset == Integer.MIN_VALUE) {
            return 0;
        }
        if ((base & ~31) != 0) {
            return -1;
        }
        if (offset == 0) {
            return (mask >>> base & 1) != 0 ? base : -1;
        }
        int rest = offset > 0 ? mask & -1 << base : mask & -1 >>> 31 - base;
        for (int count = Math.abs(offset); count != 1 && rest != 0; count--) {
            rest ^= offset > 0 ? Integer.lowestOneBit(rest) : Integer.highestOneBit(rest);
        }
        return rest == 0 ? -1 : offset > 0 ? Integer.numberOfTrailingZeros(rest) : bfindU32(rest);
    }

    /** {@code bfe.u32}. */
    public static int bfeU32(int a, int b, int c) {
        int position = Math.min(b & 0xff, 63);
        int length = Math.min(c & 0xff, 63);
        return (int) ((a & 0xffff_ffffL) >>> position & ~(-1L << length));
    }

    /** {@code bfe.s32}. */
    public static int bfeS32(int a, int b, int c) {
        long field = (long) a >> Math.min(b & 0xff, 63);
        int length = Math.min(c & 0xff, 64);
        return length == 0 ? 0 : (int) (field << 64 - length >> 64 - length);
    }

    /** {@code bfe.u64}. */
    public static long bfeU64(long a, int b, int c) {
        long field = (b & ~63) != 0 ? 0 : a >>> b;
        return (c & ~63) != 0 ? field : field & ~(-1L << c);
    }

    /** {@code bfe.s64}. */
    public static long bfeS64(long a, int b, int c) {
        long field = a >> ((b & ~63) != 0 ? 63 : b);
        int length = (c & ~63) != 0 ? 64 : c;
        return length == 0 ? 0 : field << 64 - length >> 64 - length;
    }

    /** {@code bfi.b32}. */
    public static int bfiB32(int a, int b, int c, int d) {
        int position = Math.min(c & 0xff, 32);
        int mask = (int) (~(-1L << Math.min(d & 0xff, 32)) << position);
        return b ^ (a << position ^ b) & mask;
    }

    /** {@code bfi.b64}. */
    public static long bfiB64(long a, long b, int c, int d) {
        long field = (d & ~63) != 0 ? -1 : ~(-1L << d);
        long mask = (c & ~63) != 0 ? 0 : field << c;
        return b ^ (a << c ^ b) & mask;
    }

    /** {@code szext.clamp.u32}. */
    public static int szextClampU32(int a, int b) {
        return (b & ~31) != 0 ? a : a & ~(-1 << b);
    }

    /** {@code szext.clamp.s32}. */
    public static int szextClampS32(int a, int b) {
        return (b & ~31) != 0 ? a : szextWrapS32(a, b);
    }

    /** {@code szext.wrap.u32}. */
    public static int szextWrapU32(int a, int b) {
        return a & ~(-1 << b);
    }

    /** {@code szext.wrap.s32}. */
    public static int szextWrapS32(int a, int b) {
        return (b & 31) == 0 ? 0 : a << -b >> -b;
    }

    /** {@code bmsk.clamp.b32}. */
    public static int bmskClamp(int a, int b) {
        long from = (b & ~31) != 0 ? -1L : ~(-1L << b);
        return (a & ~31) != 0 ? 0 : (int) (from << a);
    }

    /** {@code bmsk.wrap.b32}. */
    public static int bmskWrap(int a, int b) {
        return ~(-1 << b) << a;
    }

    /** {@code shl.b32}, and {@code shl.b16} once the result is cut; the amount is unsigned, and beyond the width gives 0. */
    public static int shlB32(int a, int b) {
        return (b & ~31) != 0 ? 0 : a << b;
    }

    /** {@code shl.b64}. */
    public static long shlB64(long a, int b) {
        return (b & ~63) != 0 ? 0 : a << b;
    }

    /** {@code shr.u32} and {@code shr.b32}, and of zero-extended halves {@code shr.u16} and {@code shr.b16}. */
    public static int shrU32(int a, int b) {
        return (b & ~31) != 0 ? 0 : a >>> b;
    }

    /** {@code shr.s32}, and of sign-extended halves {@code shr.s16}. */
    public static int shrS32(int a, int b) {
        return a >> ((b & ~31) != 0 ? 31 : b);
    }

    /** {@code shr.u64} and {@code shr.b64}. */
    public static long shrU64(long a, int b) {
        return (b & ~63) != 0 ? 0 : a >>> b;
    }

    /** {@code shr.s64}. */
    public static long shrS64(long a, int b) {
        return a >> ((b & ~63) != 0 ? 63 : b);
    }

    /** {@code shf.l.clamp.b32}: the upper word of b:a shifted left. */
    public static int shfLClamp(int a, int b, int c) {
        return (c & ~31) != 0 ? a : shfLWrap(a, b, c);
    }

    /** {@code shf.l.wrap.b32}. */
    public static int shfLWrap(int a, int b, int c) {
        return (int) (pair(a, b) << (c & 31) >>> 32);
    }

    /** {@code shf.r.clamp.b32}: the lower word of b:a shifted right. */
    public static int shfRClamp(int a, int b, int c) {
        return (c & ~31) != 0 ? b : shfRWrap(a, b, c);
    }

    /** {@code shf.r.wrap.b32}. */
    public static int shfRWrap(int a, int b, int c) {
        return (int) (pair(a, b) >>> (c & 31));
    }

    /** {@code prmt.b32}, the general form: four selectors of four bits, whose top bit spreads the byte's sign. */
    public static int prmt(int a, int b, int c) {
        long bytes = pair(a, b);
        int chosen = prmtByte(bytes, c) | prmtByte(bytes, c >> 4) << 8 | prmtByte(bytes, c >> 8) << 16 | prmtByte(bytes, c >> 12) << 24;
        return (c & 0x8888) == 0 ? chosen : prmtSigns(chosen, c);
    }

    private static int prmtByte(long bytes, int selector) {
        return (int) (bytes >>> ((selector & 7) << 3)) & 0xff;
    }

    /** Spreads the signs of the bytes whose selectors want that. */
    private static int prmtSigns(int chosen, int c) {
        int wanted = (c >> 3 & 1 | c << 1 & 1 << 8 | c << 5 & 1 << 16 | c << 9 & 1 << 24) * 0xff;
        int signs = (chosen >>> 7 & 0x01010101) * 0xff;
        return chosen & ~wanted | signs & wanted;
    }

    /** {@code prmt.b32.f4e}: four bytes forward from the selected one. */
    public static int prmtF4e(int a, int b, int c) {
        return (int) (pair(a, b) >>> ((c & 3) << 3));
    }

    /** {@code prmt.b32.b4e}: four bytes backward from the selected one, around the end. */
    public static int prmtB4e(int a, int b, int c) {
        return Integer.reverseBytes((int) Long.rotateRight(pair(a, b), (c & 3) - 3 << 3));
    }

    /** {@code prmt.b32.rc8}: the selected byte four times. */
    public static int prmtRc8(int a, int c) {
        return (a >>> ((c & 3) << 3) & 0xff) * 0x01010101;
    }

    /** {@code prmt.b32.ecl}: bytes below the selected one become it. */
    public static int prmtEcl(int a, int c) {
        int from = (c & 3) << 3;
        int low = ~(-1 << from);
        return a & ~low | prmtRc8(a, c) & low;
    }

    /** {@code prmt.b32.ecr}: bytes above the selected one become it. */
    public static int prmtEcr(int a, int c) {
        int upTo = -1 >>> 24 - ((c & 3) << 3);
        return a & upTo | prmtRc8(a, c) & ~upTo;
    }

    /** {@code prmt.b32.rc16}: the selected half twice; only the lowest bit of the selector counts. */
    public static int prmtRc16(int a, int c) {
        return (a >>> ((c & 1) << 4) & 0xffff) * 0x00010001;
    }

    private static long pair(int low, int high) {
        return (long) high << 32 | low & 0xffff_ffffL;
    }
}
