package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels whose lanes part, in the vector shape, the scalar shape and the interpreter: all must leave the same bytes. */
final class VectorShapeTest {
    private static final String HEAD = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k(.param .u32 n, .param .u64 out)
            {
              .reg .pred %p<20>;
              .reg .b32 %r<60>;
              .reg .f32 %f<20>;
              .reg .b64 %d<20>;
              .shared .align 4 .b32 tile[1024];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mad.lo.s32 %r4, %r2, %r3, %r1;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
            """;
    private static final String GUARD = "setp.ge.u32 %p0, %r4, %r0;\n@%p0 bra END;\n";
    private static final String END = "st.global.u32 [%d2], %r10;\nEND: ret;\n}\n";

    private static final String COLLATZ = HEAD + GUARD + """
              add.u32 %r11, %r4, 1;
              mov.u32 %r10, 0;
            LOOP:
              setp.eq.u32 %p1, %r11, 1;
              @%p1 bra DONE;
              and.b32 %r12, %r11, 1;
              setp.eq.u32 %p2, %r12, 0;
              @%p2 bra EVEN;
              mad.lo.u32 %r11, %r11, 3, 1;
              bra NEXT;
            EVEN:
              shr.u32 %r11, %r11, 1;
            NEXT:
              add.u32 %r10, %r10, 1;
              setp.lt.u32 %p3, %r10, 90;
              @%p3 bra LOOP;
            DONE:
            """ + END;

    /** Loops in loops, each with a number of turns of its own for each lane, left in the middle and begun anew early. */
    private static final String NESTED = HEAD + GUARD + """
              mov.u32 %r10, 7;
              and.b32 %r13, %r4, 7;
              mov.u32 %r11, 0;
            OUTER:
              setp.ge.u32 %p1, %r11, %r13;
              @%p1 bra DONE;
              add.u32 %r11, %r11, 1;
              mov.u32 %r12, 0;
              xor.b32 %r14, %r11, %r4;
            INNER:
              add.u32 %r12, %r12, 1;
              mad.lo.u32 %r10, %r10, 31, %r12;
              and.b32 %r15, %r10, 3;
              setp.eq.u32 %p2, %r15, 0;
              @%p2 bra OUTER;
              setp.eq.u32 %p3, %r15, 2;
              @%p3 bra SKIP;
              xor.b32 %r10, %r10, %r14;
              and.b32 %r16, %r10, 31;
              setp.eq.u32 %p4, %r16, 17;
              @%p4 bra DONE;
            SKIP:
              @!%p3 add.u32 %r10, %r10, 5;
              setp.lt.u32 %p5, %r12, %r14;
              @%p5 bra INNER;
              add.u32 %r10, %r10, %r12;
              bra OUTER;
            DONE:
              add.u32 %r10, %r10, %r11;
            """ + END;

    /** Early ends in the middle of a divergent loop, some of them behind a store. */
    private static final String EARLY_ENDS = HEAD + GUARD + """
              mov.u32 %r10, 1;
              mov.u32 %r11, 0;
              and.b32 %r13, %r4, 15;
            LOOP:
              setp.eq.u32 %p1, %r11, %r13;
              @%p1 bra AWAY;
              mad.lo.u32 %r10, %r10, 5, %r11;
              add.u32 %r11, %r11, 1;
              setp.gt.u32 %p2, %r10, 10000;
              @%p2 ret;
              bra LOOP;
            AWAY:
              setp.gt.u32 %p3, %r13, 5;
              @%p3 bra OTHER;
              st.global.u32 [%d2], %r11;
              ret;
            OTHER:
              neg.s32 %r10, %r10;
            """ + END;

    /** Lanes that begin the next turn early keep what the others change behind them. */
    private static final String CONTINUES = HEAD + GUARD + """
              mov.u32 %r10, 3;
              mov.u32 %r11, 0;
              mov.u32 %r17, 1;
              and.b32 %r13, %r4, 31;
            LOOP:
              setp.ge.u32 %p1, %r11, %r13;
              @%p1 bra DONE;
              mad.lo.u32 %r10, %r10, 7, %r17;
              add.u32 %r11, %r11, 1;
              xor.b32 %r15, %r10, %r4;
              and.b32 %r15, %r15, 1;
              setp.eq.u32 %p2, %r15, 0;
              @%p2 bra LOOP;
              mad.lo.u32 %r17, %r17, 3, %r11;
              bra LOOP;
            DONE:
            """ + END;

    /** A barrier inside a uniform loop, around it code for some threads only; values of all kinds live across. */
    private static final String BARRIERS = HEAD + """
              mov.u32 %r20, tile;
              shl.b32 %r21, %r1, 2;
              add.u32 %r22, %r20, %r21;
              st.shared.u32 [%r22], %r4;
              setp.lt.u32 %p6, %r1, 5;
              cvt.rn.f32.u32 %f1, %r1;
              bar.sync 0;
              shr.u32 %r23, %r3, 1;
              mov.u32 %r10, 0;
            LOOP:
              setp.ge.u32 %p1, %r1, %r23;
              @%p1 bra MEET;
              shl.b32 %r24, %r23, 2;
              add.u32 %r25, %r22, %r24;
              ld.shared.u32 %r26, [%r25];
              ld.shared.u32 %r27, [%r22];
              add.u32 %r27, %r27, %r26;
              st.shared.u32 [%r22], %r27;
              add.u32 %r10, %r10, %r27;
            MEET:
              bar.sync 0;
              shr.u32 %r23, %r23, 1;
              setp.ne.u32 %p2, %r23, 0;
              @%p2 bra LOOP;
              @%p6 add.u32 %r10, %r10, 1000;
              cvt.rzi.s32.f32 %r28, %f1;
              add.u32 %r10, %r10, %r28;
            """ + GUARD + END;

    /** Shuffles and votes, after the threads beyond n have ended or not. */
    private static final String WARPS = HEAD + """
              mov.u32 %r10, %r4;
              setp.lt.u32 %p1, %r4, 20;
              mov.b32 %r11, -1;
              activemask.b32 %r11;
              shfl.sync.bfly.b32 %r12, %r10, 3, 31, %r11;
              vote.sync.ballot.b32 %r13, %p1, %r11;
              mad.lo.u32 %r10, %r12, 17, %r13;
            """ + GUARD + """
              activemask.b32 %r14;
              add.u32 %r10, %r10, %r14;
            """ + END;

    /** Indexed branches: of lanes that differ, of indices that grow from lane to lane, of one index for all; some end the thread. */
    private static final String INDEXED = HEAD + GUARD + """
              mov.u32 %r10, 1;
              mov.u32 %r11, 0;
            TABLE: .branchtargets A, B, C, NEXT, AWAY;
            TWO: .branchtargets A, NEXT;
            LOOP:
              add.u32 %r11, %r11, 1;
              xor.b32 %r12, %r10, %r4;
              and.b32 %r12, %r12, 3;
              setp.gt.u32 %p1, %r10, 100000;
              selp.b32 %r12, 4, %r12, %p1;
              brx.idx %r12, TABLE;
            A:
              add.u32 %r10, %r10, 17;
              bra NEXT;
            B:
              mad.lo.u32 %r10, %r10, 3, %r4;
              and.b32 %r13, %r11, 1;
              brx.idx %r13, TWO;
            C:
              xor.b32 %r10, %r10, %r11;
              bra NEXT;
            NEXT:
              setp.lt.u32 %p2, %r11, 9;
              @%p2 bra LOOP;
              setp.ge.u32 %p3, %r1, 2;
              @%p3 bra DONE;
            LAST: .branchtargets DONE, AWAY;
              brx.idx %r1, LAST;
            AWAY:
              ret;
            DONE:
            """ + END;

    /** A loop that threads enter at three blocks and go through in several ways. */
    private static final String TANGLED = HEAD + GUARD + """
              mov.u32 %r10, 1;
              mov.u32 %r11, 0;
              and.b32 %r12, %r4, 3;
              setp.eq.u32 %p1, %r12, 1;
              setp.eq.u32 %p2, %r12, 2;
              @%p1 bra B;
              @%p2 bra C;
            A:
              add.u32 %r10, %r10, %r4;
              and.b32 %r13, %r10, 4;
              setp.eq.u32 %p3, %r13, 0;
              @%p3 bra C;
            B:
              mad.lo.u32 %r10, %r10, 5, %r11;
              add.u32 %r11, %r11, 1;
              setp.gt.u32 %p4, %r11, 12;
              @%p4 bra DONE;
              and.b32 %r13, %r10, 8;
              setp.eq.u32 %p5, %r13, 0;
              @%p5 bra A;
            C:
              xor.b32 %r10, %r10, 0x155;
              add.u32 %r11, %r11, 1;
              and.b32 %r13, %r10, 16;
              setp.eq.u32 %p6, %r13, 0;
              setp.gt.u32 %p7, %r11, 20;
              @%p7 bra DONE;
              @%p6 bra B;
              bra A;
            DONE:
              mad.lo.u32 %r10, %r11, 1000, %r10;
            """ + END;

    /** A long loop, and behind it at once what only its end computes: lanes that have left wait there with that while others go round. */
    private static final String LATE = HEAD + GUARD + """
              mov.u32 %r10, 1;
              mov.u32 %r11, 0;
              and.b32 %r16, %r4, 7;
            LOOP:
              add.u32 %r10, %r10, %r4;
              mad.lo.u32 %r12, %r10, 3, %r11;
              xor.b32 %r10, %r10, %r12;
              mad.lo.u32 %r13, %r10, 5, %r11;
              xor.b32 %r10, %r10, %r13;
              mad.lo.u32 %r14, %r10, 7, %r11;
              xor.b32 %r10, %r10, %r14;
              mad.lo.u32 %r15, %r10, 9, %r11;
              xor.b32 %r10, %r10, %r15;
              mad.lo.u32 %r12, %r10, 11, %r11;
              xor.b32 %r10, %r10, %r12;
              mad.lo.u32 %r13, %r10, 13, %r11;
              xor.b32 %r10, %r10, %r13;
              mad.lo.u32 %r14, %r10, 15, %r11;
              xor.b32 %r10, %r10, %r14;
              mad.lo.u32 %r15, %r10, 17, %r11;
              xor.b32 %r10, %r10, %r15;
              mad.lo.u32 %r12, %r10, 19, %r11;
              xor.b32 %r10, %r10, %r12;
              mad.lo.u32 %r13, %r10, 21, %r11;
              xor.b32 %r10, %r10, %r13;
              and.b32 %r17, %r10, 1;
              setp.eq.u32 %p1, %r17, 0;
              add.u32 %r11, %r11, 1;
              setp.lt.u32 %p2, %r11, %r16;
              @%p2 bra LOOP;
              selp.b32 %r10, 100, 200, %p1;
            """ + END;

    private static final List<String> ALL = List.of(TANGLED, INDEXED, COLLATZ, NESTED, EARLY_ENDS, CONTINUES, BARRIERS, WARPS, LATE);

    private static Engine vector() {
        return new Jit(Jit.Shape.VECTOR);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 64, 100, 257, 1000})
    void lanesThatPartLeaveWhatThreadsByThemselvesLeave(int threads) {
        for (String text : ALL) {
            for (int n : new int[] {0, 1, threads - 1, 2 * threads - 3, 1 << 20}) {
                int[] expected = run(new Interpreter(), text, threads, n);
                assertArrayEquals(expected, run(new Jit(Jit.Shape.SCALAR), text, threads, n), "scalar shape, n = " + n + "\n" + text);
                assertArrayEquals(expected, run(vector(), text, threads, n), "vector shape, n = " + n + "\n" + text);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"31, 300", "64, 300", "100, 300", "257, 300", "64, 700", "100, 1000", "64, 1500", "33, 2200"})
    void aRegionInPiecesLeavesTheSame(int threads, int bytecodes) {
        System.setProperty("ptx4j.jit.vector.piece", String.valueOf(bytecodes));
        try {
            for (String text : ALL) {
                for (int n : new int[] {0, threads - 1, 2 * threads - 3, 1 << 20}) {
                    assertArrayEquals(run(new Interpreter(), text, threads, n), run(vector(), text, threads, n), "n = " + n + "\n" + text);
                }
            }
        } finally {
            System.clearProperty("ptx4j.jit.vector.piece");
        }
    }

    @Test
    void allOfTheseKernelsHaveTheVectorShape() {
        for (String text : ALL) {
            Module module = Checker.check(new SourceFile("k.ptx", text)).module();
            assertEquals(Optional.empty(), new Jit().notVectorizable(new Program(module, new long[module.variableCount()], 0),
                    module.kernels().get("k"), new BlockShape(96, 1, 1)), text);
        }
    }

    /** Indices just below the wrap-around: the neighbouring lane's address lies far away. */
    @ParameterizedTest
    @CsvSource({"u32, -1", "u32, -20", "s32, -20", "s32, 2147483640", "u32, 2147483640"})
    void anIndexThatWrapsAroundReachesTheSameElements(String type, int first) {
        String text = HEAD + """
                  and.b32 %%r30, %%r1, 3;
                  add.u32 %%r31, %%r1, %d;
                  cvt.%s.%s %%d3, %%r31;
                  mul.wide.%s %%d5, %%r31, 4;
                  mov.u64 %%d6, %d;
                  sub.s64 %%d5, %%d5, %%d6;
                  mov.u64 %%d7, 400;
                  rem.u64 %%d7, %%d5, %%d7;
                  and.b64 %%d7, %%d7, -4;
                  ld.global.u32 %%r10, [%%d0];
                  xor.b64 %%d8, %%d3, %%d7;
                  cvt.u32.u64 %%r11, %%d8;
                  shr.u64 %%d8, %%d8, 32;
                  cvt.u32.u64 %%r12, %%d8;
                  mad.lo.u32 %%r10, %%r11, 3, %%r12;
                """.formatted(first, type.replace("32", "64"), type, type, 4L * first) + END;
        assertArrayEquals(run(new Interpreter(), text, 64, 0), run(vector(), text, 64, 0));
    }

    /** The same for an access itself: thread 16's element does not follow thread 15's, it lies far outside. */
    @Test
    void neighboursOfAWrappedIndexAreNotNeighboursInMemory() {
        String text = HEAD + """
                  add.u32 %r31, %r1, -16;
                  mul.wide.u32 %d5, %r31, 4;
                  add.s64 %d6, %d0, %d5;
                  sub.s64 %d7, %d6, 0x3FFFFFFC0;
                  ld.global.u32 %r10, [%d7];
                """ + END;
        KernelException expected = assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.SCALAR), text, 64, 0));
        KernelException found = assertThrows(KernelException.class, () -> run(vector(), text, 64, 0));
        assertEquals(expected.getMessage(), found.getMessage());
        assertTrue(found.getMessage().contains("thread (16,"), found.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0, 40", "0, 41", "12, 33", "4, 0"})
    void aFaultNamesTheFirstThreadThatFails(long misplacement, int bad) {
        String text = HEAD + """
                  setp.ge.u32 %%p1, %%r1, %d;
                  mov.u64 %%d5, 0x100000000000;
                  selp.b64 %%d5, %%d5, 0, %%p1;
                  add.s64 %%d2, %%d2, %%d5;
                  ld.global.u32 %%r10, [%%d2+%d];
                """.formatted(bad, misplacement) + END;
        KernelException expected = assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.SCALAR), text, 64, 0));
        KernelException found = assertThrows(KernelException.class, () -> run(vector(), text, 64, 0));
        assertEquals(expected.getMessage(), found.getMessage());
        assertTrue(found.getMessage().contains("thread (" + bad + ","), found.getMessage());
    }

    @Test
    void aContiguousAccessThatRunsOverTheEndFailsAtTheFirstThreadBeyond() {
        String text = HEAD + "ld.global.u32 %r10, [%d2+1048064];\n" + END;
        KernelException expected = assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.SCALAR), text, 256, 0));
        KernelException found = assertThrows(KernelException.class, () -> run(vector(), text, 256, 0));
        assertEquals(expected.getMessage(), found.getMessage());
    }

    @Test
    void anIndexWithoutATargetFailsAsInTheScalarShape() {
        String text = HEAD + """
                TABLE: .branchtargets DONE, DONE, DONE;
                  shr.u32 %r10, %r1, 3;
                  brx.idx %r10, TABLE;
                DONE:
                """ + END;
        KernelException expected = assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.SCALAR), text, 64, 0));
        KernelException found = assertThrows(KernelException.class, () -> run(vector(), text, 64, 0));
        assertEquals(expected.getMessage(), found.getMessage());
        assertTrue(found.getMessage().contains("thread (24,"), found.getMessage());
    }

    /** Two warps that a barrier tells apart make no group of 64 lanes, but two of 32. */
    @Test
    void aBarrierOfOneWarpIsMetInVectorCode() {
        String text = HEAD + """
                  mov.u32 %r10, 5;
                  setp.ge.u32 %p1, %r1, 32;
                  @%p1 bra DONE;
                  mov.u32 %r11, tile;
                  shl.b32 %r12, %r1, 2;
                  add.u32 %r12, %r12, %r11;
                  st.shared.u32 [%r12], %r4;
                  barrier.sync 1, 32;
                  ld.shared.u32 %r10, [%r11+124];
                DONE:
                """ + END;
        Module module = Checker.check(new SourceFile("k.ptx", text)).module();
        assertEquals(Optional.empty(), new Jit().notVectorizable(new Program(module, new long[module.variableCount()], 0), module.kernels().get("k"),
                new BlockShape(128, 1, 1)));
        assertArrayEquals(run(new Interpreter(), text, 128, 0), run(vector(), text, 128, 0));
    }

    /** Takes seconds, as long as HotSpot takes to compile vector code. */
    @Test
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    void aKernelThatRunsHotGoesOverToTheVectorShape() {
        try (Device device = Device.builder().engine(new Jit(Jit.Shape.AUTO)).workers(1).memory(16 << 20).open()) {
            PtxModule module = device.load(Checker.check(new SourceFile("k.ptx", COLLATZ)).module());
            DeviceBuffer out = device.allocateInts(1 << 20);
            long end = System.nanoTime() + 120_000_000_000L;
            String shape = "scalar";
            while (shape.equals("scalar") && System.nanoTime() < end) {
                shape = module.kernel("k").grid(4096).block(256).launch(1 << 20, out).shape();
            }
            assertEquals("vector", shape);
            int[] found = out.toInts();
            for (int i = 0; i < 3000; i++) {
                assertEquals(collatzSteps(i + 1), found[i], "thread " + i);
            }
        }
    }

    private static int collatzSteps(int start) {
        int steps = 0;
        for (int at = start; at != 1 && steps < 90; steps++) {
            at = at % 2 == 0 ? at / 2 : 3 * at + 1;
        }
        return steps;
    }

    private static int[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(16 << 20).open()) {
            PtxModule module = device.load(Checker.check(new SourceFile("k.ptx", text)).module());
            DeviceBuffer out = device.allocateInts(3L * threads + 100);
            module.kernel("k").grid(3).block(threads).launch(n, out);
            return out.toInts();
        }
    }
}
