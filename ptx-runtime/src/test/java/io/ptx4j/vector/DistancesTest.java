package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses whose addresses lie at constant distances, be they in registers of their own: one test serves them, which has to notice where an index wraps around or one of them is not there. */
final class DistancesTest {
    private static final int WORDS = 4096;

    /** {@code %d1} is where index {@code %r9} lies in a buffer of 4,096 words, 64 behind its first, {@code %d2} the thread's place for a result. */
    private static final String HEAD = Shapes.head(".param .u64 in, .param .u64 out, .param .u32 n") + """
              .shared .align 16 .b32 words[1024];
              ld.param.u64 %d1, [in];
              ld.param.u64 %d2, [out];
              ld.param.u32 %r9, [n];
              mul.wide.u32 %d3, %r4, 4;
              add.s64 %d2, %d2, %d3;
              shl.b32 %r10, %r1, 2;
              mov.u32 %r11, words;
              add.u32 %r10, %r10, %r11;
              st.shared.u32 [%r10], %r1;
              st.shared.u32 [%r10+256], %r2;
              st.shared.u32 [%r10+512], %r4;
              st.shared.u32 [%r10+768], %r9;
              bar.sync 0;
              mov.u32 %r20, 0;
              add.u32 %r12, %r9, %r1;
            """;
    private static final String END = """
              st.global.u32 [%d2], %r20;
              ret;
            }
            """;
    private static final String[] INDICES = {"add.u32 %r30, %r12, C;", "add.s32 %r31, %r9, C;\nadd.s32 %r30, %r31, %r1;", "sub.u32 %r30, %r12, -C;", "mad.lo.u32 %r30, %r1, 1, %r9;\nadd.u32 %r30, %r30, C;",
            "add.u32 %r31, %r1, C;\nmad.lo.s32 %r30, %r3, 1, %r31;\nsub.u32 %r30, %r30, %r3;\nadd.u32 %r30, %r30, %r9;", "mov.u32 %r31, %r12;\nadd.u32 %r30, %r31, C;", "@%p1 add.u32 %r12, %r12, 1;\nadd.u32 %r30, %r12, C;"};
    private static final String[] ADDRESSES = {"mul.wide.u32 %d10, %r30, 4;\nadd.s64 %d10, %d1, %d10;", "mad.wide.u32 %d10, %r30, 4, %d1;", "cvt.u64.u32 %d10, %r30;\nshl.b64 %d10, %d10, 2;\nadd.s64 %d10, %d10, %d1;",
            "mul.wide.u32 %d11, %r30, 4;\nadd.s64 %d11, %d11, %d1;\nadd.s64 %d10, %d11, 64;"};
    private static final String[] USES = {"ld.global.u32 %r21, [%d10];", "ld.global.u32 %r21, [%d10+8];", "ld.global.f32 %f1, [%d10+4];\nmov.b32 %r21, %f1;", "mov.u32 %r21, 7;\nst.global.u32 [%d10+8192], %r21;",
            "ld.global.u32 %r21, [%d10];\nadd.s64 %d1, %d1, 32;", "ld.global.u16 %h1, [%d10+2];\ncvt.u32.u16 %r21, %h1;",
            "mov.u32 %r21, %r20;\nsetp.lt.u32 %p2, %r1, D;\n@%p2 ld.global.u32 %r21, [%d10];", "setp.eq.u32 %p2, %r20, 0;\n@!%p2 ld.global.u32 %r21, [%d10+12];", "and.b32 %r33, %r1, D;\nsetp.ne.u32 %p2, %r33, 0;\n@%p2 ld.global.f32 %f1, [%d10];\nmov.b32 %r21, %f1;"};
    private static final String[] SHARED = {"add.u32 %r32, %r10, D;\nld.shared.u32 %r21, [%r32];", "ld.shared.u32 %r21, [%r10+D];", "shl.b32 %r32, %r1, 2;\nadd.u32 %r32, %r32, D;\nadd.u32 %r32, %r32, %r11;\nld.shared.u32 %r21, [%r32];"};

    private static String random(SplittableRandom random, boolean signed) {
        StringBuilder text = new StringBuilder(HEAD).append("setp.eq.u32 %p1, %r3, 40;\n");
        int range = random.nextBoolean() ? 64 : 1500;
        for (int n = random.nextInt(2, 7); n > 0; n--) {
            if (random.nextInt(4) == 0) {
                text.append(one(random, SHARED).replace("D", Integer.toString(4 * random.nextInt(random.nextInt(8) == 0 ? 1100 : 190))));
            } else {
                String c = Integer.toString(random.nextInt(6) == 0 ? -random.nextInt(64) : random.nextInt(range));
                String address = one(random, ADDRESSES);
                text.append(one(random, INDICES).replace("-C", Integer.toString(-Integer.parseInt(c))).replace("C", c)).append('\n');
                text.append(signed ? address.replace("wide.u32", "wide.s32").replace("cvt.u64.u32", "cvt.s64.s32") : address).append('\n').append(one(random, USES).replace("D", Integer.toString(random.nextInt(70))));
            }
            text.append("\nmad.lo.u32 %r20, %r20, 31, %r21;\n");
        }
        return text.append(END).toString();
    }

    private static String one(SplittableRandom random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomAccessesAgree(boolean signed) {
        SplittableRandom random = new SplittableRandom(signed ? 2 : 1);
        for (int n = 0; n < 120; n++) {
            String text = random(random, signed);
            int index = random.nextInt(3) > 0 ? 64 : signed ? Integer.MAX_VALUE - random.nextInt(1200) : -random.nextInt(1200);
            for (int threads : new int[] {64, 40}) {
                int last = random.nextInt(4) == 0 ? random.nextInt(1200) : 0;
                Shapes.assertAgree(engine -> run(engine, text, threads, index, signed, last), threads + " threads, index " + index + "\n" + text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
            }
        }
    }

    @Test
    void registersOfTheirOwnShareATest() {
        String loads = IntStream.of(0, 7, 32, 200).mapToObj(c -> "add.u32 %r30, %r12, " + c + ";\nmul.wide.u32 %d10, %r30, 4;\nadd.s64 %d10, %d10, %d1;\nld.global.u32 %r21, [%d10];\nadd.u32 %r20, %r20, %r21;\n")
                .reduce("", String::concat);
        String listing = Shapes.listing(HEAD + loads + END, 64);
        assertTrue(listing.split("compareUnsigned", -1).length < 5, "tests of accesses to global memory\n" + text(listing));
    }

    private static String text(String listing) {
        return listing.lines().filter(l -> l.contains("compareUnsigned") || l.contains("fromMemorySegment")).reduce("", (a, b) -> a + b + "\n");
    }

    /** @param last words of memory from the index on; 0 for all */
    private static Object run(Engine engine, String text, int threads, int index, boolean signed, int last) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(3 * 64);
            DeviceBuffer in = device.copyOf(IntStream.range(0, WORDS).map(i -> i * 0x85EBCA77).toArray());
            long start = in.address() + 4L * (last > 0 ? WORDS - last : 64);
            long zero = start - 4 * (signed ? index : Integer.toUnsignedLong(index));
            try {
                device.load("k.ptx", text).kernel("k").grid(3).block(threads).launch(zero, out, index);
            } catch (KernelException e) {
                return e.getMessage();
            }
            return new int[][] {out.toInts(), in.toInts()};
        }
    }
}
