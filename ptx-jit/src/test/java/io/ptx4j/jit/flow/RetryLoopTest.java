package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops with a compare-and-swap in which threads get on, and those in which they may wait. */
final class RetryLoopTest {
    @ParameterizedTest
    @ValueSource(strings = {
            // As compilers write it, the copy behind and before.
            "ld.global.u32 %r2, [%d0]; L: max.s32 %r3, %r1, %r2; atom.global.cas.b32 %r4, [%d0], %r2, %r3; setp.ne.s32 %p1, %r2, %r4; mov.u32 %r2, %r4; @%p1 bra L;",
            "ld.global.u32 %r4, [%d0]; L: mov.u32 %r2, %r4; add.s32 %r3, %r1, %r2; atom.global.cas.b32 %r4, [%d0], %r2, %r3; setp.eq.s32 %p1, %r4, %r2; @!%p1 bra L;",
            // Where nothing is left to do the thread gives up.
            "ld.global.u32 %r2, [%d0]; L: setp.ge.s32 %p2, %r2, %r1; @%p2 bra END; atom.global.cas.b32 %r4, [%d0], %r2, %r1; setp.ne.s32 %p1, %r2, %r4; mov.u32 %r2, %r4; @%p1 bra L; END:",
            // The word is loaded anew each time.
            "L: ld.volatile.global.u32 %r2, [%d0+4]; xor.b32 %r3, %r1, %r2; atom.global.cas.b32 %r4, [%d0+4], %r2, %r3; setp.ne.s32 %p1, %r2, %r4; @%p1 bra L;",
            "ld.global.u64 %d2, [%d0]; L: add.s64 %d3, %d2, 3; atom.global.cas.b64 %d4, [%d0], %d2, %d3; setp.ne.s64 %p1, %d2, %d4; mov.u64 %d2, %d4; @%p1 bra L;"})
    void nobodyWaits(String body) {
        Graph graph = SpinLoopsTest.graph(body);
        assertEquals(1, RetryLoop.of(graph).size(), body);
        assertEquals(Map.of(), SpinLoops.headers(graph), body);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // Locks: what is compared with stays, or is not the word that was there, or success does not end the loop, or is not what ends it.
            "L: atom.global.cas.b32 %r4, [%d0], 0, 1; setp.ne.s32 %p1, %r4, 0; @%p1 bra L;",
            "mov.u32 %r2, 0; L: atom.global.cas.b32 %r4, [%d0], %r2, 1; setp.ne.s32 %p1, %r4, %r2; @%p1 bra L;",
            "ld.global.u32 %r4, [%d0]; L: and.b32 %r2, %r4, -2; atom.global.cas.b32 %r4, [%d0], %r2, %r1; setp.ne.s32 %p1, %r2, %r4; @%p1 bra L;",
            "ld.global.u32 %r2, [%d0]; L: atom.global.cas.b32 %r4, [%d0], %r2, %r1; setp.eq.s32 %p1, %r2, %r4; mov.u32 %r2, %r4; @%p1 bra L;",
            "ld.global.u32 %r2, [%d0]; L: atom.global.cas.b32 %r4, [%d0], %r2, %r1; mov.u32 %r2, %r4; setp.ne.s32 %p1, %r2, 0; @%p1 bra L;",
            "ld.global.u32 %r2, [%d0]; L: atom.global.cas.b32 %r4, [%d0], %r2, %r1; mov.u32 %r2, %r4; setp.ne.s32 %p1, %r2, %r4; setp.ne.s32 %p1, %r4, 0; @%p1 bra L;",
            // It looks at another word, at a part of the word, or at the word as a number.
            "L: ld.volatile.global.u32 %r2, [%d0+8]; atom.global.cas.b32 %r4, [%d0+4], %r2, %r1; setp.ne.s32 %p1, %r2, %r4; @%p1 bra L;",
            "ld.global.u32 %r2, [%d0]; L: atom.global.cas.b32 %r4, [%d0], %r2, %r1; setp.ne.f32 %p1, %r2, %r4; mov.u32 %r2, %r4; @%p1 bra L;",
            // It waits for something else as well.
            "ld.global.u32 %r2, [%d0]; L: ld.volatile.global.u32 %r5, [%d0+4]; setp.ne.s32 %p2, %r5, 0; @%p2 bra L; atom.global.cas.b32 %r4, [%d0], %r2, %r1; setp.ne.s32 %p1, %r2, %r4; mov.u32 %r2, %r4; @%p1 bra L;"})
    void threadsMayWait(String body) {
        Graph graph = SpinLoopsTest.graph(body);
        assertEquals(1, SpinLoops.headers(graph).size(), body);
        assertEquals(0, RetryLoop.of(graph).size(), body);
    }
}
