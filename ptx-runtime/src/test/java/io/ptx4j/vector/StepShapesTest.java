package io.ptx4j.vector;

import io.ptx4j.jit.Jit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Warps in step, before sm_70, whose threads have parted: those that stand first in the text go on first. */
final class StepShapesTest {
    /** Before the body: the thread's number %r1, its word of shared memory %r2 and its result %r20. */
    private static String kernel(String body) {
        return """
                .version 6.4
                .target sm_50
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                  .reg .pred %p<9>;
                  .reg .b32 %r<40>;
                  .reg .b64 %d<9>;
                  .shared .align 4 .b8 words[512];
                  ld.param.u64 %d0, [out];
                  mov.u32 %r1, %tid.x;
                  mov.u32 %r2, words;
                  shl.b32 %r3, %r1, 2;
                  add.u32 %r2, %r2, %r3;
                  mul.wide.u32 %d1, %r1, 8;
                  add.s64 %d1, %d0, %d1;
                  ld.global.u32 %r20, [%d1];
                  and.b32 %r4, %r1, 31;
                  xor.b32 %r5, %r3, 28;
                  mov.u32 %r6, words;
                  add.u32 %r5, %r5, %r6;
                  st.shared.u32 [%r2], %r20;
                  st.shared.u32 [%r2+256], %r1;
                  bar.sync 0;
                """ + body + """

                  bar.sync 0;
                  ld.shared.u32 %r21, [%r2];
                  ld.shared.u32 %r22, [%r2+256];
                  mad.lo.u32 %r20, %r20, 31, %r21;
                  mad.lo.u32 %r20, %r20, 31, %r22;
                  st.global.u32 [%d1], %r20;
                  ret;
                }
                """;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        // One side alone.
        "setp.gt.u32 %p1, %r4, 12; @%p1 bra ON; ld.shared.u32 %r7, [%r5]; st.shared.u32 [%r2+256], %r7; ON:",
        // The others, who come first, load what this side stores behind its step.
        "setp.gt.u32 %p1, %r4, 12; @%p1 bra ELSE; ld.shared.u32 %r7, [%r5]; st.shared.u32 [%r2+304], %r7; bra ON; ELSE: ld.shared.u32 %r20, [%r2+256]; ON:",
        // Both sides exchange words.
        "setp.gt.u32 %p1, %r4, 12; @%p1 bra ELSE; ld.shared.u32 %r7, [%r5]; st.shared.u32 [%r2+304], %r7; bra ON; ELSE: ld.shared.u32 %r20, [%r2+256]; st.shared.u32 [%r5], %r20; ON:",
        // What they load from global memory behind both, without a step, may have been stored by this side.
        "setp.gt.u32 %p1, %r4, 12; @%p1 bra ON; ld.shared.u32 %r7, [%r5]; st.shared.u32 [%r2+304], %r7; st.global.u32 [%d1+104], %r7; ON: ld.global.u32 %r8, [%d1]; add.u32 %r20, %r20, %r8;",
        // What all do behind both is stepped.
        "setp.gt.u32 %p1, %r4, 12; @%p1 bra ON; ld.shared.u32 %r7, [%r5]; st.shared.u32 [%r2+304], %r7; ON: ld.shared.u32 %r8, [%r2+256]; add.u32 %r20, %r20, %r8;",
        // Lanes leave a loop one by one, and store behind it.
        "and.b32 %r9, %r1, 5; LOOP: ld.shared.u32 %r7, [%r5]; add.u32 %r7, %r7, %r9; st.shared.u32 [%r2], %r7; sub.u32 %r9, %r9, 1; setp.gt.s32 %p1, %r9, 0; @%p1 bra LOOP;"
            + " ld.shared.u32 %r8, [%r5]; st.shared.u32 [%r2+256], %r8;",
        // In each turn some exchange words, and all meet behind.
        "and.b32 %r9, %r1, 5; mov.u32 %r11, 0; LOOP: and.b32 %r10, %r9, 1; setp.eq.u32 %p2, %r10, 0; @%p2 bra NEXT; ld.shared.u32 %r7, [%r5]; add.u32 %r7, %r7, %r9; st.shared.u32 [%r2], %r7;"
            + " NEXT: add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, 4; add.u32 %r9, %r9, %r11; bar.sync 0; @%p1 bra LOOP;",
        // Nobody meets behind: those who skip a turn come to the next one's exchange at once.
        "and.b32 %r9, %r1, 5; mov.u32 %r11, 0; LOOP: and.b32 %r10, %r9, 1; setp.eq.u32 %p2, %r10, 0; @%p2 bra NEXT; ld.shared.u32 %r7, [%r5]; add.u32 %r7, %r7, %r9; st.shared.u32 [%r2], %r7;"
            + " NEXT: add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, 4; add.u32 %r9, %r9, %r11; @%p1 bra LOOP;",
        // In the loop those who skip a turn's exchange do another.
        "and.b32 %r9, %r1, 5; LOOP: and.b32 %r10, %r9, 1; setp.eq.u32 %p2, %r10, 0; @%p2 bra ODD; ld.shared.u32 %r7, [%r5]; add.u32 %r7, %r7, %r9; st.shared.u32 [%r2], %r7; bra NEXT;"
            + " ODD: ld.shared.u32 %r8, [%r5]; st.shared.u32 [%r2+256], %r8; NEXT: sub.u32 %r9, %r9, 1; setp.gt.s32 %p1, %r9, 0; @%p1 bra LOOP;"})
    void threadsThatHavePartedMeetInTheSameOrder(String body) {
        String text = kernel(body);
        Shapes.assertAgree(engine -> Shapes.pairs(engine, text, 64), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }
}
