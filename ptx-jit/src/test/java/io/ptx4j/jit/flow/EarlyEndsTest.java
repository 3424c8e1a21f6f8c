package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which jumps of threads count as early ends, by the lines they stand in. */
final class EarlyEndsTest {
    private static final String LOOP = "LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 40; @%p2 bra LOOP; ";

    /** Pairs of blocks, as {@code from-to}. */
    private static List<String> early(String body) {
        Graph graph = SpinLoopsTest.graph(body);
        Regions regions = Regions.of(graph, graph.liveness(), SpinLoops.headers(graph), r -> false);
        EarlyEnds early = EarlyEnds.of(graph, regions, regions.regions().getFirst());
        List<String> jumps = new ArrayList<>();
        for (int from = 0; from < graph.blocks().size(); from++) {
            for (int to : graph.blocks().get(from).successors()) {
                if (early.contains(from, to)) {
                    jumps.add(from + "-" + to);
                }
            }
        }
        return jumps;
    }

    @Test
    void aThreadThatEndsBeforeTheLoopEndsEarlyAndOneThatEndsBehindItDoesNot() {
        assertEquals(List.of("0-1", "2-3"), early("setp.eq.u32 %p1, %r1, 3; @%p1 ret; setp.eq.u32 %p1, %r1, 4; @%p1 exit; " + LOOP
            + "setp.eq.u32 %p1, %r1, 5; @%p1 ret; "));
    }

    @Test
    void withoutALoopNoThreadEndsEarly() {
        assertEquals(List.of(), early("setp.eq.u32 %p1, %r1, 3; @%p1 ret; "));
    }

    @Test
    void whatCanBeReachedThroughALoopIsNotEarly() {
        assertEquals(List.of(), early("setp.eq.u32 %p1, %r1, 3; @%p1 bra TAIL; " + LOOP + "TAIL: setp.eq.u32 %p1, %r1, 5; @%p1 ret; "));
    }

    /** Such a search would have to ask now and then whether to go on. */
    @Test
    void longCodeBeforeTheLoopIsNoSearch() {
        assertEquals(List.of(), early("add.u32 %r2, %r2, 1; ".repeat(100) + "setp.eq.u32 %p1, %r1, 3; @%p1 ret; " + LOOP));
    }

    @Test
    void aThreadThatStoresBeforeItEndsEndsAsOthersDo() {
        assertEquals(List.of(), early("setp.ne.u32 %p1, %r1, 3; @%p1 bra LOOP; st.global.u32 [%d0], %r1; ret; " + LOOP));
    }
}
