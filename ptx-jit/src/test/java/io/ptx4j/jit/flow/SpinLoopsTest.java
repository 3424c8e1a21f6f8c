package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.syntax.SourceFile;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SpinLoopsTest {
    private static final int BRANCHES = 10_000;
    private static final int BARRIERS = 8;
    /** Instructions behind the loop that regions share: too many to copy behind each barrier. */
    private static final int SHARED = 200;

    /** A kernel with that body, which may use {@code %r1}, the thread's number, and {@code %d0}, its parameter. */
    static Graph graph(String body) {
        return graph(body, null);
    }

    /** The same for blocks of one shape, or of any if that is null. */
    static Graph graph(String body, BlockShape shape) {
        Module module = module(body);
        return Normalizer.normalize(module, module.kernels().get("k"), shape);
    }

    /** That kernel. */
    static Kernel kernel(String body) {
        return module(body).kernels().get("k");
    }

    private static Module module(String body) {
        return Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 p)
                {
                  .reg .pred %p<9>;
                  .reg .b32 %r<9>;
                  .reg .b64 %d<9>;
                  ld.param.u64 %d0, [p];
                  mov.u32 %r1, %tid.x;
                  X
                  st.global.u32 [%d0], %r1;
                  ret;
                }
                """.replace("X", body))).module();
    }

    private static String repeated(int times, String lines) {
        return IntStream.range(0, times).mapToObj(i -> lines.replace("#", Integer.toString(i))).collect(Collectors.joining("\n"));
    }

    /** Where code is cut into regions, threads that poll must still let others run: they would never see what those write. */
    @Test
    void aPollingLoopGivesWayWhereCodeIsCut() {
        Graph graph = graph(repeated(BARRIERS, "setp.eq.u32 %p1, %r1, #; @%p1 bra ARM#;") + "bra POLL;"
                + repeated(BARRIERS, "ARM#: bar.sync #; bra POLL;")
                + "POLL: ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, 0; @%p2 bra POLL;" + repeated(SHARED, "mad.lo.u32 %r1, %r1, %r2, %r1;"));
        Regions regions = Regions.of(graph, graph.liveness(), SpinLoops.headers(graph), register -> false);
        int header = SpinLoops.headers(graph).keySet().iterator().next();
        assertEquals(Set.of(SpinLoops.Reads.POLLS), Set.copyOf(SpinLoops.headers(graph).values()));
        assertTrue(regions.pointOfEntry()[header] >= 0, "the code is cut here");
        assertTrue(regions.pointOfSpin()[header] >= 0, "a thread may stop here");
    }

    /** Who asks mbarriers alone waits for nobody outside of the block. */
    @Test
    void loopsThatAskMbarriersAloneAreToldFromOthers() {
        String ask = "ASK: mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra ASK;";
        assertEquals(Set.of(SpinLoops.Reads.ASKS), Set.copyOf(SpinLoops.headers(graph(ask)).values()));
        assertFalse(regions(ask).waits());
        String asksElse = "ASK: mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 ld.volatile.global.u32 %r2, [%d0]; @!%p1 setp.eq.u32 %p1, %r2, 0; @!%p1 bra ASK;";
        assertEquals(Set.of(SpinLoops.Reads.POLLS), Set.copyOf(SpinLoops.headers(graph(asksElse)).values()));
        assertTrue(regions(asksElse).waits());
        String data = "DATA: ld.global.u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, 0; @%p2 bra DATA;";
        assertFalse(regions(data).waits());
        assertTrue(regions(ask + data).waits(), "stuck threads of the second loop may wait for other blocks");
    }

    /** As scans did before there were orders. */
    @Test
    void whoReadsTheSameWordAgainPastTheNearestCacheWaits() {
        for (String cache : List.of("cg", "cv")) {
            String same = "SAME: ld.global." + cache + ".u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SAME;";
            assertEquals(Set.of(SpinLoops.Reads.POLLS), Set.copyOf(SpinLoops.headers(graph(same)).values()), cache);
            assertTrue(regions(same).waits());
            String next = "NEXT: ld.global." + cache + ".u32 %r2, [%d0]; add.u64 %d0, %d0, 4; setp.eq.u32 %p2, %r2, 0; @%p2 bra NEXT;";
            assertEquals(Set.of(), Set.copyOf(SpinLoops.headers(graph(next)).values()), cache);
        }
    }

    /** As in code that is not optimized, whose variables lie in local memory. */
    @Test
    void whatALoopWaitsForMayGoThroughLocalMemory() {
        String loop = ".local .b32 kept[2]; AGAIN: ld.ORDER.global.u32 %r2, [%d0]; st.local.u32 [kept], %r2; add.u32 %r3, %r3, 1; st.local.u32 [kept+4], %r3;"
            + " ld.local.u32 %r4, [kept]; setp.eq.u32 %p2, %r4, 0; @%p2 bra AGAIN;";
        assertEquals(Set.of(SpinLoops.Reads.POLLS), Set.copyOf(SpinLoops.headers(graph(loop.replace("ORDER", "acquire.gpu"))).values()));
        assertEquals(Set.of(SpinLoops.Reads.DATA), Set.copyOf(SpinLoops.headers(graph(loop.replace(".ORDER", ""))).values()));
        assertEquals(Set.of(), Set.copyOf(SpinLoops.headers(graph(loop.replace("ld.ORDER.global.u32 %r2, [%d0]", "mov.u32 %r2, 0"))).values()));
    }

    private static Regions regions(String body) {
        Graph graph = graph(body);
        return Regions.of(graph, graph.liveness(), SpinLoops.headers(graph), register -> false);
    }

    /** The same condition decides who leaves the loop and who changes it, and the polled word how often an inner loop comes by there. */
    @Test
    void aConditionThatIsKnownToDecideIsFollowedWhereItDecidesMore() {
        Graph graph = graph("""
                setp.gt.u32 %p0, %r1, 3; mov.u32 %r4, 5;
                AGAIN: ld.volatile.global.u32 %r2, [%d0]; and.b32 %r3, %r2, 3;
                TURN: setp.eq.u32 %p1, %r3, 0; @%p1 bra TURNED; @%p0 bra END; not.pred %p0, %p0; sub.u32 %r3, %r3, 1; bra TURN;
                TURNED: sub.u32 %r4, %r4, 1; setp.gt.u32 %p2, %r4, 0; @%p2 bra AGAIN;
                END:""");
        assertTrue(SpinLoops.headers(graph).containsValue(SpinLoops.Reads.POLLS));
    }

    /** LLVM lays loops out so: what is read before the last block belongs to the turn that it ends, not to the loop's beginning. */
    @Test
    void theLastBlockOfALoopMayStandFirst() {
        String loop = """
                ld.global.u32 %r3, [%d0+4]; mov.u32 %r4, 0; bra HEAD;
                LATCH: STEP @%p1 bra HEAD; bra END;
                HEAD: ld.global.u32 %r2, [%d0]; setp.eq.u32 %p2, %r2, %r3; @%p2 bra LATCH; st.global.u32 [%d0+8], %r1; bra LATCH;
                END:""";
        assertEquals(Set.of(), Set.copyOf(SpinLoops.headers(graph(loop.replace("STEP", "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9;"))).values()));
        assertEquals(Set.of(SpinLoops.Reads.DATA), Set.copyOf(SpinLoops.headers(graph(loop.replace("STEP", "setp.eq.u32 %p1, %r2, 0;"))).values()));
    }

    @Test
    void theTimeForALoopOfTenThousandBranchesIsShort() {
        Graph graph = graph("AGAIN: ld.global.u32 %r2, [%d0];"
                + repeated(BRANCHES, "setp.gt.u32 %p1, %r1, #; @%p1 bra SKIP#; add.u32 %r1, %r1, %r2; SKIP#:")
                + "setp.ne.u32 %p2, %r1, %r2; @%p2 bra AGAIN;");
        assertTimeout(Duration.ofSeconds(10), () -> assertEquals(Set.of(SpinLoops.Reads.DATA), Set.copyOf(SpinLoops.headers(graph).values())));
    }
}
