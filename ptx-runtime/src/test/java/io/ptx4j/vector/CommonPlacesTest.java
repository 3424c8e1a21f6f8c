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

/** Stores to one place for all lanes, and atomics on it: mostly one lane does them, or several of which the place says who came last or what they make together, or one that fails. */
final class CommonPlacesTest {
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

    /** {@code old} stands for what an atomic gives. */
    private static final List<String> UPDATES = List.of("red.global.add.u32 [%d4], %r18;", "red.global.add.u32 [%d4+4], 3;", "red.global.add.u32 [%d4+4], %r9;", "red.global.min.s32 [%d4], %r19;",
            "red.global.max.u32 [%d4], %r18;", "red.global.min.u32 [%d4+4], %r18;", "red.global.max.s32 [%d4+8], %r18;", "red.global.and.b32 [%d4], %r18;", "red.global.or.b32 [%d4+4], %r18;",
            "red.global.xor.b32 [%d4+8], %r19;", "red.global.xor.b32 [%d4+8], 5;", "red.global.inc.u32 [%d4], %r18;", "red.global.dec.u32 [%d4], 20;", "red.global.add.u64 [%d4+16], %d18;",
            "red.global.add.u64 [%d4+16], -3;", "red.global.min.s64 [%d4+24], %d18;", "red.global.max.u64 [%d4+24], %d18;", "red.global.min.u64 [%d4+24], %d18;", "red.global.max.s64 [%d4+24], %d18;",
            "red.global.and.b64 [%d4+24], %d18;", "red.global.or.b64 [%d4+24], %d18;", "red.global.xor.b64 [%d4+24], %d18;", "red.global.add.f32 [%d4+8], %f1;", "red.global.add.f32 [%d4+8], 0f3f800000;",
            "red.global.add.f64 [%d4+24], %g1;", "red.shared.add.f32 [%r7+16], %f1;", "red.shared.add.f64 [%r7+8], %g1;", "red.shared.add.u32 [%r7+4], %r18;", "red.shared.add.u32 [%r7+4], 1;",
            "red.shared.max.s32 [%r7+4], %r18;", "red.shared.add.u64 [%r7+8], %d18;", "red.add.u32 [%d4], %r18;", "atom.global.add.u32 %r20, [%d4], %r18;",
            "red.global.add.u32 [%d4+2], %r18;", "red.global.add.u32 [%d4+0x7000000], %r18;", "red.shared.add.u32 [%r7+0x40000], %r18;", "red.global.add.u64 [%d4+4], %d18;", "red.global.add.f32 [%d4+1], %f1;");
    /** With a result that somebody reads: lanes keep what they had where they do not come to it. */
    private static final List<String> READ = List.of("atom.global.add.u32 %r22, [%d4], %r18;", "atom.global.inc.u32 %r22, [%d4], 3;", "atom.shared.exch.b32 %r22, [%r7], %r18;", "atom.global.exch.b32 %r22, [%d4+4], %r5;",
            "atom.global.add.f32 %f22, [%d4+8], %f1;\nmov.b32 %r22, %f22;", "atom.global.add.u64 %d22, [%d4+16], %d18;\ncvt.u32.u64 %r22, %d22;",
            "atom.global.add.f64 %g2, [%d4+24], %g1;\nmov.b64 %d22, %g2;\ncvt.u32.u64 %r22, %d22;", "atom.global.min.s32 %r22, [%d4], %r19;", "atom.global.add.u32 %r22, [%d4+0x7000000], %r18;");

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 31, 63})
    void atomicsAgree(int lane) {
        int turn = lane % 3;
        for (String who : WHO) {
            String chosen = who.replace("LANE", Integer.toString(lane));
            for (String update : UPDATES) {
                if (turn++ % 2 == 0) {
                    assertAgree(HEAD + chosen + "\n@%p0 " + update + "\n" + END, 64);
                } else {
                    assertAgree(HEAD + chosen + "\n@!%p0 bra OVER;\nadd.u32 %r18, %r18, 1;\n" + update + "\nOVER:\n" + END, 40);
                }
            }
            for (String update : READ) {
                assertAgree(HEAD + "mov.u32 %r22, %r5;\n" + chosen + "\n@!%p0 bra OVER;\n" + update + "\nOVER:\nadd.u32 %r18, %r18, %r22;\nst.global.u32 [%d3], %r18;\n" + END, 64);
            }
        }
    }

    @Test
    void lanesOfOneWarpThatUpdateTogether() {
        for (String update : UPDATES) {
            for (int threads : new int[] {1, 31, 32, 33, 64}) {
                assertAgree(HEAD + update + "\n" + END, threads);
            }
        }
    }

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
            return new Object[] {in.toInts(), out.toInts()};
        }
    }
}
