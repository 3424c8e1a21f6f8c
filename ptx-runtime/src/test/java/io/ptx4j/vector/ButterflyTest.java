package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.jit.Jit;
import io.ptx4j.jit.support.Butterflies;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pairs of words in shared memory that every thread loads, combines and stores again, at places {@code c * t + d * (t & m)}: with whole vectors of memory for
 * the lanes and without, in incomplete groups, and with words that are not there.
 */
@Tag("thorough")
final class ButterflyTest {
    private static final int WORDS = 1024;

    /**
     * Bytes from lane to lane of both places, each followed by the factor of {@code t & m}; what is done with the two words; and the instruction between the loads.
     */
    private record Shape(int stride, int factor, int otherStride, int otherFactor, String combine, String between) {
        String text() {
            return """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u32 m, .param .u32 base, .param .u32 distance, .param .u64 out)
                {
                  .reg .pred %%p<4>;
                  .reg .b32 %%r<40>;
                  .reg .f32 %%f<8>;
                  .reg .b64 %%d<8>;
                  .shared .align 64 .b32 tile[1024];
                  ld.param.u32 %%r20, [m];
                  ld.param.u32 %%r21, [base];
                  ld.param.u32 %%r22, [distance];
                  ld.param.u64 %%d0, [out];
                  cvta.to.global.u64 %%d0, %%d0;
                  mov.u32 %%r1, %%tid.x;
                  mov.u32 %%r2, %%ntid.x;
                  mov.u32 %%r3, tile;
                  mov.u32 %%r4, %%r1;
                FILL:
                  mad.lo.u32 %%r5, %%r4, 4, %%r3;
                  mul.lo.u32 %%r6, %%r4, 0x9E3779B1;
                  st.shared.u32 [%%r5], %%r6;
                  add.u32 %%r4, %%r4, %%r2;
                  setp.lt.u32 %%p0, %%r4, 1024;
                  @%%p0 bra FILL;
                  bar.sync 0;
                  mov.u32 %%r15, 0;
                AGAIN:
                  and.b32 %%r7, %%r1, %%r20;
                  mul.lo.u32 %%r8, %%r1, %d;
                  mad.lo.u32 %%r9, %%r7, %d, %%r8;
                  add.u32 %%r23, %%r9, %%r21;
                  add.u32 %%r10, %%r23, %%r3;
                  mul.lo.u32 %%r11, %%r1, %d;
                  mad.lo.u32 %%r12, %%r7, %d, %%r11;
                  add.u32 %%r24, %%r12, %%r21;
                  add.u32 %%r25, %%r24, %%r22;
                  add.u32 %%r13, %%r25, %%r3;
                  ld.shared.u32 %%r30, [%%r10];
                  %s
                  ld.shared.u32 %%r31, [%%r13];
                  %s
                  bar.sync 0;
                  add.u32 %%r15, %%r15, 1;
                  setp.lt.u32 %%p1, %%r15, 2;
                  @%%p1 bra AGAIN;
                  mov.u32 %%r4, %%r1;
                EMPTY:
                  mad.lo.u32 %%r5, %%r4, 4, %%r3;
                  ld.shared.u32 %%r6, [%%r5];
                  mul.wide.u32 %%d1, %%r4, 4;
                  add.s64 %%d1, %%d0, %%d1;
                  st.global.u32 [%%d1], %%r6;
                  add.u32 %%r4, %%r4, %%r2;
                  setp.lt.u32 %%p0, %%r4, 1024;
                  @%%p0 bra EMPTY;
                  ret;
                }
                """.formatted(stride, factor, otherStride, otherFactor, between, combine);
        }
    }

    private static final String ORDER = """
        min.u32 %r32, %r30, %r31;
        st.shared.u32 [%r10], %r32;
        max.u32 %r33, %r30, %r31;
        st.shared.u32 [%r13], %r33;""";
    private static final String SWAP = "st.shared.u32 [%r13], %r30;\nst.shared.u32 [%r10], %r31;";
    /** With a number that is the same for all threads, and one register used twice. */
    private static final String CHOOSE = """
        setp.gt.s32 %p2, %r30, %r31;
        selp.b32 %r32, %r31, %r30, %p2;
        add.u32 %r32, %r32, %r20;
        st.shared.u32 [%r13], %r32;
        sub.u32 %r32, %r30, %r31;
        st.shared.u32 [%r10], %r32;""";
    private static final String ROTATE = """
        mov.b32 %f1, %r30;
        mov.b32 %f2, %r31;
        add.rn.f32 %f3, %f1, %f2;
        sub.rn.f32 %f4, %f1, %f2;
        mov.b32 %r32, %f3;
        mov.b32 %r33, %f4;
        st.shared.u32 [%r10], %r32;
        st.shared.u32 [%r13], %r33;""";

    private static final List<Shape> SHAPES = List.of(
        new Shape(8, -4, 8, -4, ORDER, ""),
        new Shape(8, -4, 8, -12, ORDER, "xor.b32 %r30, %r30, 0x55;"),
        new Shape(8, -4, 8, -4, SWAP, ""),
        new Shape(8, -4, 8, -12, CHOOSE, "add.u32 %r30, %r30, 1;"),
        new Shape(8, -4, 8, -4, ROTATE, "add.u32 %r16, %r15, %r20;"),
        new Shape(4, 0x1000, 4, 0x1000, ORDER, ""),
        new Shape(4, -4, 4, -4, ORDER, ""),
        new Shape(4, -8, 4, 8, ORDER, ""));

    @ParameterizedTest
    @ValueSource(ints = {32, 48, 64, 160, 256})
    void pairsOfWordsAreCombinedAsByThreadsOneByOne(int threads) {
        int compared = 0;
        int butterflies = 0;
        for (Shape shape : SHAPES) {
            Module module = Checker.check(new SourceFile("k.ptx", shape.text())).module();
            Program program = new Program(module, new long[module.variableCount()], 0);
            String listing = new Jit(Jit.Shape.VECTOR).classOf(program, module.kernels().get("k"), new BlockShape(threads, 1, 1)).listing();
            butterflies += listing.contains("butterfly0") ? 1 : 0;
            try (Device expected = device(new Interpreter()); Device vector = device(new Jit(Jit.Shape.VECTOR))) {
                PtxModule one = expected.load(module);
                PtxModule other = vector.load(module);
                for (int m : new int[] {0, 1, 3, 15, 31, 63, 127, 5, -64}) {
                    for (int base : new int[] {0, 4, 64, 2}) {
                        for (int distance : new int[] {4, 4 * (m + 1), 8 * m + 4, 512, 1024, 64, -64, 4096}) {
                            if (isOrderless(shape, threads, m, base, distance)) {
                                compare(one, other, expected, vector, threads, new int[] {m, base, distance}, shape);
                                compared++;
                            }
                        }
                    }
                }
            }
        }
        assertTrue(compared > 150, compared + " launches");
        // With short vectors some blocks are cut between the accesses.
        boolean all = Butterflies.BYTES >= 64;
        assertTrue(all ? butterflies == SHAPES.size() : butterflies > 0, butterflies + " kernels with butterflies");
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(16 << 20).open();
    }

    /** Whether the order of threads does not show: no two have one word, but for those that put the same two in order. */
    private static boolean isOrderless(Shape shape, int threads, int m, int base, int distance) {
        Map<Integer, Integer> partners = new HashMap<>();
        boolean alone = true;
        for (int t = 0; t < threads; t++) {
            int first = shape.stride * t + shape.factor * (t & m) + base;
            int second = shape.otherStride * t + shape.otherFactor * (t & m) + base + distance;
            Integer before = partners.put(first, second);
            if (partners.containsKey(second) || before != null && before != second || before == null && partners.containsValue(first)) {
                return false;
            }
            alone &= before == null;
        }
        long words = partners.values().stream().distinct().count();
        return words == partners.size() && partners.values().stream().noneMatch(partners::containsKey) && (alone || shape.combine.equals(ORDER));
    }

    private static void compare(PtxModule one, PtxModule other, Device first, Device second, int threads, int[] numbers, Shape shape) {
        String message = "m, base, distance = " + Arrays.toString(numbers) + "\n" + shape.text();
        DeviceBuffer expected = first.allocateInts(WORDS);
        DeviceBuffer found = second.allocateInts(WORDS);
        try {
            String failure = run(one, threads, numbers, expected);
            assertEquals(failure, run(other, threads, numbers, found), message);
            if (failure == null) {
                assertArrayEquals(expected.toInts(), found.toInts(), message);
            }
        } finally {
            expected.close();
            found.close();
        }
    }

    /** What the launch fails with, or null. */
    private static String run(PtxModule module, int threads, int[] numbers, DeviceBuffer out) {
        try {
            module.kernel("k").grid(1).block(threads).launch(numbers[0], numbers[1], numbers[2], out);
            return null;
        } catch (KernelException failed) {
            return failed.getMessage();
        }
    }
}
