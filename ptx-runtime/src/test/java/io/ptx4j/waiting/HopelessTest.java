package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.KernelException.Kind;
import io.ptx4j.runtime.Launch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Launches that cannot get on end within a second of that being certain, with 1, 2 and 8 workers on every engine; so do those that only look
 * hopeless, and come to their right end. Other load makes any launch slow, so the quickest of some attempts counts. In a build each of them runs
 * with one number of workers on one engine, in turn; in the long run all run.
 */
final class HopelessTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int ATTEMPTS = 10;
    private static final Duration MOST = Duration.ofSeconds(1);
    private static final int[] WORKERS = {1, 2, 8};

    /** Kernels by what they wait for. All of p is zero at first. */
    private enum Hopeless {
        BARRIER_OF_MORE_THREADS_THAN_THERE_ARE(4, 64, 0, """
                setp.ge.u32 %p0, %r0, 32; @%p0 ret;
                barrier.sync 1, 64;"""),
        WARPS_AT_TWO_BARRIERS(3, 64, 0, """
                setp.ge.u32 %p0, %r0, 32; @%p0 bra OTHER;
                barrier.sync 1, 64; ret;
                OTHER: barrier.sync 2, 64;"""),
        HALVES_OF_A_WARP_AT_TWO_BARRIERS(2, 33, 0, """
                setp.ge.u32 %p0, %r0, 16; @%p0 bra OTHER;
                barrier.sync 1, 64; ret;
                OTHER: barrier.sync 2, 64;"""),
        ARRIVALS_THAT_NOBODY_MAKES(1, 96, 0, """
                setp.ge.u32 %p0, %r0, 32; @%p0 bra OTHER;
                barrier.sync 1, 96; ret;
                OTHER: setp.ge.u32 %p0, %r0, 64; @%p0 ret;
                barrier.arrive 1, 96;"""),
        REDUCTION_AT_A_BARRIER(1, 64, 0, """
                setp.ge.u32 %p0, %r0, 32; @%p0 ret;
                barrier.red.popc.u32 %r2, 1, 64, %p0;"""),
        LANES_ELSEWHERE(2, 32, 0, """
                setp.ge.u32 %p0, %r0, 16; @%p0 bra OTHER;
                shfl.sync.idx.b32 %r2, %r0, 0, 31, -1; ret;
                OTHER: barrier.sync 1, 64;"""),
        TWO_MASKS(2, 32, 0, """
                setp.ge.u32 %p0, %r0, 16; @%p0 bra OTHER;
                bar.warp.sync 0x1ffff; ret;
                OTHER: bar.warp.sync 0xffff8000;"""),
        MASKS_OF_TWO_OPERATIONS(1, 31, 0, """
                setp.ge.u32 %p0, %r0, 16; @%p0 bra OTHER;
                vote.sync.ballot.b32 %r2, %p0, 0x7fffffff; ret;
                OTHER: redux.sync.add.s32 %r2, %r0, 0x7fffffff;"""),
        MASK_WITHOUT_THE_THREAD(2, 32, 0, Kind.ILLEGAL_OPERAND, "match.any.sync.b32 %r2, %r0, 0x7fffffff;"),
        PHASE_THAT_LACKS_AN_ARRIVAL(3, 33, 0, """
                setp.ne.u32 %p0, %r0, 0;
                @!%p0 mbarrier.init.shared.b64 [bar], 34;
                bar.sync 0;
                mbarrier.arrive.shared.b64 %d1, [bar];
                WAIT: mbarrier.try_wait.shared.b64 %p1, [bar], %d1;
                @!%p1 bra WAIT;"""),
        PHASE_THAT_LACKS_BYTES_OF_A_COPY(2, 1, 0, """
                mbarrier.init.shared.b64 [bar], 1;
                mbarrier.arrive.expect_tx.shared.b64 %d1, [bar], 64;
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0], 32, [bar];
                WAIT: mbarrier.try_wait.shared.b64 %p1, [bar], %d1;
                @!%p1 bra WAIT;"""),
        PHASE_THAT_LACKS_A_COPYING_THREAD(1, 2, 0, """
                setp.ne.u32 %p0, %r0, 0;
                @!%p0 mbarrier.init.shared.b64 [bar], 2;
                bar.sync 0;
                @%p0 bra WAIT;
                cp.async.ca.shared.global [s], [%d0], 16;
                cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
                WAIT: mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;
                @!%p1 bra WAIT;"""),
        CLUSTER_OF_ONE_WHO_WAITS_FOR_A_FLAG(4, 33, 2, """
                and.b32 %r2, %r1, 1; setp.eq.u32 %p0, %r2, 1; @%p0 bra SPIN;
                barrier.cluster.arrive; barrier.cluster.wait; ret;
                SPIN: ld.volatile.global.u32 %r2, [%d0];
                setp.eq.u32 %p1, %r2, 0; @%p1 bra SPIN;"""),
        CLUSTER_OF_ONE_WHO_WAITS_AT_A_BARRIER(4, 64, 4, """
                setp.eq.u32 %p0, %r1, 1; @%p0 bra OTHER;
                barrier.cluster.arrive; barrier.cluster.wait; ret;
                OTHER: setp.ge.u32 %p1, %r0, 32; @%p1 ret;
                barrier.sync 1, 64;"""),
        GRID_BARRIER_WITHOUT_A_BLOCK(40, 32, 0, """
                setp.eq.u32 %p0, %r1, 7; @%p0 ret;
                setp.ne.u32 %p0, %r0, 0; @%p0 bra TOGETHER;
                red.release.gpu.global.add.u32 [%d0], 1;
                WAIT: ld.acquire.gpu.global.u32 %r2, [%d0];
                setp.lt.u32 %p1, %r2, 40; @%p1 bra WAIT;
                TOGETHER: bar.sync 0;"""),
        LOCK_THAT_IS_KEPT(3, 1, 0, """
                LOCK: atom.global.cas.b32 %r2, [%d0], 0, 1;
                setp.ne.u32 %p1, %r2, 0; @%p1 bra LOCK;"""),
        FLAG_BEHIND_A_BARRIER(1, 64, 0, """
                setp.ne.u32 %p0, %r0, 0; @%p0 bra SPIN;
                bar.sync 0;
                st.release.gpu.global.u32 [%d0], 1; ret;
                SPIN: ld.acquire.gpu.global.u32 %r2, [%d0];
                setp.eq.u32 %p1, %r2, 0; @%p1 bra SPIN;
                bar.sync 0;""");

        final int grid;
        final int block;
        final int cluster;
        final Kind kind;
        final String body;

        Hopeless(int grid, int block, int cluster, String body) {
            this(grid, block, cluster, Kind.DEADLOCK, body);
        }

        Hopeless(int grid, int block, int cluster, Kind kind, String body) {
            this.grid = grid;
            this.block = block;
            this.cluster = cluster;
            this.kind = kind;
            this.body = body;
        }
    }

    /** Kernels whose last thread writes 1 to p[1]. */
    private enum NotHopeless {
        BLOCKS_THAT_LET_EACH_OTHER_GO_ON_A_THOUSAND_TIMES(2, 1, 0, """
                mov.u32 %r2, 0;
                WAIT: ld.volatile.global.u32 %r3, [%d0];
                and.b32 %r4, %r3, 1; setp.ne.u32 %p0, %r4, %r1; @%p0 bra WAIT;
                add.u32 %r3, %r3, 1; st.volatile.global.u32 [%d0], %r3;
                add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 1000; @%p0 bra WAIT;
                st.global.u32 [%d0+4], 1;"""),
        BLOCKS_THAT_LOOK_AT_A_CLOCK_WHILE_THEY_WAIT(3, 1, 0, """
                mov.u32 %r2, 0;
                WAIT: ld.volatile.global.u32 %r3, [%d0]; mov.u64 %d1, %globaltimer;
                setp.eq.u64 %p1, %d1, 0; @%p1 bra DONE;
                rem.u32 %r4, %r3, 3; setp.ne.u32 %p0, %r4, %r1; @%p0 bra WAIT;
                add.u32 %r3, %r3, 1; st.volatile.global.u32 [%d0], %r3;
                add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 200; @%p0 bra WAIT;
                st.global.u32 [%d0+4], 1;
                DONE:"""),
        BLOCKS_THAT_HAVE_ENDED_COUNT_AT_THE_BARRIER_OF_THEIR_CLUSTER(4, 33, 4, """
                setp.ge.u32 %p0, %r1, 2; @%p0 ret;
                barrier.cluster.arrive; barrier.cluster.wait;
                st.global.u32 [%d0+4], 1;"""),
        THREADS_THAT_HAVE_ENDED_COUNT_AT_A_BARRIER(2, 1000, 0, """
                setp.ge.u32 %p0, %r0, 33; @%p0 ret;
                bar.sync 0;
                st.global.u32 [%d0+4], 1;"""),
        /** Block 0 lets block 1 go on, works on for 0.3 s, and then looks whether that has answered. */
        ONE_WHO_WAITS_FOR_A_BLOCK_THAT_WORKS_ON(2, 1, 0, """
                setp.ne.u32 %p0, %r1, 0; @%p0 bra WAIT;
                mov.u64 %d1, %globaltimer; add.u64 %d2, %d1, 50000000; add.u64 %d3, %d2, 300000000;
                BEFORE: mov.u64 %d1, %globaltimer; setp.lt.u64 %p0, %d1, %d2; @%p0 bra BEFORE;
                st.volatile.global.u32 [%d0], 1;
                BEHIND: mov.u64 %d1, %globaltimer; setp.lt.u64 %p0, %d1, %d3; @%p0 bra BEHIND;
                ld.volatile.global.u32 %r2, [%d0+8]; st.global.u32 [%d0+4], %r2; ret;
                WAIT: ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %p0, %r2, 0; @%p0 bra WAIT;
                st.volatile.global.u32 [%d0+8], 1;"""),
        LANES_THAT_HAVE_ENDED_COUNT_IN_A_MASK(2, 32, 0, """
                setp.ge.u32 %p0, %r0, 7; @%p0 ret;
                bar.warp.sync -1;
                st.global.u32 [%d0+4], 1;"""),
        GROUPS_OF_COPIES_THAT_NOBODY_COMMITTED(2, 31, 0, """
                cp.async.ca.shared.global [s], [%d0], 16;
                cp.async.wait_group 0; cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all;
                st.global.u32 [%d0+4], 1;""");

        final int grid;
        final int block;
        final int cluster;
        final String body;

        NotHopeless(int grid, int block, int cluster, String body) {
            this.grid = grid;
            this.block = block;
            this.cluster = cluster;
            this.body = body;
        }
    }

    @TestFactory
    List<DynamicTest> hopelessLaunchesEndInTime() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Hopeless hopeless : Hopeless.values()) {
            each(tests, hopeless, hopeless.body, hopeless.grid, hopeless.block, hopeless.cluster, (launch, p) -> {
                KernelException failed = assertThrows(KernelException.class, () -> launch.launch(p));
                assertEquals(hopeless.kind, failed.kind(), failed::getMessage);
                String words = hopeless.kind == Kind.DEADLOCK ? "threads wait for each other and none can go on: thread" : "mask";
                assertTrue(failed.getMessage().contains(words), failed::getMessage);
            });
        }
        for (NotHopeless right : NotHopeless.values()) {
            each(tests, right, right.body, right.grid, right.block, right.cluster, (launch, p) -> {
                launch.launch(p);
                assertEquals(1, p.toInts()[1]);
            });
        }
        return tests;
    }

    private interface Run {
        void of(Launch launch, DeviceBuffer p);
    }

    private static void each(List<DynamicTest> tests, Enum<?> what, String body, int grid, int block, int cluster, Run run) {
        int turn = what.ordinal();
        for (CaseEngine engine : LONG ? CaseEngine.values() : new CaseEngine[] {CaseEngine.values()[turn % CaseEngine.values().length]}) {
            for (int workers : LONG ? WORKERS : new int[] {WORKERS[turn / CaseEngine.values().length % WORKERS.length]}) {
                tests.add(dynamicTest(what + " on " + engine + " with " + workers + " workers",
                        () -> endsInTime(engine, workers, body, grid, block, cluster, run)));
            }
        }
    }

    private static void endsInTime(CaseEngine engine, int workers, String body, int grid, int block, int cluster, Run run) {
        try (Device device = Device.builder().engine(engine.create()).workers(workers).memory(1 << 20).timeout(Duration.ofSeconds(30)).open();
                DeviceBuffer p = device.allocate("p", 256)) {
            Launch plain = device.load("k.ptx", WaitingFaultsTest.HEAD + body + "\nret;\n}\n").kernel("k").grid(grid).block(block);
            Launch launch = cluster == 0 ? plain : plain.cluster(cluster);
            Duration least = Duration.ofDays(1);
            for (int i = 0; i < ATTEMPTS && least.compareTo(MOST) > 0; i++) {
                p.fill(0);
                long begin = System.nanoTime();
                run.of(launch, p);
                Duration taken = Duration.ofNanos(System.nanoTime() - begin);
                least = taken.compareTo(least) < 0 ? taken : least;
            }
            assertTrue(least.compareTo(MOST) <= 0, "it took " + least.toMillis() + " ms at the least");
        }
    }
}
