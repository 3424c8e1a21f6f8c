package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.runtime.KernelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarpOperationsTest {
    private static int[] lanes(String statements, int threads) {
        int[] words = Script.of(statements + "st.global.u32 [%rd1], %r10;").threads(threads).ints(2 * threads);
        int[] results = new int[threads];
        for (int i = 0; i < threads; i++) {
            results[i] = words[2 * i];
        }
        return results;
    }

    @Test
    void shuffleDownMovesWithinTheClamp() {
        int[] results = lanes("add.u32 %r3, %r1, 100; shfl.sync.down.b32 %r10|%p1, %r3, 3, 31, -1; @!%p1 neg.s32 %r10, %r10;", 32);
        for (int lane = 0; lane < 32; lane++) {
            assertEquals(lane + 3 <= 31 ? lane + 103 : -(lane + 100), results[lane]);
        }
    }

    @Test
    void shuffleUpStopsAtTheStart() {
        int[] results = lanes("add.u32 %r3, %r1, 100; shfl.sync.up.b32 %r10|%p1, %r3, 3, 0, -1; @!%p1 neg.s32 %r10, %r10;", 32);
        for (int lane = 0; lane < 32; lane++) {
            assertEquals(lane >= 3 ? lane + 97 : -(lane + 100), results[lane]);
        }
    }

    @Test
    void shufflesStayWithinTheirSegments() {
        int[] butterfly = lanes("shfl.sync.bfly.b32 %r10, %r1, 5, 31, -1;", 32);
        int[] index = lanes("shfl.sync.idx.b32 %r10, %r1, 2, 0x181f, -1;", 32);
        int[] down = lanes("shfl.sync.down.b32 %r10|%p1, %r1, 5, 0x181f, -1;", 32);
        for (int lane = 0; lane < 32; lane++) {
            assertEquals(lane ^ 5, butterfly[lane]);
            assertEquals(lane / 8 * 8 + 2, index[lane]);
            assertEquals(lane % 8 < 3 ? lane + 5 : lane, down[lane]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 31, 32, 33, 100})
    void votesCountTheThreadsThatAreThere(int threads) {
        int[] results = lanes("""
                and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;
                vote.sync.ballot.b32 %r10, %p1, -1;
                """, threads);
        for (int i = 0; i < threads; i++) {
            int lanes = Math.min(32, threads - i / 32 * 32);
            assertEquals(0x5555_5555 & (lanes == 32 ? -1 : (1 << lanes) - 1), results[i]);
        }
    }

    @Test
    void votesInDivergentCodeCountTheirMembers() {
        int[] results = lanes("""
                setp.lt.u32 %p1, %r1, 12;
                @%p1 bra LOW;
                vote.sync.all.pred %p2, %p1, 0xfffff000;
                selp.u32 %r10, 1, 2, %p2;
                bra END;
                LOW:
                setp.lt.u32 %p3, %r1, 3;
                vote.sync.any.pred %p2, %p3, 0xfff;
                vote.sync.uni.pred %p4, %p3, 0xfff;
                selp.u32 %r10, 4, 0, %p2;
                @%p4 add.u32 %r10, %r10, 8;
                END:
                """, 32);
        assertEquals(4, results[0]);
        assertEquals(4, results[11]);
        assertEquals(2, results[12]);
    }

    @Test
    void activemaskNamesTheThreadsThatStandThere() {
        int[] results = lanes("""
                setp.lt.u32 %p1, %r1, 12;
                mov.u32 %r10, 0;
                @%p1 activemask.b32 %r10;
                @!%p1 activemask.b32 %r10;
                """, 32);
        assertEquals(0xFFF, results[5]);
        assertEquals(0xFFFF_F000, results[20]);
    }

    @Test
    void aMissingLaneIsADeadlockThatNamesTheMask() {
        Script script = Script.of("""
                setp.lt.u32 %p1, %r1, 30;
                @%p1 shfl.sync.idx.b32 %r10, %r1, 0, 31, -1;
                bar.sync 0;
                """).threads(32).seconds(10);
        KernelException fault = script.fault();
        assertEquals(KernelException.Kind.DEADLOCK, fault.kind());
        assertTrue(fault.getMessage().contains("threads 0-29 at line " + script.lineOf("shfl") + ": shfl.sync.idx.b32 with member mask 0xffffffff"),
                fault.getMessage());
    }

    @Test
    void aMaskWithoutTheThreadItselfIsAFault() {
        KernelException fault = Script.of("vote.sync.ballot.b32 %r10, !%p1, 0xffff;").threads(32).fault();
        assertEquals(KernelException.Kind.ILLEGAL_OPERAND, fault.kind());
        assertEquals(16, fault.thread().orElseThrow().x());
    }

    @Test
    void aWarpSumInALoopWithComputedMasks() {
        int[] results = lanes("""
                setp.lt.u32 %p1, %r1, 16;
                mov.u32 %r10, %r1;
                @!%p1 bra END;
                mov.u32 %r3, 8;
                LOOP:
                shfl.sync.down.b32 %r4, %r10, %r3, 0x100f, 0xffff;
                add.u32 %r10, %r10, %r4;
                shr.u32 %r3, %r3, 1;
                setp.ne.u32 %p2, %r3, 0;
                @%p2 bra LOOP;
                END:
                bar.warp.sync -1;
                """, 32);
        assertEquals(120, results[0]);
        assertEquals(20, results[20]);
    }

    @Test
    void threadsThatDifferentCallsHaveLedToAPointMeetThere() {
        int[] words = Script.of("""
                setp.lt.u32 %p1, %r1, 12;
                @%p1 bra LOW;
                call (%r10), f;
                bra END;
                LOW:
                call (%r10), f;
                END:
                st.global.u32 [%rd1], %r10;
                """).declaring(".func (.reg .b32 m) f { activemask.b32 m; ret; }").threads(32).ints(64);
        assertEquals(-1, words[0]);
        assertEquals(-1, words[2 * 31]);
    }

    @Test
    void matchFindsTheLanesWithTheSameValue() {
        int[] any = lanes("and.b32 %r3, %r1, 3; match.any.sync.b32 %r10, %r3, -1;", 32);
        int[] all = lanes("""
                and.b32 %r3, %r1, 16; cvt.u64.u32 %rd5, %r3;
                setp.eq.u32 %p1, %r3, 0; mov.b32 %r4, 0xffff; @!%p1 mov.b32 %r4, 0xffff0000;
                @!%p1 mov.b64 %rd5, %rd1;
                match.all.sync.b64 %r10|%p2, %rd5, %r4;
                @%p2 add.u32 %r10, %r10, 1;
                """, 32);
        for (int lane = 0; lane < 32; lane++) {
            assertEquals(0x1111_1111 << lane % 4, any[lane]);
            assertEquals(lane < 16 ? 0x1_0000 : 0, all[lane]);
        }
    }

    @Test
    void reduxCombinesTheMembers() {
        int[] results = lanes("""
                sub.s32 %r3, %r1, 5;
                redux.sync.add.s32 %r10, %r3, -1;
                redux.sync.min.s32 %r11, %r3, -1;
                redux.sync.min.u32 %r12, %r3, -1;
                redux.sync.max.u32 %r13, %r3, -1;
                redux.sync.xor.b32 %r14, %r1, -1;
                setp.eq.u32 %p1, %r1, 1; @%p1 mov.u32 %r10, %r11;
                setp.eq.u32 %p1, %r1, 2; @%p1 mov.u32 %r10, %r12;
                setp.eq.u32 %p1, %r1, 3; @%p1 mov.u32 %r10, %r13;
                setp.eq.u32 %p1, %r1, 4; @%p1 mov.u32 %r10, %r14;
                """, 20);
        assertEquals(20 * 19 / 2 - 100, results[0]);
        assertEquals(-5, results[1]);
        assertEquals(0, results[2]);
        assertEquals(-1, results[3]);
        assertEquals(0, results[4]);
    }

    @Test
    void electChoosesOneMember() {
        int[] results = lanes("mov.u32 %r10, 0; setp.lt.u32 %p1, %r1, 7; @%p1 bra END; elect.sync %r10|%p2, 0xffffff80; @%p2 mov.u32 %r10, 99; END:", 32);
        assertEquals(0, results[6]);
        assertEquals(99, results[7]);
        assertEquals(7, results[31]);
    }
}
