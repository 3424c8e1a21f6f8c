package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Barriers under a condition, in a loop that a compiler has unrolled: the code behind each of them is that behind all before it, too, and is copied. */
final class SharedTailsTest {
    /** Each turn adds a neighbour's word; with {@code meets} they meet before and behind, as they must, without it they read what was there at first. */
    private static String kernel(int turns) {
        String turn = IntStream.range(0, turns).mapToObj(t -> """
                  ld.shared.u32 %%r10, [%%r8+%d];
                  mad.lo.u32 %%r9, %%r9, 3, %%r10;
                  @%%p1 bra NEXT%d;
                  bar.sync 0;
                  st.shared.u32 [%%r7], %%r9;
                  bar.sync 0;
                NEXT%d:
                """.formatted(4 * t, t, t)).reduce("", String::concat);
        return Shapes.head(".param .u64 out, .param .u32 meets") + """
                  .shared .align 4 .b32 tile[256];
                  ld.param.u64 %d0, [out];
                  ld.param.u32 %r5, [meets];
                  setp.eq.u32 %p1, %r5, 0;
                  mul.wide.u32 %d1, %r4, 4;
                  add.s64 %d0, %d0, %d1;
                  mov.u32 %r6, tile;
                  shl.b32 %r7, %r1, 2;
                  add.u32 %r7, %r7, %r6;
                  and.b32 %r8, %r1, 31;
                  mad.lo.u32 %r8, %r8, 4, %r6;
                  mul.lo.u32 %r9, %r4, 77;
                  st.shared.u32 [%r7], %r9;
                  bar.sync 0;
                """ + turn + "st.global.u32 [%d0], %r9; ret; }\n";
    }

    private static int[] result(Engine engine, String text, int threads, int meets) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocate("out", 4L * 3 * threads);
            device.load("k.ptx", text).kernel("k").grid(3).block(threads).launch(out, meets);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 16, 24})
    void areCopied(int turns) {
        String text = kernel(turns);
        for (int threads : new int[] {64, 100, 256}) {
            assertEquals(Optional.empty(), Shapes.notVectorizable(text, threads));
            for (int meets : new int[] {0, 1}) {
                Shapes.assertAgree(engine -> result(engine, text, threads, meets), turns + " turns of " + threads + " threads, meets " + meets, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
            }
        }
    }

    @Test
    void areNotCopiedWithoutBound() {
        assertTrue(Shapes.notVectorizable(kernel(100), 64).orElseThrow().contains("too large to be copied"));
    }
}
