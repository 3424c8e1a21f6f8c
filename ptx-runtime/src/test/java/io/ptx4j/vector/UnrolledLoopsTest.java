package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.Launch;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What compilers have unrolled and is a loop again leaves the same, and names the line of the turn that fails. */
@Tag("access")
@Tag("thorough")
final class UnrolledLoopsTest {
    private static final int TURNS = 20;
    private static final int SUMS = 6;
    private static final int WORDS = 1 << 14;

    /**
     * Sums of products of words of shared memory, a tile that all threads fill: four from the thread's column and six from its row in each turn.
     *
     * @param first line before the turns, {@code row} and {@code column} in %r10 and %r11
     */
    private static String kernel(String first) {
        String turns = IntStream.range(0, TURNS).mapToObj(j -> "ld.shared.f32 %f20, [%r10+" + 4 * j + "];\n"
                + IntStream.range(0, SUMS).mapToObj(k -> "ld.shared.f32 %f" + (21 + k) + ", [%r11+" + (256 * j + 16 * k) + "];\nfma.rn.f32 %f" + k + ", %f20, %f" + (21 + k) + ", %f" + k + ";\n")
                        .collect(Collectors.joining())).collect(Collectors.joining());
        return Shapes.head(".param .u64 out, .param .u64 in, .param .u32 n") + """
                  .shared .align 16 .b8 tile[16384];
                  ld.param.u64 %d0, [out];
                  ld.param.u64 %d1, [in];
                  ld.param.u32 %r20, [n];
                  mov.u32 %r12, tile;
                  mov.u32 %r13, %r1;
                FILL:
                  mul.wide.u32 %d2, %r13, 4;
                  add.s64 %d3, %d1, %d2;
                  ld.global.u32 %r14, [%d3];
                  shl.b32 %r15, %r13, 2;
                  add.u32 %r16, %r12, %r15;
                  st.shared.u32 [%r16], %r14;
                  add.u32 %r13, %r13, %r3;
                  setp.lt.u32 %p0, %r13, 4096;
                  @%p0 bra FILL;
                  bar.sync 0;
                  shl.b32 %r5, %r1, 2;
                  and.b32 %r6, %r5, 60;
                  add.u32 %r11, %r12, %r6;
                  shr.u32 %r7, %r1, 4;
                  mad.lo.u32 %r10, %r7, 128, %r12;
                """ + IntStream.range(0, SUMS).mapToObj(k -> "mov.f32 %f" + k + ", 0f00000000;\n").collect(Collectors.joining()) + first + "\n" + turns
                + "mad.lo.u32 %r30, %r4, 32, 0;\ncvt.u64.u32 %d5, %r30;\nadd.s64 %d6, %d0, %d5;\n"
                + IntStream.range(0, SUMS).mapToObj(k -> "st.global.f32 [%d6+" + 4 * k + "], %f" + k + ";\n").collect(Collectors.joining()) + "ret;\n}\n";
    }

    private static int[] run(Engine engine, String text, int threads, int n) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(WORDS);
            DeviceBuffer in = device.allocateInts(WORDS);
            in.copyFrom(IntStream.range(0, WORDS).map(i -> Float.floatToRawIntBits(1 + i % 97 / 64f)).toArray());
            device.load("k.ptx", text).kernel("k").grid(3).block(threads).launch(out, in, n);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 64, 96, 128, 250})
    void theyLeaveTheSame(int threads) {
        Shapes.assertAgree(engine -> run(engine, kernel(""), threads, 0), threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
    }

    /** Of short elements, each thread's behind one another: so many turns are one as load a whole word, and the right turn of the right thread fails. */
    @ParameterizedTest
    @CsvSource({"u8, 1", "s8, 1", "u16, 2", "s16, 2"})
    void shortElementsAreLoadedByWords(String type, int bytes) {
        int turns = 48;
        String text = Shapes.head(".param .u64 out, .param .u64 in, .param .u32 from") + """
                  ld.param.u64 %d0, [out];
                  ld.param.u64 %d1, [in];
                  ld.param.u32 %r20, [from];
                  mul.wide.u32 %d2, %r4, SIZE;
                  add.s64 %d3, %d1, %d2;
                  cvt.u64.u32 %d4, %r20;
                  add.s64 %d3, %d3, %d4;
                  mov.u32 %r10, 7;
                """.replace("SIZE", String.valueOf(turns * bytes))
                + IntStream.range(0, turns).mapToObj(j -> """
                  ld.global.TYPE %r11, [%d3+AT];
                  mul.lo.u32 %r12, %r10, 31;
                  add.u32 %r13, %r12, %r11;
                  setp.gt.u32 %p1, %r11, 100;
                  selp.u32 %r14, 3, %r12, %p1;
                  shf.l.wrap.b32 %r15, %r14, %r13, %r11;
                  popc.b32 %r16, %r15;
                  add.u32 %r17, %r15, %r16;
                  xor.b32 %r10, %r17, %r13;
                """.replace("TYPE", type).replace("AT", String.valueOf(j * bytes))).collect(Collectors.joining())
                + "mul.wide.u32 %d5, %r4, 4;\nadd.s64 %d6, %d0, %d5;\nst.global.u32 [%d6], %r10;\nret;\n}\n";
        String listing = Shapes.listing(text, 64);
        assertTrue(listing.contains("VectorFrame.lines") && listing.contains("LaneRecords.loadNarrow"), listing);
        for (int threads : new int[] {64, 100}) {
            Shapes.assertAgree(engine -> run(engine, text, threads, 0), threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
        }
        String error = Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, 4 * WORDS - 100 * turns * bytes - 5 * bytes), text);
        assertTrue(error.contains("thread (36,0,0)"), error);
    }

    @Test
    void theyAreLoopsAgain() {
        String listing = Shapes.listing(kernel(""), 64);
        assertTrue(listing.contains("VectorFrame.lines"), listing);
    }

    /** Threads from 40 on, or every third one, whose addresses lie so that they leave the window in the middle of a turn. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "setp.ge.u32 %p1, %r1, 40; @%p1 add.u32 %r11, %r11, 12000; | out of bounds",
        "rem.u32 %r8, %r1, 3; setp.eq.u32 %p1, %r8, 1; @%p1 add.u32 %r11, %r11, 14200; | out of bounds",
        "add.u32 %r10, %r10, 16320; | out of bounds",
        "setp.eq.u32 %p1, %r1, 50; @%p1 add.u32 %r10, %r10, 2; | misaligned",
    })
    void faultsAreNamedByTheLineOfTheirTurn(String first, String kind) {
        String failure = Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, kernel(first), 128, 0), first);
        assertTrue(failure.contains(kind), failure);
    }

    /** A fault behind the turns is named by its own line. */
    @Test
    void linesCountOnlyWithinATurn() {
        String text = kernel("").replace("ret;", "add.s64 %d7, %d6, 2;\nst.global.f32 [%d7], %f0;\nret;");
        String failure = Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 128, 0), "misaligned");
        assertEquals(text.lines().toList().indexOf("st.global.f32 [%d7], %f0;") + 1, Integer.parseInt(failure.replaceAll("(?s).*k\\.ptx:(\\d+).*", "$1")), failure);
    }

    /** A launch that failed in the middle of a turn leaves nothing to the next one. */
    @Test
    void aLaterLaunchNamesItsOwnLine() {
        String text = kernel("setp.eq.u32 %p2, %r20, 1; @%p2 add.u32 %r10, %r10, 16320;").replace("ret;",
            "setp.eq.u32 %p3, %r20, 2;\nadd.s64 %d7, %d6, 2;\n@%p3 st.global.f32 [%d7], %f0;\nret;");
        List<String> expected = failures(new Interpreter(), text);
        assertEquals(2, expected.stream().distinct().count(), expected::toString);
        assertEquals(expected, failures(new Jit(Jit.Shape.VECTOR), text));
    }

    private static List<String> failures(Engine engine, String text) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(WORDS);
            DeviceBuffer in = device.allocateInts(WORDS);
            Launch launch = device.load("k.ptx", text).kernel("k").grid(3).block(128);
            return IntStream.of(1, 2).mapToObj(n -> assertThrows(KernelException.class, () -> launch.launch(out, in, n)).getMessage()).toList();
        }
    }
}
