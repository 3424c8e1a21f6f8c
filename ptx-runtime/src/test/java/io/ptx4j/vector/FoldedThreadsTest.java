package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of one dimension that find their row and column of a tile in their number. */
@Tag("widths")
@Tag("thorough")
final class FoldedThreadsTest {
    private static final int BLOCKS = 2;

    /** Each thread leaves a number at {@code %r11} and takes one at {@code %r12} behind the beginning of a tile; in {@code %r5} and {@code %r6} are its column and row of 16. */
    private static String kernel(String body) {
        return Shapes.head(".param .u64 out, .param .u32 first") + """
                  .shared .align 16 .b8 tile[8192];
                  ld.param.u64 %%d0, [out];
                  ld.param.u32 %%r20, [first];
                  and.b32 %%r5, %%r1, 15;
                  shr.u32 %%r6, %%r1, 4;
                  mov.u32 %%r30, tile;
                %s
                  add.u32 %%r11, %%r11, %%r30;
                  add.u32 %%r12, %%r12, %%r30;
                  mad.lo.u32 %%r13, %%r1, 77, %%r20;
                  mov.u32 %%r14, 3;
                LOOP:
                  st.shared.u32 [%%r11], %%r13;
                  bar.sync 0;
                  ld.shared.u32 %%r15, [%%r12];
                  bar.sync 0;
                  add.u32 %%r13, %%r13, %%r15;
                  sub.u32 %%r14, %%r14, 1;
                  setp.ne.u32 %%p0, %%r14, 0;
                  @%%p0 bra LOOP;
                  mul.wide.u32 %%d2, %%r4, 4;
                  add.s64 %%d3, %%d0, %%d2;
                  st.global.u32 [%%d3], %%r13;
                  ret;
                }
                """.formatted(body);
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(BLOCKS * threads);
            device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(threads).launch(out, 5);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "shl.b32 %r7, %r5, 2; mad.lo.u32 %r11, %r6, 68, %r7; mad.lo.u32 %r12, %r6, 64, %r7; add.u32 %r12, %r12, 4;",
        "shl.b32 %r7, %r1, 2; and.b32 %r7, %r7, 60; mad.lo.u32 %r11, %r6, 68, %r7; mov.u32 %r12, %r7;",
        "shl.b32 %r7, %r1, 2; and.b32 %r8, %r7, 0x7c0; and.b32 %r9, %r7, 60; add.u32 %r11, %r8, %r9; add.u32 %r12, %r9, 128;",
        "shl.b32 %r7, %r1, 3; and.b32 %r7, %r7, 0x78; mad.lo.u32 %r11, %r6, 132, %r7; mul.lo.u32 %r12, %r5, 132;",
        "shl.b32 %r7, %r5, 2; mad.lo.u32 %r11, %r6, 68, %r7; shl.b32 %r8, %r6, 2; mad.lo.u32 %r12, %r5, 68, %r8;",
        "add.u32 %r7, %r1, 256; shr.u32 %r8, %r7, 4; and.b32 %r9, %r7, 15; shl.b32 %r9, %r9, 2; mad.lo.u32 %r11, %r8, 64, %r9; mad.lo.u32 %r12, %r8, 64, 4;",
        "add.u32 %r7, %r1, 40; shr.u32 %r8, %r7, 4; and.b32 %r9, %r7, 15; shl.b32 %r9, %r9, 2; mad.lo.u32 %r11, %r8, 64, %r9; mad.lo.u32 %r12, %r6, 64, 4;",
        "shl.b32 %r7, %r1, 2; add.u32 %r7, %r7, 512; shr.u32 %r8, %r7, 6; and.b32 %r9, %r7, 60; mad.lo.u32 %r11, %r8, 68, %r9; mad.lo.u32 %r12, %r6, 68, 544;",
        "shr.u32 %r7, %r1, 6; and.b32 %r8, %r1, 63; shl.b32 %r8, %r8, 2; mad.lo.u32 %r11, %r7, 260, %r8; shl.b32 %r9, %r5, 2; mad.lo.u32 %r12, %r7, 260, %r9;",
        "shr.u32 %r7, %r1, 3; and.b32 %r8, %r1, 7; shl.b32 %r8, %r8, 2; mad.lo.u32 %r11, %r7, 36, %r8; mad.lo.u32 %r12, %r7, 36, 8;",
        "mov.u32 %r16, 0xff80; add.u16x2 %r7, %r1, %r16; shr.u32 %r8, %r7, 4; and.b32 %r8, %r8, 15; shr.u32 %r9, %r7, 16; shl.b32 %r9, %r9, 2; shl.b32 %r10, %r5, 2; add.u32 %r10, %r10, %r9;"
            + "mad.lo.u32 %r11, %r8, 68, %r10; mad.lo.u32 %r12, %r6, 68, 4;",
        "shr.u32 %r7, %r1, 3; and.b32 %r7, %r7, 7; and.b32 %r8, %r1, 7; shr.u32 %r9, %r1, 6; mul.lo.u32 %r9, %r9, 288; mad.lo.u32 %r7, %r7, 36, %r9; mad.lo.u32 %r11, %r8, 4, %r7;"
            + "mad.lo.u32 %r12, %r8, 36, %r9;",
        "shr.u32 %r7, %r1, 2; and.b32 %r8, %r1, 3; shl.b32 %r8, %r8, 2; mad.lo.u32 %r11, %r7, 20, %r8; mad.lo.u32 %r12, %r7, 20, 8;",
        "bfi.b32 %r7, %r6, %r5, 4, 28; shl.b32 %r11, %r7, 2; shl.b32 %r12, %r5, 4;",
        "shl.b32 %r7, %r6, 5; or.b32 %r8, %r7, %r5; shl.b32 %r11, %r8, 2; or.b32 %r9, %r7, 3; shl.b32 %r12, %r9, 2;",
        "shr.u32 %r7, %r1, 2; and.b32 %r8, %r7, 252; shl.b32 %r11, %r1, 2; shl.b32 %r12, %r8, 2;",
        "shr.u32 %r7, %r1, 2; and.b32 %r8, %r7, 252; shl.b32 %r11, %r1, 2; or.b32 %r9, %r7, 3; shl.b32 %r12, %r9, 2;",
        "shr.u32 %r7, %r1, 2; or.b32 %r8, %r7, 1; shl.b32 %r11, %r1, 2; shl.b32 %r12, %r8, 3;",
        "shr.u32 %r7, %r1, 1; shr.u32 %r8, %r7, 3; and.b32 %r9, %r7, 7; shl.b32 %r11, %r1, 2; mad.lo.u32 %r12, %r8, 68, %r9; and.b32 %r12, %r12, 0xffc;",
        "shr.u32 %r7, %r1, 6; shl.b32 %r8, %r7, 3; or.b32 %r9, %r8, %r5; shl.b32 %r11, %r1, 2; shl.b32 %r12, %r9, 2;",
        "shr.u32 %r7, %r1, 4; add.u32 %r7, %r7, 3; and.b32 %r8, %r7, 3; shl.b32 %r11, %r1, 2; mad.lo.u32 %r12, %r8, 64, 4;",
        "shr.u32 %r7, %r1, 2; add.u32 %r7, %r7, 3; and.b32 %r8, %r7, 0x1c; shl.b32 %r11, %r1, 2; mad.lo.u32 %r12, %r8, 64, 4;",
        "or.b32 %r7, %r1, 15; or.b32 %r8, %r1, 64; shl.b32 %r11, %r1, 2; shl.b32 %r9, %r7, 2; mad.lo.u32 %r12, %r8, 4, %r9;",
        "shl.b32 %r7, %r1, 2; or.b32 %r7, %r7, 60; shr.u32 %r8, %r7, 4; shl.b32 %r11, %r1, 2; mul.lo.u32 %r12, %r8, 4;",
        "shl.b32 %r7, %r1, 4; shr.u32 %r8, %r7, 6; and.b32 %r8, %r8, 12; shl.b32 %r11, %r1, 2; mul.lo.u32 %r12, %r8, 4;",
        "mov.u32 %r7, %r1; FILL: shr.u32 %r8, %r7, 4; mad.lo.u32 %r9, %r8, 64, %r30; mad.lo.u32 %r9, %r5, 4, %r9; st.shared.u32 [%r9 + 3968], %r7; add.u32 %r7, %r7, 256; setp.lt.u32 %p1, %r7, 1024;"
            + "@%p1 bra FILL; bar.sync 0; shl.b32 %r11, %r1, 2; mad.lo.u32 %r12, %r6, 68, 3968;",
        "and.b32 %r7, %r1, 0x55; shl.b32 %r11, %r1, 2; shl.b32 %r12, %r7, 2;",
        "shr.s32 %r7, %r1, 5; shl.b32 %r7, %r7, 7; and.b32 %r8, %r1, 31; mad.lo.u32 %r11, %r8, 4, %r7; mad.lo.u32 %r12, %r5, 4, %r7;",
        "setp.lt.u32 %p1, %r5, 4; selp.u32 %r7, 4, 0, %p1; shl.b32 %r8, %r5, 2; mad.lo.u32 %r11, %r6, 68, %r8; mad.lo.u32 %r12, %r6, 68, %r7;",
        "mov.u32 %r21, %ntid.x; mov.u32 %r22, %ntid.y; mov.u32 %r23, %tid.y; mad.lo.u32 %r7, %r22, %r21, %r23; and.b32 %r7, %r7, 15; shl.b32 %r8, %r5, 2; mad.lo.u32 %r11, %r6, 64, %r8;"
            + "add.u32 %r12, %r7, %r11; and.b32 %r12, %r12, 0xffc;",
    })
    void tilesAgree(String body) {
        for (int threads : new int[] {256, 128, 64, 48, 80, 40, 32, 16, 24}) {
            Shapes.assertAgree(engine -> run(engine, kernel(body), threads), body + " in blocks of " + threads, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }

    @Test
    void lanesOfRowsThatAreMissing() {
        for (String guard : new String[] {"setp.lt.u32 %p1, %r5, %r20;", "setp.eq.u32 %p1, %r5, 3;", "setp.gt.u32 %p1, %r6, %r5;", "setp.eq.u32 %p1, %r6, %r5;"}) {
            String body = guard + "shl.b32 %r7, %r5, 2; mad.lo.u32 %r11, %r6, 68, %r7; add.u32 %r12, %r11, 4; st.shared.u32 [tile + 4096], %r1; mov.u32 %r9, -1; @!%p1 bra NEXT; st.shared.u32 [tile + 4000], %r6;"
                    + "add.u32 %r8, %r11, %r30; st.shared.u32 [%r8 + 2048], %r6; mad.lo.u32 %r8, %r6, 68, %r30; st.shared.u32 [%r8 + 64], %r5; add.u32 %r8, %r11, %r30; ld.shared.u32 %r9, [%r8 + 2048]; NEXT: add.u32 %r20, %r20, %r9;";
            for (int threads : new int[] {256, 64, 48}) {
                Shapes.assertAgree(engine -> run(engine, kernel(body), threads), guard + " in blocks of " + threads, Jit.Shape.VECTOR);
            }
        }
    }

    /** Rows of 8 threads are half a vector of words. */
    @Test
    void tuplesInRows() {
        String text = Shapes.head(".param .u64 out, .param .u32 first") + """
                  .shared .align 16 .b8 tile[16384];
                  ld.param.u64 %d0, [out];
                  ld.param.u32 %r20, [first];
                  and.b32 %r5, %r1, 7;
                  shr.u32 %r6, %r1, 3;
                  and.b32 %r7, %r6, 7;
                  shr.u32 %r8, %r1, 6;
                  mul.lo.u32 %r8, %r8, 1024;
                  mad.lo.u32 %r9, %r7, 128, %r8;
                  mad.lo.u32 %r9, %r5, 16, %r9;
                  mov.u32 %r30, tile;
                  add.u32 %r9, %r9, %r30;
                  mad.lo.u32 %r10, %r1, 77, %r20;
                  add.u32 %r11, %r10, 1;
                  cvt.rn.f32.u32 %f1, %r10;
                  cvt.rn.f32.u32 %f2, %r1;
                  st.shared.v4.b32 [%r9], {%r10, %r11, %f1, %f2};
                  bar.sync 0;
                  mad.lo.u32 %r12, %r5, 16, %r8;
                  add.u32 %r12, %r12, %r30;
                  ld.shared.v4.u32 {%r13, %r14, %r15, %r16}, [%r12 + 256];
                  mad.lo.u32 %r17, %r7, 128, %r8;
                  add.u32 %r17, %r17, %r30;
                  ld.shared.v2.f32 {%f3, %f4}, [%r17 + 24];
                  bar.sync 0;
                  mad.lo.u32 %r18, %r7, 64, %r8;
                  mad.lo.u32 %r18, %r5, 8, %r18;
                  add.u32 %r18, %r18, %r30;
                  setp.ne.u32 %p1, %r5, %r20;
                  @%p1 st.shared.v2.f32 [%r18 + 4096], {%f4, %f1};
                  st.shared.v2.u32 [%r18], {%r14, %r16};
                  bar.sync 0;
                  ld.shared.v2.u32 {%r21, _}, [%r18 + 4096];
                  mad.lo.u32 %r19, %r5, 8, %r8;
                  add.u32 %r19, %r19, %r30;
                  ld.shared.v2.u32 {%r22, %r23}, [%r19 + 64];
                  xor.b32 %r10, %r13, %r15;
                  mov.b32 %r24, %f3;
                  mad.lo.u32 %r10, %r21, 31, %r10;
                  mad.lo.u32 %r10, %r22, 37, %r10;
                  mad.lo.u32 %r10, %r23, 41, %r10;
                  add.u32 %r10, %r10, %r24;
                  mul.wide.u32 %d2, %r4, 4;
                  add.s64 %d3, %d0, %d2;
                  st.global.u32 [%d3], %r10;
                  ret;
                }
                """;
        for (int threads : new int[] {256, 64, 72}) {
            Shapes.assertAgree(engine -> run(engine, text, threads), "blocks of " + threads, Jit.Shape.VECTOR);
        }
    }

    @Test
    void faultsNameTheThread() {
        String body = "shl.b32 %r7, %r5, 2; mad.lo.u32 %r11, %r6, 68, %r7; setp.eq.u32 %p1, %r5, 5; setp.eq.and.u32 %p1, %r6, 3, %p1; selp.b32 %r12, 8192, 0, %p1;";
        String error = Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, kernel(body), 256), "fault");
        assertTrue(error.contains("(53,0,0)"), error);
    }

    @Test
    void addressesHaveForms() {
        String text = kernel("shl.b32 %r7, %r5, 2; mad.lo.u32 %r11, %r6, 68, %r7; mad.lo.u32 %r12, %r6, 64, %r7;");
        for (int threads : new int[] {256, 128}) {
            assertFalse(Shapes.listing(text, threads).contains("LanePlaces.find"), "blocks of " + threads);
            Shapes.assertOfLongVectors(!Shapes.listing(text, threads).contains("LanePlaces.load "), "blocks of " + threads);
        }
    }
}
