package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.IntegerModel;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums, differences and extremes of four bytes on both engines and both shapes, of all pairs of bytes in each lane; of halves and words those around the ends of their ranges. */
@Timeout(120)
@Tag("widths")
final class PackedIntegersTest {
    private static final int THREADS = 1 << 16;
    private static final int BLOCK = 256;

    private static int[] run(Engine engine, Spelling spelling, int[] a, int[] b) {
        String text = """
                .version 9.2
                .target sm_120a
                .address_size 64
                .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)
                {
                .reg .b32 %%t, %%n, %%a, %%b; .reg .b64 %%o, %%p;
                mov.u32 %%t, %%ctaid.x; mov.u32 %%n, %%tid.x; mad.lo.u32 %%t, %%t, 256, %%n; mul.wide.u32 %%o, %%t, 4;
                ld.param.u64 %%p, [a]; add.u64 %%p, %%p, %%o; ld.global.b32 %%a, [%%p];
                ld.param.u64 %%p, [b]; add.u64 %%p, %%p, %%o; ld.global.b32 %%b, [%%p];
                %s %%a, %s;
                ld.param.u64 %%p, [c]; add.u64 %%p, %%p, %%o; st.global.b32 [%%p], %%a;
                ret;
                }
                """.formatted(spelling.text(), spelling.form().operands().size() == 2 ? "%a" : "%a, %b");
        try (Device device = Device.builder().engine(engine).workers(2).memory(16 << 20).open(); PtxModule module = device.load("packed.ptx", text);
                DeviceBuffer first = device.copyOf(a); DeviceBuffer second = device.copyOf(b); DeviceBuffer out = device.allocateInts(THREADS)) {
            module.kernel("k").grid(THREADS / BLOCK).block(BLOCK).launch(first, second, out);
            return out.toInts();
        }
    }

    private static void agree(String text, int[] a, int[] b) {
        Spelling spelling = Matcher.match(text).getFirst();
        IntegerModel model = new IntegerModel(spelling, spelling.type());
        int[] expected = new int[THREADS];
        for (int k = 0; k < THREADS; k++) {
            expected[k] = (int) model.result(new long[] {a[k] & 0xffff_ffffL, b[k] & 0xffff_ffffL});
        }
        for (Engine engine : List.of(new Interpreter(), new Jit(Jit.Shape.SCALAR), new Jit(Jit.Shape.VECTOR))) {
            int[] found = run(engine, spelling, a, b);
            for (int k = 0; k < THREADS; k++) {
                int thread = k;
                assertEquals(Integer.toHexString(expected[k]), Integer.toHexString(found[k]), () -> engine + ": " + text + " of %x, %x".formatted(a[thread], b[thread]));
            }
        }
    }

    /** In each lane another pair: multiplying by an odd number meets all. */
    @ParameterizedTest
    @ValueSource(strings = {"add.u8x4", "add.s8x4", "add.sat.u8x4", "add.sat.s8x4", "sub.u8x4", "sub.s8x4", "sub.sat.u8x4", "sub.sat.s8x4", "min.u8x4", "min.s8x4", "min.relu.s8x4", "max.u8x4",
        "max.s8x4", "max.relu.s8x4", "neg.s8x4"})
    void allPairsOfBytes(String text) {
        int[] a = new int[THREADS];
        int[] b = new int[THREADS];
        for (int k = 0; k < THREADS; k++) {
            for (int lane = 0; lane < 4; lane++) {
                int pair = k * (2 * lane + 1) + 0x4d37 * lane;
                a[k] |= (pair & 0xff) << 8 * lane;
                b[k] |= (pair >> 8 & 0xff) << 8 * lane;
            }
        }
        agree(text, a, b);
    }

    @ParameterizedTest
    @ValueSource(strings = {"add.u16x2", "add.s16x2", "add.sat.u16x2", "add.sat.s16x2", "min.u16x2", "max.u16x2", "min.s16x2", "max.s16x2", "min.relu.s16x2", "max.relu.s16x2", "add.sat.u32",
        "add.sat.s32"})
    void numbersAroundTheEndsOfTheirRanges(String text) {
        SplittableRandom random = new SplittableRandom(9);
        int bits = text.endsWith("32") ? Integer.SIZE : Short.SIZE;
        int[] a = new int[THREADS];
        int[] b = new int[THREADS];
        for (int k = 0; k < THREADS; k++) {
            for (int at = 0; at < Integer.SIZE; at += bits) {
                a[k] |= (number(bits, random) & -1 >>> Integer.SIZE - bits) << at;
                b[k] |= (number(bits, random) & -1 >>> Integer.SIZE - bits) << at;
            }
        }
        agree(text, a, b);
    }

    private static int number(int bits, SplittableRandom random) {
        int end = random.nextInt(4) << bits - 2;
        return random.nextInt(4) == 0 ? random.nextInt() : end + random.nextInt(-3, 4);
    }
}
