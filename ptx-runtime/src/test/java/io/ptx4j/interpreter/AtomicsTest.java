package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicsTest {
    @ParameterizedTest
    @CsvSource({
        "add.u32,                 5, 7,          12",
        "add.u64,                -1, 7,           6",
        "min.u32,        4294967295, 7,           7",
        "min.s32,        4294967295, 7,  4294967295",
        "max.s32,        4294967295, 7,           7",
        "max.u32,        4294967295, 7,  4294967295",
        "min.s64,                -1, 7,          -1",
        "max.u64,                -1, 7,          -1",
        "and.b32,                 6, 12,          4",
        "or.b32,                  6, 12,         14",
        "xor.b64,                 6, 12,         10",
        "exch.b32,                6, 12,         12",
        "exch.b64,                6, 12,         12",
        "inc.u32,                 6, 12,          7",
        "inc.u32,                12, 12,          0",
        "inc.u32,                13, 12,          0",
        "dec.u32,                 6, 12,          5",
        "dec.u32,                 0, 12,         12",
        "dec.u32,                13, 12,         12",
    })
    void eachOperationGivesTheOldValueAndStoresTheNewOne(String operation, long old, long b, long now) {
        String register = operation.endsWith("64") ? "%rd" : "%r";
        String width = operation.endsWith("64") ? "b64" : "b32";
        long[] results = Script.of("""
                mov.b64 %%rd10, %d; st.global.b64 [%%rd0+8], %%rd10;
                mov.%s %s12, %d;
                mov.b64 %%rd11, 0;
                atom.global.%s %s11, [%%rd0+8], %s12;
                st.global.%s [%%rd0], %s11;
                """.formatted(old, width, register, b, operation, register, register, width, register)).longs(2);
        assertEquals(old, results[0]);
        assertEquals(now, results[1]);
    }

    @Test
    void compareAndSwapStoresOnlyWhereTheOldValueStands() {
        assertArrayEquals(new int[] {5, 5, 9, 9}, Script.of("""
                st.global.u32 [%rd0], 5; st.global.u32 [%rd0+8], 0x00050000;
                atom.global.cas.b32 %r10, [%rd0], 4, 8;
                st.global.u32 [%rd0+4], %r10;
                mov.b16 %h1, 5; mov.b16 %h2, 9;
                atom.global.cas.b16 %h3, [%rd0+10], %h1, %h2;
                ld.global.u16 %r11, [%rd0+10];
                st.global.u32 [%rd0+8], %r11;
                atom.cas.b32 %r12, [%rd0], 5, 8;
                st.global.u32 [%rd0+12], %r11;
                st.global.u32 [%rd0], %r12;
                """).ints(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void noUpdateIsLostAmongWorkers(int workers) {
        int[] results = Script.of("""
                mov.u32 %r10, 0;
                LOOP:
                red.global.add.u32 [%rd0], 1;
                atom.global.add.u32 %r11, [%rd0+4], 2;
                red.global.max.u32 [%rd0+8], %r0;
                add.u32 %r10, %r10, 1;
                setp.lt.u32 %p1, %r10, 20;
                @%p1 bra LOOP;
                """).threads(64).blocks(50).workers(workers).ints(3);
        assertArrayEquals(new int[] {64_000, 128_000, 3199}, results);
    }

    @Test
    void floatSumsFlushSubnormalsInGlobalMemoryOnly() {
        assertArrayEquals(new int[] {0, 0x0000_0003, 0x3FC0_0000, 0x0000_0003, 0x7FFF_FFFF}, Script.of("""
                st.global.b32 [%rd0], 1; st.shared.b32 [s], 1; st.shared.b32 [s+4], 1;
                mov.b32 %f1, 0x00000002;
                red.global.add.f32 [%rd0], %f1;
                red.shared.add.f32 [s], %f1;
                mov.u64 %rd10, s; cvta.shared.u64 %rd10, %rd10;
                atom.add.f32 %f2, [%rd10+4], %f1;
                st.global.b32 [%rd0+8], 0x3f000000;
                red.add.f32 [%rd0+8], 0f3f800000;
                ld.shared.v2.u32 {%r10, %r11}, [s];
                st.global.u32 [%rd0+4], %r10; st.global.u32 [%rd0+12], %r11;
                st.global.b32 [%rd0+16], 0xffc00001;
                red.add.f32 [%rd0+16], 0f3f800000;
                """).declaring(".shared .align 8 .b8 s[8];").ints(5));
    }

    @Test
    void vectorsAndPackedHalvesAddElementByElement() {
        assertArrayEquals(new int[] {0x4040_0000, 0x40A0_0000, 0x3F80_0000, 0x4000_0000, 0x4400_4200}, Script.of("""
                st.global.v2.b32 [%rd0], {0x3f800000, 0x40000000};
                mov.b32 %f1, 0x40000000; mov.b32 %f2, 0x40400000;
                atom.global.v2.f32.add {%f3, %f4}, [%rd0], {%f1, %f2};
                st.global.v2.f32 [%rd0+8], {%f3, %f4};
                st.global.b32 [%rd0+16], 0x40003c00;
                mov.b32 %r10, 0x40004000;
                red.global.add.noftz.f16x2 [%rd0+16], %r10;
                """).ints(5));
    }

    @Test
    void registersOf128BitsAreExchangedAsOne() {
        assertArrayEquals(new long[] {7, 8, 7, 8, 5, 6}, Script.of("""
                mov.b64 %rd10, 5; mov.b64 %rd11, 6; mov.b64 %rd12, 7; mov.b64 %rd13, 8;
                st.global.v2.b64 [%rd0], {%rd10, %rd11};
                mov.b128 %q1, {%rd10, %rd11}; mov.b128 %q2, {%rd12, %rd13};
                atom.global.cas.b128 %q3, [%rd0], %q2, %q1;
                atom.global.cas.b128 %q3, [%rd0], %q1, %q2;
                atom.global.exch.b128 %q4, [%rd0], %q2;
                st.global.b128 [%rd0+16], %q4;
                st.global.b128 [%rd0+32], %q3;
                """).longs(6));
    }

    @Test
    void doubleSumsRoundToNearest() {
        assertArrayEquals(new long[] {Double.doubleToRawLongBits(0.1 + 0.2), Double.doubleToRawLongBits(0.1)}, Script.of("""
                mov.f64 %fd1, 0.1; mov.f64 %fd2, 0.2;
                st.global.f64 [%rd0], %fd1;
                atom.global.add.f64 %fd3, [%rd0], %fd2;
                st.global.f64 [%rd0+8], %fd3;
                """).longs(2));
    }

    @Test
    void sharedAtomicsCountWithinTheBlock() {
        int[] results = Script.of("""
                and.b32 %r10, %r1, 3;
                mov.u32 %r11, s; mad.lo.u32 %r11, %r10, 4, %r11;
                st.shared.u32 [%r11], 0;
                bar.sync 0;
                red.shared.add.u32 [%r11], 1;
                bar.sync 0;
                ld.shared.u32 %r12, [%r11];
                st.global.u32 [%rd1], %r12;
                """).declaring(".shared .align 4 .b8 s[16];").threads(99).ints(8);
        assertArrayEquals(new int[] {25, 0, 25, 0, 25, 0, 24, 0}, results);
    }
}
