package io.ptx4j.vector;


import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lanes take along when they leave a loop one by one lies in the frame while the loop runs, and must be what each lane had when it left. */
final class LoopResultsTest {
    private static final String HEAD = Shapes.head(".param .u32 n, .param .u64 out") + """
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
              mul.lo.u32 %r5, %r4, 0x9e3779b1;
              shr.u32 %r6, %r5, 27;
              mov.u32 %r10, 7;
              mov.u32 %r11, %r5;
              cvt.rn.f32.u32 %f1, %r6;
              cvt.rn.f64.u32 %g1, %r6;
              mov.u64 %d5, 11;
            """;
    /** A value of each kind and how a turn of the loop changes it. */
    private static final String[] CHANGES = {
        "mad.lo.u32 %r11, %r11, 5, %r20;", "fma.rn.f32 %f1, %f1, 0f3FC00000, 0f3F800000;", "fma.rn.f64 %g1, %g1, 0d3FF8000000000000, 0d3FF0000000000000;",
        "add.u64 %d5, %d5, %d1;"};
    /** Lanes leave the loop after as many turns as %r6 says, all of them after as many as %r0. */
    private static final String LOOP = """
              mov.u32 %r20, 0;
              BEFORE
            LOOP:
              setp.ge.u32 %p1, %r20, %r6;
              @%p1 bra OUT;
              add.u32 %r10, %r10, 3;
              CHANGES
              setp.eq.u32 %p2, %r20, %r0;
              @%p2 bra OUT;
              add.u32 %r20, %r20, 1;
              bra LOOP;
            OUT:
            """;
    private static final String INNER = """
              mov.u32 %r21, 0;
              and.b32 %r22, %r11, 7;
              mov.u32 %r23, 1;
            AGAIN:
              mad.lo.u32 %r23, %r23, 3, %r21;
              add.u32 %r21, %r21, 1;
              setp.lt.u32 %p3, %r21, %r22;
              @%p3 bra AGAIN;
              xor.b32 %r11, %r11, %r23;
            """;
    private static final String END = """
              mad.lo.u32 %r40, %r10, 3, %r11;
              mad.lo.u32 %r40, %r40, 5, %r20;
              mov.b32 %r41, %f1;
              mad.lo.u32 %r40, %r40, 7, %r41;
              mov.b64 {%r41, %r42}, %g1;
              mad.lo.u32 %r40, %r40, 9, %r41;
              mad.lo.u32 %r40, %r40, 11, %r42;
              cvt.u32.u64 %r41, %d5;
              mad.lo.u32 %r40, %r40, 13, %r41;
              st.global.u32 [%d2], %r40;
            END:
              ret;
            }
            """;

    private static String text(String before, String changes) {
        return HEAD + LOOP.replace("BEFORE", before).replace("CHANGES", changes) + END;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 33, 64, 100, 256})
    void eachLaneHasWhatItLeftWith(int threads) {
        for (String change : CHANGES) {
            agree(text("", change), threads);
        }
        agree(text("", String.join("\n", CHANGES)), threads);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 33, 64, 100, 256})
    void anInnerLoopDoesNotTakeThePlacesOfTheOuterOne(int threads) {
        agree(text("", INNER), threads);
    }

    /** Some lanes go past the loop; at times all of a group do. */
    @ParameterizedTest
    @ValueSource(ints = {33, 256})
    void lanesThatGoPastTheLoopKeepWhatTheyHad(int threads) {
        agree(text("setp.lt.u32 %p4, %r6, 20;\n@%p4 bra OUT;", CHANGES[0]), threads);
        agree(text("setp.lt.u32 %p4, %r1, 64;\n@%p4 bra OUT;", INNER), threads);
        agree(text("setp.lt.u32 %p4, %r0, 20;\n@%p4 bra OUT;", CHANGES[1]), threads);
    }

    /** More than the frame has places for. */
    @Test
    void manyResultsAreRightToo() {
        StringBuilder changes = new StringBuilder();
        StringBuilder first = new StringBuilder();
        StringBuilder sum = new StringBuilder();
        for (int r = 24; r < 38; r++) {
            first.append("add.u32 %r").append(r).append(", %r1, ").append(r).append(";\n");
            changes.append("mad.lo.u32 %r").append(r).append(", %r").append(r).append(", ").append(r).append(", %r20;\n");
            sum.append("mad.lo.u32 %r10, %r10, 17, %r").append(r).append(";\n");
        }
        agree(text(first.toString(), changes.toString()).replace("OUT:\n", "OUT:\n" + sum), 96);
    }

    /** Where the loop fits into one method: with other results than the one value a loop with doubles is more than HotSpot's first compiler takes. */
    @Test
    void theyLieInTheFrame() {
        String[] arrays = {"resultInts", "resultFloats", "resultDoubles", "resultLongs"};
        for (int kind = 0; kind < arrays.length; kind++) {
            String text = text("", CHANGES[kind]).replace("add.u32 %r10, %r10, 3;", "").replace("mad.lo.u32 %r40, %r40, 5, %r20;", "");
            Shapes.assertOfLongVectors(Shapes.listing(text, 256).contains(arrays[kind]), arrays[kind]);
        }
        Shapes.assertOfLongVectors(Shapes.listing(text("", INNER), 256).contains("resultInts"), "both loops");
    }

    private static void agree(String text, int threads) {
        for (int n : new int[] {0, 3, 21, 1000}) {
            Shapes.assertAgree(engine -> run(engine, text, threads, n), "n = " + n + "\n" + text, Jit.Shape.VECTOR);
        }
    }

    private static int[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(3L * threads);
            device.load("k.ptx", text).kernel("k").grid(3).block(threads).launch(n, out);
            return out.toInts();
        }
    }
}
