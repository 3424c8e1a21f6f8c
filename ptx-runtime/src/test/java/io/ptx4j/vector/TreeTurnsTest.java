package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops of one barrier in which the first threads alone take part, fewer in each turn: all words of shared memory and all that is kept must be what the interpreter leaves. */
@Tag("thorough")
final class TreeTurnsTest {
    /** {@code %r10} threads take part in the first turn; {@code %r7} is the thread's word. */
    private static final String TREE = Shapes.head(".param .u32 n, .param .u64 out") + """
              .shared .align 4 .b32 a[1024];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mul.wide.u32 %d1, %r1, 4;
              add.s64 %d2, %d0, %d1;
              shl.b32 %r5, %r1, 2;
              mov.u32 %r6, a;
              add.u32 %r7, %r6, %r5;
              mad.lo.u32 %r18, %r1, 0x9e3779b1, %r0;
              xor.b32 %r19, %r18, 0x3f812345;
              st.shared.u32 [%r7], %r18;
              st.shared.u32 [%r7+2048], %r19;
              mov.u32 %r11, 0;
              mov.u32 %r12, %r6;
              bar.sync 0;
              mov.u32 %r10, FIRST;
            LOOP:
              TEST
              shl.b32 %r20, %r10, 2;
              add.u32 %r21, %r7, %r20;
              add.u32 %r21, %r21, GAP;
              BODY
            MEET:
              add.u32 %r11, %r11, 3;
              bar.sync 0;
              NEXT
              setp.ne.s32 %p4, %r10, 0;
              @%p4 bra LOOP;
            OUT:
              add.u32 %r42, %r11, %r1;
              ld.shared.u32 %r40, [%r7];
              ld.shared.u32 %r41, [%r7+2048];
              st.global.u32 [%d2], %r40;
              st.global.u32 [%d2+2048], %r41;
              st.global.u32 [%d2+4096], %r42;
              ret;
            }
            """;
    private static final String BELOW = "setp.ge.u32 %p1, %r1, %r10;\n@%p1 bra MEET;";
    private static final String SUM = "ld.shared.u32 %r22, [%r7];\nld.shared.u32 %r23, [%r21];\nadd.u32 %r24, %r22, %r23;\nst.shared.u32 [%r7], %r24;";
    private static final String HALF = "shr.u32 %r10, %r10, 1;";

    /** Which threads take part, at most three more than {@code %r10}; a few of them are not the first ones. */
    private static final String[] TESTS = {BELOW, "setp.lt.u32 %p1, %r1, %r10;\n@!%p1 bra MEET;", "setp.le.s32 %p1, %r10, %r1;\n@%p1 bra MEET;", "setp.gt.s32 %p1, %r10, %r1;\n@!%p1 bra MEET;",
        "setp.gt.u32 %p1, %r1, %r10;\n@%p1 bra MEET;", "setp.hs.u32 %p1, %r1, %r10;\n@%p1 bra MEET;", "add.u32 %r25, %r1, 5;\nsetp.ge.u32 %p1, %r25, %r10;\n@%p1 bra MEET;",
        "sub.s32 %r25, %r1, 3;\nsetp.ge.s32 %p1, %r25, %r10;\n@%p1 bra MEET;", "sub.s32 %r25, %r1, 3;\nsetp.ge.u32 %p1, %r25, %r10;\n@%p1 bra MEET;",
        "setp.ne.u32 %p1, %r1, %r10;\n@%p1 bra MEET;", "shl.b32 %r25, %r1, 1;\nsetp.ge.u32 %p1, %r25, %r10;\n@%p1 bra MEET;"};
    /** Nobody reads a word that another thread stores in the same turn. The first ones fit. */
    private static final String[] BODIES = {SUM, SUM.replace("u32", "f32").replaceAll("%r(2[234])", "%f$1"), SUM.replace("add.u32", "max.s32"), SUM.replace("add.u32", "mul.lo.u32"),
        "ld.shared.u32 %r23, [%r21];\nld.shared.u32 %r22, [%r7];\nxor.b32 %r24, %r22, %r23;\nshl.b32 %r24, %r24, 1;\nst.shared.u32 [%r7], %r24;",
        SUM.replace("[%r21]", "[%r21+4]"), SUM.replace("[%r21]", "[%r21+-8]"), SUM.replace("[%r21]", "[%r21+64]"), SUM.replace("%r7]", "%r7+2048]"), SUM.replace("[%r21]", "[%r21+2048]"),
        SUM.replace("add.u32 ", "add.u32 %r24, %r23, %r11;\nld.shared.u32 %r26, [%r21+4];\nmad.lo.u32 %r23, %r26, 7, %r24;\nadd.u32 "),
        SUM.replace("st.shared", "setp.gt.s32 %p2, %r24, 0;\nselp.u32 %r24, %r24, %r10, %p2;\nst.shared"), SUM.replace("add.u32", "add.sat.s32"),
        "mov.u32 %r26, %r7;\nadd.u32 %r7, %r7, 0;\n" + SUM.replace("[%r7]", "[%r26]"), SUM.replace("add.u32 ", "div.u32 %r23, %r23, %r22;\nadd.u32 "), SUM + "\nst.shared.u32 [%r7+2048], %r22;",
        SUM.replace("add.u32 ", "add.u32 %r21, %r21, 8;\nld.shared.u32 %r26, [%r21];\nmul.lo.u32 %r23, %r23, %r26;\nadd.u32 ")};
    private static final String[] NEXTS = {HALF, "sub.u32 %r10, %r10, 1;", "setp.le.u32 %p5, %r10, 3;\n@%p5 bra OUT;\nsub.u32 %r10, %r10, 3;",
        "mul.lo.u32 %r10, %r10, 2;\ndiv.u32 %r10, %r10, 3;", "shr.u32 %r10, %r10, 1;\nadd.u32 %r7, %r7, 4;\nadd.u32 %r5, %r5, 4;", "shr.u32 %r10, %r10, 1;\nadd.u32 %r12, %r12, %r10;"};

    private static String tree(String test, String body, String next) {
        return tree(test, body, next, 16);
    }

    /** @param gap bytes between the words of the threads that take part and those that these add */
    private static String tree(String test, String body, String next, int gap) {
        return TREE.replace("TEST", test).replace("BODY", body).replace("NEXT", next).replace("GAP", String.valueOf(gap));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 16, 17, 32, 64, 100, 256, 512})
    void turnsLeaveWhatThreadsByThemselvesLeave(int threads) {
        SplittableRandom random = new SplittableRandom(threads);
        for (int i = 0; i < 60; i++) {
            String text = tree(TESTS[random.nextInt(TESTS.length)], BODIES[random.nextInt(BODIES.length)], NEXTS[random.nextInt(NEXTS.length)]);
            // Where more than half of the threads take part some load words that nobody has, and fail.
            int first = random.nextInt(4) == 0 ? random.nextInt(1, 2 * threads + 2) : Math.max(1, threads / 2);
            assertAgree(text.replace("FIRST", String.valueOf(first)), threads);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 17, 32, 64, 100, 256, 512})
    void sumsByATreeAreThoseOfThreadsByThemselves(int threads) {
        for (int t = 0; t < 4; t++) {
            for (String body : BODIES) {
                assertAgree(tree(TESTS[t], body.replace("[%r21+-8]", "[%r21+0]"), HALF, 0).replace("FIRST", String.valueOf(threads / 2)), threads);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 256, 512})
    void allKindsOfTestsAndSumsHaveSuchTurns(int threads) {
        for (int t = 0; t < 9; t++) {
            Shapes.assertOfLongVectors(hasTree(tree(TESTS[t], SUM, HALF), threads), TESTS[t]);
        }
        for (int b = 0; b < 13; b++) {
            Shapes.assertOfLongVectors(hasTree(tree(BELOW, BODIES[b], HALF), threads), BODIES[b]);
        }
        for (String next : NEXTS) {
            Shapes.assertOfLongVectors(hasTree(tree(BELOW, SUM, next), threads), next);
        }
    }

    @Test
    void othersHaveNone() {
        for (int t = 9; t < TESTS.length; t++) {
            assertEquals(false, hasTree(tree(TESTS[t], SUM, HALF), 256), TESTS[t]);
        }
        assertEquals(false, hasTree(tree(BELOW, SUM + "\nst.shared.u32 [%r7+4], %r22;", HALF), 256), "two stores");
        assertEquals(false, hasTree(tree(BELOW, SUM.replace("st.shared.u32 [%r7]", "st.shared.u32 [%r7+4]"), HALF), 256), "a store where nothing is loaded");
        assertEquals(false, hasTree(tree(BELOW, SUM + "\nadd.u32 %r19, %r19, %r24;", HALF).replace("add.u32 %r42, %r11, %r1;", "add.u32 %r42, %r11, %r19;"), 256), "what outlives a turn");
        assertEquals(false, hasTree(tree(BELOW, SUM, HALF).replace("add.u32 %r11, %r11, 3;", "st.shared.u32 [%r7+2048], %r11;"), 256), "a store of all threads");
    }

    @Test
    void aFaultNamesItsThread() {
        assertFails(tree(BELOW, SUM, "shr.u32 %r10, %r10, 1;\nadd.u32 %r7, %r7, 1;").replace("FIRST", "128"), 256);
        assertFails(tree(BELOW, SUM.replace("[%r21]", "[%r21+4088]"), HALF).replace("FIRST", "128"), 256);
        assertFails(tree(BELOW, SUM, "sub.u32 %r10, %r10, 2;\nadd.u32 %r7, %r7, 1000;").replace("FIRST", "9"), 64);
        assertFails(tree(BELOW, SUM, "sub.u32 %r10, %r10, 1;\nadd.u32 %r7, %r7, 680;").replace("FIRST", "8"), 64);
    }

    @Test
    void aPlaceThatIsNotAlignedFails() {
        String odd = "setp.eq.u32 %p2, %r10, 4;\nselp.u32 %r26, 2, 0, %p2;\n";
        assertFails(tree(BELOW, SUM, HALF + odd + "add.u32 %r7, %r7, %r26;").replace("FIRST", "128"), 256);
        assertFails(tree(BELOW, odd + "add.u32 %r21, %r21, %r26;\n" + SUM, HALF).replace("FIRST", "128"), 256);
    }

    /** Threads from the third on take part, since their numbers wrap around. */
    @Test
    void numbersThatWrapAroundAreNotCounted() {
        for (String type : new String[] {"s32", "u32"}) {
            String last = type.equals("s32") ? "0x7fffffff" : "0xffffffff";
            String test = "add.u32 %r25, %r1, %r27;\nsetp.ge.TYPE %p1, %r25, %r28;\n@%p1 bra MEET;".replace("TYPE", type);
            String text = tree(test, SUM.replace("[%r21]", "[%r7+2048]"), HALF).replace("mov.u32 %r10, FIRST;", "mov.u32 %r10, 128;\nmov.u32 %r28, LAST;\nsub.u32 %r27, %r28, 1;".replace("LAST", last));
            Shapes.assertOfLongVectors(hasTree(text, 256), text);
            assertAgree(text, 256);
        }
    }

    private static void assertFails(String text, int threads) {
        for (String each : new String[] {text, Shapes.notCoarse(text)}) {
            Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, each, threads), each);
        }
    }

    private static boolean hasTree(String text, int threads) {
        String listing = Shapes.listing(Shapes.notCoarse(text).replace("FIRST", String.valueOf(Math.max(1, threads / 2))), threads);
        int from = listing.indexOf("public static region2turns(");
        return from >= 0 && listing.substring(from).contains("IntVector.selectFrom");
    }

    private static void assertAgree(String text, int threads) {
        for (String each : new String[] {text, Shapes.notCoarse(text)}) {
            Shapes.assertAgree(engine -> outcome(engine, each, threads), each, Jit.Shape.VECTOR);
        }
    }

    /** The words left, or what the launch fails by. */
    private static Object outcome(Engine engine, String text, int threads) {
        try {
            return run(engine, text, threads);
        } catch (KernelException e) {
            return e.getMessage();
        }
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(3 * 512L);
            device.load("k.ptx", text).kernel("k").grid(2).block(threads).launch(0x1234567, out);
            return out.toInts();
        }
    }
}
