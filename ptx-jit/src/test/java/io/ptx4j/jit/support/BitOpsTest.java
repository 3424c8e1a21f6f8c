package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BitOpsTest {
    private static final int[] INTS = Samples.ints();
    private static final long[] LONGS = Samples.longs();
    /** Lengths and positions: all that matter, and some whose upper bits must not count. */
    private static final int[] AMOUNTS =
            IntStream.concat(IntStream.rangeClosed(0, 70), IntStream.of(127, 128, 255, 256, 257, 0x100 + 31, -1, -32, Integer.MIN_VALUE, 0x12300)).toArray();

    private static void same(long expected, long actual, String name, long... sources) {
        if (expected != actual) {
            assertEquals(Long.toHexString(expected), Long.toHexString(actual), () -> name + IntStream.range(0, sources.length)
                    .mapToObj(i -> Long.toHexString(sources[i])).toList());
        }
    }

    @Test
    void theMostSignificantBitIsFoundOrAllOnesGiven() {
        for (int a : INTS) {
            same(BitReference.bfind(a, 32, false, false), BitOps.bfindU32(a), "bfindU32", a);
            same(BitReference.bfind(a, 32, true, false), BitOps.bfindS32(a), "bfindS32", a);
            same(BitReference.bfind(a, 32, false, true), BitOps.bfindShiftamtU32(a), "bfindShiftamtU32", a);
            same(BitReference.bfind(a, 32, true, true), BitOps.bfindShiftamtS32(a), "bfindShiftamtS32", a);
        }
        for (long a : LONGS) {
            same(BitReference.bfind(a, 64, false, false), BitOps.bfindU64(a), "bfindU64", a);
            same(BitReference.bfind(a, 64, true, false), BitOps.bfindS64(a), "bfindS64", a);
            same(BitReference.bfind(a, 64, false, true), BitOps.bfindShiftamtU64(a), "bfindShiftamtU64", a);
            same(BitReference.bfind(a, 64, true, true), BitOps.bfindShiftamtS64(a), "bfindShiftamtS64", a);
        }
    }

    @Test
    void theNthSetBitIsCountedFromTheBaseInBothDirections() {
        assertEquals(3, BitOps.fns(0xaaaaaaaa, 3, 1));
        assertEquals(1, BitOps.fns(0xaaaaaaaa, 2, -1));
        for (int mask : INTS) {
            for (int base = -1; base <= 33; base++) {
                for (int offset : INTS) {
                    same(BitReference.fns(mask, base, offset), BitOps.fns(mask, base, offset), "fns", mask, base, offset);
                }
            }
        }
    }

    @Test
    void bitFieldsEndAtTheirWordAndRepeatTheSign() {
        for (int position : AMOUNTS) {
            for (int length : AMOUNTS) {
                for (int a : INTS) {
                    same((int) BitReference.bfe(a, position, length, 32, false), BitOps.bfeU32(a, position, length), "bfeU32", a, position, length);
                    same((int) BitReference.bfe(a, position, length, 32, true), BitOps.bfeS32(a, position, length), "bfeS32", a, position, length);
                    same((int) BitReference.bfi(a, ~a * 5, position, length, 32), BitOps.bfiB32(a, ~a * 5, position, length), "bfiB32", a, position, length);
                }
            }
        }
    }

    @Test
    void bitFieldsOfLongWordsDoTheSame() {
        for (int position : AMOUNTS) {
            for (int length : AMOUNTS) {
                for (int i = 0; i < LONGS.length; i += 7) {
                    long a = LONGS[i];
                    same(BitReference.bfe(a, position, length, 64, false), BitOps.bfeU64(a, position, length), "bfeU64", a, position, length);
                    same(BitReference.bfe(a, position, length, 64, true), BitOps.bfeS64(a, position, length), "bfeS64", a, position, length);
                    same(BitReference.bfi(a, ~a * 5, position, length, 64), BitOps.bfiB64(a, ~a * 5, position, length), "bfiB64", a, position, length);
                }
            }
        }
    }

    @Test
    void extensionsAndMasksClampOrWrap() {
        for (int a : INTS) {
            for (int b : AMOUNTS) {
                same(BitReference.szext(a, b, true, false), BitOps.szextClampU32(a, b), "szextClampU32", a, b);
                same(BitReference.szext(a, b, true, true), BitOps.szextClampS32(a, b), "szextClampS32", a, b);
                same(BitReference.szext(a, b, false, false), BitOps.szextWrapU32(a, b), "szextWrapU32", a, b);
                same(BitReference.szext(a, b, false, true), BitOps.szextWrapS32(a, b), "szextWrapS32", a, b);
            }
        }
        for (int a : AMOUNTS) {
            for (int b : AMOUNTS) {
                same(BitReference.bmsk(a, b, true), BitOps.bmskClamp(a, b), "bmskClamp", a, b);
                same(BitReference.bmsk(a, b, false), BitOps.bmskWrap(a, b), "bmskWrap", a, b);
            }
        }
        assertEquals(6, BitOps.bmskWrap(1, 2));
    }

    @Test
    void shiftsBeyondTheWidthLeaveNothingButTheSign() {
        for (int b : AMOUNTS) {
            for (int a : INTS) {
                int half = a & 0xffff;
                same(BitReference.shl(half, b, 16), BitOps.shlB32(half, b) & 0xffff, "shlB16", half, b);
                same(BitReference.shr(half, b, 16, false), BitOps.shrU32(half, b), "shrU16", half, b);
                same(BitReference.shr(half, b, 16, true), BitOps.shrS32((short) half, b) & 0xffff, "shrS16", half, b);
                same((int) BitReference.shl(a, b, 32), BitOps.shlB32(a, b), "shlB32", a, b);
                same((int) BitReference.shr(a, b, 32, false), BitOps.shrU32(a, b), "shrU32", a, b);
                same((int) BitReference.shr(a, b, 32, true), BitOps.shrS32(a, b), "shrS32", a, b);
            }
            for (long a : LONGS) {
                same(BitReference.shl(a, b, 64), BitOps.shlB64(a, b), "shlB64", a, b);
                same(BitReference.shr(a, b, 64, false), BitOps.shrU64(a, b), "shrU64", a, b);
                same(BitReference.shr(a, b, 64, true), BitOps.shrS64(a, b), "shrS64", a, b);
            }
        }
    }

    @Test
    void funnelShiftsTakeTheirBitsFromBothWords() {
        for (int a : INTS) {
            for (int b : new int[] {0, -1, 0x12345678, 0x80000001}) {
                for (int c : AMOUNTS) {
                    same(BitReference.shf(a, b, c, true, true), BitOps.shfLClamp(a, b, c), "shfLClamp", a, b, c);
                    same(BitReference.shf(a, b, c, true, false), BitOps.shfLWrap(a, b, c), "shfLWrap", a, b, c);
                    same(BitReference.shf(a, b, c, false, true), BitOps.shfRClamp(a, b, c), "shfRClamp", a, b, c);
                    same(BitReference.shf(a, b, c, false, false), BitOps.shfRWrap(a, b, c), "shfRWrap", a, b, c);
                }
            }
        }
    }

    @Test
    void bytesArePermutedByAnySelector() {
        for (int selector = 0; selector < 0x10000; selector++) {
            int c = selector | 0xabc0000;
            same(BitReference.prmt(0x83c2417f, 0x8504fe07, i -> c >> 4 * i & 15), BitOps.prmt(0x83c2417f, 0x8504fe07, c), "prmt", c);
        }
    }

    @Test
    void bytesArePermutedByTheNamedModes() {
        int a = 0x83c2417f;
        int b = 0x8504fe07;
        String[][] tables = {
            {"3210", "4321", "5432", "6543"}, {"5670", "6701", "7012", "0123"}, {"0000", "1111", "2222", "3333"},
            {"3210", "3211", "3222", "3333"}, {"0000", "1110", "2210", "3210"}, {"1010", "3232", "1010", "3232"}};
        for (int c = 0; c < 4; c++) {
            int selector = c | 0xfc;
            int[] actual = {BitOps.prmtF4e(a, b, selector), BitOps.prmtB4e(a, b, selector), BitOps.prmtRc8(a, selector),
                BitOps.prmtEcl(a, selector), BitOps.prmtEcr(a, selector), BitOps.prmtRc16(a, selector)};
            for (int mode = 0; mode < tables.length; mode++) {
                String sources = tables[mode][c];
                same(BitReference.prmt(a, b, i -> sources.charAt(3 - i) - '0'), actual[mode], "mode " + mode, c);
            }
        }
    }
}
