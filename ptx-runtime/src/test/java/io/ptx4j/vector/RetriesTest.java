package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Updates by compare-and-swap, which try again until they have succeeded: lanes make them one by one, so that also what shows their order is as in the other shapes. And several updates of a thread, where
 * it is known that they do not meet.
 */
final class RetriesTest {
    private static final String HEAD = Shapes.head(".param .u64 in, .param .u64 out, .param .u64 other") + """
              .shared .align 8 .b32 words[64];
              ld.param.u64 %d0, [in];
              ld.param.u64 %d1, [out];
              cvta.to.global.u64 %d1, %d1;
              ld.param.u64 %d2, [other];
              mul.wide.u32 %d3, %r4, 4;
              add.s64 %d4, %d0, %d3;
              ld.global.u32 %r5, [%d4];
              and.b32 %r6, %r5, 7;
              setp.lt.u32 %p1, %r6, 5;
              mul.wide.u32 %d6, %r6, 4;
              add.s64 %d6, %d1, %d6;
              mul.wide.u32 %d7, %r6, 12;
              add.s64 %d7, %d1, %d7;
              cvt.u64.u32 %d10, %r6;
              shl.b64 %d10, %d10, 3;
              add.s64 %d10, %d1, %d10;
              shl.b32 %r7, %r6, 3;
              mov.u32 %r8, words;
              add.u32 %r8, %r8, %r7;
              cvt.rn.f32.u32 %f1, %r5;
              cvt.f64.f32 %g1, %f1;
              setp.lt.u32 %p3, %r1, 64;
              mul.lo.u32 %r9, %r1, 4;
              mov.u32 %r10, words;
              add.u32 %r10, %r10, %r9;
              @%p3 st.shared.u32 [%r10], 0;
              bar.sync 0;
            """;
    private static final String END = """
              END: bar.sync 0;
              @!%p3 bra DONE;
              ld.shared.u32 %r11, [%r10];
              mul.wide.u32 %d8, %r2, 256;
              add.s64 %d8, %d2, %d8;
              mul.wide.u32 %d9, %r1, 4;
              add.s64 %d8, %d8, %d9;
              st.global.u32 [%d8+4096], %r11;
            DONE: ret;
            }
            """;

    /** What shows the order of threads: the new word depends on the old one, and no two orders give the same. */
    private static String retry(String address, String space) {
        return """
                ld.%1$s.u32 %%r20, [%2$s];
                L: mad.lo.u32 %%r21, %%r20, 31, %%r5;
                atom.%1$s.cas.b32 %%r22, [%2$s], %%r20, %%r21;
                setp.ne.s32 %%p2, %%r20, %%r22;
                mov.u32 %%r20, %%r22;
                @%%p2 bra L;
                """.formatted(space, address);
    }

    static List<String> vectors() {
        return List.of(retry("%d1", "global"), retry("%d6", "global"), retry("%r8", "shared"), "@%p1 bra END;" + retry("%d6+8", "global"),
                // With what others read behind the loop, in code that goes on.
                retry("%d6", "global") + "add.u32 %r20, %r20, %r5; st.global.u32 [%d4], %r20;",
                "mov.u32 %r20, 3; @%p1 bra OVER;" + retry("%d6", "global") + "OVER: add.u32 %r20, %r20, %r5; st.global.u32 [%d4], %r20;",
                // A thread that has nothing to do; the word loaded anew; pairs of words.
                "ld.global.u32 %r20, [%d6]; L: setp.ge.u32 %p4, %r20, %r5; @%p4 bra OVER; atom.global.cas.b32 %r22, [%d6], %r20, %r5; setp.ne.s32 %p2, %r20, %r22; mov.u32 %r20, %r22; @%p2 bra L;"
                        + "OVER: st.global.u32 [%d4], %r5;",
                "L: ld.volatile.global.u32 %r20, [%d6+4]; mad.lo.u32 %r21, %r20, 31, %r5; atom.global.cas.b32 %r22, [%d6+4], %r20, %r21; setp.ne.s32 %p2, %r20, %r22; @%p2 bra L;",
                "ld.global.u64 %d20, [%d1]; L: mov.b64 %g2, %d20; add.f64 %g2, %g2, %g1; mul.f64 %g2, %g2, 0d3FF4000000000000; mov.b64 %d21, %g2;"
                        + "atom.global.cas.b64 %d22, [%d1], %d20, %d21; setp.ne.s64 %p2, %d20, %d22; mov.u64 %d20, %d22; @%p2 bra L;",
                // Several updates, which do not meet: at other places, of other variables, in memory of another kind.
                retry("%d7", "global") + retry("%d7+4", "global").replace("L", "M") + retry("%d7+8", "global").replace("L", "N"),
                "red.global.add.f32 [%d7], %f1; add.f32 %f1, %f1, %f1; red.global.add.f32 [%d7+4], %f1; red.global.add.f32 [%d7+8], %f1;", "red.global.add.f32 [%d10], %f1; red.global.add.f32 [%d10+4], %f1;",
                retry("%d1", "global") + "red.global.add.f32 [%d1+4], %f1; red.global.add.u32 [%d1+8], 1;", retry("%r8", "shared") + "red.shared.add.f32 [%r8+4], %f1;" + retry("%d1", "global").replace("L", "M"));
    }

    static List<String> scalar() {
        return List.of(retry("%d6", "global") + retry("%d6+4", "global").replace("L", "M"), retry("%d1", "global") + "red.global.add.u32 [%d2], 1;",
                "red.global.add.f32 [%d6], %f1; red.global.add.f32 [%d6+4], %f1;", "red.global.add.f32 [%d1], %f1; red.global.add.f32 [%d6], %f1;",
                "red.global.add.f64 [%d10], %g1; red.global.add.f32 [%d10+4], %f1;",
                "mov.u32 %r30, 3; AGAIN: " + retry("%d6", "global") + "add.u32 %r5, %r5, 77; sub.u32 %r30, %r30, 1; setp.ne.u32 %p5, %r30, 0; @%p5 bra AGAIN;");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void lanesGoOneByOne(String body) {
        for (int threads : new int[] {32, 80, 192}) {
            assertEquals(Optional.empty(), Shapes.notVectorizable(HEAD + body + END, threads), body);
            assertAgree(body, threads);
        }
    }

    @ParameterizedTest
    @MethodSource("scalar")
    void updatesThatMayMeetHaveNoVectorShape(String body) {
        assertTrue(Shapes.notVectorizable(HEAD + body + END, 96).orElseThrow().contains("depends on the order"), body);
        assertAgree(body, 96);
    }

    /** A search that marks what it finds: its blocks begin anew in the scalar shape where they come to an update. */
    @Test
    void rarelyInALoop() {
        assertAgree("mov.u32 %r30, 20; AGAIN: mad.lo.u32 %r5, %r5, 1664525, 1013904223; shr.u32 %r31, %r5, 24; setp.ne.u32 %p6, %r31, 0; @%p6 bra SKIP;" + retry("%d6", "global")
                + "SKIP: sub.u32 %r30, %r30, 1; setp.ne.u32 %p5, %r30, 0; @%p5 bra AGAIN;", 192);
    }

    /** Nobody fails for ever: what several workers add is all there. */
    @ParameterizedTest
    @ValueSource(strings = {"SCALAR", "VECTOR"})
    void workersTryAgain(Jit.Shape shape) {
        String body = "ld.global.u32 %r20, [%d1]; L: add.u32 %r21, %r20, 1; atom.global.cas.b32 %r22, [%d1], %r20, %r21; setp.ne.s32 %p2, %r20, %r22; mov.u32 %r20, %r22; @%p2 bra L;";
        try (Device device = Device.builder().engine(new Jit(shape)).workers(4).memory(16 << 20).open()) {
            DeviceBuffer out = device.allocateInts(64);
            device.load("k.ptx", HEAD + body + END).kernel("k").grid(300).block(64).launch(device.allocateInts(300 * 64), out, device.allocateInts(300 * 64 + 1024));
            assertEquals(300 * 64, out.toInts()[0]);
        }
    }

    private static void assertAgree(String body, int threads) {
        Shapes.assertAgree(engine -> run(engine, HEAD + body + END, threads), threads + " threads\n" + body, Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    private static Object run(Engine engine, String text, int threads) {
        int blocks = 3;
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer in = device.copyOf(IntStream.range(0, blocks * threads).map(i -> Integer.reverse(i * 0x9E3779B1)).toArray());
            DeviceBuffer out = device.copyOf(new int[64]);
            DeviceBuffer other = device.allocateInts(2048);
            device.load("k.ptx", text).kernel("k").grid(blocks).block(threads).launch(in, out, other);
            return List.of(Arrays.toString(in.toInts()), Arrays.toString(out.toInts()), Arrays.toString(other.toInts()));
        }
    }
}
