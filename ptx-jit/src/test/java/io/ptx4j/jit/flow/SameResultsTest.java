package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SameResultsTest {
    /** How often the register that is stored at last is written. */
    private static int writes(String text) {
        Graph graph = SpinLoopsTest.graph("ld.global.u32 %r4, [%d0]; mul.lo.u32 %r5, %r4, 24; setp.lt.u32 %p1, %r4, %r1; " + text + " st.global.u64 [%d0], %d2;");
        var store = graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.toString().startsWith("st.global.u64")).findFirst().orElseThrow();
        int[] count = {0};
        Operands.uses(store, r -> {
            if (r.name().equals("%d2")) {
                count[0] = graph.writes().all().get(r).size();
            }
        });
        return count[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "@%p1 bra A; cvt.u64.u32 %d2, %r4; bra B; A: st.global.u32 [%d0], %r4; cvt.u64.u32 %d2, %r4; B:",
        "@%p1 bra A; mad.lo.u32 %r6, %r5, %r4, %r1; cvt.s64.s32 %d2, %r6; bra B; A: mul.lo.s32 %r7, %r5, %r4; add.s32 %r8, %r7, %r1; cvt.s64.s32 %d2, %r8; B:",
        "@%p1 bra A; mul.wide.u32 %d2, %r4, 8; bra B; A: setp.eq.u32 %p2, %r4, 7; @%p2 bra E; mul.wide.u32 %d2, %r4, 8; bra B; E: ret; B:",
        "L: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, %r4; @%p2 bra A; mul.wide.u32 %d2, %r5, 8; bra B; A: mul.wide.u32 %d2, %r5, 8; B: st.global.u64 [%d0+8], %d2; setp.lt.u32 %p3, %r6, 9; @%p3 bra L;",
    })
    void whatBothWaysComputeIsComputedBefore(String text) {
        assertEquals(1, writes(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "@%p1 bra A; cvt.u64.u32 %d2, %r4; bra B; A: cvt.s64.s32 %d2, %r4; B:",
        "@%p1 bra A; cvt.u64.u32 %d2, %r4; bra B; A: cvt.u64.u32 %d2, %r5; B:",
        "@%p1 bra A; add.s32 %r6, %r4, %r1; cvt.u64.u32 %d2, %r6; bra B; A: add.s32 %r7, %r1, %r5; cvt.u64.u32 %d2, %r7; B:",
        // One of them is written under a guard, twice, or not at all.
        "@%p1 bra A; cvt.u64.u32 %d2, %r4; bra B; A: @%p2 cvt.u64.u32 %d2, %r4; B:",
        "@%p1 bra A; cvt.u64.u32 %d2, %r4; bra B; A: mov.u64 %d2, 5; B: @%p2 bra C; cvt.u64.u32 %d2, %r4; C:",
        // Another way leads there.
        "@%p1 bra A; mul.wide.u32 %d2, %r4, 8; bra B; A: setp.eq.u32 %p2, %r4, 7; @%p2 bra C; st.global.u32 [%d0], %r4; C: mul.wide.u32 %d2, %r4, 8; B:",
        // What is read on the way there is what the turn before has left.
        "L: add.u32 %r6, %r6, 1; st.global.u64 [%d0+8], %d2; setp.lt.u32 %p2, %r6, %r4; @%p2 bra A; st.global.u64 [%d0+16], %d2; mul.wide.u32 %d2, %r5, 8; bra B; A: mul.wide.u32 %d2, %r5, 8; B:"
            + "setp.lt.u32 %p3, %r6, 9; @%p3 bra L;",
        // A source has another value by then.
        "@%p1 bra A; add.u32 %r6, %r6, 1; cvt.u64.u32 %d2, %r6; bra B; A: cvt.u64.u32 %d2, %r6; B:",
        "@%p1 bra A; ld.global.u32 %r6, [%d0]; cvt.u64.u32 %d2, %r6; bra B; A: ld.global.u32 %r7, [%d0]; cvt.u64.u32 %d2, %r7; B:",
    })
    void whatDiffersStays(String text) {
        assertNotEquals(1, writes(text));
    }
}
