package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks that wait for each other in the vector shape: a group that hears nothing new stops, and its block lets others run. */
@Timeout(120)
final class WaitingBlocksTest {
    /** {@code %d0} is the thread's word of the result, {@code %d1} the first word of states, {@code %d2} the words for each block and thread. */
    private static final String HEAD = Shapes.head(".param .u64 out, .param .u64 states, .param .u64 sums") + """
              .shared .align 4 .b32 tile[64];
              ld.param.u64 %d0, [out];
              ld.param.u64 %d1, [states];
              ld.param.u64 %d2, [sums];
              mul.wide.u32 %d3, %r4, 4;
              add.s64 %d0, %d0, %d3;
              add.s64 %d2, %d2, %d3;
              mul.wide.u32 %d4, %r2, 8;
              add.s64 %d4, %d1, %d4;
              mul.wide.u32 %d5, %r3, 4;
              sub.s64 %d6, %d2, %d5;
              mov.u32 %r40, %nctaid.x;
              setp.eq.u32 %p1, %r1, 0;
              setp.ne.u32 %p2, %r2, 0;
            """;

    /** All threads of a block ask for the state and sum of the block before at once, and a vote tells whether all have them. */
    private static final String LOOK_BACK = HEAD + """
              mov.u32 %r10, 0;
              @!%p2 bra FIRST;
            ASK:
              ld.relaxed.gpu.global.v2.u32 {%r11, %r10}, [%d4+-8];
              setp.eq.u32 %p3, %r11, 0;
              vote.sync.any.pred %p4, %p3, -1;
              @%p4 bra ASK;
            FIRST:
              mad.lo.u32 %r12, %r2, 7, %r10;
              add.u32 %r12, %r12, 1;
              mov.u32 %r13, 1;
              @%p1 st.relaxed.gpu.global.v2.u32 [%d4], {%r13, %r12};
              mad.lo.u32 %r14, %r12, 100, %r1;
              st.global.u32 [%d0], %r14;
              ret; }
            """;

    /** Each thread waits for that of the block before by itself, and threads write at different times. */
    private static final String EACH_ITS_OWN = HEAD + """
              mov.u32 %r10, 0;
              @!%p2 bra FIRST;
            ASK:
              ld.volatile.global.u32 %r10, [%d6];
              setp.eq.u32 %p3, %r10, 0;
              @%p3 bra ASK;
            FIRST:
              add.u32 %r12, %r10, 1;
              and.b32 %r13, %r1, 3;
              setp.eq.u32 %p4, %r13, 1;
              @%p4 mad.lo.u32 %r12, %r1, 3, %r12;
              st.volatile.global.u32 [%d2], %r12;
              bar.sync 0;
              st.global.u32 [%d0], %r12;
              ret; }
            """;

    /** One thread of each block counts it and waits for all others; then all read what other blocks have written. */
    private static final String WHOLE_GRID = HEAD + """
              mov.u32 %r20, 0;
              mul.lo.u32 %r21, %r4, 3;
            AGAIN:
              st.global.u32 [%d2], %r21;
              bar.sync 0;
              @!%p1 bra BEHIND;
              fence.acq_rel.gpu;
              red.relaxed.gpu.global.add.u32 [%d1], 1;
              mad.lo.u32 %r22, %r20, %r40, %r40;
            ASK:
              ld.acquire.gpu.global.u32 %r23, [%d1];
              setp.lt.u32 %p3, %r23, %r22;
              @%p3 bra ASK;
            BEHIND:
              bar.sync 0;
              add.u32 %r24, %r2, 1;
              rem.u32 %r24, %r24, %r40;
              mad.lo.u32 %r24, %r24, %r3, %r1;
              ld.param.u64 %d7, [sums];
              mul.wide.u32 %d8, %r24, 4;
              add.s64 %d8, %d7, %d8;
              ld.global.u32 %r25, [%d8];
              mad.lo.u32 %r21, %r21, 5, %r25;
              and.b32 %r26, %r20, 1;
              setp.eq.u32 %p5, %r26, 0;
              add.u32 %r20, %r20, 1;
              @%p5 st.global.u32 [%d0], %r21;
              @%p5 bra AGAIN;
              xor.b32 %r21, %r21, %r25;
              st.global.u32 [%d0], %r21;
              ret; }
            """;

    /** One lane of each warp waits; the others meet it behind. */
    private static final String ONE_LANE = HEAD + """
              mov.u32 %r9, 7;
              mov.u32 %r20, %laneid;
              setp.ne.u32 %p3, %r20, 31;
              @%p3 bra MEET;
              @!%p2 bra FIRST;
            ASK:
              ld.volatile.global.u32 %r10, [%d4+-8];
              setp.eq.u32 %p4, %r10, 0;
              @%p4 bra ASK;
              add.u32 %r9, %r10, 1;
            FIRST:
              st.volatile.global.u32 [%d4], %r9;
            MEET:
              shfl.sync.idx.b32 %r11, %r9, 31, 31, -1;
              setp.gt.u32 %p5, %r9, 7;
              vote.sync.ballot.b32 %r12, %p5, -1;
              add.u32 %r11, %r11, %r12;
              st.global.u32 [%d0], %r11;
              ret; }
            """;

    private static final Map<String, String> ALL = Map.of("one lane", ONE_LANE, "look back", LOOK_BACK, "each its own", EACH_ITS_OWN, "whole grid", WHOLE_GRID,
        "later blocks", EACH_ITS_OWN.replace("sub.s64 %d6, %d2, %d5", "add.s64 %d6, %d2, %d5").replace("setp.ne.u32 %p2, %r2, 0;", "sub.u32 %r41, %r40, 1;\n  setp.ne.u32 %p2, %r2, %r41;"));

    private static int[] run(Engine engine, int workers, String text, int blocks, int threads) {
        try (Device device = Device.builder().engine(engine).workers(workers).memory(16 << 20).open()) {
            DeviceBuffer out = device.allocateInts(blocks * threads);
            DeviceBuffer states = device.allocateLongs(blocks);
            DeviceBuffer sums = device.allocateInts(blocks * threads);
            var launch = device.load("k.ptx", text).kernel("k").grid(blocks).block(threads);
            launch.launch(out, states.fill(0), sums.fill(0));
            return out.toInts();
        }
    }

    @Test
    void theyGetOnWithAnyNumberOfWorkers() {
        ALL.forEach((name, text) -> {
            assertEquals(Optional.empty(), Shapes.notVectorizable(text, 64), name);
            for (int[] size : new int[][] {{1, 32}, {7, 96}, {60, 64}}) {
                // What blocks read in the second round may be of either.
                int[] expected = name.equals("whole grid") ? null : run(new Interpreter(), 1, text, size[0], size[1]);
                for (int workers : new int[] {1, 2, 3}) {
                    for (Jit.Shape shape : new Jit.Shape[] {Jit.Shape.SCALAR, Jit.Shape.VECTOR, Jit.Shape.CHANGING}) {
                        int[] found = run(new Jit(shape), workers, text, size[0], size[1]);
                        assertArrayEquals(expected == null ? found : expected, found, name);
                    }
                }
            }
        });
    }

    @Test
    void theyGetOnWhereTheirCodeIsInPieces() {
        for (String text : List.of(LOOK_BACK, EACH_ITS_OWN, ONE_LANE)) {
            int[] expected = run(new Interpreter(), 1, text, 20, 64);
            Shapes.inPieces(200, () -> assertArrayEquals(expected, run(new Jit(Jit.Shape.VECTOR), 2, text, 20, 64)));
        }
    }

    @Test
    void whoWaitsInVainIsTold() {
        for (String text : List.of(LOOK_BACK, EACH_ITS_OWN)) {
            String never = text.replace("setp.ne.u32 %p2, %r2, 0;", "setp.ne.u32 %p2, %r2, 99;");
            String message = Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, 1, never, 3, 64), never);
            assertTrue(message.contains("none can go on: threads 0-63 at line"), message);
            // In the scalar shape threads stand at the vote.
            String scalar = Assertions.assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.SCALAR), 1, never, 3, 64)).getMessage();
            assertTrue(scalar.contains("none can go on: threads 0-63 at line"), scalar);
        }
    }

    @Test
    void whoFailsBehindAWaitIsNamed() {
        String fails = EACH_ITS_OWN.replace("bar.sync 0;\n  st.global.u32 [%d0], %r12;", "bar.sync 0;\n  setp.eq.u32 %p6, %r12, 3;\n  @%p6 st.global.u32 [%d3], %r12;\n  st.global.u32 [%d0], %r12;");
        String message = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, 1, fails, 5, 64), fails);
        assertTrue(message.contains("out of bounds"), message);
        assertEquals(message, Assertions.assertThrows(KernelException.class, () -> run(new Interpreter(), 1, fails, 5, 64)).getMessage());
    }

    /** Rehearsals find what blocks wait for as launches before have left it. */
    @Test
    void theyGoOverToVectorsByDefault() {
        String works = LOOK_BACK.replace("FIRST:\n", "FIRST:\n  mov.u32 %r30, 0;\nWORK:\n  mad.lo.u32 %r31, %r31, %r1, %r30;\n  xor.b32 %r31, %r31, %r4;\n  add.u32 %r30, %r30, 1;\n"
            + "  setp.lt.u32 %p9, %r30, 500;\n  @%p9 bra WORK;\n").replace("%r14, %r12, 100, %r1", "%r14, %r12, 100, %r31").replace("%r10, 0;", "%r10, 0;\n  mov.u32 %r31, 1;");
        int[] expected = run(new Interpreter(), 1, works, 128, 128);
        try (Device device = Device.builder().workers(2).memory(16 << 20).open()) {
            DeviceBuffer out = device.allocateInts(128 * 128);
            DeviceBuffer states = device.allocateLongs(128);
            var launch = device.load("k.ptx", works).kernel("k").grid(128).block(128);
            String shape = "";
            for (int i = 0; i < 20_000 && !shape.equals("vector"); i++) {
                shape = launch.launch(out.fill(0), states.fill(0), out).shape();
                assertArrayEquals(expected, out.toInts());
            }
            assertEquals("vector", shape);
            launch.launch(out.fill(0), states.fill(0), out);
            assertArrayEquals(expected, out.toInts());
        }
    }

    /** The rounds of a whole grid, computed here. */
    @Test
    void aWholeGridMeets() {
        int blocks = 9;
        int threads = 64;
        int[] first = IntStream.range(0, blocks * threads).map(i -> 3 * i).toArray();
        int[] found = run(new Jit(Jit.Shape.VECTOR), 2, WHOLE_GRID.replace("@%p5 bra AGAIN;", "").replace("xor.b32 %r21, %r21, %r25;", ""), blocks, threads);
        for (int i = 0; i < found.length; i++) {
            assertEquals(5 * first[i] + first[(i + threads) % found.length], found[i]);
        }
    }
}
