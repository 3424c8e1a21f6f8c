package io.ptx4j.vector;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shifts and masks of numbers that count the threads of a block of several dimensions, or of the grid: groups of lanes begin at multiples, or do not. */
@Tag("thorough")
final class LinearThreadsTest {
    private static final List<int[]> BLOCKS = List.of(new int[] {128, 1}, new int[] {16, 8}, new int[] {32, 4}, new int[] {64, 2}, new int[] {8, 16}, new int[] {48, 2}, new int[] {40, 3}, new int[] {4, 4},
            new int[] {96, 1});
    private static final int THREADS = 128;

    private static int[] run(Engine engine, String body, int[] block, int first) {
        String text = Shapes.head(".param .u64 out, .param .u32 first") + """
                  ld.param.u64 %%d0, [out];
                  ld.param.u32 %%r20, [first];
                  mov.u32 %%r5, %%tid.y;
                  mov.u32 %%r6, %%ntid.y;
                  mad.lo.u32 %%r7, %%r5, %%r3, %%r1;
                  mul.lo.u32 %%r8, %%r3, %%r6;
                  mad.lo.u32 %%r9, %%r2, %%r8, %%r7;
                %s
                  mul.wide.u32 %%d2, %%r9, 4;
                  add.s64 %%d3, %%d0, %%d2;
                  st.global.u32 [%%d3], %%r10;
                  ret;
                }
                """.formatted(body);
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(3 * THREADS);
            device.load("k.ptx", text).kernel("k").grid(3).block(block[0], block[1], 1).launch(out, first);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "and.b32 %r10, %r7, 15;",
        "and.b32 %r10, %r7, 31;",
        "and.b32 %r10, %r7, 63;",
        "and.b32 %r10, %r7, 7;",
        "and.b32 %r10, %r7, -16;",
        "and.b32 %r10, %r7, 0x77;",
        "shr.u32 %r10, %r7, 4;",
        "shr.u32 %r10, %r9, 5;",
        "shr.s32 %r10, %r9, 6;",
        "shr.u32 %r10, %r9, 2;",
        "and.b32 %r10, %r9, 31;",
        "shl.b32 %r11, %r1, 8; and.b32 %r10, %r11, 3840;",
        "shl.b32 %r11, %r1, 8; and.b32 %r10, %r11, 0x1f00;",
        "shl.b32 %r11, %r7, 4; shr.u32 %r10, %r11, 2;",
        "shl.b32 %r11, %r7, 4; shr.u32 %r10, %r11, 9;",
        "shl.b32 %r11, %r7, 27; shr.u32 %r10, %r11, 2;",
        "shl.b32 %r11, %r7, 27; shr.s32 %r10, %r11, 27;",
        "shl.b32 %r11, %r7, 26; shr.s32 %r10, %r11, 3;",
        "shl.b32 %r11, %r7, 26; shr.u32 %r10, %r11, 31;",
        "shl.b32 %r11, %r7, 28; and.b32 %r10, %r11, 0xf0000000;",
        "mul.lo.u32 %r11, %r7, 48; and.b32 %r10, %r11, 0x1f0;",
        "add.u32 %r11, %r7, 256; and.b32 %r10, %r11, 63;",
        "add.u32 %r11, %r7, 8; and.b32 %r10, %r11, 31;",
        "add.u32 %r11, %r7, -256; shr.s32 %r10, %r11, 5;",
        "add.u32 %r11, %r7, -256; shr.u32 %r10, %r11, 5;",
        "sub.u32 %r11, 512, %r7; and.b32 %r10, %r11, 31;",
        "add.u32 %r11, %r7, %r20; and.b32 %r10, %r11, 31;",
        "shl.b32 %r12, %r20, 5; add.u32 %r11, %r7, %r12; and.b32 %r10, %r11, 31;",
        "shl.b32 %r12, %r20, 5; add.u32 %r11, %r7, %r12; shr.s32 %r10, %r11, 5;",
        "shl.b32 %r12, %r20, 3; add.u32 %r11, %r7, %r12; and.b32 %r10, %r11, 15;",
        "shl.b32 %r11, %r7, 2; shr.u32 %r10, %r11, 3;",
        "mad.lo.u32 %r11, %r7, 2, %r20; and.b32 %r10, %r11, 62;",
        "mad.lo.u32 %r11, %r20, 64, %r7; and.b32 %r10, %r11, 31;",
        "add.u32 %r11, %r7, 64; sub.u32 %r12, 1023, %r11; shr.u32 %r10, %r12, 5;",
        "sub.u32 %r11, 1023, %r7; shr.u32 %r10, %r11, 8;",
        "sub.u32 %r11, 1023, %r1; shr.s32 %r10, %r11, 3;",
        "sub.u32 %r11, 1023, %r7; and.b32 %r10, %r11, 31;",
        "sub.u32 %r11, 1022, %r7; and.b32 %r10, %r11, 31;",
        "sub.u32 %r11, 1023, %r7; and.b32 %r10, %r11, 0x3e0;",
        "not.b32 %r11, %r7; shr.s32 %r10, %r11, 5;",
        "not.b32 %r11, %r7; and.b32 %r10, %r11, 63;",
        "neg.s32 %r11, %r7; shr.s32 %r10, %r11, 5;",
        "add.u32 %r11, %r7, 3; shr.u32 %r10, %r11, 6;",
        "shl.b32 %r11, %r1, 2; add.u32 %r12, %r11, 3; and.b32 %r10, %r12, 0x7f;",
        "shl.b32 %r11, %r1, 2; add.u32 %r12, %r11, 3; and.b32 %r10, %r12, 0x7c;",
        "shl.b32 %r11, %r1, 2; add.u32 %r12, %r11, 3; and.b32 %r10, %r12, 0x3;",
        "setp.lt.u32 %p0, %r7, 64; selp.u32 %r10, 5, 7, %p0;",
        "setp.lt.u32 %p0, %r7, 40; selp.u32 %r10, 5, 7, %p0;",
        "setp.gt.s32 %p0, %r7, 63; selp.u32 %r10, 5, 7, %p0;",
        "setp.ge.s32 %p0, %r7, 63; selp.u32 %r10, 5, 7, %p0;",
        "setp.le.u32 %p0, %r7, 31; selp.u32 %r10, 5, 7, %p0;",
        "setp.lt.u32 %p0, 63, %r7; selp.u32 %r10, 5, 7, %p0;",
        "setp.le.u32 %p0, 64, %r7; selp.u32 %r10, 5, 7, %p0;",
        "setp.le.u32 %p0, 63, %r7; selp.u32 %r10, 5, 7, %p0;",
        "setp.lt.u32 %p0, 64, %r7; selp.u32 %r10, 5, 7, %p0;",
        "sub.u32 %r11, 127, %r7; setp.lt.u32 %p0, %r11, 64; selp.u32 %r10, 5, 7, %p0;",
        "add.u32 %r11, %r7, -64; setp.lt.s32 %p0, %r11, 0; selp.u32 %r10, 5, 7, %p0;",
        "add.u32 %r11, %r7, -64; setp.lt.u32 %p0, %r11, 0x80000000; selp.u32 %r10, 5, 7, %p0;",
        "shl.b32 %r12, %r20, 6; setp.lt.s32 %p0, %r7, %r12; selp.u32 %r10, 5, 7, %p0;",
        "setp.eq.u32 %p0, %r7, 64; selp.u32 %r10, 5, 7, %p0;",
        "cvt.u32.u16 %r10, %tid.x;",
        "cvt.u32.u16 %r11, %tid.x; mad.lo.u32 %r10, %r5, 100, %r11;",
        "cvt.u32.u16 %r11, %tid.y; mad.lo.u32 %r10, %r11, %r3, %r1;",
        "cvt.u32.u8 %r10, %tid.x;",
        "cvt.s32.s16 %r11, %tid.x; shr.u32 %r10, %r11, 4;",
        "or.b32 %r10, %r7, 64;",
        "or.b32 %r10, %r7, 1024;",
        "shl.b32 %r11, %r20, 3; or.b32 %r10, %r11, %r7;",
        "shl.b32 %r11, %r20, 10; or.b32 %r10, %r11, %r7;",
        "shl.b32 %r11, %r7, 3; or.b32 %r10, %r11, 7;",
        "shl.b32 %r11, %r7, 3; or.b32 %r10, %r11, 8;",
        "cvt.u64.u32 %d4, %r7; shl.b64 %d5, %d0, 10; or.b64 %d6, %d5, %d4; and.b64 %d6, %d6, 1023; cvt.u32.u64 %r10, %d6;",
        "bfi.b32 %r10, %r20, %r7, 3, 29;",
        "bfi.b32 %r10, %r20, %r7, 10, 22;",
        "bfi.b32 %r10, %r7, %r20, 10, 22;",
        "bfi.b32 %r10, %r20, %r7, 10, 21;",
        "bfi.b32 %r10, %r20, %r7, 0, 32;",
        "prmt.b32 %r10, %r20, %r7, 0x2104;",
        "prmt.b32 %r10, %r7, %r20, 0x6540;",
        "mul.lo.u32 %r11, %r7, 9; prmt.b32 %r10, %r20, %r11, 0x2104;",
        "mul.lo.u32 %r11, %r7, 9; prmt.b32 %r10, %r20, %r11, 0x1054;",
        "mul.lo.u32 %r11, %r7, 9; prmt.b32 %r10, %r11, %r20, 0x5410;",
        "prmt.b32 %r10, %r20, %r7, 0x0654;",
        "prmt.b32 %r10, %r7, %r20, 0x4210;",
        "prmt.b32.b4e %r10, %r7, %r20, 0x2104;",
        "shl.b32 %r11, %r7, 2; cvt.u64.u32 %d4, %r11; and.b64 %d5, %d4, 124; cvt.u32.u64 %r10, %d5;",
        "cvt.u64.u32 %d4, %r7; and.b64 %d5, %d4, 31; shr.u64 %d6, %d5, 2; mul.lo.s64 %d7, %d6, 9; cvt.u32.u64 %r10, %d7;",
        "cvt.s64.s32 %d4, %r7; and.b64 %d5, %d4, 0xffffffff; shr.u64 %d6, %d5, 4; cvt.u32.u64 %r10, %d6;",
        "neg.s32 %r11, %r7; cvt.s64.s32 %d4, %r11; shr.s64 %d5, %d4, 3; and.b64 %d6, %d4, 0xffff; add.s64 %d7, %d5, %d6; cvt.u32.u64 %r10, %d7;",
        "neg.s32 %r11, %r7; cvt.u64.u32 %d4, %r11; shr.s64 %d5, %d4, 3; shr.u64 %d6, %d4, 31; add.s64 %d7, %d5, %d6; cvt.u32.u64 %r10, %d7;",
        "cvt.u64.u32 %d4, %r7; and.b64 %d5, %d4, -16; cvt.u32.u64 %r10, %d5;",
        "mov.u32 %r10, 1; setp.gt.u32 %p0, %r1, 3; @%p0 bfi.b32 %r10, %r20, %r7, 10, 22;",
        "xor.b32 %r10, %r7, 16;",
        "mov.u32 %r11, %r7; mov.u32 %r12, 3; LOOP: add.u32 %r11, %r11, 64; sub.u32 %r12, %r12, 1; setp.ne.u32 %p0, %r12, 0; @%p0 bra LOOP; and.b32 %r10, %r11, 63;",
        "mov.u32 %r11, %r7; mov.u32 %r12, 3; LOOP: add.u32 %r11, %r11, 4; sub.u32 %r12, %r12, 1; setp.ne.u32 %p0, %r12, 0; @%p0 bra LOOP; and.b32 %r10, %r11, 63;",
        "mov.u32 %r11, %r7; setp.gt.u32 %p0, %r20, 5; @%p0 add.u32 %r11, %r11, 1; and.b32 %r10, %r11, 31;",
    })
    void shiftsAndMasksAgree(String body) {
        for (int[] block : BLOCKS) {
            for (int first : new int[] {0, 7, -3}) {
                Shapes.assertAgree(engine -> run(engine, body, block, first), body + " in blocks of " + block[0] + " by " + block[1], Jit.Shape.VECTOR);
            }
        }
    }
}
