package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Loops of one barrier, whose registers are the same for all threads of the block, for those of a warp, grow from thread to thread or differ: the vector shape keeps
 * some of them in locals of one method for all turns, and must leave what the interpreter leaves.
 */
@Tag("thorough")
final class BarrierLoopTest {
    private static final String HEAD = Shapes.head(".param .u32 n, .param .u64 out") + """
              .shared .align 4 .b32 tile[2048];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
              shl.b32 %r5, %r1, 2;
              mov.u32 %r6, tile;
              add.u32 %r7, %r6, %r5;
              st.shared.u32 [%r7], 0;
              st.shared.u32 [%r7+4096], 0;
            """;
    /** What begins the same for the block (10 to 13), for a warp (14), as a sum with the thread's number (15, 16) and as anything (17, 18). */
    private static final String VALUES = """
              mov.u32 %r10, 1;
              add.u32 %r11, %r0, 5;
              mov.u32 %r12, %r6;
              add.u32 %r13, %r6, 4096;
              shr.u32 %r14, %r1, 5;
              mad.lo.u32 %r15, %r1, 12, %r0;
              sub.u32 %r16, %r0, %r1;
              mul.lo.u32 %r17, %r4, %r4;
              xor.b32 %r18, %r4, 0x5a;
              cvt.rn.f32.u32 %f1, %r0;
              cvt.rn.f32.u32 %f2, %r1;
              cvt.rn.f64.u32 %g1, %r0;
              mul.wide.u32 %d3, %r1, 8;
              add.u64 %d4, %d3, 77;
              cvt.u64.u32 %d5, %r0;
              setp.gt.u32 %p1, %r17, 100;
              setp.gt.u32 %p2, %r11, 20;
            """;
    /** All values become one. */
    private static final String SUM = """
              mad.lo.u32 %r40, %r10, 3, %r11;
              mad.lo.u32 %r40, %r40, 5, %r14;
              mad.lo.u32 %r40, %r40, 7, %r15;
              mad.lo.u32 %r40, %r40, 9, %r16;
              mad.lo.u32 %r40, %r40, 11, %r17;
              mad.lo.u32 %r40, %r40, 13, %r18;
              mov.b32 %r41, %f1;
              mad.lo.u32 %r40, %r40, 15, %r41;
              mov.b32 %r41, %f2;
              mad.lo.u32 %r40, %r40, 17, %r41;
              cvt.rzi.u32.f64 %r41, %g1;
              mad.lo.u32 %r40, %r40, 19, %r41;
              cvt.u32.u64 %r41, %d3;
              mad.lo.u32 %r40, %r40, 21, %r41;
              cvt.u32.u64 %r41, %d4;
              mad.lo.u32 %r40, %r40, 23, %r41;
              cvt.u32.u64 %r41, %d5;
              mad.lo.u32 %r40, %r40, 25, %r41;
              sub.u32 %r41, %r12, %r6;
              mad.lo.u32 %r40, %r40, 27, %r41;
              selp.u32 %r41, 1, 2, %p1;
              mad.lo.u32 %r40, %r40, 29, %r41;
              selp.u32 %r41, 1, 2, %p2;
              mad.lo.u32 %r40, %r40, 31, %r41;
            """;
    private static final String END = SUM + "st.global.u32 [%d2], %r40;\nEND: ret;\n}\n";

    private static final String STEP = VALUES + """
              bar.sync 0;
            LOOP:
              add.u32 %r20, %r12, %r5;
              ld.shared.u32 %r21, [%r20];
              add.u32 %r21, %r21, %r18;
              setp.lt.u32 %p3, %r1, %r10;
              @%p3 bra MEET;
              sub.u32 %r22, %r1, %r10;
              shl.b32 %r22, %r22, 2;
              add.u32 %r22, %r22, %r12;
              ld.shared.u32 %r23, [%r22];
              add.u32 %r21, %r21, %r23;
            MEET:
              add.u32 %r24, %r13, %r5;
              st.shared.u32 [%r24], %r21;
              BODY
              bar.sync 0;
              mov.u32 %r25, %r12;
              mov.u32 %r12, %r13;
              mov.u32 %r13, %r25;
              shl.b32 %r10, %r10, 1;
              LATCH
              setp.lt.u32 %p4, %r10, %r3;
              @%p4 bra LOOP;
            OUT:
              mov.u32 %r18, %r21;
            """;

    private static String step(String body, String latch) {
        return HEAD + STEP.replace("BODY", body).replace("LATCH", latch) + END;
    }

    /** Statements of a turn. Some make a value that was the same for all threads of the block one for a warp only, or one that differs. */
    private static final String[] BODIES = {
        "add.u32 %r11, %r11, %r10;", "add.f32 %f1, %f1, 0f3F800000;", "fma.rn.f64 %g1, %g1, 0d3FF8000000000000, 0d3FF0000000000000;",
        "add.u32 %r15, %r15, 3;", "sub.u32 %r16, %r16, %r11;", "mad.lo.u32 %r17, %r17, 5, %r1;", "add.u64 %d4, %d4, 9;", "add.u64 %d3, %d3, %d5;",
        "mul.lo.u64 %d5, %d5, 3;", "add.f32 %f2, %f2, %f1;", "add.u32 %r14, %r14, %r14;", "setp.gt.u32 %p1, %r17, 5000;", "not.pred %p2, %p2;",
        "setp.gt.u32 %p5, %r14, 1;\n@%p5 add.u32 %r11, %r11, 1;", "setp.gt.u32 %p5, %r17, 90;\n@%p5 add.u32 %r15, %r15, 4;", "add.u32 %r15, %r15, %r14;",
        "ld.shared.u32 %r26, [%r6+256];\nadd.u32 %r11, %r11, %r26;", "ld.shared.u32 %r26, [%r6+4352];\nxor.b32 %r11, %r11, %r26;", "mov.u32 %r26, 100;\nmul.lo.u32 %r26, %r26, %r11;\nxor.b32 %r17, %r17, %r26;",
        "mad.lo.u32 %r27, %r1, 12, %r10;\nxor.b32 %r18, %r18, %r27;", "@%p2 add.u32 %r11, %r11, 7;", "@%p1 mov.u32 %r16, 5;",
        // Stores of some threads: any, the first ones of all and of the last words that there are, one.
        "and.b32 %r28, %r17, 4;\nsetp.eq.u32 %p5, %r28, 0;\n@%p5 st.shared.u32 [%r24], %r17;", "setp.lt.u32 %p5, %r1, %r10;\n@%p5 st.shared.f32 [%r24], %f2;",
        "setp.lt.u32 %p5, %r1, 10;\n@%p5 st.shared.u32 [%r7+8152], %r18;", "setp.eq.u32 %p5, %r1, 37;\n@%p5 st.shared.u32 [%r24], %r15;"};
    /** What stands behind the barrier, before it is known whether there is another turn. */
    private static final String[] LATCHES = {
        "", "add.u32 %r11, %r11, 2;", "add.u32 %r15, %r15, 8;", "add.u32 %r18, %r18, %r17;", "add.f32 %f1, %f1, %f1;", "add.u64 %d4, %d4, %d5;",
        "setp.gt.u32 %p6, %r11, 1000;\n@%p6 bra OUT;", "setp.gt.u32 %p6, %r10, 64;\n@%p6 bra OUT;"};

    private static final String[] FIRST = {"", "setp.ge.u32 %p0, %r4, %r0;\n@%p0 bra END;\n", "setp.gt.u32 %p0, %r1, 70;\n@%p0 bra END;\n"};

    private static String random(SplittableRandom random) {
        StringBuilder body = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            body.append(BODIES[random.nextInt(BODIES.length)].replaceAll("%p5", "%p" + (7 + i))).append('\n');
        }
        String latch = LATCHES[random.nextInt(LATCHES.length)];
        return step(body.toString(), latch).replace("mov.u32 %r10, 1;\n", FIRST[random.nextInt(FIRST.length)] + "mov.u32 %r10, 1;\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 64, 96, 100, 257, 512})
    void turnsLeaveWhatThreadsByThemselvesLeave(int threads) {
        SplittableRandom random = new SplittableRandom(threads);
        for (int i = 0; i < 40; i++) {
            String text = random(random);
            int n = random.nextInt(3) == 0 ? 1 << 20 : random.nextInt(2 * threads);
            assertAgree(text, threads, n);
        }
    }

    /** Sums by a tree: in each turn fewer threads store, and all words count that they leave. */
    @ParameterizedTest
    @CsvSource({"u32, 32", "u32, 64", "f32, 128", "u32, 256", "f32, 256", "u32, 512"})
    void threadsThatStoreLeaveTheWordsOfOthersAlone(String type, int threads) {
        String text = HEAD + """
              xor.b32 %r18, %r4, 0x3f800000;
              st.shared.u32 [%r7], %r18;
              bar.sync 0;
              shr.u32 %r10, %r3, 1;
            LOOP:
              setp.ge.u32 %p1, %r1, %r10;
              @%p1 bra MEET;
              shl.b32 %r20, %r10, 2;
              add.u32 %r20, %r20, %r7;
              ld.shared.TYPE %R21, [%r7];
              ld.shared.TYPE %R22, [%r20];
              add.TYPE %R21, %R21, %R22;
              st.shared.TYPE [%r7], %R21;
            MEET:
              bar.sync 0;
              shr.u32 %r10, %r10, 1;
              setp.ne.u32 %p4, %r10, 0;
              @%p4 bra LOOP;
              ld.shared.u32 %r40, [%r7];
              st.global.u32 [%d2], %r40;
              ret;
            }
            """.replace("TYPE", type).replace("%R", type.equals("f32") ? "%f" : "%r");
        assertTrue(hasTurns(text, threads));
        assertAgree(text, threads, 0);
    }

    @Test
    void aLoopInALoopWithOneBarrierLeavesTheSame() {
        String text = step("xor.b32 %r17, %r17, %r11;", "setp.lt.u32 %p7, %r10, 8;\n@%p7 bra LOOP;\nadd.u32 %r11, %r11, 1;\nmul.lo.u32 %r10, %r10, 2;");
        Shapes.assertOfLongVectors(hasTurns(text, 128), text);
        for (int threads : new int[] {48, 128, 500}) {
            assertAgree(text, threads, 9);
        }
    }

    @Test
    void aLoopOfOneBarrierIsOneMethod() {
        Shapes.assertOfLongVectors(hasTurns(step("", ""), 256), "256 threads");
        Shapes.assertOfLongVectors(hasTurns(step("add.u32 %r17, %r17, %r11;", "add.u32 %r11, %r11, 1;"), 100), "100 threads");
    }

    @Test
    void aLoopThatThreadsMayLeaveApartOrLateIsNot() {
        assertEquals(false, hasTurns(step("", "setp.gt.u32 %p6, %r14, %r10;\n@%p6 bra END;"), 256), "by warps");
        assertEquals(false, hasTurns(step("", "st.global.u32 [%d2], %r10;"), 256), "behind a store");
        assertEquals(false, hasTurns(step("setp.gt.u32 %p6, %r18, %r10;\n@%p6 bra END;", ""), 256), "before the barrier");
    }

    /** Threads beyond a number have ended: the others go through the loop all the same. */
    @ParameterizedTest
    @CsvSource({"256, 200", "100, 33", "64, 1", "512, 300"})
    void threadsThatHaveEndedAreNotMissed(int threads, int n) {
        String text = step("add.u32 %r11, %r11, %r10;", "").replace("mov.u32 %r10, 1;\n", FIRST[1] + "mov.u32 %r10, 1;\n");
        assertAgree(text, threads, n);
    }

    @Test
    void aFaultInALaterTurnNamesItsThread() {
        String text = step("", "mad.lo.u32 %r12, %r10, 600, %r12;");
        Shapes.assertOfLongVectors(hasTurns(text, 256), text);
        Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 256, 3), text);
        Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, Shapes.notCoarse(text), 256, 3), text);
    }

    private static boolean hasTurns(String text, int threads) {
        return Shapes.listing(Shapes.notCoarse(text), threads).contains("region2turns");
    }

    private static void assertAgree(String text, int threads, int n) {
        for (String each : new String[] {text, Shapes.notCoarse(text)}) {
            Shapes.assertAgree(engine -> run(engine, each, threads, n), "n = " + n + "\n" + each, Jit.Shape.VECTOR);
        }
    }

    private static int[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(2L * threads);
            device.load("k.ptx", text).kernel("k").grid(2).block(threads).launch(n, out);
            return out.toInts();
        }
    }
}
