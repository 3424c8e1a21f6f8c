package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shuffles of which only some lanes need what they give: these lanes must get what they got, be it in another way. */
final class NeededLanesTest {
    /** {@code %r20} is a word of each thread, {@code %r6} the lane, {@code %d2} the thread's place for a result. */
    private static final String HEAD = Shapes.head(".param .u64 in, .param .u64 out") + """
              ld.param.u64 %d1, [in];
              ld.param.u64 %d2, [out];
              mul.wide.u32 %d3, %r4, 4;
              add.s64 %d1, %d1, %d3;
              add.s64 %d2, %d2, %d3;
              ld.global.u32 %r20, [%d1];
              mov.u32 %r21, %r20;
              and.b32 %r6, %r1, 31;
              mov.u32 %r7, %tid.y;
            """;
    private static final String END = """
            END: ret;
            }
            """;
    private static final String[] SHUFFLES = {"shfl.sync.down.b32 %r22, %r20, C, 31, -1;", "shfl.sync.down.b32 %r22|%p2, %r20, C, 31, -1;\n@!%p2 mov.u32 %r22, %r21;", "shfl.sync.up.b32 %r22, %r20, C, 0, -1;",
            "shfl.sync.bfly.b32 %r22, %r20, C, 31, -1;", "shfl.sync.down.b32 %r22, %r20, C, 0x181f, -1;", "shfl.sync.up.b32 %r22|%p2, %r20, C, 0x1800, -1;\nselp.b32 %r22, %r22, 5, %p2;",
            "shfl.sync.idx.b32 %r22, %r20, C, 31, -1;", "shfl.sync.down.b32 %r22, %r20, C, 15, -1;", "shfl.sync.down.b32 %r22, %r20, %r7, 31, -1;", "mov.u32 %r22, 9;\nshfl.sync.down.b32 %r22, %r20, %r20, 31, -1;"};
    private static final String[] STEPS = {"add.u32 %r20, %r20, %r22;", "max.s32 %r20, %r20, %r22;", "mad.lo.u32 %r20, %r20, 3, %r22;", "mov.u32 %r20, %r22;", "xor.b32 %r21, %r21, %r22;\nadd.u32 %r20, %r20, %r21;",
            "cvt.rn.f32.s32 %f1, %r22;\nadd.f32 %f1, %f1, 0f3F800000;\nmov.b32 %r20, %f1;"};
    private static final String[] WHO = {"setp.eq.u32 %p0, %r1, L;", "setp.eq.u32 %p0, %r6, L;", "setp.lt.u32 %p0, %r6, L;", "setp.ge.u32 %p0, %r1, L;", "mov.u32 %r8, %laneid;\nsetp.eq.u32 %p0, %r8, L;", "rem.u32 %r8, %r1, L;\nsetp.eq.u32 %p0, %r8, 0;",
            "setp.eq.u32 %p0, %r21, %r20;", "setp.eq.u32 %p1, %r7, 0;\nsetp.eq.and.u32 %p0, %r6, L, %p1;"};
    private static final String[] STORES = {"@%p0 st.global.u32 [%d2], %r20;", "@!%p0 bra END;\nst.global.u32 [%d2], %r20;", "@%p0 red.global.add.u32 [%d2], %r20;", "@%p0 bra NEXT;\nst.global.u32 [%d2], %r21;\nbra END;\nNEXT: st.global.u32 [%d2], %r20;",
            "selp.b32 %r20, %r20, 1, %p0;\nst.global.u32 [%d2], %r20;"};

    private static String random(SplittableRandom random) {
        StringBuilder text = new StringBuilder(HEAD);
        boolean halves = random.nextBoolean();
        int distance = 16;
        for (int n = random.nextInt(1, 7); n > 0; n--) {
            String shuffle = halves && random.nextInt(6) > 0 ? SHUFFLES[random.nextInt(2)] : one(random, SHUFFLES);
            text.append(shuffle.replace("C", Integer.toString(halves ? distance : random.nextInt(32)))).append('\n').append(one(random, STEPS)).append('\n');
            distance = Math.max(1, distance / 2);
        }
        if (random.nextInt(4) == 0) {
            text.insert(HEAD.length(), "mov.u32 %r30, 0;\nAGAIN:\n").append("add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p3, %r30, 2;\n@%p3 bra AGAIN;\n");
        }
        return text.append(one(random, WHO).replace("L", Integer.toString(random.nextInt(3) == 0 ? random.nextInt(1, 32) : random.nextInt(1, 3)))).append('\n').append(one(random, STORES)).append('\n').append(END).toString();
    }

    private static String one(SplittableRandom random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void randomShufflesAgree(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int n = 0; n < 60; n++) {
            String text = random(random);
            for (int[] block : new int[][] {{32, 1}, {96, 1}, {16, 4}}) {
                Shapes.assertAgree(engine -> run(engine, text, block[0], block[1]), block[0] + " by " + block[1] + " threads\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
            }
        }
    }

    @Test
    void whatOnlyTheFirstLaneNeedsIsExchangedCrosswise() {
        String sum = IntStream.of(16, 8, 4, 2, 1).mapToObj(n -> "shfl.sync.down.b32 %r22, %r20, " + n + ", 31, -1;\nadd.u32 %r20, %r20, %r22;\n").reduce("", String::concat);
        assertFalse(Shapes.listing(HEAD + sum + "setp.eq.u32 %p0, %r6, 0;\n@%p0 st.global.u32 [%d2], %r20;\n" + END, 64).contains("SHFL_DOWN"));
        assertTrue(Shapes.listing(HEAD + sum + "setp.le.u32 %p0, %r6, 1;\n@%p0 st.global.u32 [%d2], %r20;\n" + END, 64).contains("SHFL_DOWN"));
    }

    private static int[] run(Engine engine, String text, int columns, int rows) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer in = device.copyOf(IntStream.range(0, 192).map(i -> Integer.reverse(i * 0x85EBCA77) >>> i % 32).toArray());
            DeviceBuffer out = device.allocateInts(192);
            device.load("k.ptx", text).kernel("k").grid(2).block(columns, rows).launch(in, out);
            return out.toInts();
        }
    }
}
