package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of large numbers in local memory, as compilers address them, and words at a distance from lane to lane: all engines leave the same bytes. */
final class LocalWordsTest {
    private static final String HEAD = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k(.param .u64 out)
            {
              .local .align 16 .b8 depot[144];
              .reg .pred %p<8>;
              .reg .b32 %r<40>;
              .reg .b64 %d<12>;
              .reg .b64 %SPL;
              mov.u64 %SPL, depot;
              add.u64 %d2, %SPL, 0;
              add.u64 %d3, %SPL, 72;
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mov.u32 %r1, %tid.x;
              mul.wide.u32 %d1, %r1, 12;
              add.s64 %d1, %d0, %d1;
            """;
    private static final String END = "END: ret;\n}\n";

    /** Two numbers of 18 words; odd threads leave every other sum alone, which parts the lanes at a store. */
    private static String steps(String high) {
        return HEAD + """
                  mov.u32 %r10, 0;
                FILL:
                  mul.wide.u32 %d5, %r10, 4;
                  add.s64 %d6, %d2, %d5;
                  add.s64 %d7, %d3, %d5;
                  mad.lo.u32 %r11, %r1, 0x9E3779B1, %r10;
                  not.b32 %r12, %r10;
                  st.local.u32 [%d6], %r11;
                  st.local.u32 [%d7], %r12;
                  add.u32 %r10, %r10, 1;
                  setp.lt.u32 %p1, %r10, 18;
                  @%p1 bra FILL;
                  mad.lo.u32 %r13, %r1, 0x85EBCA77, 0xFFFFFFF0;
                  mov.u32 %r10, 0;
                  mov.u32 %r14, 0;
                STEP:
                  mul.wide.u32 %d5, %r10, 4;
                  add.s64 %d6, %d2, %d5;
                  add.s64 %d7, %d3, %d5;
                  ld.local.u32 %r15, [%d6];
                  ld.local.u32 %r16, [%d7];
                  mad.lo.cc.u32 %r17, %r15, %r13, %r16;
                  madc.hi.u32 %r18, %r15, %r13, HIGH;
                  add.cc.u32 %r19, %r17, %r14;
                  addc.u32 %r14, %r18, 0;
                  and.b32 %r20, %r10, %r1;
                  and.b32 %r20, %r20, 1;
                  setp.eq.u32 %p2, %r20, 1;
                  @%p2 bra NEXT;
                  st.local.u32 [%d7], %r19;
                NEXT:
                  add.u32 %r10, %r10, 1;
                  setp.lt.u32 %p1, %r10, 18;
                  @%p1 bra STEP;
                  ld.local.v2.u32 {%r21, %r22}, [%d3+8];
                  ld.local.v4.u32 {%r23, %r24, %r25, %r26}, [%d3+40];
                  @%p2 st.local.u32 [%d3+64], %r22;
                  ld.local.u32 %r27, [%d3+64];
                  ld.local.u32 %r28, [depot+140];
                  mad.lo.u32 %r29, %r21, 3, %r22;
                  mad.lo.u32 %r29, %r29, 5, %r23;
                  mad.lo.u32 %r29, %r29, 7, %r24;
                  mad.lo.u32 %r29, %r29, 9, %r25;
                  mad.lo.u32 %r29, %r29, 11, %r26;
                  mad.lo.u32 %r29, %r29, 13, %r27;
                  mad.lo.u32 %r29, %r29, 15, %r28;
                  st.global.u32 [%d1+4], %r29;
                  st.global.u32 [%d1], %r14;
                  ld.global.u32 %r30, [%d1+4];
                  add.u32 %r30, %r30, %r19;
                  st.global.u32 [%d1+8], %r30;
                """.replace("HIGH", high) + END;
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64, 96, 40, 8})
    void everyEngineLeavesTheSameWords(int threads) {
        for (String high : new String[] {"0", "%r1"}) {
            assertSame(steps(high), threads);
        }
    }

    /** Some lanes load and store every third word, upwards and downwards, of which the number of the first wraps around in 32 bits. */
    @ParameterizedTest
    @ValueSource(ints = {32, 64, 96, 40})
    void wordsAtADistanceAreThoseOfTheThread(int threads) {
        assertSame(HEAD + """
                  mov.u32 %r10, 77;
                  rem.u32 %r11, %r1, 5;
                  st.global.u32 [%d1+8], %r1;
                  setp.eq.u32 %p1, %r11, 2;
                  @%p1 bra OTHER;
                  st.global.u32 [%d1+4], %r11;
                  ld.global.u32 %r10, [%d1+8];
                OTHER:
                  mul.lo.u32 %r12, %r1, -3;
                  add.u32 %r12, %r12, 30;
                  mul.wide.s32 %d5, %r12, 4;
                  add.s64 %d6, %d0, %d5;
                  setp.gt.u32 %p2, %r1, 10;
                  @%p2 bra SAVE;
                  ld.global.u32 %r13, [%d6+BEHIND];
                  add.u32 %r10, %r10, %r13;
                SAVE:
                  st.global.u32 [%d1], %r10;
                """.replace("BEHIND", Integer.toString(12 * threads)) + END, threads);
    }

    /** Of the threads of a group, some go through the words, which are the same for all of them. */
    @ParameterizedTest
    @ValueSource(ints = {32, 64, 40})
    void aLoopOverWordsThatAreTheSameForAllThreads(int threads) {
        assertSame(HEAD + """
                  mov.u32 %r10, 0;
                  mov.u32 %r11, 0;
                  mov.u64 %d5, %d0;
                  and.b32 %r12, %r1, 3;
                  setp.eq.u32 %p1, %r12, 1;
                  @%p1 bra SAVE;
                LOOP:
                  ld.global.u32 %r13, [%d5+BEHIND];
                  mad.lo.u32 %r10, %r10, 31, %r13;
                  xor.b32 %r10, %r10, %r1;
                  add.s64 %d5, %d5, 4;
                  add.u32 %r11, %r11, 1;
                  setp.lt.u32 %p2, %r11, 32;
                  @%p2 bra LOOP;
                SAVE:
                  st.global.u32 [%d1], %r10;
                """.replace("BEHIND", Integer.toString(12 * threads)) + END, threads);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ld.local.u32 %r10, [%d3+72];", "ld.local.u32 %r10, [%d3+-76];", "st.local.u32 [%d2+2], %r1;", "ld.local.v2.u32 {%r10, %r11}, [%d3+4];",
        "st.local.v4.u32 [%d2+136], {%r1, %r1, %r1, %r1};",
        "mul.wide.u32 %d5, %r1, 1048576;\nadd.s64 %d5, %d5, %d0;\nst.global.u32 [%d5], %r1;",
        "mul.wide.u32 %d5, %r1, 1048576;\nadd.s64 %d5, %d5, %d0;\nsetp.eq.u32 %p1, %r1, 17;\n@%p1 bra END;\nld.global.u32 %r10, [%d5];",
        "mov.u64 %d5, %d0;\nLOOP: ld.global.u32 %r10, [%d5];\nadd.s64 %d5, %d5, 4096;\nsetp.ne.u32 %p1, %r10, 77;\n@%p1 bra LOOP;",
        "mov.u64 %d5, %d0;\nLOOP: ld.global.u32 %r10, [%d5];\nadd.s64 %d5, %d5, 2;\nsetp.ne.u32 %p1, %r10, 77;\n@%p1 bra LOOP;",
        "mul.wide.u32 %d5, %r1, 6;\nadd.s64 %d5, %d5, %d0;\nld.global.u32 %r10, [%d5];"})
    void whatIsNotThereFailsInTheSameThread(String access) {
        String text = HEAD + access + "\nst.global.u32 [%d1], %r10;\n" + END;
        String failure = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, 64), access);
        assertTrue(failure.contains("thread ("), failure);
    }

    private static void assertSame(String text, int threads) {
        Shapes.assertAgree(engine -> run(engine, text, threads), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            // The second half is only read.
            DeviceBuffer out = device.copyOf(new Random(threads).ints(6L * threads).toArray());
            device.load("k.ptx", text).kernel("k").grid(1).block(threads).launch(out);
            return out.toInts();
        }
    }
}
