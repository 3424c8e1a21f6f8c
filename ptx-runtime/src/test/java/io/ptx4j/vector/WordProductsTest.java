package io.ptx4j.vector;

import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** High words of products, and 64-bit values of which only words are wanted. */
@Tag("thorough")
final class WordProductsTest {
    private static final int[] EDGES = {0, 1, 2, 3, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_0000, 0xFFFF_FFFE, 0xFFFF_FFFF};

    /** Pairs of edge values, then others. */
    private static int[] pairs(int threads) {
        Random random = new Random(5);
        return IntStream.range(0, 2 * threads)
                .map(k -> k / 2 >= EDGES.length * EDGES.length ? random.nextInt() : EDGES[k % 2 == 0 ? k / 2 / EDGES.length : k / 2 % EDGES.length]).toArray();
    }

    /** Of each thread the words %r10 and %r11 are the operands, %r12 to %r14 results; %r20 and %r21 are one number for all. */
    private static void assertRight(String code) {
        String text = Shapes.head(".param .u64 in, .param .u64 out, .param .u32 one, .param .u32 n") + """
                  ld.param.u64 %%d0, [in];
                  ld.param.u64 %%d1, [out];
                  ld.param.u32 %%r20, [one];
                  ld.param.u32 %%r21, [n];
                  mov.u32 %%r5, %%tid.y;
                  mov.u32 %%r6, %%ntid.y;
                  mad.lo.u32 %%r7, %%r2, %%r6, %%r5;
                  mad.lo.u32 %%r8, %%r7, %%r3, %%r1;
                  mov.u32 %%r12, 0;
                  mov.u32 %%r13, 0;
                  setp.ge.u32 %%p1, %%r8, %%r21;
                  @%%p1 bra END;
                  mul.wide.u32 %%d2, %%r8, 8;
                  add.s64 %%d3, %%d0, %%d2;
                  ld.global.v2.u32 {%%r10, %%r11}, [%%d3];
                  setp.lt.s32 %%p2, %%r10, %%r11;
                  %s
                  add.s64 %%d4, %%d1, %%d2;
                  st.global.v2.u32 [%%d4], {%%r12, %%r13};
                END:
                  ret;
                }
                """.formatted(code.replace("; ", ";\n"));
        int threads = 600;
        int[] input = pairs(threads);
        for (int[] block : new int[][] {{32, 1}, {64, 1}, {96, 1}, {128, 1}, {33, 1}, {16, 8}, {32, 2}}) {
            for (int one : new int[] {1, 3, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF}) {
                Shapes.assertAgree(engine -> {
                    try (Device device = Shapes.device(engine)) {
                        DeviceBuffer out = device.allocateInts(2 * threads);
                        int all = block[0] * block[1];
                        device.load("k.ptx", text).kernel("k").grid((threads + all - 1) / all).block(block[0], block[1]).launch(device.copyOf(input), out, one, threads);
                        return out.toInts();
                    }
                }, block[0] + " by " + block[1] + " threads, " + Integer.toHexString(one) + ", " + code, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "mul.hi.u32 %r12, %r10, %r11; mul.hi.s32 %r13, %r10, %r11;",
        "mul.hi.u32 %r12, %r10, %r10; mul.hi.s32 %r13, %r10, %r10;",
        "mul.hi.u32 %r12, %r10, %r20; mul.hi.s32 %r13, %r20, %r10;",
        "mul.hi.u32 %r12, %r10, -766435501; mul.hi.s32 %r13, %r10, -766435501;",
        "mul.hi.u32 %r12, 7, %r11; mul.hi.s32 %r13, %r11, 1431655766;",
        // What grows from thread to thread, and what is one number for a row.
        "mul.hi.u32 %r12, %r10, %r8; mul.hi.s32 %r13, %r10, %r1;",
        "mul.hi.u32 %r12, %r10, %r5; mul.hi.s32 %r13, %r5, %r10;",
        "mad.hi.u32 %r12, %r10, %r11, %r8; mad.hi.s32 %r13, %r10, %r20, %r11;",
        "@%p2 mul.hi.u32 %r12, %r10, %r11; @!%p2 mul.hi.s32 %r13, %r10, %r11;",
        // Carry chains keep words in 64-bit lanes.
        "add.cc.u32 %r14, %r10, %r11; addc.u32 %r15, %r10, 0; mul.hi.u32 %r12, %r14, %r15; mul.hi.s32 %r13, %r10, %r15;",
    })
    void highWordsOfProductsAreRight(String code) {
        assertRight(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "mul.wide.u32 %d5, %r10, %r11; shr.u64 %d6, %d5, 32; cvt.u32.u64 %r12, %d6; cvt.u32.u64 %r13, %d5;",
        "mul.wide.s32 %d5, %r10, -77; mov.b64 {%r12, %r13}, %d5;",
        "mul.wide.u32 %d5, %r10, 963315389; shr.u64 %d6, %d5, 47; cvt.u32.u64 %r12, %d6; mul.wide.s32 %d7, %r11, %r20; shr.u64 %d8, %d7, 63; cvt.u32.u64 %r13, %d8;",
        "mul.wide.u32 %d5, %r10, %r20; shr.u64 %d6, %d5, 32; xor.b64 %d7, %d6, 7; mul.lo.s64 %d8, %d7, 3449720151; mov.b64 {%r12, %r13}, %d8;",
        "mul.wide.u32 %d5, %r10, %r11; cvt.u64.u32 %d6, %r11; or.b64 %d7, %d5, %d6; and.b64 %d8, %d7, 0x123456789ABCDEF0; xor.b64 %d9, %d8, -1; mov.b64 {%r12, %r13}, %d9;",
        "mul.wide.u32 %d5, %r10, %r11; @%p2 cvt.u32.u64 %r12, %d5; shr.u64 %d6, %d5, 33; @!%p2 cvt.u32.u64 %r13, %d6;",
        // The word that was extended becomes another one before the value is read.
        "cvt.u64.u32 %d5, %r10; add.u32 %r10, %r10, 1; mul.lo.u64 %d6, %d5, %d5; mov.b64 {%r12, %r13}, %d6;",
        "mul.wide.u32 %d5, %r10, %r11; add.s64 %d6, %d1, %d2; st.global.u32 [%d6], %d5; ld.global.u32 %r12, [%d6];",
        // In one number for all, too.
        "mul.wide.u32 %d5, %r20, %r21; shr.u64 %d6, %d5, 32; cvt.u32.u64 %r12, %d6; cvt.u32.u64 %r13, %d5;",
    })
    void valuesOfWhichOnlyWordsAreWantedAreRight(String code) {
        assertRight(code);
    }
}
