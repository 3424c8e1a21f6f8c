package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops in which all threads of a warp ask an mbarrier that others arrive at: in the vector shape a group asks once, and stops like a thread where it hears nothing new. */
@Timeout(120)
final class WaitingLoopsTest {
    /** {@code %d0} is the thread's word of the result, {@code %r7} that of shared memory; {@code %p1} tells all threads but the first. */
    private static final String HEAD = Shapes.head(".param .u64 out") + """
              .shared .align 8 .b64 full, empty;
              .shared .align 4 .b32 tile[1024];
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d0, %d0, %d1;
              setp.ne.u32 %p1, %r1, 0;
              shl.b32 %r5, %r1, 2;
              mov.u32 %r6, tile;
              add.u32 %r7, %r6, %r5;
            """;

    /**
     * Threads add up, round by round, what the threads of the next warp have written in the round before. Who has read arrives at one mbarrier, who has
     * written at another; the first warps wait for the last ones, and those for the first.
     */
    private static final String ROUNDS = HEAD + """
              @!%p1 mbarrier.init.shared.b64 [full], %r3;
              @!%p1 mbarrier.init.shared.b64 [empty], %r3;
              bar.sync 0;
              add.u32 %r8, %r1, 32;
              rem.u32 %r8, %r8, %r3;
              shl.b32 %r8, %r8, 2;
              add.u32 %r8, %r6, %r8;
              mov.u32 %r10, 0;
              mad.lo.u32 %r11, %r4, 77, 5;
              mov.u32 %r12, 0;
              cvt.rn.f32.u32 %f1, %r1;
            AGAIN:
              and.b32 %r13, %r10, 1;
              st.shared.u32 [%r7], %r11;
              mbarrier.arrive.shared.b64 _, [full];
            FULL:
              mbarrier.try_wait.parity.shared.b64 %p2, [full], %r13;
              @!%p2 bra FULL;
              ld.shared.u32 %r14, [%r8];
              mbarrier.arrive.shared.b64 _, [empty];
              mad.lo.u32 %r11, %r14, 3, %r10;
              xor.b32 %r12, %r12, %r11;
              fma.rn.f32 %f1, %f1, 0f3F400000, 0f3F800000;
            EMPTY:
              mbarrier.test_wait.parity.shared.b64 %p3, [empty], %r13;
              @%p3 bra GOON;
              bra EMPTY;
            GOON:
              add.u32 %r10, %r10, 1;
              setp.lt.u32 %p4, %r10, 21;
              @%p4 bra AGAIN;
              cvt.rzi.u32.f32 %r15, %f1;
              add.u32 %r12, %r12, %r15;
              st.global.u32 [%d0], %r12;
              ret;
            }
            """;

    private static int[] run(Engine engine, String text, int blocks, int threads) {
        try (Device device = Shapes.device(engine); DeviceBuffer out = device.allocateInts(blocks * threads)) {
            device.load("k.ptx", text).kernel("k").grid(blocks).block(threads).launch(out);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 32, 33, 64, 96, 200, 256})
    void warpsWaitForEachOther(int threads) {
        assertEquals(Optional.empty(), Shapes.notVectorizable(ROUNDS, threads));
        Shapes.assertAgree(engine -> run(engine, ROUNDS, 3, threads), threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR, Jit.Shape.CHANGING);
    }

    /** With a warp operation groups are warps; the lane's number and that of the warp then are known, and so is what lane 0 tells the others of it. */
    @ParameterizedTest
    @ValueSource(ints = {32, 40, 64, 96, 256})
    void warpsWithWorkOfTheirOwnWaitForEachOther(int threads) {
        String text = ROUNDS.replace("AGAIN:\n", """
              shr.u32 %r20, %r1, 5;
              shfl.sync.idx.b32 %r21, %r20, 0, 31, -1;
            AGAIN:
            """).replace("  ld.shared.u32 %r14", """
              setp.ne.u32 %p5, %r21, 1;
              @%p5 bra OTHERS;
              add.u32 %r12, %r12, 1000;
            OTHERS:
              shfl.sync.bfly.b32 %r22, %r12, 1, 31, -1;
              xor.b32 %r12, %r12, %r22;
              ld.shared.u32 %r14""");
        assertTrue(text.contains("OTHERS") && text.contains("shfl.sync.idx"));
        int whole = threads / 32 * 32;
        assertEquals(Optional.empty(), Shapes.notVectorizable(text, whole));
        Shapes.assertAgree(engine -> run(engine, text, 2, whole), whole + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** A lane that is not there gives 0, whatever all others have. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 20, 32, 40, 64})
    void aNumberThatAllLanesHaveComesFromALaneThatIsThere(int threads) {
        String text = Shapes.head(".param .u64 out") + """
                  ld.param.u64 %d0, [out];
                  cvta.to.global.u64 %d0, %d0;
                  mul.wide.u32 %d1, %r4, 4;
                  add.s64 %d0, %d0, %d1;
                  activemask.b32 %r9;
                  add.u32 %r10, %r2, 7;
                  shfl.sync.idx.b32 %r11, %r10, 0, 31, %r9;
                  shfl.sync.idx.b32 %r12, %r10, 12, 31, %r9;
                  shfl.sync.idx.b32 %r13, %r10, %r10, 31, %r9;
                  shfl.sync.idx.b32 %r14, %r10, 12, 0x101f, %r9;
                  shfl.sync.down.b32 %r15, %r10, 16, 31, %r9;
                  mad.lo.u32 %r11, %r11, 100, %r12;
                  mad.lo.u32 %r11, %r11, 100, %r13;
                  mad.lo.u32 %r11, %r11, 100, %r14;
                  mad.lo.u32 %r11, %r11, 100, %r15;
                  st.global.u32 [%d0], %r11;
                  ret;
                }
                """;
        Shapes.assertAgree(engine -> run(engine, text, 9, threads), threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** In so small pieces a loop's header and its jump back lie in different methods. */
    @ParameterizedTest
    @CsvSource({"64, 100", "96, 300"})
    void regionsInPieces(int threads, int bytecodes) {
        Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> run(engine, ROUNDS, 2, threads), bytecodes + " bytecodes", Jit.Shape.VECTOR));
    }

    private static String failing(String body) {
        return ROUNDS.replace("  mad.lo.u32 %r11, %r14, 3, %r10;\n", body + "\n  mad.lo.u32 %r11, %r14, 3, %r10;\n");
    }

    @Test
    void aPhaseThatNeverCompletesEndsInTheSameListOfWhoWaits() {
        String text = ROUNDS.replace("@!%p1 mbarrier.init.shared.b64 [empty], %r3;", "add.u32 %r16, %r3, 1;\n  @!%p1 mbarrier.init.shared.b64 [empty], %r16;");
        String message = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, 3, 96), "no phase");
        assertTrue(message.contains("threads wait for each other and none can go on: threads 0-95 at line 53: a loop that waits"), message);
    }

    /** No register changes from one stop to the next, only what the loop itself does to the mbarrier. */
    @Test
    void aLoopThatWritesIsNotStuck() {
        String text = Shapes.head(".param .u64 out") + """
                  .shared .align 8 .b64 bar;
                  ld.param.u64 %d0, [out];
                  setp.eq.u32 %p1, %r1, 0;
                  @%p1 mbarrier.init.shared.b64 [bar], 96000;
                  bar.sync 0;
                WAIT:
                  mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;
                  @!%p2 mbarrier.arrive.shared.b64 _, [bar];
                  @!%p2 bra WAIT;
                  @%p1 st.global.u32 [%d0], 7;
                  ret;
                }
                """;
        assertEquals(Optional.empty(), Shapes.notVectorizable(text, 32));
        Shapes.assertAgree(engine -> run(engine, text, 1, 32)[0], "arrivals", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** Thread 70 fails in round 9 while the threads of other warps have given way or wait. */
    @Test
    void theFailureOfOneThreadIsTold() {
        String text = failing("  setp.eq.u32 %p6, %r10, 9;\n  setp.eq.and.u32 %p6, %r1, 70, %p6;\n  @%p6 ld.shared.u32 %r14, [%r8+8192];");
        assertTrue(text.contains("%p6"));
        Function<Engine, ?> run = engine -> run(engine, text, 1, 96);
        String message = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), run, "thread 70");
        assertTrue(message.contains("thread (70,0,0)"), message);
    }

    /** Each thread waits by a state of its own, as {@code cuda::barrier} does: they do not know that they all have the same. */
    private static final String STATES = ROUNDS.replace("  mbarrier.arrive.shared.b64 _, [full];", "  mbarrier.arrive.shared.b64 %d5, [full];")
            .replace("mbarrier.try_wait.parity.shared.b64 %p2, [full], %r13;", "mbarrier.try_wait.shared.b64 %p2, [full], %d5;");

    /** In each round one thread of each warp waits for the phase before, and the others go on to where they wait for it. */
    private static final String ONE_WAITS = ROUNDS.replace("AGAIN:\n", """
            AGAIN:
              and.b32 %r30, %r1, 31;
              and.b32 %r31, %r10, 31;
              setp.ne.u32 %p8, %r30, %r31;
              @%p8 bra WAITED;
              add.u32 %r32, %r10, 1;
              and.b32 %r32, %r32, 1;
              add.u32 %r33, %r10, 5;
            ONE:
              mbarrier.try_wait.parity.shared.b64 %p9, [empty], %r32;
              @!%p9 bra ONE;
              add.u32 %r12, %r12, %r33;
            WAITED:
            """);

    /** The first threads of each warp work for the others, which get what those leave them: in the text who works comes first, or who waits. */
    private static String roles(boolean worksFirst) {
        String work = """
                  mov.u32 %r40, 0;
                WORK:
                  and.b32 %r41, %r40, 1;
                  xor.b32 %r42, %r41, 1;
                FREE:
                  mbarrier.try_wait.parity.shared.b64 %p5, [empty], %r42;
                  @!%p5 bra FREE;
                  mad.lo.u32 %r43, %r40, 1000, %r1;
                  st.shared.u32 [%r7], %r43;
                  mbarrier.arrive.shared.b64 _, [full];
                  add.u32 %r40, %r40, 1;
                  setp.lt.u32 %p6, %r40, 9;
                  @%p6 bra WORK;
                  add.u32 %r12, %r12, %r40;
                  bra DONE;
                """;
        String take = """
                  mov.u32 %r50, 0;
                TAKE:
                  and.b32 %r51, %r50, 1;
                READY:
                  mbarrier.try_wait.parity.shared.b64 %p5, [full], %r51;
                  @!%p5 bra READY;
                  ld.shared.u32 %r14, [%r8];
                  mad.lo.u32 %r12, %r12, 3, %r14;
                  mbarrier.arrive.shared.b64 _, [empty];
                  add.u32 %r50, %r50, 1;
                  setp.lt.u32 %p6, %r50, 9;
                  @%p6 bra TAKE;
                  bra DONE;
                """;
        return HEAD + """
                  shr.u32 %r9, %r3, 1;
                  @!%p1 mbarrier.init.shared.b64 [full], %r9;
                  @!%p1 mbarrier.init.shared.b64 [empty], %r9;
                  bar.sync 0;
                  xor.b32 %r8, %r1, 16;
                  shl.b32 %r8, %r8, 2;
                  add.u32 %r8, %r6, %r8;
                  add.u32 %r12, %r1, 1;
                  and.b32 %r20, %r1, 16;
                  setp.WHICH.u32 %p2, %r20, 0;
                  @%p2 bra OTHERS;
                """.replace("WHICH", worksFirst ? "ne" : "eq")
                + (worksFirst ? work + "OTHERS:\n" + take : take + "OTHERS:\n" + work) + """
                DONE:
                  bar.sync 0;
                  ld.shared.u32 %r14, [%r8];
                  add.u32 %r12, %r12, %r14;
                  st.global.u32 [%d0], %r12;
                  ret;
                }
                """;
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 32, 48, 64, 96, 256})
    void threadsThatGoDifferentWaysWait(int threads) {
        for (String text : List.of(STATES, ONE_WAITS, roles(true), roles(false))) {
            assertEquals(Optional.empty(), Shapes.notVectorizable(text, threads));
            if (text.contains("WORK") && threads % 32 != 0) {
                continue;
            }
            Shapes.assertAgree(engine -> run(engine, text, 3, threads), threads + " threads of\n" + text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
    }

    /** One thread of each warp comes to the barrier later than the others, at another time, of which a group keeps one. */
    @Test
    void partsThatDoNotAgreeStayApart() {
        String text = Shapes.head(".param .u64 out") + """
                  .shared .align 8 .b64 bar;
                  .shared .align 8 .b64 times[128];
                  ld.param.u64 %d0, [out];
                  cvta.to.global.u64 %d0, %d0;
                  mul.wide.u32 %d1, %r1, 4;
                  add.s64 %d0, %d0, %d1;
                  setp.eq.u32 %p1, %r1, 0;
                  @%p1 mbarrier.init.shared.b64 [bar], 93;
                  bar.sync 0;
                  shl.b32 %r5, %r1, 3;
                  mov.u32 %r6, times;
                  add.u32 %r6, %r6, %r5;
                  and.b32 %r7, %r1, 31;
                  setp.ne.u32 %p2, %r7, 5;
                  @%p2 bra ALL;
                WAIT:
                  mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;
                  @!%p3 bra WAIT;
                ALL:
                  @%p2 mbarrier.arrive.shared.b64 _, [bar];
                  mov.u64 %d5, %globaltimer;
                  st.shared.u64 [%r6], %d5;
                  bar.sync 0;
                  ld.shared.u64 %d6, [%r6];
                  setp.eq.u64 %p4, %d5, %d6;
                  selp.u32 %r8, 1, 2, %p4;
                  st.global.u32 [%d0], %r8;
                  ret;
                }
                """;
        assertEquals(Optional.empty(), Shapes.notVectorizable(text, 96));
        Shapes.assertAgree(engine -> run(engine, text, 1, 96), "times", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** The last lane of the first warp waits for the second warp; a shuffle and a vote behind need it. */
    @Test
    void whatAWarpDoesBehindWaitsForTheLaneThatWaits() {
        String text = HEAD + """
                  @!%p1 mbarrier.init.shared.b64 [full], 32;
                  bar.sync 0;
                  mov.u32 %r9, 5;
                  setp.lt.u32 %p2, %r1, 32;
                  @%p2 bra WAIT;
                  mbarrier.arrive.shared.b64 _, [full];
                  bra.uni MEET;
                WAIT:
                  setp.ne.u32 %p3, %r1, 31;
                  @%p3 bra MEET;
                ASK:
                  mbarrier.test_wait.parity.shared.b64 %p4, [full], 0;
                  @!%p4 bra ASK;
                  mov.u32 %r9, 77;
                MEET:
                  shfl.sync.bfly.b32 %r10, %r9, 31, 31, -1;
                  setp.eq.u32 %p5, %r9, 77;
                  vote.sync.ballot.b32 %r11, %p5, -1;
                  add.u32 %r10, %r10, %r11;
                  st.global.u32 [%d0], %r10;
                  ret; }
                """;
        assertEquals(Optional.empty(), Shapes.notVectorizable(text, 64));
        Shapes.assertAgree(engine -> run(engine, text, 2, 64), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    @Test
    void threadsThatGoDifferentWaysWaitInPieces() {
        for (String text : List.of(STATES, ONE_WAITS, roles(true), roles(false))) {
            Shapes.inPieces(200, () -> Shapes.assertAgree(engine -> run(engine, text, 2, 96), text, Jit.Shape.VECTOR));
        }
    }

    @Test
    void partsThatWaitInVainAreTold() {
        for (String text : List.of(STATES, roles(true), roles(false))) {
            String waits = text.replace("bar.sync 0;\n", "bar.sync 0;\n@!%p1 mbarrier.init.shared.b64 [full], 1000;\nbar.sync 0;\n");
            String message = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, waits, 2, 96), waits);
            assertTrue(message.contains("none can go on: threads 0-"), message);
        }
    }

    @Test
    void threadsMayAskOtherBlocksToo() {
        String flag = ROUNDS.replace("FULL:\n", "FULL:\n  ld.acquire.gpu.global.u32 %r30, [%d0];\n  setp.eq.u32 %p7, %r30, 77;\n  @%p7 bra FULL;\n");
        assertEquals(Optional.empty(), Shapes.notVectorizable(flag, 64));
        Shapes.assertAgree(engine -> run(engine, flag, 2, 64), "flag", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** Rehearsals run blocks by themselves, which threads that ask mbarriers alone allow. */
    @Test
    void preparedKernelsGoOverToVectors() {
        try (Device device = Shapes.device(new Jit()); DeviceBuffer out = device.allocateInts(64 * 256)) {
            var launch = device.load("k.ptx", ROUNDS).kernel("k").grid(64).block(256);
            launch.prepare(out).join();
            assertEquals("vector", launch.launch(out).shape());
        }
    }
}
