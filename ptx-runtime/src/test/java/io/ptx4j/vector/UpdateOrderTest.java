package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Atomics that threads come to once, whose results or rounded sums show in which order: lanes come in the order of threads, so the vector shape leaves what the others leave.
 */
final class UpdateOrderTest {
    private static final int BLOCKS = 5;
    private static final String HEAD = Shapes.head(".param .u64 in, .param .u64 out, .param .u64 count") + """
              .shared .align 4 .b32 tile[256];
              .shared .align 4 .b32 last;
              ld.param.u64 %d0, [in];
              ld.param.u64 %d1, [out];
              ld.param.u64 %d2, [count];
              mul.wide.u32 %d3, %r4, 4;
              add.s64 %d4, %d0, %d3;
              add.s64 %d5, %d1, %d3;
              ld.global.u32 %r5, [%d4];
              and.b32 %r6, %r5, 7;
              setp.lt.u32 %p1, %r6, 3;
            """;

    private static String kernel(String body) {
        return HEAD + body + "ret;\n}\n";
    }

    private static final Map<String, String> KERNELS = Map.of(
            // Those that are chosen go one behind the other.
            "compaction", kernel("""
                    @!%p1 bra END;
                    atom.global.add.u32 %r7, [%d2], 1;
                    mul.wide.u32 %d6, %r7, 4;
                    add.s64 %d6, %d1, %d6;
                    st.global.u32 [%d6], %r4;
                    END:
                    """),
            "sums of floats of all sizes", kernel("""
                    cvt.rn.f32.u32 %f1, %r5;
                    ex2.approx.f32 %f2, %f1;
                    shl.b32 %r7, %r6, 27;
                    xor.b32 %r7, %r7, 0x3f812345;
                    mov.b32 %f3, %r7;
                    red.global.add.f32 [%d2], %f3;
                    """),
            // The sum of a block, as most programs add it up, and who comes last.
            "tickets of blocks", kernel("""
                    mov.u32 %r8, tile;
                    shl.b32 %r9, %r1, 2;
                    add.u32 %r9, %r8, %r9;
                    st.shared.u32 [%r9], %r5;
                    bar.sync 0;
                    setp.ne.u32 %p2, %r1, 0;
                    @%p2 bra WAIT;
                    ld.shared.u32 %r10, [tile+4];
                    atom.global.inc.u32 %r11, [%d2], 1000;
                    add.u32 %r12, %r11, %r10;
                    st.shared.u32 [last], %r12;
                    WAIT: bar.sync 0;
                    ld.shared.u32 %r13, [last];
                    add.u32 %r13, %r13, %r5;
                    st.global.u32 [%d5], %r13;
                    """),
            // A list in shared memory, and another order behind a branch and a loop that threads leave one by one.
            "a list", kernel("""
                    setp.eq.u32 %p2, %r1, 0;
                    @%p2 st.shared.u32 [last], 0xffffffff;
                    bar.sync 0;
                    mov.u32 %r7, %r6;
                    @%p1 bra MORE;
                    mul.lo.u32 %r5, %r5, 3;
                    MORE: mad.lo.u32 %r5, %r5, 5, %r7;
                    sub.u32 %r7, %r7, 1;
                    setp.gt.s32 %p3, %r7, 0;
                    @%p3 bra MORE;
                    atom.shared.exch.b32 %r10, [last], %r1;
                    add.u32 %r10, %r10, %r5;
                    st.global.u32 [%d5], %r10;
                    """),
            "with operations of warps", kernel("""
                    shfl.sync.bfly.b32 %r7, %r5, 3, 31, -1;
                    vote.sync.ballot.b32 %r8, %p1, -1;
                    add.u32 %r7, %r7, %r8;
                    @%p1 atom.global.add.u32 %r9, [%d2], %r7;
                    @!%p1 mov.u32 %r9, 5;
                    shfl.sync.up.b32 %r10, %r9, 1, 0, -1;
                    add.u32 %r10, %r10, %r9;
                    st.global.u32 [%d5], %r10;
                    """),
            "in memory of both kinds", kernel("""
                    setp.eq.u32 %p2, %r1, 0;
                    @%p2 st.shared.u32 [last], 0;
                    bar.sync 0;
                    atom.shared.add.u32 %r10, [last], %r6;
                    atom.global.max.u32 %r11, [%d2], %r10;
                    sub.u32 %r10, %r11, %r10;
                    st.global.u32 [%d5], %r10;
                    """));

    static List<String> names() {
        return KERNELS.keySet().stream().sorted().toList();
    }

    private static List<Object> run(Engine engine, String text, int threads) {
        int n = BLOCKS * threads;
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = Integer.reverse(i * 0x9E3779B1);
        }
        try (Device device = Shapes.device(engine); DeviceBuffer in = device.copyOf(values); DeviceBuffer out = device.allocateInts(n);
                DeviceBuffer count = device.allocateInts(1)) {
            device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(threads).launch(in, out, count);
            return List.of(java.util.Arrays.toString(out.toInts()), count.toInts()[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void lanesComeInTheOrderOfThreads(String name) {
        for (int threads : new int[] {32, 96, 200, 256}) {
            if (name.contains("warps") && threads % 32 != 0) {
                continue;
            }
            assertEquals(Optional.empty(), Shapes.notVectorizable(KERNELS.get(name), threads));
            Shapes.assertAgree(engine -> run(engine, KERNELS.get(name), threads), name + ", " + threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
    }

    @Test
    void whereThreadsComeAgainOrElsewhereTheOrderDiffers() {
        for (String body : List.of(
                "LOOP: atom.global.add.u32 %r7, [%d2], 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 9; @%p2 bra LOOP; st.global.u32 [%d5], %r7;",
                "red.global.add.u32 [%d2], 1; atom.global.add.u32 %r7, [%d2], 1; st.global.u32 [%d5], %r7;",
                "atom.add.u32 %r7, [%d2], 1; atom.shared.add.u32 %r8, [last], 1; add.u32 %r7, %r7, %r8; st.global.u32 [%d5], %r7;")) {
            String text = kernel(body);
            assertTrue(Shapes.notVectorizable(text, 128).orElseThrow().contains("depends on the order"), text);
        }
    }
}
