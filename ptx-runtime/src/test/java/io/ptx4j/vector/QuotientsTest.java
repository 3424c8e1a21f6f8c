package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows and columns that threads compute from one number: what follows has a version for groups that lie in one row, which must leave what the others leave. */
@Tag("thorough")
final class QuotientsTest {
    /** Each block has one of these and one of the divisors. */
    private static final int[] BASES = {0, 1, 37, 63, 64, 100, 250, 600, 1_000, 1_270, 1_900, 0x7FFF_FF80, 0x7FFF_FFC0, 0x7FFF_FFF0, 0x8000_0000, 0x8000_0040, 0xFFFF_FF00, 0xFFFF_FFC0, 0xFFFF_FFC1, 0xFFFF_FFF1, 0xFFFF_FFFF};
    private static final int[] DIVISORS = {0, 1, 2, 3, 31, 32, 63, 64, 65, 96, 100, 127, 128, 129, 1_000, 4_096, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FF9C, 0xFFFF_FFC0, 0xFFFF_FFC1, 0xFFFF_FFFF};

    /** The number is %r9 and the divisor %r8; results are %r10 and %r11, which lead to a place where nobody stores. */
    private static String kernel(int stride, String body) {
        return Shapes.head(".param .u64 bases, .param .u64 divisors, .param .u64 out") + """
                  ld.param.u64 %%d0, [bases];
                  ld.param.u64 %%d1, [divisors];
                  ld.param.u64 %%d2, [out];
                  mul.wide.u32 %%d3, %%r2, 4;
                  add.s64 %%d4, %%d0, %%d3;
                  ld.global.u32 %%r7, [%%d4];
                  mov.u32 %%r5, %%ctaid.y;
                  mul.wide.u32 %%d5, %%r5, 4;
                  add.s64 %%d6, %%d1, %%d5;
                  ld.global.u32 %%r8, [%%d6];
                  mad.lo.u32 %%r9, %%r1, %d, %%r7;
                  mov.u32 %%r10, 0;
                  mov.u32 %%r11, 0;
                  mov.u32 %%r20, 0;
                %s
                  mad.lo.u32 %%r22, %%r10, 7, %%r11;
                  mul.wide.u32 %%d12, %%r22, 4;
                  add.s64 %%d13, %%d2, %%d12;
                  setp.gt.u32 %%p9, %%r3, 5000;
                  @%%p9 st.global.u32 [%%d13], %%r10;
                  mov.u32 %%r6, %%nctaid.x;
                  mad.lo.u32 %%r50, %%r5, %%r6, %%r2;
                  mad.lo.u32 %%r51, %%r50, %%r3, %%r1;
                  mul.wide.u32 %%d7, %%r51, 8;
                  add.s64 %%d8, %%d2, %%d7;
                  st.global.v2.u32 [%%d8], {%%r10, %%r11};
                  ret;
                }
                """.formatted(stride, body);
    }

    private static void assertAgree(String text, int threads) {
        int divisors = text.lines().filter(line -> line.contains("%r8")).count() > 1 ? DIVISORS.length : 1;
        Shapes.assertAgree(engine -> {
            try (Device device = Shapes.device(engine)) {
                DeviceBuffer out = device.allocateInts(2 * BASES.length * divisors * threads);
                device.load("k.ptx", text).kernel("k").grid(BASES.length, divisors).block(threads).launch(device.copyOf(BASES), device.copyOf(DIVISORS), out);
                return out.toInts();
            }
        }, threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "div.u32 %r10, %r9, %r8; rem.u32 %r11, %r9, %r8; | 1",
        "div.s32 %r10, %r9, %r8; rem.s32 %r11, %r9, %r8; | 1",
        "div.s32 %r10, %r9, %r8; mul.lo.s32 %r12, %r10, %r8; sub.s32 %r11, %r9, %r12; | 4",
        "rem.u32 %r11, %r9, %r8; sub.u32 %r10, %r9, %r11; | 16",
        "rem.u32 %r11, %r9, %r8; | 17",
        "div.u32 %r10, %r9, 100; rem.u32 %r11, %r9, 100; | 1",
        "div.s32 %r10, %r9, -100; rem.s32 %r11, %r9, 1000; | 1",
        "div.u32 %r10, %r9, 30; | 1",
        "shr.u32 %r10, %r9, 7; and.b32 %r11, %r9, 127; | 1",
        "shr.s32 %r10, %r9, 8; and.b32 %r11, %r9, -256; | 2",
        "shr.s32 %r12, %r9, 31; shr.u32 %r13, %r12, 24; add.s32 %r14, %r9, %r13; shr.s32 %r10, %r14, 8; and.b32 %r15, %r14, -256; sub.s32 %r11, %r9, %r15; | 1",
        "shr.u32 %r10, %r9, 5; and.b32 %r11, %r9, 31; | 1",
        "and.b32 %r11, %r9, 127; shr.u32 %r10, %r9, 9; | 1",
        "and.b32 %r11, %r9, 127; shr.u32 %r10, %r9, 5; | 1",
        "shr.u32 %r10, %r9, 6; and.b32 %r11, %r9, 0xfffffe00; | 1",
        "mul.wide.u32 %d10, %r9, -858993459; shr.u64 %d11, %d10, 41; cvt.u32.u64 %r10, %d11; mul.lo.s32 %r12, %r10, 640; sub.s32 %r11, %r9, %r12; | 1",
        "mul.wide.u32 %d10, %r9, -858993459; shr.u64 %d11, %d10, 37; cvt.u32.u64 %r10, %d11; mul.lo.s32 %r12, %r10, 40; sub.s32 %r11, %r9, %r12; | 1",
        "mul.hi.s32 %r12, %r9, 1717986919; shr.u32 %r13, %r12, 31; shr.s32 %r14, %r12, 6; add.s32 %r10, %r14, %r13; | 2",
        "mul.hi.s32 %r12, %r9, 1431655766; shr.u32 %r13, %r12, 31; add.s32 %r10, %r12, %r13; | 1",
        "mul.hi.s32 %r12, %r9, -2004318071; add.s32 %r13, %r12, %r9; shr.u32 %r14, %r13, 31; shr.s32 %r15, %r13, 6; add.s32 %r10, %r15, %r14; | 1",
        "mul.hi.u32 %r12, %r9, %r8; add.u32 %r13, %r12, %r9; shr.u32 %r10, %r13, 7; | 1",
        "mul.hi.u32 %r12, %r9, %r8; shr.u32 %r10, %r12, 3; | 1",
        // Only from 2^32 - 8 on it is 1.
        "mul.hi.u32 %r12, %r9, 0x80000004; shr.u32 %r10, %r12, 31; | 1",
        // What was divided, or the divisor, becomes another number.
        "div.u32 %r10, %r9, %r8; add.u32 %r9, %r9, 40; rem.u32 %r11, %r9, %r8; | 1",
        "div.u32 %r10, %r9, %r8; add.u32 %r8, %r8, 1; rem.u32 %r11, %r9, %r8; | 1",
        "rem.u32 %r16, %r9, %r8; div.u32 %r10, %r16, 100; rem.u32 %r11, %r16, 100; | 1",
    })
    void quotientsAndRemaindersAreRight(String body, int stride) {
        String text = kernel(stride, body.replace("; ", ";\n"));
        assertAgree(text, 96);
        assertAgree(text, 128);
    }

    @ParameterizedTest
    @ValueSource(strings = {"div.u32 %r12, %r9, %r8; rem.u32 %r13, %r9, %r8;", "shr.u32 %r12, %r9, 6; and.b32 %r13, %r9, 0xffffffc0;"})
    void theyStandInLoops(String body) {
        String text = kernel(1, """
                LOOP:
                  %s
                  mad.lo.u32 %%r10, %%r10, 5, %%r12;
                  xor.b32 %%r11, %%r11, %%r13;
                  add.u32 %%r9, %%r9, 48;
                  add.u32 %%r20, %%r20, 1;
                  setp.lt.u32 %%p1, %%r20, 7;
                  @%%p1 bra LOOP;
                """.formatted(body.replace("; ", ";\n")));
        assertAgree(text, 128);
    }

    /** Each thread computes one element; some groups lie in one row, some in two or three. */
    @ParameterizedTest
    @ValueSource(ints = {24, 64, 100, 128, 130})
    void matricesAreMultiplied(int side) {
        String text = Shapes.head(".param .u32 side, .param .u64 a, .param .u64 b, .param .u64 out") + """
                  ld.param.u32 %r5, [side];
                  ld.param.u64 %d0, [a];
                  ld.param.u64 %d1, [b];
                  ld.param.u64 %d2, [out];
                  mul.lo.s32 %r6, %r5, %r5;
                  setp.ge.s32 %p0, %r4, %r6;
                  @%p0 bra END;
                  rem.s32 %r7, %r4, %r5;
                  sub.s32 %r8, %r4, %r7;
                  mul.wide.s32 %d3, %r8, 4;
                  add.s64 %d4, %d0, %d3;
                  mul.wide.s32 %d5, %r7, 4;
                  add.s64 %d6, %d1, %d5;
                  mul.wide.s32 %d7, %r5, 4;
                  mov.f32 %f0, 0f00000000;
                  mov.u32 %r9, 0;
                LOOP:
                  ld.global.f32 %f1, [%d4];
                  ld.global.f32 %f2, [%d6];
                  fma.rn.f32 %f0, %f1, %f2, %f0;
                  add.s64 %d4, %d4, 4;
                  add.s64 %d6, %d6, %d7;
                  add.u32 %r9, %r9, 1;
                  setp.lt.u32 %p1, %r9, %r5;
                  @%p1 bra LOOP;
                  mul.wide.s32 %d8, %r4, 4;
                  add.s64 %d9, %d2, %d8;
                  st.global.f32 [%d9], %f0;
                END:
                  ret;
                }
                """;
        Random random = new Random(side);
        float[] a = new float[side * side];
        float[] b = new float[side * side];
        for (int i = 0; i < a.length; i++) {
            a[i] = random.nextFloat();
            b[i] = random.nextFloat();
        }
        Shapes.assertAgree(engine -> product(engine, text, side, a, b), side + " rows", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    private static float[] product(Engine engine, String text, int side, float[] a, float[] b) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateFloats(side * side);
            device.load("k.ptx", text).kernel("k").grid((side * side + 127) / 128).block(128).launch(side, device.copyOf(a), device.copyOf(b), out);
            return out.toFloats();
        }
    }

    /** A predicate and a number that were there before are given on to both versions, and come back to the loop around. */
    @Test
    void whatWasThereBeforeIsThereInBoth() {
        String text = kernel(1, """
                  setp.lt.u32 %p2, %r1, 50;
                  mov.u32 %r14, 9;
                OUTER:
                  add.u32 %r14, %r14, %r1;
                  div.u32 %r12, %r9, %r8;
                  @%p2 add.u32 %r14, %r14, %r12;
                  setp.gt.u32 %p2, %r14, 200;
                  selp.u32 %r15, %r14, %r12, %p2;
                  add.u32 %r11, %r11, %r15;
                  add.u32 %r9, %r9, 100;
                  add.u32 %r20, %r20, 1;
                  setp.lt.u32 %p1, %r20, 5;
                  @%p1 bra OUTER;
                  mov.u32 %r10, %r14;
                """);
        assertAgree(text, 96);
    }

    /** Threads that meet behind a quotient meet at one place. */
    @Test
    void whereThreadsMeetThereIsOneVersion() {
        String text = kernel(1, "div.u32 %r10, %r9, %r8;\nbar.sync 0;\n");
        assertAgree(text, 96);
    }

    /** Where groups of two warps are not possible there are groups of one. */
    @Test
    void warpsMayTurnDifferentlyOften() {
        String text = Shapes.head(".param .u64 out") + """
                  ld.param.u64 %d0, [out];
                  shr.u32 %r5, %r1, 5;
                  mov.u32 %r6, 0;
                  mov.u32 %r7, %r4;
                LOOP:
                  shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;
                  add.u32 %r7, %r8, %r1;
                  add.u32 %r6, %r6, 1;
                  setp.le.u32 %p1, %r6, %r5;
                  @%p1 bra LOOP;
                  mul.wide.u32 %d1, %r4, 4;
                  add.s64 %d2, %d0, %d1;
                  st.global.u32 [%d2], %r7;
                  ret;
                }
                """;
        assertEquals(Optional.empty(), Shapes.notVectorizable(text, 128));
        Shapes.assertAgree(engine -> {
            try (Device device = Shapes.device(engine)) {
                DeviceBuffer out = device.allocateInts(256);
                device.load("k.ptx", text).kernel("k").grid(2).block(128).launch(out);
                return out.toInts();
            }
        }, "shuffles", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }
}
