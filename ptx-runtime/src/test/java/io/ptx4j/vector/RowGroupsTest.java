package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels over blocks of two and three dimensions, whose groups may have several rows of the block, in the vector shape, the scalar shape and the interpreter. */
@Tag("thorough")
final class RowGroupsTest {
    private static final int COLUMNS = 70;
    private static final int ROWS = 30;

    /** Before it: the thread's column and row of the grid %r5, %r6, its column and row of the block %r1, %r2, its element %r7, from the first byte %d3 on. */
    private static final String HEAD = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k(.param .u32 columns, .param .u32 rows, .param .u64 in, .param .u64 out)
            {
              .reg .pred %p<20>;
              .reg .b16 %h<9>;
              .reg .b32 %r<80>;
              .reg .f32 %f<60>;
              .reg .b64 %d<30>;
              .reg .f64 %g<9>;
              .shared .align 4 .b8 tile[20480];
              ld.param.u32 %r3, [columns];
              ld.param.u32 %r4, [rows];
              ld.param.u64 %d0, [in];
              ld.param.u64 %d1, [out];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %tid.y;
              mov.u32 %r8, %ntid.x;
              mov.u32 %r9, %ntid.y;
              mov.u32 %r10, %ctaid.x;
              mov.u32 %r11, %ctaid.y;
              mov.u32 %r12, %tid.z;
              mad.lo.u32 %r5, %r10, %r8, %r1;
              mad.lo.u32 %r6, %r11, %r9, %r2;
              mad.lo.u32 %r6, %r12, 5, %r6;
              mad.lo.u32 %r7, %r6, %r3, %r5;
              mul.wide.u32 %d2, %r7, 4;
              add.s64 %d3, %d0, %d2;
              add.s64 %d4, %d1, %d2;
              mov.u32 %r20, 1;
            """;
    private static final String GUARD = """
              setp.ge.s32 %p0, %r5, %r3;
              setp.le.s32 %p1, %r4, %r6;
              or.pred %p2, %p0, %p1;
              @%p2 bra END;
            """;
    private static final String END = "st.global.u32 [%d4], %r20;\nEND: ret;\n}\n";

    /** Neighbours, a word for each row, a word for each column, bytes, halves and 64-bit words. */
    private static final String LOADS = HEAD + GUARD + """
              ld.global.u32 %r20, [%d3];
              ld.global.u32 %r21, [%d3+280];
              mul.wide.u32 %d5, %r6, 4;
              add.s64 %d5, %d5, %d0;
              ld.global.u32 %r22, [%d5];
              mul.wide.u32 %d12, %r6, 8;
              add.s64 %d12, %d12, %d0;
              ld.global.v2.u32 {%r23, %r24}, [%d12+8];
              mul.wide.u32 %d6, %r5, 4;
              add.s64 %d6, %d6, %d0;
              ld.global.u32 %r25, [%d6];
              cvt.u64.u32 %d7, %r7;
              add.s64 %d7, %d7, %d0;
              ld.global.u8 %r26, [%d7+3];
              cvt.u64.u32 %d8, %r5;
              add.s64 %d8, %d8, %d0;
              ld.global.s8 %r27, [%d8];
              mul.wide.u32 %d9, %r7, 2;
              add.s64 %d9, %d9, %d0;
              ld.global.u16 %h1, [%d9];
              cvt.u32.u16 %r28, %h1;
              shl.b32 %r29, %r7, 1;
              mul.wide.u32 %d10, %r29, 4;
              add.s64 %d10, %d10, %d0;
              ld.global.u64 %d11, [%d10];
              ld.global.u32 %r31, [%d10+4];
              cvt.u32.u64 %r30, %d11;
              mad.lo.u32 %r20, %r20, 31, %r21;
              mad.lo.u32 %r20, %r20, 31, %r22;
              mad.lo.u32 %r20, %r20, 31, %r23;
              mad.lo.u32 %r20, %r20, 31, %r24;
              mad.lo.u32 %r20, %r20, 31, %r25;
              mad.lo.u32 %r20, %r20, 31, %r26;
              mad.lo.u32 %r20, %r20, 31, %r27;
              mad.lo.u32 %r20, %r20, 31, %r28;
              mad.lo.u32 %r20, %r20, 31, %r30;
              mad.lo.u32 %r20, %r20, 31, %r31;
              mad.lo.u32 %r20, %r20, %r6, %r5;
            """ + END;

    /** Stores of bytes and 64-bit words, of constants, numbers of rows and of columns; then the sum of what lies there. */
    private static final String STORES = HEAD + GUARD + """
              shl.b32 %r30, %r7, 4;
              cvt.u64.u32 %d5, %r30;
              add.s64 %d5, %d5, %d1;
              cvt.u64.u32 %d6, %r7;
              mul.lo.u64 %d7, %d6, 3;
              st.global.u32 [%d5], %r6;
              st.global.u32 [%d5+4], %r5;
              st.global.u64 [%d5+8], %d7;
              st.global.u8 [%d5+1], %r6;
              st.global.u8 [%d5+6], %r5;
              ret;
            """ + END;

    /** The step of a tiled product, with two barriers and values that outlive them, in a loop. */
    private static String tiles(int width) {
        StringBuilder text = new StringBuilder(HEAD).append("""
                  mov.f32 %f0, 0f00000000;
                  shl.b32 %r30, %r2, {row};
                  mov.u32 %r31, tile;
                  add.u32 %r32, %r31, %r30;
                  shl.b32 %r33, %r1, 2;
                  add.u32 %r34, %r32, %r33;
                  add.u32 %r35, %r31, %r33;
                  mul.lo.u32 %r40, %r12, 4096;
                  add.u32 %r32, %r32, %r40;
                  add.u32 %r34, %r34, %r40;
                  add.u32 %r35, %r35, %r40;
                  mov.u32 %r36, 0;
                  mov.u32 %r37, %r1;
                  mov.u64 %d5, %d3;
                LOOP:
                  setp.ge.s32 %p0, %r37, %r3;
                  setp.ge.s32 %p1, %r6, %r4;
                  or.pred %p2, %p1, %p0;
                  mov.f32 %f1, 0f3F800000;
                  @%p2 bra NONE;
                  ld.global.u32 %r38, [%d5];
                  and.b32 %r38, %r38, 15;
                  cvt.rn.f32.u32 %f1, %r38;
                NONE:
                  st.shared.f32 [%r34], %f1;
                  bar.sync 0;
                """.replace("{row}", String.valueOf(Integer.numberOfTrailingZeros(4 * width))));
        for (int k = 0; k < 16; k++) {
            text.append("ld.shared.f32 %%f%d, [%%r35+%d];%n".formatted(2 * k + 2, k % 2 * 4 * width));
            text.append("ld.shared.f32 %%f%d, [%%r32+%d];%n".formatted(2 * k + 3, 4 * k));
            text.append("fma.rn.f32 %%f0, %%f%d, %%f%d, %%f0;%n".formatted(2 * k + 3, 2 * k + 2));
        }
        return text + """
                  bar.sync 0;
                  add.s64 %d5, %d5, 64;
                  add.s32 %r37, %r37, 16;
                  add.s32 %r36, %r36, 1;
                  setp.lt.u32 %p3, %r36, 4;
                  @%p3 bra LOOP;
                  setp.ge.s32 %p0, %r5, %r3;
                  setp.ge.s32 %p1, %r6, %r4;
                  or.pred %p2, %p0, %p1;
                  @%p2 bra END;
                  mov.b32 %r20, %f0;
                """ + END;
    }

    /** Loops with a number of turns of its own for each lane, for each row and for each column. */
    private static final String LOOPS = HEAD + GUARD + """
              ld.global.u32 %r21, [%d3];
              and.b32 %r21, %r21, 7;
              and.b32 %r22, %r6, 3;
              mov.u32 %r23, 0;
              mov.u32 %r25, %r6;
              cvt.rn.f32.s32 %f5, %r6;
              cvt.rn.f32.s32 %f6, %r5;
            A:
              mad.lo.u32 %r20, %r20, 31, %r6;
              add.u32 %r23, %r23, 1;
              add.u32 %r25, %r25, %r22;
              setp.le.u32 %p3, %r23, %r21;
              @%p3 bra A;
              mov.u32 %r24, 0;
            B:
              mad.lo.u32 %r20, %r20, 17, %r23;
              add.u32 %r24, %r24, 1;
              add.u32 %r25, %r25, 5;
              setp.le.u32 %p4, %r24, %r22;
              @%p4 bra B;
              setp.eq.u32 %p5, %r22, 1;
              @%p5 add.u32 %r25, %r25, 1000;
              selp.u32 %r26, %r5, %r6, %p5;
              xor.b32 %r20, %r20, %r26;
              add.u32 %r20, %r20, %r25;
              mul.f32 %f5, %f5, 0f3F000000;
              fma.rn.f32 %f7, %f5, %f6, %f5;
              cvt.f64.f32 %g1, %f5;
              cvt.f64.f32 %g2, %f7;
              fma.rn.f64 %g1, %g1, %g2, %g2;
              cvt.rn.f32.f64 %f8, %g1;
              mov.b32 %r27, %f8;
              xor.b32 %r20, %r20, %r27;
              div.u32 %r28, %r6, 7;
              sub.u32 %r20, %r20, %r28;
              bfe.u32 %r29, %r6, 1, 3;
              add.u32 %r20, %r20, %r29;
              shl.b32 %r30, %r20, %r22;
              add.u32 %r20, %r20, %r30;
              popc.b32 %r31, %r5;
              add.u32 %r20, %r20, %r31;
            """ + END;

    /** Words of shared memory at other distances from row to row and from lane to lane, sums in them, and the thread's number in the block. */
    private static final String SHARED = HEAD + """
              mad.lo.u32 %r30, %r2, %r8, %r1;
              mul.lo.u32 %r31, %r8, %r9;
              mad.lo.u32 %r30, %r12, %r31, %r30;
              mov.u32 %r32, tile;
              shl.b32 %r33, %r30, 2;
              add.u32 %r34, %r32, %r33;
              mad.lo.u32 %r35, %r30, 3, 1;
              st.shared.u32 [%r34], %r35;
              mad.lo.u32 %r36, %r1, 28, %r32;
              shl.b32 %r37, %r2, 3;
              add.u32 %r36, %r36, %r37;
              xor.b32 %r39, %r1, 5;
              mad.lo.u32 %r40, %r2, %r8, %r39;
              shl.b32 %r40, %r40, 2;
              add.u32 %r40, %r40, %r32;
              mov.u32 %r45, 0;
              st.shared.u32 [%r34+4096], %r45;
              bar.sync 0;
              ld.shared.u32 %r41, [%r36];
              ld.shared.u32 %r42, [%r40];
              ld.shared.u32 %r43, [%r34];
              shl.b32 %r46, %r2, 2;
              add.u32 %r46, %r46, %r32;
              red.shared.add.u32 [%r46+4096], %r30;
              bar.sync 0;
              ld.shared.u32 %r44, [%r34+4096];
              mad.lo.u32 %r20, %r41, 31, %r42;
              mad.lo.u32 %r20, %r20, 31, %r43;
              mad.lo.u32 %r20, %r20, 31, %r44;
              mov.u32 %r47, %laneid;
              mov.u32 %r48, %warpid;
              mad.lo.u32 %r20, %r20, 31, %r47;
              mad.lo.u32 %r20, %r20, 31, %r48;
              shr.u32 %r49, %r1, 4;
              and.b32 %r50, %r1, 15;
              mad.lo.u32 %r20, %r20, 31, %r49;
              mad.lo.u32 %r20, %r20, 31, %r50;
            """ + GUARD + END;

    /** Bytes three apart: in memory, where the running code knows how far rows lie apart, and in a tile, where that is a constant. */
    private static final String PIXELS = HEAD + GUARD.replace("bra END", "bra HERE") + """
              mul.wide.u32 %d5, %r6, %r3;
              cvt.u64.u32 %d6, %r5;
              add.s64 %d5, %d5, %d6;
              mad.lo.s64 %d7, %d5, 3, %d1;
              xor.b32 %r30, %r5, %r6;
              st.global.u8 [%d7], %r30;
              st.global.u8 [%d7+1], %r6;
              mul.lo.u32 %r31, %r30, %r30;
              st.global.u8 [%d7+2], %r31;
            HERE:
              mov.u32 %r32, tile;
              mad.lo.u32 %r32, %r12, 2048, %r32;
              mad.lo.u32 %r32, %r2, 192, %r32;
              mad.lo.u32 %r33, %r1, 3, %r32;
              mul.lo.u32 %r34, %r1, %r1;
              add.u32 %r34, %r34, %r2;
              st.shared.u8 [%r33], %r2;
              st.shared.u8 [%r33+1], %r34;
              mul.lo.u32 %r35, %r1, 3;
              sub.u32 %r36, %r32, %r35;
              add.u32 %r36, %r36, %r8;
              st.shared.u8 [%r36+12288], %r34;
              bar.sync 0;
              ld.shared.u8 %r37, [%r33+1];
              ld.shared.u8 %r38, [%r33];
              ld.shared.u8 %r39, [%r36+12288];
              mad.lo.u32 %r20, %r37, 31, %r38;
              mad.lo.u32 %r20, %r20, 31, %r39;
              mul.wide.u32 %d2, %r7, 4;
              add.s64 %d4, %d1, %d2;
            """ + GUARD + "st.global.u32 [%d4+60000], %r20;\nEND: ret;\n}\n";

    private static int[] run(Engine engine, String text, String shape, int columns, int rows) {
        int[] block = Arrays.stream(shape.split("x")).mapToInt(Integer::parseInt).toArray();
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer in = device.allocateInts(20_000);
            int[] values = new int[20_000];
            for (int i = 0; i < values.length; i++) {
                values[i] = i * 0x9E37_79B1 >>> 7;
            }
            in.copyFrom(values);
            DeviceBuffer out = device.allocateInts(30_000);
            device.load("k.ptx", text).kernel("k").grid(3, 2).block(block[0], block[1], block.length > 2 ? block[2] : 1).launch(columns, rows, in, out);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"16x16", "16x4", "16x2", "16x5", "16x7", "32x8", "32x3", "16x4x2", "16x3x2", "32x2x2", "8x8", "48x2", "64x2", "16x1x4", "18x8", "10x10", "20x3x2", "40x4", "24x16", "9x5", "6x9"})
    void rowsLeaveWhatThreadsByThemselvesLeave(String shape) {
        for (String text : new String[] {LOADS, STORES, tiles(16), tiles(32), LOOPS, SHARED, PIXELS}) {
            for (int[] size : new int[][] {{COLUMNS, ROWS}, {37, 9}, {16, 1}, {1, 30}, {0, 0}, {48, 13}}) {
                Shapes.assertAgree(engine -> run(engine, text, shape, size[0], size[1]), size[0] + " by " + size[1] + "\n" + text, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
            }
        }
    }

    /** Regions that run once may be cut: what rows have by themselves then lies in the frame between pieces. */
    @ParameterizedTest
    @ValueSource(ints = {600, 1_500})
    void rowsGoFromPieceToPiece(int bytecodes) {
        for (String shape : new String[] {"16x16", "32x8", "16x3x2", "32x3", "18x8", "40x4"}) {
            for (String text : new String[] {LOADS, STORES, tiles(16), LOOPS, SHARED, PIXELS}) {
                for (int[] size : new int[][] {{COLUMNS, ROWS}, {37, 9}, {48, 13}}) {
                    Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> run(engine, text, shape, size[0], size[1]),
                            shape + ", " + size[0] + " by " + size[1] + "\n" + text, Jit.Shape.VECTOR));
                }
            }
        }
    }

    /** What only some rows or columns do fails: loads of a word for each row, of neighbours, and a store. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"16x16 | 2 | 5 | ld.global.u32 %r20, [%d6];", "16x16 | 2 | 5 | ld.global.u32 %r20, [%d7];", "16x16 | 1 | 3 | ld.global.u32 %r20, [%d7+2];",
            "16x16 | 2 | 11 | st.global.u32 [%d7], %r5;", "32x4 | 2 | 3 | ld.global.u32 %r20, [%d6];", "32x4 | 2 | 1 | st.global.u32 [%d7], %r6;",
            "16x16 | 1 | 9 | ld.global.u32 %r20, [%d8];", "16x4 | 2 | 3 | ld.shared.u32 %r20, [%r62];", "16x4 | 1 | 2 | ld.shared.u32 %r20, [%r60];",
            "18x12 | 2 | 5 | ld.global.u32 %r20, [%d7];", "18x12 | 2 | 11 | st.global.u32 [%d7], %r5;", "40x4 | 1 | 37 | ld.global.u32 %r20, [%d6];", "10x8 | 2 | 3 | ld.shared.u32 %r20, [%r62];"})
    void aFaultNamesTheFirstThreadThatFails(String shape, int column, int row, String access) {
        String text = HEAD + """
                  setp.ge.u32 %%p1, %%r%d, %d;
                  mov.u64 %%d5, 0x100000000000;
                  selp.b64 %%d5, %%d5, 0, %%p1;
                  mul.wide.u32 %%d6, %%r6, 4;
                  add.s64 %%d6, %%d6, %%d0;
                  add.s64 %%d7, %%d3, 0;
                  @%%p1 add.s64 %%d6, %%d6, %%d5;
                  @%%p1 add.s64 %%d7, %%d7, %%d5;
                  mul.wide.u32 %%d8, %%r6, 0x8000000;
                  add.s64 %%d8, %%d8, %%d0;
                  shl.b32 %%r60, %%r2, 27;
                  mul.lo.u32 %%r61, %%r2, 9000;
                  mov.u32 %%r62, tile;
                  add.u32 %%r62, %%r62, %%r61;
                  %s
                """.formatted(column, row, access) + END;
        Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, shape, COLUMNS, ROWS), text);
    }

    @Test
    void aRowBeyondMemoryFailsAtItsFirstThread() {
        String text = HEAD + "ld.global.u32 %r20, [%d3];\nmul.lo.u32 %r21, %r6, 0x1000000;\nmul.wide.u32 %d5, %r21, 1;\nadd.s64 %d5, %d5, %d0;\nld.global.u32 %r22, [%d5];\n"
                + "add.u32 %r20, %r20, %r22;\n" + END;
        String failure = Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, "16x16", COLUMNS, ROWS), text);
        assertTrue(failure.contains("thread (0,1,0)"), failure);
    }
}
