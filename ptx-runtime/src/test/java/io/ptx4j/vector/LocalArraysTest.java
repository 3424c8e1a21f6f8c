package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Program;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of local memory at an index of each thread: all engines leave the same words, and no access needs code for one lane. */
@Tag("widths")
@Tag("thorough")
final class LocalArraysTest {
    /** {@code %d2} begins an array of 16 words, which differ from thread to thread; {@code %r2} is the thread's hash, {@code %r3} four bits of it. */
    private static final String HEAD = Shapes.head(".param .u64 out") + """
              .local .align 16 .b8 depot[80];
              .reg .b64 %SPL;
              mov.u64 %SPL, depot;
              add.u64 %d2, %SPL, 16;
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mul.wide.u32 %d1, %r1, 8;
              add.s64 %d1, %d0, %d1;
              ld.global.u32 %r2, [%d1];
              and.b32 %r3, %r2, 15;
              mov.u32 %r10, 0;
              st.local.u32 [depot+12], %r2;
            FILL:
              mul.wide.u32 %d5, %r10, 4;
              add.s64 %d6, %d2, %d5;
              mad.lo.u32 %r11, %r2, 0x9E3779B1, %r10;
              st.local.u32 [%d6], %r11;
              add.u32 %r10, %r10, 1;
              setp.lt.u32 %p1, %r10, 16;
              @%p1 bra FILL;
              mov.u32 %r12, 0;
            """;
    private static final String END = """
            SAVE:
              mov.u32 %r30, 0;
            SUM:
              mul.wide.u32 %d5, %r30, 4;
              add.s64 %d6, %d2, %d5;
              ld.local.u32 %r11, [%d6];
              mad.lo.u32 %r12, %r12, 31, %r11;
              add.u32 %r30, %r30, 1;
              setp.lt.u32 %p1, %r30, 16;
              @%p1 bra SUM;
              st.global.u32 [%d1], %r12;
              st.global.u32 [%d1+4], %r13;
            END: ret;
            }
            """;
    /** An element's address in {@code %d7}: of an index with few bits, of any index, of no index at all. */
    private static final List<String> PLACES = List.of("mul.wide.u32 %d6, %r3, 4;\nadd.s64 %d7, %d2, %d6;\n",
            "rem.u32 %r14, %r2, 16;\nmul.wide.s32 %d6, %r14, 4;\nadd.s64 %d7, %d6, %d2;\n",
            "not.b32 %r14, %r3;\nmad.wide.s32 %d7, %r14, 4, %d2;\nadd.s64 %d7, %d7, 64;\n",
            "cvt.u64.u32 %d6, %r2;\nshl.b64 %d6, %d6, 7;\nshr.u64 %d6, %d6, 37;\nand.b64 %d6, %d6, 60;\nadd.s64 %d7, %d6, %d2;\n",
            "mul.lo.u32 %r14, %r3, 12;\nand.b32 %r14, %r14, 60;\ncvt.u64.u32 %d6, %r14;\nadd.s64 %d7, %d6, %d2;\n");

    @ParameterizedTest
    @ValueSource(strings = {"ld.local.u32 %r13, [%d7];",
        "ld.local.u32 %r13, [%d7];\nadd.u32 %r13, %r13, 1;\nst.local.u32 [%d7], %r13;",
        // Of the words after it, which the index of the last one is not known to have.
        "ld.local.u32 %r13, [%d7+-4];\nst.local.u32 [%d7+-4], %r3;\nst.local.u32 [%d7], %r2;",
        // The index changes between two accesses.
        "ld.local.u32 %r13, [%d7];\nxor.b32 %r3, %r3, 5;\nmul.wide.u32 %d6, %r3, 4;\nadd.s64 %d8, %d2, %d6;\nst.local.u32 [%d8], %r13;\nst.local.u32 [%d7], %r1;",
        "ld.local.b32 %d9, [%d7];\ncvt.u32.u64 %r13, %d9;\nst.local.b32 [%d7], %d9;",
        "ld.local.f32 %f1, [%d7];\nneg.f32 %f1, %f1;\nst.local.f32 [%d7], %f1;\nmov.b32 %r13, %f1;",
        "ld.local.u8 %r13, [%d7+1];\nst.local.u8 [%d7+2], %r13;", "ld.local.s8 %r13, [%d7+3];\nst.local.u8 [%d7], %r2;",
        "ld.local.s16 %r13, [%d7+2];\nst.local.u16 [%d7], %r13;", "ld.local.u16 %h1, [%d7];\nmul.lo.u16 %h1, %h1, 3;\nst.local.u16 [%d7+2], %h1;\ncvt.u32.u16 %r13, %h1;",
        "ld.local.u8 %r13, [%d2+5];\nld.local.s16 %r14, [%d2+10];\nadd.u32 %r13, %r13, %r14;\nst.local.u8 [%d2+7], %r13;\nst.local.u16 [depot+22], %r13;",
        "st.local.u32 [%d7], 77;\nst.local.u8 [%d7+1], 5;\nld.local.u32 %r13, [%d7];",
        "ld.local.v2.u32 {%r13, %r14}, [depot+24];\nst.local.v4.u32 [depot+32], {%r14, %r1, %r13, 7};\nst.local.u32 [%d7], %r14;",
        // Some lanes, by a guard and by a branch.
        "setp.gt.u32 %p2, %r3, 7;\n@%p2 ld.local.u32 %r13, [%d7];\n@!%p2 st.local.u32 [%d7], %r1;\n@%p2 st.local.u8 [%d7+3], %r1;",
        "setp.eq.u32 %p2, %r3, 3;\n@%p2 bra SAVE;\nld.local.u32 %r13, [%d7];\nadd.u32 %r13, %r13, %r1;\nst.local.u32 [%d7], %r13;\nst.local.u32 [depot+20], %r1;\nst.local.u16 [depot+26], %r1;"})
    void elementsOfEachThreadsIndex(String body) {
        for (String place : PLACES) {
            String text = HEAD + place + body + "\n" + END;
            for (int threads : new int[] {32, 64, 96, 40}) {
                Shapes.assertAgree(engine -> Shapes.pairs(engine, text, threads), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
            }
            assertEquals(List.of(), laneByLane(text), text);
        }
    }

    /** A histogram of each thread, and a sort by insertion: many accesses, of which each needs what the one before left. */
    @ParameterizedTest
    @ValueSource(strings = {"""
              mov.u32 %r20, 0;
            LOOP:
              and.b32 %r21, %r2, 15;
              mul.wide.u32 %d6, %r21, 4;
              add.s64 %d7, %d2, %d6;
              ld.local.u32 %r22, [%d7];
              add.u32 %r22, %r22, 1;
              st.local.u32 [%d7], %r22;
              bfe.u32 %r21, %r2, 9, 4;
              mul.wide.u32 %d6, %r21, 4;
              add.s64 %d7, %d2, %d6;
              ld.local.u32 %r22, [%d7];
              shl.b32 %r22, %r22, 1;
              st.local.u32 [%d7], %r22;
              mad.lo.u32 %r2, %r2, 1664525, 1013904223;
              add.u32 %r20, %r20, 1;
              setp.lt.u32 %p2, %r20, 40;
              @%p2 bra LOOP;
            """, """
              mov.u32 %r20, 1;
            OUTER:
              mul.wide.u32 %d6, %r20, 4;
              add.s64 %d7, %d2, %d6;
              ld.local.u32 %r22, [%d7];
              mov.u32 %r21, %r20;
            INNER:
              mul.wide.u32 %d6, %r21, 4;
              add.s64 %d7, %d2, %d6;
              ld.local.u32 %r23, [%d7+-4];
              setp.le.u32 %p2, %r23, %r22;
              @%p2 bra FOUND;
              st.local.u32 [%d7], %r23;
              add.u32 %r21, %r21, -1;
              setp.ne.u32 %p2, %r21, 0;
              @%p2 bra INNER;
            FOUND:
              mul.wide.u32 %d6, %r21, 4;
              add.s64 %d7, %d2, %d6;
              st.local.u32 [%d7], %r22;
              add.u32 %r20, %r20, 1;
              setp.lt.u32 %p2, %r20, 16;
              @%p2 bra OUTER;
            """})
    void manyAccesses(String body) {
        for (int threads : new int[] {32, 64, 96, 40}) {
            Shapes.assertAgree(engine -> Shapes.pairs(engine, HEAD + body + END, threads), body, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mul.wide.u32 %d6, %r1, 4;\nadd.s64 %d7, %d2, %d6;\nld.local.u32 %r13, [%d7];", "mul.wide.u32 %d6, %r1, 4;\nadd.s64 %d7, %d2, %d6;\nst.local.u32 [%d7], %r2;",
        "mul.wide.s32 %d6, %r1, -4;\nadd.s64 %d7, %d2, %d6;\nst.local.u8 [%d7], %r2;", "mul.wide.u32 %d6, %r3, 2;\nadd.s64 %d7, %d2, %d6;\nld.local.u32 %r13, [%d7];",
        "mul.wide.u32 %d6, %r3, 3;\nadd.s64 %d7, %d2, %d6;\nst.local.u16 [%d7], %r1;", "mul.wide.u32 %d6, %r2, 4;\nadd.s64 %d7, %d2, %d6;\nld.local.s8 %r13, [%d7];",
        "setp.gt.u32 %p2, %r1, 40;\nmul.wide.u32 %d6, %r2, 4;\nadd.s64 %d7, %d2, %d6;\n@%p2 st.local.u32 [%d7], %r1;", "mul.wide.u32 %d6, %r3, 8;\nadd.s64 %d7, %d2, %d6;\nld.local.u32 %r13, [%d7];",
        "ld.local.u16 %r13, [%d2+64];", "st.local.u8 [depot+80], %r1;", "ld.local.u32 %r13, [%d2+-18];"})
    void whatIsNotThereFailsInTheSameThread(String body) {
        String text = HEAD + body + "\n" + END;
        String failure = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> Shapes.pairs(engine, text, 64), body);
        assertTrue(failure.contains("thread ("), failure);
    }

    private static List<?> laneByLane(String text) {
        Module module = Checker.check(new SourceFile("k.ptx", text)).module();
        return new Jit(Jit.Shape.VECTOR).laneByLane(new Program(module, new long[module.variableCount()], 0), module.kernels().get("k"), new BlockShape(64, 1, 1)).orElseThrow();
    }
}
