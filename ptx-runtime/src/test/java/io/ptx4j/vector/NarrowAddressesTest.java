package io.ptx4j.vector;

import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared memory by addresses of 64 bits, as LLVM computes them: all engines leave the same words, and what is not there fails in the same thread at the same address. */
final class NarrowAddressesTest {
    private static final String HEAD = Shapes.head(".param .u64 out") + """
              .shared .align 16 .b8 first[64];
              .shared .align 16 .b8 tile[1024];
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mul.wide.u32 %d1, %r1, 8;
              add.s64 %d1, %d0, %d1;
              ld.global.u32 %r2, [%d1];
              mov.u32 %r12, 0;
              mov.u64 %d2, tile;
              mul.wide.u32 %d3, %r1, 4;
              add.s64 %d4, %d2, %d3;
              st.shared.b32 [%d4], %r2;
              st.shared.b32 [first], %r1;
              bar.sync 0;
            """;
    private static final String END = """
            SAVE:
              bar.sync 0;
              ld.shared.u32 %r13, [%d4];
              st.global.u32 [%d1], %r12;
              st.global.u32 [%d1+4], %r13;
            END: ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"and.b32 %r3, %r2, 31;\nmul.wide.u32 %d5, %r3, 4;\nadd.s64 %d6, %d2, %d5;\nld.shared.u32 %r12, [%d6];\n",
        // What leads to shared memory leads to global memory too.
        "xor.b32 %r3, %r1, 5;\nmul.wide.u32 %d5, %r3, 4;\nadd.s64 %d6, %d2, %d5;\nld.shared.u32 %r12, [%d6];\nshl.b64 %d7, %d5, 1;\nadd.s64 %d7, %d7, %d0;\nld.global.u32 %r4, [%d7];\nadd.u32 %r12, %r12, %r4;\n",
        "shr.u32 %r3, %r1, 3;\nmul.wide.u32 %d5, %r3, 32;\nand.b64 %d6, %d3, 28;\nor.b64 %d7, %d5, %d6;\nxor.b64 %d7, %d7, 4;\nadd.s64 %d8, %d2, %d7;\nld.shared.u32 %r12, [%d8];\n",
        "sub.s32 %r3, 31, %r1;\nand.b32 %r3, %r3, 31;\nmad.wide.s32 %d5, %r3, 4, %d2;\nld.shared.u32 %r12, [%d5];\nld.shared.u32 %r4, [%d5+-4];\nadd.u32 %r12, %r12, %r4;\n",
        // Each thread's address goes on from turn to turn.
        "mov.u32 %r5, 0;\nmov.b64 %d5, %d4;\nLOOP:\nld.shared.u32 %r4, [%d5];\nmad.lo.u32 %r12, %r12, 31, %r4;\nadd.s64 %d5, %d5, 4;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 6;\n@%p1 bra LOOP;\n",
        "mov.u32 %r5, 0;\nLOOP:\nadd.u32 %r6, %r5, %r1;\nand.b32 %r6, %r6, 31;\ncvt.u64.u32 %d5, %r6;\nshl.b64 %d5, %d5, 2;\nadd.s64 %d5, %d5, %d2;\nld.shared.u32 %r4, [%d5];\nmad.lo.u32 %r12, %r12, 31, %r4;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 6;\n@%p1 bra LOOP;\n",
        "setp.lt.u32 %p1, %r2, 100000;\nadd.s64 %d5, %d2, 64;\n@%p1 add.s64 %d5, %d2, 4;\nld.shared.u32 %r12, [%d5];\n",
        "ld.global.b8 %r3, [%d1];\nmul.wide.u32 %d5, %r3, 4;\nadd.s64 %d6, %d2, %d5;\natom.shared.add.u32 %r4, [%d6], 3;\nred.shared.max.u32 [%d6+-4], %r1;\n",
        "ld.global.b8 %d9, [%d1];\nand.b64 %d9, %d9, 7;\nmad.lo.s64 %d6, %d9, 4, %d2;\nld.shared.u32 %r12, [%d6];\n",
        "and.b32 %r3, %r1, 15;\nmul.wide.u32 %d5, %r3, 8;\nadd.s64 %d6, %d2, %d5;\nld.shared.v2.u32 {%r12, %r4}, [%d6];\nadd.u32 %r12, %r12, %r4;\nld.shared.b64 %d7, [%d6];\ncvt.u32.u64 %r5, %d7;\nadd.u32 %r12, %r12, %r5;\n",
        "mov.u64 %d5, first;\nadd.s64 %d6, %d5, %d3;\nld.shared.u32 %r12, [%d6+64];\nld.shared.volatile.u32 %r4, [%d6+68];\nadd.u32 %r12, %r12, %r4;\n"})
    void addressesOfSharedMemory(String body) {
        String text = HEAD + body.replace("ld.shared.volatile", "ld.volatile.shared") + END;
        for (int threads : new int[] {32, 64, 96, 40}) {
            Shapes.assertAgree(engine -> Shapes.pairs(engine, text, threads), text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mul.wide.u32 %d5, %r1, 32;\nadd.s64 %d6, %d2, %d5;\nld.shared.u32 %r12, [%d6];\n", "mul.wide.u32 %d5, %r1, 4;\nsub.s64 %d6, %d2, %d5;\nst.shared.u32 [%d6], %r1;\n",
        "add.s64 %d5, %d3, 4294967296;\nadd.s64 %d6, %d2, %d5;\nld.shared.u32 %r12, [%d6];\n", "mul.wide.u32 %d6, %r1, 4;\nld.shared.u32 %r12, [%d6+-12];\n",
        "mul.wide.u32 %d5, %r1, 2;\nadd.s64 %d6, %d2, %d5;\nld.shared.u32 %r12, [%d6];\n", "mul.wide.u32 %d5, %r2, 4;\nadd.s64 %d6, %d2, %d5;\nst.shared.u32 [%d6], %r1;\n"})
    void whatIsNotThereFailsInTheSameThread(String body) {
        String text = HEAD + body + END;
        Shapes.assertFailsLike(new Interpreter(), engine -> Shapes.pairs(engine, text, 64), body);
        Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> Shapes.pairs(engine, text, 64), body);
    }
}
