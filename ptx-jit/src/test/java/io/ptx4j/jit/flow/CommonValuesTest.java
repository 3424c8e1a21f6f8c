package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.jit.scalar.SpecialRegisters;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which of the registers {@code %r1} to {@code %r4} are the same for all threads wherever these stop; {@code %r1} is the thread's number. */
final class CommonValuesTest {
    private static final String DIFFERS = "setp.lt.u32 %p2, %r1, %r2; ";
    private static final String NEXT = "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra LOOP; ";

    private static String common(String body) {
        Graph graph = SpinLoopsTest.graph(body);
        Uniforms uniforms = new Uniforms(graph, SpinLoopsTest.kernel(body), SpecialRegisters::uniform);
        Regions regions = Regions.of(graph, graph.liveness(), SpinLoops.headers(graph), r -> false);
        Set<String> names = CommonValues.of(graph, regions.pointOfBlock(), uniforms, SpecialRegisters::uniform).stream()
                .map(r -> r.name()).collect(Collectors.toSet());
        return Stream.of("%r1", "%r2", "%r3", "%r4").filter(names::contains).collect(Collectors.joining(" "));
    }

    @Test
    void theCounterOfALoopAroundABarrier() {
        assertEquals("%r2 %r3", common("mov.u32 %r2, 0; mov.u32 %r3, %ctaid.x; LOOP: bar.sync 0; add.u32 %r3, %r3, %r2; add.u32 %r4, %r2, %r1; " + NEXT));
    }

    @Test
    void whatOnlySomeThreadsWriteDiffers() {
        assertEquals("%r2", common("mov.u32 %r2, 0; mov.u32 %r3, 0; LOOP: " + DIFFERS + "@%p2 bra OVER; add.u32 %r3, %r3, 1; OVER: bar.sync 0; mov.u32 %r4, %r3; " + NEXT));
        assertEquals("%r2", common("mov.u32 %r2, 0; mov.u32 %r3, 0; LOOP: " + DIFFERS + "@%p2 add.u32 %r3, %r3, 1; bar.sync 0; mov.u32 %r4, %r3; " + NEXT));
    }

    @Test
    void whatALoopWritesThatThreadsLeaveOneByOneDiffers() {
        assertEquals("%r2", common("mov.u32 %r2, 0; LOOP: mov.u32 %r3, 0; INNER: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra INNER; "
                + "mov.u32 %r4, %r3; bar.sync 0; " + NEXT));
    }

    @Test
    void whatIsLoadedDiffers() {
        assertEquals("%r2", common("mov.u32 %r2, 0; LOOP: bar.sync 0; ld.global.u32 %r3, [%d0]; add.u32 %r4, %r3, 1; " + NEXT));
    }

    @Test
    void threadsThatEndDoNotCount() {
        assertEquals("%r2 %r3", common("mov.u32 %r2, 0; mov.u32 %r3, 5; LOOP: setp.lt.u32 %p2, %r1, 7; @%p2 ret; add.u32 %r3, %r3, %r3; bar.sync 0; " + NEXT));
        assertEquals("%r2 %r3", common("mov.u32 %r2, 0; mov.u32 %r3, 5; LOOP: bar.sync 0; add.u32 %r3, %r3, %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; "
                + "@%p2 bra LOOP; add.u32 %r3, %r3, %r1; "));
    }

    @Test
    void nothingWhereThreadsMayStopAtDifferentPlaces() {
        assertEquals("", common("mov.u32 %r2, 0; LOOP: " + DIFFERS + "@%p2 bra OVER; bar.sync 0; OVER: " + NEXT + "bar.sync 1; "));
        assertEquals("", common("mov.u32 %r2, 0; LOOP: bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra LOOP; bar.sync 0; "));
    }

    @Test
    void aLoopWithoutAnEndIsLeftAlone() {
        assertEquals("", common("mov.u32 %r2, 0; mov.u32 %r3, %r1; LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra OTHER; bar.sync 0; bra LOOP; "
                + "OTHER: bar.sync 1; bra LOOP; "));
    }
}
