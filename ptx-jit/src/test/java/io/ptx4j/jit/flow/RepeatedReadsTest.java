package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RepeatedReadsTest {
    /** What loops read, of those in which a thread may wait. */
    private static Set<SpinLoops.Reads> waiting(String loop) {
        return Set.copyOf(SpinLoops.headers(SpinLoopsTest.graph("""
                ld.global.u32 %r2, [%d0]; ld.global.u32 %r3, [%d0+4]; ld.global.u64 %d1, [%d0+8]; mov.u32 %r5, 0; mov.u64 %d5, 0; setp.eq.u32 %p3, %r1, 7;
                AGAIN:
                """ + loop)).values());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        // An array up to a certain element.
        "ld.global.u32 %r4, [%d1]; add.u64 %d1, %d1, 4; setp.ne.u32 %p1, %r4, %r3; @%p1 bra AGAIN;",
        "mul.wide.u32 %d2, %r5, 4; add.u64 %d3, %d1, %d2; ld.global.u32 %r4, [%d3]; add.u32 %r5, %r5, %r2; setp.ne.u32 %p1, %r4, %r3; @%p1 bra AGAIN;",
        // A binary search with jumps, with selections, and with a length that is halved.
        "add.u32 %r4, %r2, %r3; shr.u32 %r4, %r4, 1; mul.wide.u32 %d2, %r4, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.lt.u32 %p1, %r5, %r1; @%p1 bra UP;"
            + "mov.u32 %r3, %r4; bra BOTH; UP: add.u32 %r2, %r4, 1; BOTH: setp.lt.u32 %p2, %r2, %r3; @%p2 bra AGAIN;",
        "add.u32 %r4, %r2, %r3; shr.u32 %r4, %r4, 1; mul.wide.u32 %d2, %r4, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.lt.u32 %p1, %r5, %r1;"
            + "add.u32 %r6, %r4, 1; selp.b32 %r2, %r6, %r2, %p1; selp.b32 %r3, %r3, %r4, %p1; setp.lt.u32 %p2, %r2, %r3; @%p2 bra AGAIN;",
        "add.u32 %r4, %r2, %r3; shr.u32 %r4, %r4, 1; mul.wide.u32 %d2, %r4, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.lt.u32 %p1, %r5, %r1;"
            + "@%p1 add.u32 %r2, %r4, 1; @!%p1 mov.u32 %r3, %r4; setp.lt.u32 %p2, %r2, %r3; @%p2 bra AGAIN;",
        // The same, where the length may be all that changes.
        "shr.u32 %r4, %r3, 1; add.u32 %r5, %r4, %r2; mul.wide.u32 %d2, %r5, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.lt.u32 %p1, %r5, %r1;"
            + "add.u32 %r6, %r4, 1; selp.b32 %r6, %r6, 0, %p1; add.u32 %r2, %r2, %r6; not.b32 %r6, %r4; add.u32 %r6, %r3, %r6; selp.b32 %r3, %r6, %r4, %p1; setp.ne.s32 %p2, %r3, 0; @%p2 bra AGAIN;",
        // Slots of a hash table, one after the other.
        "and.b32 %r4, %r1, 255; mul.wide.u32 %d2, %r4, 8; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.eq.u32 %p1, %r5, %r2; @%p1 bra OUT;"
            + "setp.eq.u32 %p2, %r5, 0; add.u32 %r1, %r1, 1; @!%p2 bra AGAIN; OUT:",
        "add.u32 %r4, %r5, 1; and.b32 %r5, %r4, 255; mul.wide.u32 %d2, %r5, 8; add.u64 %d3, %d0, %d2; ld.global.u32 %r4, [%d3]; setp.ne.u32 %p1, %r4, %r2; @%p1 bra AGAIN;",
        // A list of addresses, and one of offsets.
        "ld.global.u32 %r4, [%d1+8]; setp.eq.u32 %p1, %r4, %r2; @%p1 bra OUT; ld.global.u64 %d1, [%d1]; setp.ne.u64 %p2, %d1, 0; @%p2 bra AGAIN; OUT:",
        "ld.global.u64 %d2, [%d1]; add.u64 %d1, %d0, %d2; setp.ne.u64 %p2, %d2, 0; @%p2 bra AGAIN;",
        // Whichever way, something is added.
        "ld.global.u32 %r4, [%d1]; setp.lt.u32 %p1, %r4, 9; selp.b64 %d2, 4, 8, %p1; add.u64 %d1, %d1, %d2; setp.ne.u32 %p2, %r4, 0; @%p2 bra AGAIN;",
    })
    void nobodyWaitsGoingThroughData(String loop) {
        assertEquals(Set.of(), waiting(loop));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "ld.global.u32 %r4, [%d0]; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
        "ld.global.u32 %r4, [%d1+4]; add.u32 %r5, %r5, 1; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
        // The address is computed in each turn, but the same.
        "mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r4, [%d3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
        "ld.global.u32 %r4, [%d5]; mov.u64 %d5, 16; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
        "ld.global.u32 %r4, [%d5]; ld.global.u64 %d5, [%d0]; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
        // It goes on to the next word when this one has been written.
        "ld.global.u32 %r4, [%d1]; setp.ne.u32 %p1, %r4, 0; @%p1 add.u64 %d1, %d1, 4; setp.lt.u64 %p2, %d1, %d0; @%p2 bra AGAIN;",
        "ld.global.u32 %r4, [%d1]; setp.ne.u32 %p1, %r4, 0; selp.b64 %d2, 4, 0, %p1; add.u64 %d1, %d1, %d2; setp.lt.u64 %p2, %d1, %d0; @%p2 bra AGAIN;",
        "ld.global.u32 %r4, [%d1]; setp.eq.u32 %p1, %r4, 0; selp.b64 %d2, 0, 4, %p1; sub.u64 %d1, %d1, %d2; setp.lt.u64 %p2, %d1, %d0; @%p2 bra AGAIN;",
        "ld.global.u32 %r4, [%d1]; setp.eq.u32 %p1, %r4, 0; @%p1 bra SAME; add.u64 %d1, %d1, 4; SAME: setp.lt.u64 %p2, %d1, %d0; @%p2 bra AGAIN;",
        "ld.global.u32 %r4, [%d1]; cvt.u64.u32 %d2, %r4; add.u64 %d1, %d1, %d2; setp.lt.u64 %p2, %d1, %d0; @%p2 bra AGAIN;",
        "ld.global.u32 %r4, [%d1]; set.eq.u32.u32 %r5, %r4, 0; cvt.u64.u32 %d2, %r5; sub.u64 %d1, %d1, %d2; setp.lt.u64 %p2, %d1, %d0; @%p2 bra AGAIN;",
        // A search whose other half is never taken.
        "add.u32 %r4, %r2, %r3; shr.u32 %r4, %r4, 1; mul.wide.u32 %d2, %r4, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.lt.u32 %p1, %r5, %r1;"
            + "add.u32 %r6, %r4, 1; selp.b32 %r2, %r6, %r2, %p1; selp.b32 %r3, %r3, %r4, %p3; setp.lt.u32 %p2, %r2, %r3; @%p2 bra AGAIN;",
        // One that does not end with a length of nothing.
        "shr.u32 %r4, %r3, 1; add.u32 %r5, %r4, %r2; mul.wide.u32 %d2, %r5, 4; add.u64 %d3, %d0, %d2; ld.global.u32 %r5, [%d3]; setp.lt.u32 %p1, %r5, %r1;"
            + "add.u32 %r6, %r4, 1; selp.b32 %r6, %r6, 0, %p1; add.u32 %r2, %r2, %r6; not.b32 %r6, %r4; add.u32 %r6, %r3, %r6; selp.b32 %r3, %r6, %r4, %p1; setp.ne.s32 %p2, %r5, 0; @%p2 bra AGAIN;",
        // Words in turn, from the first one on each time.
        "mov.u64 %d2, %d0; mov.u32 %r4, 0; INNER: ld.global.u32 %r5, [%d2]; min.u32 %r4, %r4, %r5; add.u64 %d2, %d2, 4; setp.lt.u64 %p1, %d2, %d1; @%p1 bra INNER;"
            + "setp.eq.u32 %p2, %r4, 0; @%p2 bra AGAIN;",
        // Two words in turn.
        "ld.global.u32 %r4, [%d1]; mov.u64 %d2, %d1; mov.u64 %d1, %d5; mov.u64 %d5, %d2; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
        // Data, and beside it a word that is waited for.
        "ld.global.u32 %r4, [%d1]; add.u64 %d1, %d1, 4; ld.global.u32 %r5, [%d0]; and.b32 %r4, %r4, %r5; setp.eq.u32 %p1, %r4, 0; @%p1 bra AGAIN;",
    })
    void theSameWordMayBeWaitedFor(String loop) {
        assertEquals(Set.of(SpinLoops.Reads.DATA), waiting(loop));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ld.volatile.global.u32", "ld.relaxed.gpu.global.u32"})
    void whoReadsStronglyWaits(String load) {
        assertEquals(Set.of(SpinLoops.Reads.POLLS), waiting(load + " %r4, [%d1]; add.u64 %d1, %d1, 4; setp.ne.u32 %p1, %r4, %r3; @%p1 bra AGAIN;"));
    }
}
