package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Matrix instructions for which no thread stops, in the vector shape: their registers lie in the frame, and whatever else reads or writes those, in one method or in pieces, for lanes that
 * have parted and across barriers, must find and leave there what the interpreter does.
 */
@Tag("thorough")
final class MatrixRegistersTest {
    /** {@code %r10} to {@code %r13} are A, {@code %r14} and {@code %r15} B, {@code %f20} to {@code %f23} the sums, {@code %r20} to {@code %r23} those of integers. */
    private static final String HEAD = Shapes.head(".param .u32 n, .param .u64 out") + """
              .shared .align 16 .b8 tile[8192];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              cvta.to.global.u64 %d0, %d0;
              mul.wide.u32 %d1, %r4, 32;
              add.s64 %d2, %d0, %d1;
              shl.b32 %r5, %r1, 4;
              mov.u32 %r6, tile;
              add.u32 %r7, %r6, %r5;
              mad.lo.u32 %r8, %r4, 0x9e3779b1, %r0;
              and.b32 %r10, %r8, 0x3c003c00;
              xor.b32 %r11, %r8, 0x12345678;
              and.b32 %r11, %r11, 0x3dff3dff;
              shr.u32 %r12, %r8, 9;
              and.b32 %r12, %r12, 0x3bff83ff;
              and.b32 %r13, %r8, 0x3cffbcff;
              mov.b32 %r32, 0x3c00bc00;
              and.b32 %r33, %r1, 0x3c03;
              mad.lo.u32 %r14, %r8, 77, 5;
              and.b32 %r14, %r14, 0xbcffbcff;
              mov.b32 %r15, %r10;
              cvt.rn.f32.u32 %f20, %r1;
              mov.f32 %f21, 0f00000000;
              mov.f32 %f22, 0f3f800000;
              neg.f32 %f23, %f20;
              mov.u32 %r20, %r1;
              mov.u32 %r21, 0;
              mov.u32 %r22, -5;
              add.u32 %r23, %r1, %r0;
              mov.u32 %r30, 0;
              st.shared.v4.b32 [%r7], {%r10, %r11, %r12, %r14};
              setp.gt.u32 %p1, %r12, 0x10000000;
              setp.lt.u32 %p2, %r1, 13;
              bar.sync 0;
            """;
    private static final String END = """
              st.global.f32 [%d2], %f20;
              st.global.f32 [%d2+4], %f21;
              st.global.f32 [%d2+8], %f22;
              st.global.f32 [%d2+12], %f23;
              xor.b32 %r20, %r20, %r10;
              xor.b32 %r21, %r21, %r11;
              xor.b32 %r22, %r22, %r14;
              xor.b32 %r23, %r23, %r12;
              st.global.b32 [%d2+16], %r20;
              st.global.b32 [%d2+20], %r21;
              st.global.b32 [%d2+24], %r22;
              st.global.b32 [%d2+28], %r23;
              ret;
            }
            """;
    private static final String MMA = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f20, %f21, %f22, %f23}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%f20, %f21, %f22, %f23};";
    /** What is done with the registers in between. Branches come together again before the next one. */
    private static final String[] STATEMENTS = {MMA, MMA.replace("{%f20, %f21, %f22, %f23};", "{%f23, %f22, %f20, %f21};"), MMA.replace("%r13", "%r32"), MMA.replace("%r12, %r13", "%r33, %r1").replace("%r15", "%r32"),
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f20, %f21, %f22, %f23}, {%r10, %r12}, {%r14}, {%f20, %f21, %f22, %f23};",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f22, %f23, %f20, %f21}, {%r10, %r12, %r11, %r13}, {%r14, %r15}, {%f20, %f21, %f22, %f23};",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r10, %r14}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r14, %r10};",
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%r20, %r21, %r22, %r23}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r21, %r20, %r23, %r22};",
        "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%r23, %r22, %r21, %r20}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r20, %r20, %r22, %r23};",
        "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r20, %r21, %r22, %r23}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r20, %r21, %r22, %r23};",
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f20, %f21, %f22, %f23}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%f20, %f21, %f22, %f23};",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r20, %r21}, {%r10}, {%r14}, {%r20, %r21};",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r7];", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r14, %r15}, [%r7];",
        "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r14}, [%r7+16];", "mov.u32 %r14, %r7;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r14}, [%r14];",
        "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r7], {%r12, %r10};\nbar.warp.sync -1;", "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;",
        "add.f32 %f20, %f20, %f21;", "@%p1 mul.f32 %f22, %f22, 0f3f000000;", "selp.f32 %f21, %f22, %f23, %p1;", "@%p1 bra A#;\nadd.u32 %r20, %r20, 7;\nadd.f32 %f23, %f23, %f22;\nbra B#;\nA#: mov.b32 %f23, %r20;\nmin.f32 %f23, %f23, 0f42000000;\nB#:",
        "sqrt.rn.f32 %f21, %f20;", "sin.approx.f32 %f22, %f21;", "prmt.b32 %r10, %r10, %r14, %r8;", "vabsdiff4.u32.u32.u32 %r11, %r11, %r12, %r10;", "cvt.rn.f16x2.f32 %r10, %f20, %f21;",
        "shfl.sync.bfly.b32 %r11, %r10, 3, 31, -1;", "shfl.sync.idx.b32 %r12, %r14, %r11, 31, -1;", "redux.sync.add.s32 %r13, %r20, -1;", "bar.sync 0;", "bar.sync 0;\nst.shared.b32 [%r7+8], %r10;\nbar.sync 0;",
        "ld.shared.b32 %r12, [%r7+4];", "setp.lt.f32 %p1, %f20, %f22;", "setp.gt.s32 %p1, %r20, %r22;", "mov.u32 %r31, 0;\nL#: add.u32 %r31, %r31, 1;\nadd.f32 %f20, %f20, 0f3f800000;\nadd.u32 %r21, %r21, %r31;\nsetp.lt.u32 %p3, %r31, 5;\n@%p3 bra L#;",
        "and.b32 %r31, %r12, 7;\nL#: add.s32 %r31, %r31, -1;\nadd.u32 %r22, %r22, %r31;\nfma.rn.f32 %f22, %f22, 0f3f000000, 0f3f800000;\nsetp.gt.s32 %p3, %r31, 0;\n@%p3 bra L#;", "fma.rn.f16x2 %r10, %r10, %r14, %r12;", "and.b32 %r10, %r10, 0x3fff3fff;", "and.b32 %r14, %r14, 0xbcffbcff;",
        "@%p2 st.global.b32 [%d2], %r20;", "mad.lo.cc.u32 %r20, %r20, %r21, %r22;\naddc.u32 %r21, %r21, 0;", "mov.f32 %f21, 0f00000000;", "mov.b64 %d5, {%r20, %r21};\nadd.u64 %d5, %d5, 99;\nmov.b64 {%r22, %r23}, %d5;",
        "cvt.u64.u32 %d7, %r7;\ncvta.shared.u64 %d6, %d7;\nldmatrix.sync.aligned.m8n8.x1.b16 {%r12}, [%d6];"};

    private static String random(SplittableRandom random, int statements) {
        StringBuilder text = new StringBuilder(HEAD);
        boolean loop = random.nextInt(3) == 0;
        if (loop) {
            text.append("AGAIN:\n");
        }
        for (int i = 0; i < statements; i++) {
            String statement = random.nextInt(3) == 0 ? STATEMENTS[random.nextInt(18)] : STATEMENTS[random.nextInt(STATEMENTS.length)];
            text.append(statement.replace("#", String.valueOf(i))).append('\n');
        }
        if (loop) {
            text.append("add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p4, %r30, 3;\n@%p4 bra AGAIN;\n");
        }
        return text.append(END).toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64, 96, 256})
    void registersAreThoseOfTheInterpreter(int threads) {
        SplittableRandom random = new SplittableRandom(threads);
        for (int i = 0; i < 50; i++) {
            String text = random(random, 4 + random.nextInt(14));
            assertAgree(text, threads);
            if (i % 5 == 0) {
                Shapes.inPieces(900, () -> assertAgree(text, threads));
            }
        }
    }

    @Test
    void aLoopOfManyProductsIsInOnePiece() {
        String text = HEAD + "AGAIN:\n" + (MMA + "\n").repeat(24) + "add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p4, %r30, 3;\n@%p4 bra AGAIN;\n" + END;
        String listing = Shapes.listing(text, 64);
        assertEquals(false, listing.contains("region2("), "no thread stops");
        assertTrue(Stream.of(listing.split("public static ")).anyMatch(method -> method.split("MatrixLanes.execute").length == 25), "one method has all 24");
        assertAgree(text, 64);
    }

    /** Of f64 each thread stops, with registers of its own that no other matrix instruction has: the slots of the others are not those that were thought of first. */
    @Test
    void instructionsAtWhichThreadsStopLeaveTheOthersAlone() {
        String text = HEAD + """
                  mov.u32 %r35, 8;
                  st.shared.b32 [%r7+12], %r35;
                  ld.shared.b32 %r8, [%r7+12];
                  mov.u64 %d8, %d2;
                  cvt.u64.u32 %d9, %r4;
                  mul.lo.u64 %d9, %d9, 32;
                  sub.u64 %d8, %d8, %d9;
                  wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%g1}, [%d8], %r8;
                  cvt.rn.f32.f64 %f30, %g1;
                  mov.f64 %g2, 0d3FF0000000000000;
                  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g3, %g4}, {%g2}, {%g2}, {%g2, %g2};
                  cvt.rn.f32.f64 %f31, %g4;
                  add.f32 %f20, %f31, %f20;
                """ + MMA + "\n" + END;
        assertAgree(text, 64);
    }

    /** Processors make other NaN than PTX has; where only arithmetic reads a register they may stay. */
    @Test
    void nansOfArithmeticHaveTheBitsOfPtx() {
        String nan = "cvt.rn.f32.u32 %f30, %r1;\nadd.f32 %f30, %f30, 0f7f800000;\nsub.rn.f32 %r33, %f30, %f30;\nadd.rn.f32 %f31, %r33, %f30;\nmul.rn.f32 %f32, %r33, %f31;\nfma.rn.f32 %f33, %r33, %f31, %f32;\nst.global.f32 [%d2], %f33;\n";
        for (String use : new String[] {"movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r33;", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r7], {%r33};\nbar.warp.sync -1;\nld.shared.b32 %r12, [%r7];",
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%r20, %r21, %r22, %r23}, {%r10, %r33, %r12, %r13}, {%r14, %r33}, {%r20, %r21, %r22, %r23};"}) {
            assertAgree(HEAD + nan + use + "\n" + END, 64);
        }
    }

    @Test
    void aWarpThatHasLostThreadsFails() {
        for (String instruction : new String[] {MMA, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r7];"}) {
            String text = HEAD + "setp.eq.u32 %p5, %r4, 37;\n@%p5 ret;\n" + instruction + "\n" + END;
            assertTrue(Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64), text).contains("needs all 32 threads of a warp"));
            String some = HEAD + instruction + "\n" + END;
            Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, some, 40), some);
        }
    }

    @Test
    void aRowThatIsNotThereNamesItsThread() {
        for (String moved : new String[] {"add.u32 %r7, %r7, 8;", "mad.lo.u32 %r7, %r1, 300, %r6;", "add.u32 %r7, %r7, 8000;"}) {
            for (String kind : new String[] {"x4.shared", "x2.trans.shared"}) {
                String to = kind.startsWith("x4") ? "{%r10, %r11, %r12, %r13}" : "{%r10, %r11}";
                String text = HEAD + moved + "\nldmatrix.sync.aligned.m8n8." + kind + ".b16 " + to + ", [%r7];\n" + END;
                Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64), text);
            }
        }
    }

    private static void assertAgree(String text, int threads) {
        Shapes.assertAgree(engine -> run(engine, text, threads), text, Jit.Shape.VECTOR);
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(2L * 8 * threads);
            device.load("k.ptx", text).kernel("k").grid(2).block(threads).launch(0x1234567, out);
            return out.toInts();
        }
    }
}
