package io.ptx4j.vector;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores to one place for all lanes: mostly one lane does them, or several of which the place says who came last, or one that fails. */
final class CommonStoresTest {
    /** {@code %r5} is the thread's number, {@code %r18} and {@code %d18} are its values; {@code %d4} is the block's place of 64 bytes, {@code %r7} one in shared memory. */
    private static final String HEAD = Shapes.head(".param .u64 in, .param .u64 out, .param .u32 n") + """
              .shared .align 16 .b32 words[16];
              ld.param.u64 %d1, [in];
              ld.param.u64 %d2, [out];
              ld.param.u32 %r9, [n];
              mov.u32 %r5, %tid.x;
              mov.u32 %r6, %ctaid.x;
              mov.u32 %r8, %ntid.x;
              mad.lo.u32 %r10, %r6, %r8, %r5;
              mul.wide.u32 %d3, %r10, 4;
              add.s64 %d3, %d1, %d3;
              ld.global.u32 %r18, [%d3];
              mul.wide.s32 %d18, %r18, 0x12345677;
              mul.lo.u32 %r19, %r18, %r18;
              cvt.rn.f32.s32 %f1, %r18;
              cvt.rn.f64.s32 %g1, %r18;
              mul.wide.u32 %d4, %r6, 64;
              add.s64 %d4, %d2, %d4;
              mov.u32 %r7, words;
              setp.lt.u32 %p0, %r5, 16;
              shl.b32 %r11, %r5, 2;
              add.u32 %r11, %r11, %r7;
              @%p0 st.shared.u32 [%r11], %r5;
              bar.sync 0;
            """;
    private static final String END = """
              bar.sync 0;
              setp.ge.u32 %p1, %r5, 16;
              @%p1 bra END;
              ld.shared.u32 %r20, [%r11];
              cvt.u64.u32 %d20, %r11;
              mov.u32 %r21, words;
              cvt.u64.u32 %d21, %r21;
              sub.s64 %d20, %d20, %d21;
              add.s64 %d20, %d20, %d4;
              st.global.u32 [%d20+512], %r20;
            END: ret;
            }
            """;
    private static final List<String> WHO = List.of("setp.eq.u32 %p0, %r5, LANE;", "setp.eq.u32 %p0, %r18, LANE;", "and.b32 %r12, %r18, 31;\nsetp.eq.u32 %p0, %r12, LANE;", "setp.ge.u32 %p0, %r5, LANE;",
            "setp.eq.u32 %p0, %r9, LANE;");
    private static final List<String> STORES = List.of("st.global.u32 [%d4], %r18;", "st.global.f32 [%d4+8], %f1;", "st.global.u64 [%d4+16], %d18;", "st.global.f64 [%d4+24], %g1;",
            "st.global.v2.u32 [%d4+32], {%r18, %r19};", "st.global.v4.u32 [%d4+48], {%r18, 7, %r6, %r19};", "st.global.v2.u64 [%d4+32], {%d18, %d4};", "st.global.u32 [%d4+4], %d18;",
            "st.shared.u32 [%r7+4], %r18;", "st.shared.u64 [%r7+8], %d18;", "st.shared.v2.f32 [%r7+16], {%f1, %f1};", "st.shared.u32 [%r7+20], %r5;", "st.u32 [%d4], %r19;",
            "st.global.u32 [%d4+2], %r18;", "st.global.u64 [%d4+4], %d18;", "st.global.u32 [%d4+0x7000000], %r18;", "st.shared.u32 [%r7+0x40000], %r18;", "st.shared.u64 [%r7+4], %d18;");

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 31, 63})
    void allAgree(int lane) {
        for (String who : WHO) {
            for (String store : STORES) {
                String guarded = who.replace("LANE", Integer.toString(lane)) + "\n@%p0 " + store + "\n";
                String gone = who.replace("LANE", Integer.toString(lane)) + "\n@!%p0 bra OVER;\nadd.u32 %r18, %r18, 1;\n" + store + "\nOVER:\n";
                assertAgree(HEAD + guarded + END, 64);
                assertAgree(HEAD + gone + END, 40);
            }
        }
    }

    @Test
    void lanesOfOneWarpThatStoreTogether() {
        for (String store : STORES) {
            for (int threads : new int[] {1, 31, 32, 33, 64}) {
                assertAgree(HEAD + store + "\n" + END, threads);
            }
        }
    }

    private static void assertAgree(String text, int threads) {
        Shapes.assertAgree(engine -> run(engine, text, threads), threads + " threads\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
    }

    private static Object run(Engine engine, String text, int threads) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer in = device.copyOf(IntStream.range(0, 256).map(i -> i * 7 % 64).toArray());
            DeviceBuffer out = device.allocateInts(256);
            try {
                device.load("k.ptx", text).kernel("k").grid(3).block(threads).launch(in, out, 31);
            } catch (KernelException e) {
                return e.getMessage();
            }
            return out.toInts();
        }
    }
}
