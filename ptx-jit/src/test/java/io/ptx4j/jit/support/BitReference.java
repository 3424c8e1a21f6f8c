package io.ptx4j.jit.support;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** Bit operations one bit at a time, as the manual's loops have them. */
final class BitReference {
    private BitReference() {}

    static boolean bit(long value, int index) {
        return (value >>> index & 1) != 0;
    }

    /** The word whose bit i is set where {@code bits} says so. */
    private static long word(int width, IntPredicate bits) {
        long word = 0;
        for (int i = 0; i < width; i++) {
            word |= bits.test(i) ? 1L << i : 0;
        }
        return word;
    }

    static int bfind(long a, int width, boolean signed, boolean shift) {
        long searched = signed && bit(a, width - 1) ? ~a : a;
        for (int i = width - 1; i >= 0; i--) {
            if (bit(searched, i)) {
                return shift ? width - 1 - i : i;
            }
        }
        return -1;
    }

    static int fns(int mask, int base, int offset) {
        if (offset == Integer.MIN_VALUE) {
            return 0;
        }
        if (Integer.compareUnsigned(base, 31) > 0) {
            return -1;
        }
        if (offset == 0) {
            return bit(mask, base) ? base : -1;
        }
        long count = Math.abs((long) offset) - 1;
        for (int position = base; position >= 0 && position < 32; position += offset > 0 ? 1 : -1) {
            if (bit(mask, position) && count-- == 0) {
                return position;
            }
        }
        return -1;
    }

    /** A place or length: a byte for words of 32 bits, a word, however large, for those of 64. */
    private static int place(int given, int width) {
        return width == Integer.SIZE ? given & 0xff : given < 0 ? Byte.MAX_VALUE : Math.min(given, Byte.MAX_VALUE);
    }

    static long bfe(long a, int b, int c, int width, boolean signed) {
        int position = place(b, width);
        int length = place(c, width);
        boolean sign = signed && length != 0 && bit(a, Math.min(position + length - 1, width - 1));
        return word(width, i -> i < length && position + i < width ? bit(a, position + i) : sign);
    }

    static long bfi(long a, long b, int c, int d, int width) {
        int position = place(c, width);
        int length = place(d, width);
        return word(width, i -> i >= position && i - position < length ? bit(a, i - position) : bit(b, i));
    }

    static int szext(int a, int b, boolean clamp, boolean signed) {
        int length = b & 31;
        if (clamp && Integer.compareUnsigned(b, 31) > 0) {
            return a;
        }
        boolean sign = signed && length != 0 && bit(a, length - 1);
        return (int) word(32, i -> i < length ? bit(a, i) : sign);
    }

    static int bmsk(int a, int b, boolean clamp) {
        long from = clamp ? a & 0xffff_ffffL : a & 31;
        long length = clamp ? b & 0xffff_ffffL : b & 31;
        return (int) word(32, i -> i >= from && i < from + length);
    }

    static long shl(long a, int b, int width) {
        long amount = b & 0xffff_ffffL;
        return word(width, i -> i >= amount && bit(a, (int) (i - amount)));
    }

    static long shr(long a, int b, int width, boolean signed) {
        long amount = b & 0xffff_ffffL;
        return word(width, i -> i + amount < width ? bit(a, (int) (i + amount)) : signed && bit(a, width - 1));
    }

    static int shf(int a, int b, int c, boolean left, boolean clamp) {
        int amount = clamp ? (int) Math.min(c & 0xffff_ffffL, 32) : c & 31;
        long pair = (long) b << 32 | a & 0xffff_ffffL;
        return (int) word(32, i -> bit(pair, left ? i + 32 - amount : Math.min(i + amount, 63)) && (left || i + amount < 64));
    }

    /** The word made of four bytes of b:a; {@code sources} says which byte stands where, 8 more asks for its sign. */
    static int prmt(int a, int b, IntUnaryOperator sources) {
        int word = 0;
        for (int i = 0; i < 4; i++) {
            int source = sources.applyAsInt(i);
            int value = ((source & 7) < 4 ? a : b) >>> 8 * (source & 3) & 0xff;
            word |= (source < 8 ? value : bit(value, 7) ? 0xff : 0) << 8 * i;
        }
        return word;
    }
}
