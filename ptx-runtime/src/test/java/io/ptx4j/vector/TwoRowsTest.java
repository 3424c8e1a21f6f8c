package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads from a variable of which a bit of each thread chooses the place: from both places for all of them. */
final class TwoRowsTest {
    private static final int BLOCKS = 3;
    private static final int ELEMENTS = 1 << 10;

    /**
     * @param index what makes {@code %d5} of the thread's word {@code %r10}
     * @param loads what makes {@code %r20} of the address {@code %d6}
     */
    private static String kernel(String space, String variable, int bytes, String index, String loads) {
        StringBuilder numbers = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            numbers.append(i == 0 ? "" : ", ").append((i * 37 + 11) & 0x7F);
        }
        String declared = "." + space + " .align 16 .b8 " + variable + "[" + bytes + "]" + (space.equals("shared") ? "" : " = {" + numbers + "}") + ";\n";
        return Shapes.head(".param .u64 x, .param .u64 y").replace(".visible", declared + ".visible") + """
                  ld.param.u64 %d0, [x];
                  ld.param.u64 %d9, [y];
                  mul.wide.u32 %d1, %r4, 4;
                  add.s64 %d3, %d0, %d1;
                  add.s64 %d4, %d9, %d1;
                  ld.global.u32 %r10, [%d3];
                  mov.u64 %d7, VARIABLE;
                FIRST
                INDEX
                  add.s64 %d6, %d7, %d5;
                LOADS
                  st.global.u32 [%d4], %r20;
                  ret;
                }
                """.replace("FIRST", space.equals("shared") ? "mul.wide.u32 %d20, %r1, 4;\nadd.s64 %d20, %d7, %d20;\nst.shared.u32 [%d20], %r1;\nbar.sync 0;" : "").replace("VARIABLE", variable)
                .replace("INDEX", index).replace("LOADS", loads);
    }

    private static final String PRODUCT = "and.b32 %r11, %r10, 8;\nmul.wide.u32 %d5, %r11, 8;";
    private static final String SHIFT = "shr.u32 %r11, %r10, 3;\nand.b32 %r11, %r11, 1;\ncvt.u64.u32 %d5, %r11;\nshl.b64 %d5, %d5, 6;";
    private static final String SIGNED = "shl.b32 %r11, %r10, 31;\nshr.u32 %r11, %r11, 31;\nand.b32 %r11, %r11, 1;\nshl.b32 %r11, %r11, 6;\ncvt.s64.s32 %d5, %r11;";
    private static final String WIDE = "cvt.u64.u32 %d5, %r10;\nand.b64 %d5, %d5, 64;";

    /** Not one bit any more where a guard holds. */
    private static final String GUARDED = "and.b32 %r11, %r10, 8;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 mov.u32 %r11, 16;\nmul.wide.u32 %d5, %r11, 4;";

    private static final String WORD = "ld.SPACE.u32 %r20, [%d6+4];";
    /** The address grows. */
    private static final String LATER = "add.s64 %d6, %d6, 8;\nld.SPACE.u32 %r20, [%d6+4];";
    private static final String DOUBLES = """
            ld.SPACE.v2.f64 {%g0, %g1}, [%d6];
            ld.SPACE.v2.f64 {%g2, %g3}, [%d6+48];
            add.f64 %g4, %g0, %g3;
            mul.f64 %g5, %g1, %g2;
            add.f64 %g4, %g4, %g5;
            mov.b64 {%r20, %r21}, %g4;
            xor.b32 %r20, %r20, %r21;
            """;
    private static final String SMALL = """
            ld.SPACE.u8 %r20, [%d6+3];
            ld.SPACE.s16 %r21, [%d6+6];
            ld.SPACE.u16 %h1, [%d6+8];
            ld.SPACE.v4.f32 {%f0, %f1, %f2, %f3}, [%d6+16];
            ld.SPACE.v2.b64 {%d21, %d22}, [%d6+32];
            cvt.u32.u16 %r22, %h1;
            mov.b32 %r23, %f1;
            cvt.u32.u64 %r24, %d22;
            add.u32 %r20, %r20, %r21;
            mad.lo.u32 %r20, %r20, 3, %r22;
            mad.lo.u32 %r20, %r20, 3, %r23;
            mad.lo.u32 %r20, %r20, 3, %r24;
            """;

    @ParameterizedTest
    @CsvSource({"global, 32", "global, 100", "const, 64", "shared, 64"})
    void bothRowsLeaveWhatTheInterpreterLeaves(String space, int threads) {
        for (String index : new String[] {PRODUCT, SHIFT, SIGNED, WIDE, GUARDED}) {
            for (String loads : new String[] {WORD, LATER, DOUBLES, SMALL}) {
                String text = kernel(space, "rows", space.equals("shared") ? 4 * threads : 128, index, loads.replace("SPACE", space));
                Shapes.assertAgree(engine -> run(engine, text, threads), text, Jit.Shape.VECTOR);
            }
        }
    }

    @Test
    void whatOneBitChoosesIsLoadedForAllLanes() {
        for (String index : new String[] {PRODUCT, SHIFT, SIGNED, WIDE}) {
            assertEquals(0, scattered(kernel("global", "rows", 128, index, WORD.replace("SPACE", "global"))), index);
        }
        // Two bits; a place before or behind the variable; one that may be aligned worse.
        assertEquals(1, scattered(kernel("global", "rows", 128, PRODUCT, WORD.replace("SPACE", "global").replace("+4", "+-4"))));
        assertEquals(1, scattered(kernel("global", "rows", 1024, PRODUCT.replace("%r10, 8", "%r10, 24"), WORD.replace("SPACE", "global"))));
        assertEquals(1, scattered(kernel("global", "rows", 64, PRODUCT, WORD.replace("SPACE", "global"))));
        assertTrue(scattered(kernel("global", "rows", 128, PRODUCT.replace("%r11, 8", "%r11, 1"), DOUBLES.replace("SPACE", "global"))) > 0);
        // Each lane looks for itself.
        assertTrue(Shapes.listing(kernel("global", "rows", 128, PRODUCT, WORD.replace("SPACE", "volatile.global")), 64).contains("public static lanes"));
    }

    private static long scattered(String text) {
        return Shapes.listing(text, 64).lines().filter(line -> line.contains("INVOKESTATIC") && line.contains("LaneMemory.load")).count();
    }

    @Test
    void aRowThatNobodyWantsDoesNotFail() {
        String behind = kernel("global", "rows", 64, "and.b32 %r11, %r4, 0;\nand.b32 %r12, %r10, 8;\nand.b32 %r11, %r11, %r12;\nmul.wide.u32 %d5, %r11, 8;", WORD.replace("SPACE", "global"));
        Shapes.assertAgree(engine -> run(engine, behind, 64), behind, Jit.Shape.VECTOR);
        String fails = kernel("global", "rows", 64, PRODUCT, WORD.replace("SPACE", "global").replace("+4", "+1000000000"));
        Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, fails, 64), fails);
    }

    private static int[] run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer y = device.allocateInts(ELEMENTS);
            device.load("k", text).kernel("k").grid(BLOCKS).block(threads).launch(device.copyOf(new Random(3).ints(ELEMENTS).toArray()), y);
            return y.toInts();
        }
    }
}
