package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CountedExitsTest {
    /** What loops whose bound comes from memory read, of those in which a thread may wait. */
    private static Set<SpinLoops.Reads> waiting(String loop) {
        return Set.copyOf(SpinLoops.headers(SpinLoopsTest.graph("""
                ld.global.u32 %r2, [%d0];
                ld.global.u32 %r3, [%d0+4];
                ld.global.u64 %d1, [%d0+8];
                AGAIN:
                """ + loop)).values());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 32; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; sub.s32 %r1, %r1, 0x10000; setp.gt.s32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.ge.s32 %p1, %r1, %r2; @!%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; sub.s32 %r1, %r1, 1; setp.gt.s32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, -1; setp.lt.s32 %p1, %r2, %r1; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; setp.ge.u32 %p1, %r1, %r2; @%p1 bra OUT; add.s32 %r1, %r1, 1; bra AGAIN; OUT:",
        "setp.eq.u32 %p2, %r3, 0; @%p2 bra SAME; ld.global.u32 %r2, [%d0]; SAME: add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
    })
    void nobodyWaitsWithACounter(String loop) {
        assertEquals(Set.of(), waiting(loop));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        // By very much a turn it may jump over the last number below the bound.
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 0x10001; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; sub.s32 %r1, %r1, 0x80000000; setp.gt.s32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 0; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.gt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @!%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; sub.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u64 %d1, [%d0]; cvt.u64.u32 %d2, %r1; add.s64 %d3, %d3, 1; setp.lt.u64 %p1, %d3, %d1; @%p1 bra AGAIN;",
        // Some turns do not count, or count and go back.
        "ld.global.u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, 7; @%p2 add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, 7; @%p2 bra SAME; add.s32 %r1, %r1, 1; SAME: setp.lt.u32 %p1, %r1, %r2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; add.s32 %r1, %r1, -1; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 setp.eq.u32 %p1, %r2, 9; @%p1 bra AGAIN;",
        // Not the comparison alone decides; another way out depends on memory.
        "ld.global.u32 %r2, [%d0]; add.s32 %r1, %r1, 1; setp.lt.and.u32 %p1, %r1, %r2, %p2; @%p1 bra AGAIN;",
        "ld.global.u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, 7; @%p2 bra OUT; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r3; @%p1 bra AGAIN; OUT:",
    })
    void whatComesFromMemoryMayBeWaitedFor(String loop) {
        assertEquals(Set.of(SpinLoops.Reads.DATA), waiting(loop));
    }
}
