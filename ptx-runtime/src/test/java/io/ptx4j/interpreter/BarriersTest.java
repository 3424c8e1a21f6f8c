package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.runtime.KernelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarriersTest {
    private static final String SHARED = ".shared .align 4 .b8 s[4096];";

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 64, 1000, 1024})
    void threadsSeeWhatOthersWroteBeforeTheBarrier(int threads) {
        int[] results = Script.of("""
                mov.u32 %r10, s; mad.lo.u32 %r11, %r1, 4, %r10;
                mov.u32 %r20, 0;
                LOOP:
                add.u32 %r12, %r1, %r20;
                st.shared.u32 [%r11], %r12;
                bar.sync 0;
                add.u32 %r13, %r1, 1; rem.u32 %r13, %r13, %r2;
                mad.lo.u32 %r14, %r13, 4, %r10;
                ld.shared.u32 %r15, [%r14];
                barrier.sync 0;
                add.u32 %r20, %r20, 1;
                setp.lt.u32 %p1, %r20, 3;
                @%p1 bra LOOP;
                st.global.u32 [%rd1], %r15;
                """).declaring(SHARED).threads(threads).blocks(2).ints(4 * threads);
        for (int i = 0; i < 2 * threads; i++) {
            assertEquals((i % threads + 1) % threads + 2, results[2 * i]);
        }
    }

    @Test
    void threadsThatHaveEndedAreNotWaitedFor() {
        assertEquals(6, Script.of("""
                setp.ge.u32 %p1, %r1, 40;
                @%p1 exit;
                bar.sync 0;
                bar.red.popc.u32 %r10, 0, %p1;
                setp.lt.u32 %p2, %r1, 6;
                bar.red.popc.u32 %r10, 0, %p2;
                st.global.u32 [%rd1], %r10;
                """).threads(100).ints(1)[0]);
    }

    @Test
    void reductionsOverPredicates() {
        assertArrayEquals(new int[] {1, 0, 0, 1}, Script.of("""
                setp.lt.u32 %p1, %r1, 100;
                bar.red.and.pred %p2, 0, %p1;
                selp.u32 %r10, 1, 0, %p2;
                setp.lt.u32 %p1, %r1, 50;
                bar.red.and.pred %p2, 0, %p1;
                selp.u32 %r11, 1, 0, %p2;
                bar.red.or.pred %p2, 3, 64, !%p3;
                setp.gt.u32 %p1, %r1, 100;
                barrier.red.or.pred %p2, 0, %p1;
                selp.u32 %r12, 1, 0, %p2;
                barrier.red.or.pred %p2, 0, !%p1;
                selp.u32 %r13, 1, 0, %p2;
                st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
                """).threads(64).ints(4));
    }

    @Test
    void producersArriveAndConsumersWait() {
        assertEquals(77, Script.of("""
                setp.ge.u32 %p1, %r1, 32;
                @%p1 bra PRODUCER;
                bar.sync 1, 64;
                ld.shared.u32 %r10, [s];
                st.global.u32 [%rd0], %r10;
                bra END;
                PRODUCER:
                st.shared.u32 [s], 77;
                bar.arrive 1, 64;
                END:
                """).declaring(SHARED).threads(64).ints(1)[0]);
    }

    @Test
    void aWarpOfFewerThreadsCountsInFull() {
        assertEquals(48, Script.of("""
                setp.lt.u32 %p1, %r1, 100;
                bar.red.popc.u32 %r10, 2, 64, %p1;
                st.global.u32 [%rd0], %r10;
                """).threads(48).ints(1)[0]);
    }

    @Test
    void barriersInDivergentCodeMeetTheirOwnThreads() {
        int[] results = Script.of("""
                and.b32 %r10, %r1, 32;
                setp.eq.u32 %p1, %r10, 0;
                @%p1 bra EVEN;
                bar.red.popc.u32 %r11, 2, 64, %p2;
                bra END;
                EVEN:
                bar.red.popc.u32 %r11, 1, 64, !%p2;
                END:
                st.global.u32 [%rd1], %r11;
                """).threads(128).ints(256);
        assertEquals(64, results[0]);
        assertEquals(0, results[2 * 32]);
    }

    @Test
    void aBarrierThatCanNeverCompleteListsWhoWaitsWhere() {
        Script script = Script.of("""
                setp.lt.u32 %p1, %r1, 40;
                @%p1 bra LOW;
                bar.sync 1;
                bra END;
                LOW:
                bar.sync 0;
                END:
                """).threads(64).seconds(10);
        KernelException fault = script.fault();
        assertEquals(KernelException.Kind.DEADLOCK, fault.kind());
        assertTrue(fault.getMessage().contains("threads 0-39 at line " + script.lineOf("bar.sync 0") + ": bar.sync 0 (40 of 64 threads have come)"),
                fault.getMessage());
        assertTrue(fault.getMessage().contains("threads 40-63 at line " + script.lineOf("bar.sync 1") + ": bar.sync 1 (24 of 64 threads have come)"),
                fault.getMessage());
    }

    @Test
    void aWarpThatSpinsOnSharedMemoryLetsTheWarpItWaitsForRun() {
        assertEquals(1023, Script.of("""
                setp.ge.u32 %p1, %r1, 32;
                @%p1 bra WRITER;
                WAIT:
                ld.volatile.shared.u32 %r10, [s];
                setp.eq.u32 %p2, %r10, 0;
                @%p2 bra WAIT;
                st.global.u32 [%rd0], %r10;
                bra END;
                WRITER:
                setp.eq.u32 %p3, %r1, 32;
                @%p3 st.volatile.shared.u32 [s], 1023;
                END:
                """).declaring(SHARED).threads(64).seconds(10).ints(1)[0]);
    }

    @Test
    void lanesOfOneWarpMaySpinOnEachOther() {
        assertEquals(32, Script.of("""
                LOCK:
                atom.shared.cas.b32 %r10, [s], 0, 1;
                setp.ne.u32 %p1, %r10, 0;
                @%p1 bra LOCK;
                ld.shared.u32 %r11, [s+4];
                add.u32 %r11, %r11, 1;
                st.shared.u32 [s+4], %r11;
                membar.cta;
                atom.shared.exch.b32 %r10, [s], 0;
                bar.sync 0;
                ld.shared.u32 %r11, [s+4];
                st.global.u32 [%rd0], %r11;
                """).declaring(SHARED).threads(32).seconds(10).ints(1)[0]);
    }

    @Test
    void aWeakSpinEndsToo() {
        assertEquals(5, Script.of("""
                setp.ge.u32 %p1, %r1, 1;
                @%p1 bra WRITER;
                WAIT:
                ld.shared.u32 %r10, [s];
                setp.eq.u32 %p2, %r10, 0;
                @%p2 bra WAIT;
                st.global.u32 [%rd0], %r10;
                bra END;
                WRITER:
                st.shared.u32 [s], 5;
                END:
                """).declaring(SHARED).threads(2).seconds(10).ints(1)[0]);
    }
}
