package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.runtime.KernelException;
import org.junit.jupiter.api.Test;

class MemoryAccessTest {
    @Test
    void narrowLoadsFillWiderRegistersBySignOrZero() {
        assertArrayEquals(new long[] {0xFFFF_FFFF_FFFF_FF80L, 0x80L, 0xFFFF_FF80L, 0xFFFF_8080L, 0x8080L}, Script.of("""
                mov.b32 %r10, 0x80808080;
                st.global.b32 [%rd0+32], %r10;
                ld.global.s8 %rd10, [%rd0+32];
                ld.global.u8 %rd11, [%rd0+32];
                ld.global.s8 %r12, [%rd0+32];
                ld.global.s16 %r13, [%rd0+32];
                ld.global.b16 %r14, [%rd0+32];
                st.global.u64 [%rd0], %rd10;
                st.global.u64 [%rd0+8], %rd11;
                st.global.u32 [%rd0+16], %r12;
                st.global.u32 [%rd0+24], %r13;
                st.global.u32 [%rd0+32], %r14;
                """).longs(5));
    }

    @Test
    void vectorsLieElementAfterElement() {
        assertArrayEquals(new int[] {1, 2, 3, 4, 4, 3}, Script.of("""
                mov.u32 %r10, 1; mov.u32 %r11, 2; mov.u32 %r12, 3; mov.u32 %r13, 4;
                st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
                ld.global.v4.u32 {%r20, _, %r22, %r23}, [%rd0];
                st.global.v2.u32 [%rd0+16], {%r23, %r22};
                """).ints(6));
    }

    @Test
    void aVectorMustBeAlignedAsAWhole() {
        KernelException fault = Script.of("ld.global.v2.u32 {%r10, %r11}, [%rd0+4];").fault();
        assertEquals(KernelException.Kind.MISALIGNED, fault.kind());
    }

    @Test
    void genericAddressesReachSharedLocalConstAndGlobalMemory() {
        assertArrayEquals(new int[] {11, 12, 13, 14}, Script.of("""
                .local .align 8 .b8 l[16];
                mov.u64 %rd10, s; cvta.shared.u64 %rd10, %rd10;
                mov.u64 %rd11, l; cvta.local.u64 %rd11, %rd11;
                mov.u64 %rd12, c; cvta.const.u64 %rd12, %rd12;
                mov.u64 %rd13, g; cvta.global.u64 %rd13, %rd13;
                st.u32 [%rd10+4], 11;
                st.u32 [%rd11+4], 12;
                ld.shared.u32 %r10, [s+4];
                ld.local.u32 %r11, [l+4];
                ld.u32 %r12, [%rd12+4];
                ld.u32 %r13, [%rd13];
                st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
                """).declaring("""
                .shared .align 4 .b8 s[16];
                .const .align 4 .u32 c[2] = {0, 13};
                .global .align 4 .u32 g = 14;
                """).ints(4));
    }

    @Test
    void localMemoryBelongsToAThread() {
        int[] results = Script.of("""
                .local .align 4 .b8 l[64];
                st.local.u32 [l+8], %r1;
                bar.sync 0;
                ld.local.u32 %r10, [l+8];
                st.global.u32 [%rd1], %r10;
                """).threads(70).ints(140);
        for (int i = 0; i < 70; i++) {
            assertEquals(i, results[2 * i]);
        }
    }

    @Test
    void isspacepTellsTheWindowsApart() {
        assertArrayEquals(new int[] {1, 0, 0, 0, 1, 0, 0, 0, 1}, Script.of("""
                .local .align 8 .b8 l[16];
                mov.u64 %rd10, s; cvta.shared.u64 %rd10, %rd10;
                mov.u64 %rd11, l; cvta.local.u64 %rd11, %rd11;
                """ + rowOfSpaces("%rd10", 0) + rowOfSpaces("%rd11", 12) + rowOfSpaces("%rd0", 24)).declaring(".shared .b8 s[16];").ints(9));
    }

    private static String rowOfSpaces(String address, int offset) {
        StringBuilder text = new StringBuilder();
        for (String space : new String[] {"shared", "local", "global"}) {
            text.append("isspacep.").append(space).append(" %p1, ").append(address).append("; selp.u32 %r10, 1, 0, %p1; st.global.u32 [%rd0+")
                    .append(offset).append("], %r10;\n");
            offset += 4;
        }
        return text.toString();
    }

    @Test
    void aNullPointerIsOutOfBoundsWithItsPlace() {
        Script script = Script.of("""
                setp.ne.u32 %p1, %r1, 5;
                @%p1 bra DONE;
                mov.u64 %rd10, 16;
                ld.global.u32 %r10, [%rd10];
                DONE:
                """).threads(40).blocks(2);
        KernelException fault = script.fault();
        assertEquals(KernelException.Kind.OUT_OF_BOUNDS, fault.kind());
        assertEquals(script.lineOf("[%rd10]"), fault.line().getAsInt());
        assertEquals(5, fault.thread().orElseThrow().x());
        assertEquals(0, fault.block().orElseThrow().x());
        assertTrue(fault.getMessage().contains("ld.global.u32"), fault.getMessage());
    }

    @Test
    void sharedMemoryEndsExactlyWhereTheBlocksBytesEnd() {
        assertArrayEquals(new int[] {7}, Script.of("""
                st.shared.u32 [s+60], 7;
                ld.shared.u32 %r10, [s+60];
                st.global.u32 [%rd0], %r10;
                """).declaring(".shared .align 4 .b8 s[64];").ints(1));
        KernelException fault = Script.of("st.shared.u32 [s+64], 7;").declaring(".shared .align 4 .b8 s[64];").fault();
        assertEquals(KernelException.Kind.OUT_OF_BOUNDS, fault.kind());
    }

    @Test
    void dynamicSharedMemoryStandsBehindTheStaticBytes() {
        assertArrayEquals(new int[] {16, 9}, Script.of("""
                mov.u32 %r10, d;
                st.shared.u32 [s+8], 1;
                st.shared.u32 [d+12], 9;
                ld.shared.u32 %r11, [%r10+12];
                st.global.v2.u32 [%rd0], {%r10, %r11};
                """).declaring(".shared .align 4 .b8 s[12]; .extern .shared .align 16 .b8 d[];").dynamicShared(16).ints(2));
    }

    @Test
    void misalignedAccessesNameAddressAndSize() {
        KernelException fault = Script.of("st.global.u32 [%rd0+2], 7;").fault();
        assertEquals(KernelException.Kind.MISALIGNED, fault.kind());
        assertEquals("st.global.u32", fault.access().orElseThrow().instruction());
        assertEquals(4, fault.access().orElseThrow().bytes());
    }

    @Test
    void registersOf128BitsMoveInHalves() {
        assertArrayEquals(new long[] {5, 6}, Script.of("""
                mov.b64 %rd10, 5; mov.b64 %rd11, 6;
                mov.b128 %q0, {%rd10, %rd11};
                mov.b128 %q1, %q0;
                mov.b128 {%rd12, %rd13}, %q1;
                st.global.v2.u64 [%rd0], {%rd12, %rd13};
                """).longs(2));
    }

    @Test
    void packsAndUnpacksGoFromLowToHigh() {
        assertArrayEquals(new int[] {0x0002_0001, 0x0403_0201, 2, 0x0001_0002}, Script.of("""
                mov.b16 %h1, 1; mov.b16 %h2, 2; mov.b16 %h5, 0;
                mov.b32 %r10, {%h1, %h2};
                mov.b32 {%b1, %b2, %b3, %b4}, 0x04030201;
                mov.b32 %r11, {%b1, %b2, %b3, %b4};
                mov.b32 {%h3, %h4}, %r10;
                mov.b32 %r12, {%h4, %h5};
                mov.b32 %r13, {%h4, %h3};
                st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
                """).ints(4));
    }

    @Test
    void sharedAddressesFitRegistersOf32Bits() {
        assertArrayEquals(new int[] {42}, Script.of("""
                st.shared.u32 [s+4], 42;
                mov.u32 %r12, s;
                add.u32 %r12, %r12, 8;
                ld.shared.u32 %r13, [%r12+-4];
                st.global.u32 [%rd0], %r13;
                """).declaring(".shared .align 4 .b8 s[8];").ints(1));
    }
}
