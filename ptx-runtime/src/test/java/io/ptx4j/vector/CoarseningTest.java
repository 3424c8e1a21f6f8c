package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that one warp runs, with shared memory in registers: what they leave, and by what they fail, must be that of threads by themselves. */
@Tag("thorough")
final class CoarseningTest {
    /** {@code %r5} is the thread's number in its block of any shape, {@code %r18} a word of input, {@code %r7} the thread's own word of shared memory, {@code %r17} what is kept. */
    private static final String HEAD = Shapes.head(".param .u64 in, .param .u64 out, .param .u32 n") + """
              .shared .align 8 .b32 tile[4096];
              ld.param.u64 %d0, [in];
              ld.param.u64 %d1, [out];
              ld.param.u32 %r0, [n];
              cvta.to.global.u64 %d0, %d0;
              cvta.to.global.u64 %d1, %d1;
              mov.u32 %r5, %tid.y;
              mad.lo.u32 %r5, %r5, %r3, %r1;
              mov.u32 %r8, %ntid.y;
              mul.lo.u32 %r8, %r8, %r3;
              mad.lo.u32 %r9, %r2, %r8, %r5;
              mul.wide.u32 %d2, %r9, 4;
              add.s64 %d3, %d0, %d2;
              add.s64 %d4, %d1, %d2;
              ld.global.u32 %r18, [%d3];
              mov.u32 %r6, tile;
              shl.b32 %r7, %r5, 2;
              add.u32 %r7, %r6, %r7;
              mov.u32 %r17, %r18;
            """;
    private static final String END = """
              st.global.u32 [%d4], %r17;
            END:
              ret;
            }
            """;

    /** Inclusive sums of a block, by Hillis and Steele. */
    private static final String SCAN = HEAD + """
              st.shared.u32 [%r7], %r17;
              mov.u32 %r10, 1;
            LOOP:
              bar.sync 0;
              setp.lt.u32 %p1, %r5, %r10;
              mov.u32 %r11, 0;
              @%p1 bra MEET;
              sub.u32 %r12, %r5, %r10;
              shl.b32 %r12, %r12, 2;
              add.u32 %r12, %r12, %r6;
              ld.shared.u32 %r11, [%r12];
            MEET:
              bar.sync 0;
              add.u32 %r17, %r17, %r11;
              st.shared.u32 [%r7], %r17;
              shl.b32 %r10, %r10, 1;
              setp.lt.u32 %p2, %r10, %r8;
              @%p2 bra LOOP;
            """ + END;

    /** Sorts a block's words. */
    private static final String SORT = HEAD + """
              st.shared.u32 [%r7], %r17;
              mov.u32 %r10, 2;
            OUTER:
              shr.u32 %r11, %r10, 1;
            INNER:
              bar.sync 0;
              xor.b32 %r12, %r5, %r11;
              shl.b32 %r13, %r12, 2;
              add.u32 %r13, %r13, %r6;
              ld.shared.u32 %r14, [%r7];
              ld.shared.u32 %r15, [%r13];
              bar.sync 0;
              and.b32 %r16, %r5, %r10;
              setp.eq.u32 %p1, %r16, 0;
              setp.lt.u32 %p2, %r5, %r12;
              xor.pred %p3, %p1, %p2;
              min.u32 %r19, %r14, %r15;
              max.u32 %r20, %r14, %r15;
              selp.u32 %r17, %r20, %r19, %p3;
              st.shared.u32 [%r7], %r17;
              shr.u32 %r11, %r11, 1;
              setp.ne.u32 %p4, %r11, 0;
              @%p4 bra INNER;
              shl.b32 %r10, %r10, 1;
              setp.le.u32 %p5, %r10, %r8;
              @%p5 bra OUTER;
            """ + END;

    /** A sum by shuffles in warps, and one of their sums. */
    private static final String WARP_SUMS = HEAD + """
              shfl.sync.down.b32 %r10, %r17, 16, 31, -1;
              add.u32 %r17, %r17, %r10;
              shfl.sync.down.b32 %r10, %r17, 8, 31, -1;
              add.u32 %r17, %r17, %r10;
              and.b32 %r11, %r5, 31;
              shr.u32 %r12, %r5, 5;
              setp.ne.u32 %p1, %r11, 0;
              shl.b32 %r13, %r12, 2;
              add.u32 %r13, %r13, %r6;
              @!%p1 st.shared.u32 [%r13], %r17;
              bar.sync 0;
              mov.u32 %r14, 1;
              setp.ge.u32 %p2, %r5, 4;
              @%p2 bra MEET;
              shl.b32 %r15, %r11, 2;
              add.u32 %r15, %r15, %r6;
              ld.shared.u32 %r14, [%r15];
            MEET:
              add.u32 %r17, %r17, %r14;
            """ + END;

    /** The last warp of a sum by a tree, whose threads are in step before sm_70. */
    private static final String IN_STEP = (HEAD + """
              st.shared.u32 [%r7], %r17;
              bar.sync 0;
              setp.ge.u32 %p1, %r5, 32;
              @%p1 bra MEET;
            """ + IntStream.of(128, 64, 32, 16, 8, 4).mapToObj("""
              ld.volatile.shared.u32 %%r10, [%%r7+%d];
              mad.lo.u32 %%r17, %%r10, 3, %%r17;
              st.volatile.shared.u32 [%%r7], %%r17;
            """::formatted).collect(Collectors.joining()) + "MEET:\n" + END).replace("sm_100", "sm_61");

    /** Rows become columns, of tiles of 8 by 8; the lower half of each through 64-bit words. */
    private static final String TRANSPOSE = HEAD + """
              cvt.u64.u32 %d5, %r17;
              mul.lo.u64 %d5, %d5, 0x100000001b3;
              shl.b32 %r10, %r5, 3;
              add.u32 %r10, %r10, %r6;
              st.shared.u64 [%r10], %d5;
              bar.sync 0;
              and.b32 %r11, %r5, 7;
              shr.u32 %r12, %r5, 3;
              and.b32 %r13, %r12, 7;
              and.b32 %r14, %r12, 0xfffffff8;
              mad.lo.u32 %r15, %r11, 8, %r13;
              mad.lo.u32 %r15, %r14, 8, %r15;
              shl.b32 %r15, %r15, 3;
              add.u32 %r15, %r15, %r6;
              ld.shared.u64 %d6, [%r15];
              shr.u64 %d7, %d6, 7;
              cvt.u32.u64 %r17, %d7;
            """ + END;

    @ParameterizedTest
    @ValueSource(ints = {32, 64, 128, 256})
    void knownKernelsAreCoarseAndLeaveTheSame(int threads) {
        assertCoarse(SCAN, threads);
        assertCoarse(WARP_SUMS, threads < 128 ? 128 : threads);
        assertCoarse(TRANSPOSE, Math.clamp(threads, 64, 128));
        if (threads < 256) {
            assertCoarse(SORT, threads);
        }
        assertCoarse(IN_STEP, Math.max(64, threads));
        assertAgree(IN_STEP, Math.max(64, threads), 1, 7);
        for (String text : new String[] {SCAN, SCAN.replace("sm_100", "sm_61"), SORT, TRANSPOSE}) {
            assertAgree(text, threads, 1, 7);
            assertAgree(text, threads / 4, 4, 7);
        }
        assertAgree(WARP_SUMS, Math.max(128, threads), 1, 7);
    }

    /** What comes between barriers: permuted words, known and unknown conditions, loops of both kinds, stores that others load. */
    private static final String[] STATEMENTS = {
        "add.u32 %r17, %r17, %r18;", "mad.lo.u32 %r17, %r17, 5, %r5;", "xor.b32 %r18, %r18, %r17;", "mov.b32 %f1, %r17;\nmul.f32 %f1, %f1, 0f3FC00000;\nmov.b32 %r18, %f1;",
        "setp.gt.u32 %p1, %r17, %r0;\n@%p1 bra L#;\nmul.lo.u32 %r17, %r17, 3;\nadd.u32 %r18, %r18, 1;\nL#:", "setp.gt.s32 %p1, %r17, %r18;\n@%p1 add.u32 %r17, %r17, 99;\n@!%p1 mov.u32 %r18, %r5;",
        "setp.lt.u32 %p2, %r5, 19;\n@%p2 bra L#;\nadd.u32 %r17, %r17, 11;\nsetp.gt.s32 %p1, %r18, 0;\n@%p1 bra L#;\nxor.b32 %r17, %r17, 0x5555;\nL#:",
        "and.b32 %r20, %r17, 7;\nL#:\nadd.u32 %r18, %r18, %r20;\nsub.s32 %r20, %r20, 1;\nsetp.gt.s32 %p1, %r20, 0;\n@%p1 bra L#;",
        "mov.u32 %r20, 3;\nL#:\nmad.lo.u32 %r17, %r17, 7, %r20;\nsub.u32 %r20, %r20, 1;\nsetp.ne.u32 %p1, %r20, 0;\n@%p1 bra L#;",
        "and.b32 %r20, %r5, 3;\nL#:\nadd.u32 %r17, %r17, %r20;\nsub.s32 %r20, %r20, 1;\nsetp.ge.s32 %p1, %r20, 0;\n@%p1 bra L#;",
        "st.global.u32 [%d4], %r17;\nbar.sync 0;\nxor.b32 %r20, %r5, 1;\nsub.u32 %r20, %r20, %r5;\nmul.wide.s32 %d5, %r20, 4;\nadd.s64 %d5, %d5, %d4;\nld.global.u32 %r18, [%d5];\nbar.sync 0;",
        "xor.b32 %r20, %r5, 33;\nsub.u32 %r20, %r20, %r5;\nmul.wide.s32 %d5, %r20, 4;\nadd.s64 %d5, %d5, %d4;\nld.global.u32 %r20, [%d5];\nbar.sync 0;\nst.global.u32 [%d4], %r17;\nbar.sync 0;\nld.global.u32 %r18, [%d5];\n"
            + "add.u32 %r18, %r18, %r20;\nbar.sync 0;",
        "setp.gt.u32 %p1, %r18, %r17;\n@%p1 ld.global.u32 %r18, [%d3];", "setp.lt.u32 %p1, %r5, 40;\n@%p1 ld.global.u32 %r18, [%d3];", "setp.eq.u32 %p1, %r5, 5;\nselp.u32 %r18, %r17, %r0, %p1;",
        "setp.ge.u32 %p1, %r5, 32;\n@%p1 bra L#;\nmul.lo.u32 %r17, %r17, 13;\nst.shared.u32 [%r7+8192], %r17;\nbar.warp.sync -1;\nxor.b32 %r20, %r7, 20;\nld.shared.u32 %r20, [%r20+8192];\nbar.warp.sync -1;\nadd.u32 %r18, %r18, %r20;\nL#:",
        "setp.ge.u32 %p1, %r5, 8;\n@%p1 bra L#;\nst.shared.u32 [%r7+12288], %r18;\nbar.warp.sync 255;\nxor.b32 %r20, %r7, 12;\nld.shared.u32 %r20, [%r20+12288];\nbar.warp.sync 255;\nxor.b32 %r17, %r17, %r20;\nL#:",
        "red.global.add.u32 [%d1+2048], %r17;", "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra A#;\nbra L#;\nA#:\nred.global.max.u32 [%d1+2052], %r18;\nL#:",
        "setp.gt.u32 %p1, %r17, %r18;\n@%p1 red.global.xor.b32 [%d1+2056], %r17;",
        "setp.gt.u32 %p3, %r17, 1000;\nselp.u32 %r20, 3, 5, %p3;\nadd.u32 %r17, %r17, %r20;", "shfl.sync.bfly.b32 %r20, %r17, 3, 31, -1;\nadd.u32 %r18, %r18, %r20;",
        "setp.gt.u32 %p1, %r17, %r0;\nsetp.lt.u32 %p2, %r5, 9;\nand.pred %p1, %p1, %p2;\n@%p1 bra L#;\nadd.u32 %r17, %r17, 2;\nL#:"};
    private static final String[] PLACES = {"mov.u32 %r20, %r5;", "xor.b32 %r20, %r5, C;", "add.u32 %r20, %r5, C;\nrem.u32 %r20, %r20, %r8;", "sub.u32 %r20, %r8, %r5;\nsub.u32 %r20, %r20, 1;",
        "shr.u32 %r20, %r5, 1;\nand.b32 %r21, %r5, 1;\nmad.lo.u32 %r20, %r21, HALF, %r20;", "shl.b32 %r20, %r5, 1;\nsetp.ge.u32 %p7, %r20, %r8;\nsub.u32 %r21, %r20, %r8;\nadd.u32 %r21, %r21, 1;\nselp.u32 %r20, %r21, %r20, %p7;"};

    private static String random(SplittableRandom random, int threads) {
        StringBuilder text = new StringBuilder(HEAD);
        int phases = random.nextInt(1, 5);
        for (int phase = 0; phase < phases; phase++) {
            statements(text, random, phase * 10);
            text.append(place(random, threads, phase)).append("st.shared.u32 [%r20], %r17;\nbar.sync 0;\n");
            boolean some = random.nextInt(3) == 0;
            if (some) {
                text.append("setp.").append(random.nextBoolean() ? "lt" : "ge").append(".u32 %p6, %r5, ").append(random.nextInt(1, threads)).append(";\n@%p6 bra P").append(phase).append(";\n");
            }
            String load = "ld.shared." + (random.nextBoolean() ? "u32" : "b32") + " %r18, [%r20];\n";
            String pair = "and.b32 %r20, %r20, 0xfffffff8;\nld.shared.v2.u32 {%r18, %r22}, [%r20];\nadd.u32 %r17, %r17, %r22;\n";
            text.append(place(random, threads, phase)).append(random.nextInt(4) == 0 ? pair : load);
            if (random.nextInt(3) == 0) {
                text.append(place(random, threads, phase)).append("ld.shared.f32 %f2, [%r20];\nmov.b32 %r22, %f2;\nxor.b32 %r17, %r17, %r22;\n");
            }
            statements(text, random, phase * 10 + 5);
            text.append(some ? "P" + phase + ":\n" : "");
        }
        return text.append("mad.lo.u32 %r17, %r17, 31, %r18;\n").append(random.nextInt(4) == 0 ? "setp.gt.u32 %p1, %r17, %r0;\n@%p1 bra END;\n" : "").append(END).toString();
    }

    private static String place(SplittableRandom random, int threads, int phase) {
        return PLACES[random.nextInt(PLACES.length)].replace("HALF", String.valueOf(threads / 2)).replace("C", String.valueOf(random.nextInt(Integer.highestOneBit(threads))))
                + "\nshl.b32 %r20, %r20, 2;\nadd.u32 %r20, %r20, " + phase % 2 * 4096 + ";\nadd.u32 %r20, %r20, %r6;\n";
    }

    private static void statements(StringBuilder text, SplittableRandom random, int label) {
        int count = random.nextInt(3);
        for (int s = 0; s < count; s++) {
            String statement = STATEMENTS[random.nextInt(STATEMENTS.length)];
            boolean alone = statement.contains("bar.") || statement.contains("shared") || statement.contains("shfl");
            text.append(alone && label % 10 == 5 ? "" : statement.replace("#", String.valueOf(label + s)) + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64, 96, 128, 256})
    void randomKernelsLeaveWhatThreadsByThemselvesLeave(int threads) {
        SplittableRandom random = new SplittableRandom(threads);
        int coarse = 0;
        for (int i = 0; i < 30; i++) {
            String text = random(random, threads);
            coarse += isCoarse(text, threads) ? 1 : 0;
            assertAgree(text, threads, 1, random.nextInt());
            if (threads % 4 == 0) {
                assertAgree(text, threads / 4, 4, random.nextInt());
            }
        }
        int found = coarse;
        Shapes.assertOfLongVectors(coarse > 10, found + " of 30 are coarse");
    }

    /** Threads that load what is not there: those whose number, with some bits flipped, is greater than one of the launch. */
    private static String failing(int flipped, int more) {
        return """
              xor.b32 %r10, %r9, FLIPPED;
              add.u32 %r10, %r10, MORE;
              setp.gt.u32 %p1, %r10, %r0;
              selp.b32 %r11, 0x40000000, 0, %p1;
              cvt.u64.u32 %d6, %r11;
              add.s64 %d6, %d6, %d3;
              ld.global.u32 %r13, [%d6];
              xor.b32 %r17, %r17, %r13;
            """.replace("FLIPPED", String.valueOf(flipped)).replace("MORE", String.valueOf(more));
    }

    /** Of those that fail in the first step that has any, the lowest is named; of which some lanes go on, but to nothing that counts. */
    @ParameterizedTest
    @ValueSource(ints = {0, 30, 100, 200, 254, 255, 256, 300, 490, 510})
    void aFaultNamesTheThreadOfTheBlock(int n) {
        for (int flipped : new int[] {0, 1, 31, 33, 255}) {
            String text = HEAD + failing(flipped, 0) + "st.shared.u32 [%r7], %r17;\nbar.sync 0;\nxor.b32 %r12, %r7, 132;\nld.shared.u32 %r17, [%r12];\n" + failing(flipped ^ 31, 20) + END;
            assertCoarse(text, 256);
            Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 256, 1, n, 1024, 512), text);
            Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, 256, 1, n, 1024, 512), text);
        }
    }

    @Test
    void sharedMemoryThatIsNotThereIsMissed() {
        String text = HEAD.replace(".shared .align 8 .b32 tile[4096];", "").replace(".visible .entry", ".extern .shared .align 8 .b32 tile[];\n.visible .entry") + """
              st.shared.u32 [%r7], %r18;
              bar.sync 0;
              xor.b32 %r10, %r7, 4;
              ld.shared.u32 %r17, [%r10];
            """ + END;
        assertCoarse(text, 256);
        for (int bytes : new int[] {1024, 1020, 512, 0}) {
            Shapes.assertAgree(engine -> outcome(engine, text, bytes), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }

    @Test
    void othersStayAsTheyAre() {
        String exchange = "st.shared.u32 [%r7], %r18;\nbar.sync 0;\nld.shared.u32 %r17, [%r7];\n";
        assertCoarse(HEAD + exchange + END, 256);
        assertEquals(false, isCoarse(HEAD + exchange + END, 255), "a part of a warp");
        assertEquals(false, isCoarse(HEAD + "and.b32 %r10, %r18, 60;\nadd.u32 %r7, %r7, %r10;\n" + exchange + END, 256), "a place that data decide");
        assertEquals(false, isCoarse(HEAD + "setp.gt.s32 %p1, %r18, 0;\n@%p1 bra END;\n" + exchange + END, 256), "threads that end by what data decide");
        assertEquals(false, isCoarse(HEAD + exchange.replace("bar.sync 0;", "bar.sync 0;\nL: add.u32 %r0, %r0, 1;\nbar.sync 0;\nsetp.ne.u32 %p1, %r0, 10;\n@%p1 bra L;") + END, 256), "unknown turns");
        assertEquals(false, isCoarse(HEAD + exchange.replace("ld.shared.u32 %r17, [%r7]", "atom.shared.add.u32 %r17, [%r7], 1") + END, 256), "atomics");
        assertEquals(false, isCoarse(HEAD + exchange.replace("[%r7];", "[%r7+8192];") + END, 256), "a word that nobody has stored");
        assertEquals(false, isCoarse(HEAD + exchange.replace("ld.shared.u32", "ld.shared.u16") + END, 256), "half a word");
    }

    private static boolean isCoarse(String text, int threads) {
        String listing = Shapes.listing(text, threads);
        return text.contains("bar.sync") && !listing.contains("region1");
    }

    private static void assertCoarse(String text, int threads) {
        Shapes.assertOfLongVectors(isCoarse(text, threads), threads + " threads\n" + text);
    }

    private static void assertAgree(String text, int columns, int rows, int n) {
        Shapes.assertAgree(engine -> run(engine, text, columns, rows, n, 1024, 1024), columns + " by " + rows + ", n = " + n + "\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
    }

    private static Object outcome(Engine engine, String text, int sharedBytes) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer in = device.copyOf(IntStream.range(0, 512).toArray());
            DeviceBuffer out = device.allocateInts(512);
            device.load("k.ptx", text).kernel("k").grid(2).block(256).shared(sharedBytes).launch(in, out, 7);
            return out.toInts();
        } catch (KernelException e) {
            return e.getMessage();
        }
    }

    /** @param words of input, and of output */
    private static int[] run(Engine engine, String text, int columns, int rows, int n, int words, int results) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer in = device.copyOf(IntStream.range(0, words).map(i -> Integer.reverse(i * 0x85EBCA77) >>> i % 32).toArray());
            DeviceBuffer out = device.allocateInts(results);
            device.load("k.ptx", text).kernel("k").grid(2).block(columns, rows).launch(in, out, n);
            return out.toInts();
        }
    }
}
