package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchStoppedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways with an array of the thread's own that few lanes take, one after the other: they must leave what the other engines leave, and fail as they do. */
@Timeout(120)
@Tag("thorough")
final class SlowPathsTest {
    private static final int BLOCKS = 5;
    private static final int ELEMENTS = 1 << 12;

    /** {@code %r10} is the thread's word, {@code %d4} the address of its results, of which it has four words. */
    private static final String HEAD = Shapes.head(".param .u32 n, .param .u64 x, .param .u64 y") + """
              .local .align 8 .b8 own[64];
              .shared .align 4 .b32 shared[256];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [x];
              ld.param.u64 %d9, [y];
              setp.ge.u32 %p0, %r4, %r0;
              @%p0 bra END;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d3, %d0, %d1;
              mul.wide.u32 %d2, %r4, 16;
              add.s64 %d4, %d9, %d2;
              ld.global.u32 %r10, [%d3];
              mov.u64 %d10, own;
            """;
    private static final String END = "END: ret;\n}\n";

    /** Stores {@code %r11 & 7} words and two more into the array, and sums those of an even place. */
    private static final String ARRAY = """
              and.b32 %r12, %r10, 7;
              mov.u32 %r13, 0;
              st.local.u32 [%d10+0], %r10;
              st.local.u32 [%d10+4], %r4;
            FILL:
              mul.wide.u32 %d5, %r13, 4;
              add.s64 %d6, %d10, %d5;
              mad.lo.u32 %r14, %r10, 1664525, %r13;
              st.local.u32 [%d6+8], %r14;
              add.s32 %r13, %r13, 1;
              setp.le.s32 %p3, %r13, %r12;
              @%p3 bra FILL;
              mov.u32 %r15, 0;
            SUM:
              add.s32 %r13, %r13, -1;
              mul.wide.u32 %d5, %r13, 4;
              add.s64 %d6, %d10, %d5;
              ld.local.u32 %r16, [%d6+4];
              and.b32 %r17, %r13, 1;
              setp.eq.u32 %p4, %r17, 0;
              @%p4 add.u32 %r15, %r15, %r16;
              setp.gt.s32 %p5, %r13, 0;
              @%p5 bra SUM;
            """;
    private static final String FEW = """
              and.b32 %r11, %r10, 0x70;
              setp.ne.u32 %p1, %r11, 0;
            """;
    private static final String STORES = """
              st.global.u32 [%d4], %r20;
              st.global.f64 [%d4+8], %g1;
              selp.u32 %r21, 3, 4, %p6;
              st.global.u32 [%d4+4], %r21;
            """;
    private static final String BEFORE = """
              mov.u32 %r20, %r0;
              cvt.rn.f64.u32 %g1, %r10;
              setp.lt.u32 %p6, %r4, 77;
            """;
    /** Changes a word, a double and a predicate, each of them for some of those that come here alone. */
    private static final String RESULTS = """
              add.u32 %r20, %r20, %r15;
              setp.gt.s32 %p7, %r15, 0;
              @%p7 cvt.rn.f64.s32 %g1, %r15;
              setp.lt.s32 %p8, %r10, 0;
              @!%p8 bra SKIP;
              setp.lt.s32 %p6, %r15, 1000;
            SKIP:
            """;

    private static final String SIMPLE = HEAD + FEW + BEFORE + "@%p1 bra FAST;\n" + ARRAY + RESULTS + "FAST:\n" + STORES + END;

    /** Others have a way of their own in between. */
    private static final String EITHER = HEAD + FEW + BEFORE + "@%p1 bra FAST;\n" + ARRAY + RESULTS + "bra JOIN;\nFAST:\nmul.f64 %g1, %g1, 0d3FF8000000000000;\nxor.b32 %r20, %r20, %r10;\nJOIN:\n" + STORES + END;

    /** In a loop that lanes leave one by one, so that others wait behind it while some take the way. */
    private static final String TURNS = HEAD + BEFORE + """
              shr.u32 %r30, %r10, 28;
            AGAIN:
            """ + FEW + "@%p1 bra FAST;\n" + ARRAY + RESULTS + """
            FAST:
              mad.lo.u32 %r10, %r10, 1103515245, 12345;
              add.u32 %r20, %r20, %r10;
              add.s32 %r30, %r30, -1;
              setp.ge.s32 %p9, %r30, 0;
              @%p9 bra AGAIN;
            """ + STORES + END;

    /** Two such ways with one array, between barriers; the second takes what a neighbour has. */
    private static final String BARRIERS = HEAD.replace("@%p0 bra END;", "@%p0 mov.u32 %r4, 0;") + FEW + BEFORE + """
              mul.wide.u32 %d7, %r1, 4;
              mov.u64 %d8, shared;
              add.s64 %d8, %d8, %d7;
              @%p1 bra FAST;
            """ + ARRAY + RESULTS + """
            FAST:
              st.shared.u32 [%d8], %r20;
              bar.sync 0;
              xor.b32 %r31, %r1, 1;
              mul.wide.u32 %d7, %r31, 4;
              mov.u64 %d8, shared;
              add.s64 %d8, %d8, %d7;
              setp.lt.u32 %p2, %r31, %r3;
              @%p2 ld.shared.u32 %r32, [%d8];
              @%p2 add.u32 %r10, %r10, %r32;
              bar.sync 0;
              and.b32 %r11, %r10, 0x300;
              setp.ne.u32 %p1, %r11, 0;
              @%p1 bra FAST2;
            """ + second(ARRAY + RESULTS) + "FAST2:\n@%p0 bra END;\n" + STORES + END;

    /** Has a carry chain, which nobody else has. */
    private static final String CHAIN = ARRAY.replace("mov.u32 %r15, 0;", """
              mov.u32 %r15, 0;
              mad.lo.cc.u32 %r40, %r10, %r14, %r4;
              madc.hi.cc.u32 %r41, %r10, %r14, %r4;
              addc.u32 %r42, %r4, 0;
              add.cc.u32 %r40, %r40, %r42;
              addc.u32 %r15, %r41, %r40;
            """);
    private static final String CARRY = SIMPLE.replace(ARRAY, CHAIN);

    /** Lanes stop storing one by one, and what they do then has an array's other accesses. */
    private static final String LEAVING = SIMPLE.replace("mov.u32 %r15, 0;", "st.local.u32 [%d6+12], %r14;\nmov.u32 %r15, 0;").replace("st.local.u32 [%d6+8], %r14;", """
            st.local.u32 [%d6+8], %r14;
            and.b32 %r18, %r14, 0x300;
            setp.eq.u32 %p12, %r18, 0;
            @%p12 add.u32 %r13, %r13, 1;
            @%p12 bra LEFT;
            """).replace("mov.u32 %r15, 0;", "LEFT:\nmov.u32 %r15, 0;");

    /** What is one for all threads is computed before they run, also where only some of them want it. */
    private static final String ONE_FOR_ALL = SIMPLE.replace("SKIP:", "mov.u32 %r45, 7;\nSKIP:\nmov.u32 %r46, %ntid.x;").replace("FAST:", "FAST:\n@!%p1 mad.lo.u32 %r20, %r20, %r46, 3;");

    /** In a function, which does nothing for some numbers; behind calls the carry is cleared. */
    private static final String CALL = SIMPLE.replace(ARRAY, """
              call.uni (%r15), f, (%r10, %r4);
            """).replace(".visible .entry", """
            .func (.reg .b32 %q) f(.reg .b32 %a, .reg .b32 %b)
            {
              .reg .pred %p<20>;
              .reg .b32 %r<60>;
              .reg .b64 %d<20>;
              .local .align 8 .b8 own[64];
              mov.u32 %r10, %a;
              mov.u32 %r4, %b;
              mov.u64 %d10, own;
              mov.u32 %q, 9;
              and.b32 %r11, %r10, 0xF00;
              setp.eq.u32 %p1, %r11, 0;
              @%p1 bra NOTHING;
            """ + CHAIN + """
              add.u32 %q, %q, %r15;
            NOTHING:
              ret;
            }
            .visible .entry""");

    private static final List<String> ALL = List.of(SIMPLE, EITHER, TURNS, BARRIERS, CARRY, LEAVING, ONE_FOR_ALL, CALL);

    private static String second(String code) {
        return code.replace("FILL", "FILL2").replace("SUM", "SUM2").replace("SKIP", "SKIP2");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 64, 100, 256})
    void slowPathsLeaveWhatTheInterpreterLeaves(int threads) {
        for (String text : ALL) {
            for (int n : new int[] {0, 1, threads + 7, BLOCKS * threads}) {
                Shapes.assertAgree(engine -> run(engine, text, threads, n), "n = " + n + "\n" + text, Jit.Shape.VECTOR);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 900})
    void slowPathsOfPiecesLeaveTheSame(int bytecodes) {
        for (String text : ALL) {
            for (int threads : new int[] {64, 100}) {
                Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> run(engine, text, threads, 1 << 20), text, Jit.Shape.VECTOR));
            }
        }
    }

    /** One thread fails at once, a lower one later; or each that comes there. */
    @Test
    void theThreadThatFailsIsTheOneOfTheScalarShape() {
        String late = SIMPLE.replace("ld.local.u32 %r16, [%d6+4];", """
                setp.gt.u32 %p10, %r4, 90;
                @%p10 mov.u64 %d6, 0x7FFFFFFFF000;
                setp.eq.u32 %p11, %r13, 0;
                @%p11 mov.u64 %d6, 0x7FFFFFFFF000;
                @%p10 ld.global.u32 %r16, [%d6];
                @%p11 ld.global.u32 %r16, [%d6+4];
                ld.local.u32 %r16, [%d10+4];
                """);
        for (String text : List.of(late, late.replace("%p11 ", "!%p11 "), SIMPLE.replace("[%d6+4]", "[%d6+6]"), SIMPLE.replace("SUM:", "SUM:\nsetp.gt.u32 %p12, %r4, 200;\n@%p12 trap;"),
                TURNS.replace("[%d6+4]", "[%d6+6]"))) {
            for (int threads : new int[] {64, 100, 256}) {
                Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, threads, 1 << 20), threads + "\n" + text);
            }
        }
    }

    /** A thread that has failed does not go on to what would never end without the result that it lacks. */
    @Test
    void aThreadThatFailsGoesNoFurther() {
        String text = SIMPLE.replace("mov.u32 %r20, %r0;", "mov.u32 %r20, 0;").replace("SUM:", "SUM:\nsetp.eq.u32 %p12, %r4, 17;\n@%p12 trap;")
                .replace("@%p1 bra FAST;", "setp.ne.and.u32 %p1, %r4, 17, %p1;\n@%p1 bra FAST;").replace("FAST:", "FAST:\nsetp.eq.u32 %p12, %r4, 17;\n@%p12 bra FAST;");
        Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, 64, 1 << 20), text);
    }

    @Test
    void aLaunchInASlowPathIsStopped() {
        String endless = SIMPLE.replace("add.s32 %r13, %r13, -1;", "").replace("setp.gt.s32 %p5, %r13, 0;", "setp.ge.s32 %p5, %r13, 0;");
        try (Device device = Shapes.device(new Jit(Jit.Shape.VECTOR))) {
            Launch launch = device.load("k", endless).kernel("k").grid(BLOCKS).block(128).timeout(Duration.ofMillis(200));
            LaunchStoppedException stopped = assertThrows(LaunchStoppedException.class,
                    () -> launch.launch(1 << 20, device.copyOf(words()), device.allocateInts(4 * ELEMENTS)));
            assertEquals(LaunchStoppedException.Reason.TIMED_OUT, stopped.reason());
        }
    }

    @Test
    void theWaysOfTheseTestsAreSlowPathsAndThoseThatMustNotBeAreNot() {
        for (String text : ALL) {
            assertEquals(text.equals(BARRIERS) ? 2 : 1, paths(text), text);
        }
        List<String> others = List.of(
                // Threads end there.
                SIMPLE.replace("FAST:", "bra FAST2;\nFAST:\nret;\nFAST2:"),
                // The same way for all lanes.
                SIMPLE.replace("and.b32 %r11, %r10, 0x70;", "and.b32 %r11, %r0, 0x70;"),
                // Some threads end there.
                SIMPLE.replace("SKIP:", "SKIP:\n@%p8 ret;"),
                SIMPLE.replace("SKIP:", "SKIP:\n@%p8 bra OUT;").replace("END: ret;", "END: ret;\nOUT: st.global.u32 [%d4], %r15;\nret;"),
                // Some go elsewhere from there.
                SIMPLE.replace("SKIP:", "SKIP:\n@%p8 bra LAST;").replace("st.global.u32 [%d4], %r20;", "st.global.u32 [%d4], %r20;\nLAST:"),
                // Others come into its middle.
                SIMPLE.replace("mov.u32 %r15, 0;", "MIDDLE:\nmov.u32 %r15, 0;").replace("@%p1 bra FAST;", "mov.u32 %r13, 1;\n@%p6 bra MIDDLE;\n@%p1 bra FAST;"),
                // Five results.
                SIMPLE.replace("SKIP:", "SKIP:\nmov.u32 %r40, %r15;\nmov.u32 %r41, %r14;").replace("FAST:", "FAST:\nst.global.u32 [%d4], %r40;\nst.global.u32 [%d4], %r41;")
                        .replace("mov.u32 %r20, %r0;", "mov.u32 %r20, %r0;\nmov.u32 %r40, 1;\nmov.u32 %r41, 2;"));
        for (String text : others) {
            assertEquals(Optional.empty(), Shapes.notVectorizable(text, 128), text);
            assertEquals(0, paths(text), text);
        }
    }

    private static long paths(String text) {
        return Shapes.listing(text, 128).lines().filter(line -> line.contains("public static path")).count();
    }

    /** What lanes do one by one says nothing about how many of them there should be. */
    @Test
    void aCarryChainInASlowPathDoesNotMakeGroupsSmall() {
        for (String text : List.of(CARRY, CALL)) {
            Shapes.assertOfLongVectors(!Shapes.listing(text, 128).contains("BIPUSH 16\n    ILOAD 4\n    INVOKESTATIC io/ptx4j/jit/support/VectorLanes.active"), text);
        }
        String inTheWay = CARRY.replace("st.global.u32 [%d4], %r20;", "add.cc.u32 %r20, %r20, %r10;\naddc.u32 %r20, %r20, 0;\nst.global.u32 [%d4], %r20;");
        Shapes.assertOfLongVectors(Shapes.listing(inTheWay, 128).contains("BIPUSH 16\n    ILOAD 4\n    INVOKESTATIC io/ptx4j/jit/support/VectorLanes.active"), inTheWay);
    }

    @Test
    void slowPathsThatShowTheOrderOfThreadsOrMightWaitForOthersAreLeftToTheScalarShape() {
        String shows = SIMPLE.replace("SUM:", "SUM:\natom.global.add.u32 %r40, [%d0], 1;\nadd.u32 %r15, %r15, %r40;");
        assertTrue(Shapes.notVectorizable(shows, 128).orElseThrow().contains("depends on the order"), shows);
        String waits = SIMPLE.replace("SUM:", "SUM:\nld.acquire.gpu.global.u32 %r40, [%d0];");
        assertTrue(Shapes.notVectorizable(waits, 128).orElseThrow().contains("wait for"), waits);
        assertFalse(Shapes.notVectorizable(SIMPLE, 128).isPresent());
    }

    private static int[] words() {
        return new Random(3).ints(ELEMENTS).toArray();
    }

    private static int[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer y = device.allocateInts(4 * ELEMENTS);
            device.load("k", text).kernel("k").grid(BLOCKS).block(threads).launch(n, device.copyOf(words()), y);
            return y.toInts();
        }
    }
}
