package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Opcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EvenLoopsTest {
    private static final BlockShape SHAPE = new BlockShape(256, 1, 1);

    private static Graph graph(String loop, BlockShape shape) {
        return SpinLoopsTest.graph("mov.u32 %r4, %ctaid.x; " + loop, shape);
    }

    /** Those of the loop: the kernel has one behind it. */
    private static int stores(Graph graph) {
        return (int) graph.blocks().stream().flatMap(b -> b.instructions().stream()).filter(i -> i.opcode() == Opcode.ST).count() - 1;
    }

    private static boolean isLoop(BasicBlock block) {
        return block.terminator() instanceof Terminator.Branch branch && (branch.taken() == block.index() || branch.otherwise() == block.index());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L; | 4",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.s32 %p1, %r2, 1024; @%p1 bra L; | 4",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.ge.s32 %p1, %r2, 768; @!%p1 bra L; | 3",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; setp.gt.u32 %p1, %r2, 767; add.s32 %r2, %r2, 256; @!%p1 bra L; | 4",
        "add.s32 %r2, %r1, -256; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 768; @%p1 bra L; | 4",
        "add.s32 %r2, %r1, 1024; L: st.global.u32 [%d0], %r2; sub.s32 %r2, %r2, 512; setp.ge.s32 %p1, %r2, 0; @%p1 bra L; | 3",
        "cvt.u64.u32 %d2, %r1; L: st.global.u64 [%d0], %d2; add.s64 %d2, %d2, 512; setp.lo.u64 %p1, %d2, 2048; @%p1 bra L; | 4",
        "cvt.u64.u32 %d3, %r1; sub.s64 %d2, %d3, 256; L: st.global.u64 [%d0], %d2; add.s64 %d2, %d2, 256; setp.lt.u64 %p1, %d2, 768; @%p1 bra L; | 4",
        "and.b32 %r2, %r1, 31; L: st.global.u32 [%d0], %r2; add.s32 %r3, %r2, 32; mov.u32 %r2, %r3; setp.ne.u32 %p1, %r2, 999; @!%p1 bra L; | 1",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; @%p1 st.global.u32 [%d0+4], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p2, %r2, 512; @%p2 bra L; | 4",
    })
    void turnsStandOneAfterTheOther(String loop, int stores) {
        Graph graph = graph(loop, SHAPE);
        if (stores > 1) {
            assertEquals(0, graph.blocks().stream().filter(EvenLoopsTest::isLoop).count(), graph.blocks()::toString);
        }
        assertEquals(stores, stores(graph));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        // Some threads make another turn.
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1000; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 128; setp.le.u32 %p1, %r2, 1024; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 300; @%p1 bra L;",
        // Not known, or no thread's number.
        "mov.u32 %r2, %r4; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        "mov.u32 %r2, 0; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, %r4; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, %r4; @%p1 bra L;",
        "L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L; mov.u32 %r2, %r1;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; @%p2 add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; @%p2 setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.and.u32 %p1, %r2, 1024, %p2; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; shl.b32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        // Too many.
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 8192; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 0; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
        // Threads meet, or carry on.
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; bar.sync 0; @%p1 bra L;",
        "mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.cc.u32 %r5, %r5, %r1; addc.u32 %r6, %r6, 0; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;",
    })
    void loopsThatStay(String loop) {
        Graph graph = graph(loop, SHAPE);
        assertEquals(1, stores(graph), graph.blocks()::toString);
    }

    @Test
    void aBlockOfAnyShapeHasLoops() {
        assertEquals(1, stores(graph("mov.u32 %r2, %r1; L: st.global.u32 [%d0], %r2; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r2, 1024; @%p1 bra L;", null)));
    }
}
