package io.ptx4j.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What threads wait for in vain, and wrong uses of what they wait with, on both engines. */
@Timeout(60)
final class WaitingFaultsTest {
    /** Begins a kernel of one parameter, with what it may wait with. */
    static final String HEAD = """
            .version 8.6
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 p)
            {
            .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<8>;
            .shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;
            mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; ld.param.u64 %d0, [p];
            """;

    /** The message of the failure of a kernel with that body, without the kernel's and the source line's text. */
    private static String failure(CaseEngine engine, String body, int grid, int block, int cluster) {
        try (Device device = Device.builder().engine(engine.create()).workers(2).memory(1 << 20).timeout(Duration.ofSeconds(30)).open();
                DeviceBuffer p = device.allocate("p", 256)) {
            Launch launch = device.load("k.ptx", HEAD + body + "\nret;\n}\n").kernel("k").grid(grid).block(block);
            KernelException failed = assertThrows(KernelException.class,
                    () -> (cluster == 0 ? launch : launch.cluster(cluster)).launch(p));
            return failed.getMessage().lines().findFirst().orElseThrow().replaceFirst("kernel k, ", "");
        }
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aPhaseThatNeverCompletesEndsInAListOfWhoWaits(CaseEngine engine) {
        String message = failure(engine, """
                setp.ne.u32 %p0, %r0, 0;
                @!%p0 mbarrier.init.shared.b64 [bar], 34;
                bar.sync 0;
                mbarrier.arrive.shared.b64 %d1, [bar];
                WAIT: mbarrier.try_wait.shared.b64 %p1, [bar], %d1;
                @!%p1 bra WAIT;""", 3, 33, 0);
        // The JIT knows that nobody else arrives there.
        assertEquals("k.ptx:14: block (0,0,0), thread (0,0,0): threads wait for each other and none can go on: threads 0-32 at line 14: "
                + "a loop that waits" + (engine == CaseEngine.INTERPRETER ? "; 2 other blocks wait too" : ""), message);
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aGridThatWaitsForAFlagNobodySetsEnds(CaseEngine engine) {
        String message = failure(engine, """
                WAIT: ld.acquire.gpu.global.u32 %r2, [%d0];
                setp.eq.u32 %p1, %r2, 0;
                @%p1 bra WAIT;""", 5000, 1, 0);
        assertEquals("k.ptx:11: block (0,0,0), thread (0,0,0): threads wait for each other and none can go on: thread 0 at line 11: a loop "
                + "that waits; 4095 other blocks wait too; 904 blocks have not begun, since no more than 4096 can be under way together", message);
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aLockThatIsNeverGivenBackEndsTheLaunch(CaseEngine engine) {
        String message = failure(engine, """
                LOCK: atom.global.cas.b32 %r2, [%d0], 0, 1;
                setp.ne.u32 %p1, %r2, 0;
                @%p1 bra LOCK;""", 2, 32, 0);
        assertTrue(message.contains("threads wait for each other and none can go on: thread"), message);
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aBlockThatDoesNotComeToTheBarrierOfItsClusterIsNamedByThoseThatWait(CaseEngine engine) {
        String message = failure(engine, """
                barrier.cluster.arrive.aligned;
                setp.eq.u32 %p0, %r1, 1;
                @%p0 bra SPIN;
                barrier.cluster.wait.aligned;
                barrier.cluster.arrive;
                barrier.cluster.wait;
                ret;
                SPIN: ld.volatile.global.u32 %r2, [%d0];
                setp.eq.u32 %p1, %r2, 0;
                @%p1 bra SPIN;""", 2, 33, 2);
        assertEquals("k.ptx:14: block (0,0,0), thread (0,0,0): threads wait for each other and none can go on: "
                + "threads 0-32 at line 14: barrier.cluster.wait", message);
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void wrongUsesAreNamedWithTheirPlace(CaseEngine engine) {
        assertEquals("k.ptx:9: block (0,0,0), thread (0,0,0): barrier.cluster.wait without an arrive before it",
                failure(engine, "barrier.cluster.wait;", 1, 1, 0));
        assertEquals("k.ptx:10: block (0,0,0), thread (0,0,0): barrier.cluster.arrive again without a wait in between",
                failure(engine, "barrier.cluster.arrive;\nbarrier.cluster.arrive;", 1, 1, 0));
        assertEquals("k.ptx:9: block (0,0,0), thread (0,0,0): mapa asks for block 2 of a cluster of 2",
                failure(engine, "mapa.shared::cluster.u32 %r2, %r0, 2;", 2, 1, 2));
        assertEquals("k.ptx:9: block (0,0,0), thread (0,0,0): no mbarrier is here: it was not initialised, or overwritten or invalidated",
                failure(engine, "mbarrier.arrive.shared.b64 %d1, [bar];", 1, 1, 0));
        assertEquals("k.ptx:10: block (0,0,0), thread (0,0,0): an arrival with .noComplete would complete the phase",
                failure(engine, "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.noComplete.shared.b64 %d1, [bar], 1;", 1, 2, 0));
        assertEquals("k.ptx:10: block (0,0,0), thread (0,0,0): 3 arrivals where 2 are pending",
                failure(engine, "mbarrier.init.shared.b64 [bar], 2;\nmbarrier.arrive.shared.b64 %d1, [bar], 3;", 1, 2, 0));
        assertEquals("k.ptx:9: block (0,0,0), thread (0,0,0): mbarrier.init with a count of 0; possible are 1 to 1048575",
                failure(engine, "mbarrier.init.shared.b64 [bar], 0;", 1, 1, 0));
        assertEquals("k.ptx:10: block (0,0,0), thread (0,0,0): a bulk copy of 24 bytes, which is no multiple of 16",
                failure(engine, "mov.u32 %r2, 24;\ncp.async.bulk.global.shared::cta.bulk_group [%d0], [s], %r2;", 1, 1, 0));
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aBadAddressOfACopyIsNamedWithItsSideAndTheLineThatIssuedIt(CaseEngine engine) {
        String global = failure(engine, "cp.async.cg.shared.global [s], [%d0+256], 16;\ncp.async.wait_all;", 1, 1, 0);
        assertTrue(global.startsWith("k.ptx:9: block (0,0,0), thread (0,0,0): cp.async.cg.shared.global of 16 bytes at 0x"), global);
        assertTrue(global.contains(" is out of bounds; 0 bytes past the end of p (256 bytes at "), global);
        assertEquals("k.ptx:10: block (0,0,0), thread (0,0,0): cp.async.ca.shared.global of 4 bytes at offset 64 of shared memory is out "
                + "of bounds; the block has 64 bytes of it",
                failure(engine, "mov.u32 %r2, s;\ncp.async.ca.shared.global [%r2+64], [%d0], 4;", 1, 1, 0));
        assertEquals("k.ptx:9: block (0,0,0), thread (0,0,0): cp.async.ca.shared.global of 8 bytes at offset 4 of shared memory is "
                + "misaligned: not a multiple of 8; the block has 64 bytes of it", failure(engine, "cp.async.ca.shared.global [s+4], [%d0], 8;", 1, 1, 0));
        String bulk = failure(engine, "cp.async.bulk.global.shared::cta.bulk_group [%d0+240], [s], 32;", 1, 1, 0);
        assertTrue(bulk.startsWith("k.ptx:9: block (0,0,0), thread (0,0,0): cp.async.bulk.global.shared::cta.bulk_group of 32 bytes at 0x"), bulk);
        assertTrue(bulk.contains(" is out of bounds; at byte 240 of p (256 bytes at "), bulk);
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aLoopThatGivesUpOrIsAnsweredByTheHostIsNoDeadlock(CaseEngine engine) throws Exception {
        String text = HEAD + """
                mov.u32 %r3, 0;
                WAIT: ld.relaxed.sys.global.u32 %r2, [%d0];
                add.u32 %r3, %r3, 1;
                setp.eq.u32 %p1, %r2, 0;
                setp.lt.and.u32 %p1, %r3, 100000, %p1;
                @%p1 bra WAIT;
                HOST: ld.relaxed.sys.global.u32 %r2, [%d0+4];
                setp.eq.u32 %p1, %r2, 0;
                @%p1 bra HOST;
                st.global.u32 [%d0+8], %r3;
                ret;
                }
                """;
        try (Device device = Device.builder().engine(engine.create()).workers(1).memory(1 << 20).timeout(Duration.ofSeconds(30)).open();
                DeviceBuffer p = device.allocate(256)) {
            var running = device.load("k.ptx", text).kernel("k").grid(2).block(1).launchAsync(p);
            Thread.sleep(150);
            p.segment().set(ValueLayout.JAVA_INT, 4, 1);
            running.get();
            assertEquals(100000, p.toInts()[2]);
        }
    }

    /** Its end is in sight though nothing is written for longer than a deadlock takes to be seen, and though every register stays as it is. */
    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void aLoopThatLooksAtAClockIsNoDeadlock(CaseEngine engine) {
        try (Device device = Device.builder().engine(engine.create()).workers(1).memory(1 << 20).timeout(Duration.ofSeconds(30)).open();
                DeviceBuffer p = device.allocate(256)) {
            device.load("k.ptx", HEAD + """
                    mov.u64 %d1, %globaltimer;
                    add.u64 %d1, %d1, 650000000;
                    WAIT: bar.warp.sync -1;
                    ld.acquire.gpu.global.u32 %r2, [%d0];
                    mov.u64 %d2, %globaltimer;
                    setp.gt.u64 %p1, %d2, %d1;
                    @%p1 bra GIVEUP;
                    setp.eq.u32 %p1, %r2, 0;
                    @%p1 bra WAIT;
                    GIVEUP: st.global.u32 [%d0+4], 7;
                    ret;
                    }
                    """).kernel("k").grid(2).block(1).launch(p);
            assertEquals(7, p.toInts()[1]);
        }
    }

    @Test
    void wrongClustersAreRefused() {
        try (Device device = Device.builder().memory(1 << 20).open(); DeviceBuffer p = device.allocate(256)) {
            Launch launch = device.load("k.ptx", HEAD + "ret;\n}\n").kernel("k").grid(6, 2).block(32);
            assertEquals("kernel k cannot be launched: the grid is (6,2,1), which is no multiple of the cluster (4,1,1)", refused(launch.cluster(4), p));
            assertEquals("kernel k cannot be launched: a cluster of (6,2,2) has 24 blocks; at most 16 are possible", refused(launch.cluster(6, 2, 2), p));
            assertEquals("kernel k cannot be launched: the cluster is (0,1,1); each dimension must be at least 1", refused(launch.cluster(0), p));
            assertEquals("kernel k cannot be launched: a cooperative grid of (5000,1,1) has 5000 blocks; at most 4096 can be under way together",
                    refused(launch.grid(5000).cooperative(), p));
            Launch required = device.load("k.ptx", HEAD.replace("(.param .u64 p)", "(.param .u64 p) .reqnctapercluster 2") + "ret;\n}\n")
                    .kernel("k").grid(6).block(32);
            assertEquals("kernel k cannot be launched: the cluster is (3,1,1); the kernel requires (2,1,1) (.reqnctapercluster)", refused(required.cluster(3), p));
            required.launch(p);
            Launch explicit = device.load("k.ptx", HEAD.replace("(.param .u64 p)", "(.param .u64 p) .explicitcluster .maxclusterrank 2") + "ret;\n}\n")
                    .kernel("k").grid(6).block(32);
            assertEquals("kernel k cannot be launched: the cluster is not given; say cluster(blocks), since the kernel requires that (.explicitcluster)",
                    refused(explicit, p));
            assertEquals("kernel k cannot be launched: the cluster is (3,1,1), 3 blocks; the kernel allows 2 (.maxclusterrank)", refused(explicit.cluster(3), p));
            explicit.cluster(2).launch(p);
        }
    }

    private static String refused(Launch launch, DeviceBuffer p) {
        return assertThrows(LaunchException.class, () -> launch.launch(p)).getMessage();
    }
}
