package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.jit.support.TurnCount;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops over neighbouring elements, of which the vector shape runs some turns without tests: they must leave what the other engines leave. */
final class SureTurnsTest {
    private static final int ELEMENTS = 5_000;

    /** Buffers {@code x} and {@code y} of {@link #ELEMENTS} words each; {@code %r4} is the thread's number in the grid, {@code %r5} all threads. */
    private static final String HEAD = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k(.param .u32 n, .param .u64 x, .param .u64 y)
            {
              .reg .pred %p<9>;
              .reg .b16 %h<9>;
              .reg .b32 %r<60>;
              .reg .f32 %f<20>;
              .reg .b64 %d<20>;
              .shared .align 4 .b32 tile[4096];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [x];
              ld.param.u64 %d9, [y];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mov.u32 %r6, %nctaid.x;
              mad.lo.s32 %r4, %r2, %r3, %r1;
              mul.lo.s32 %r5, %r6, %r3;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
              add.s64 %d3, %d9, %d1;
              mov.u32 %r10, 1;
              mov.u32 %r11, %r4;
            """;
    private static final String END = "DONE: st.global.u32 [%d3], %r10;\nret;\n}\n";

    private static final String STRIDE = HEAD + """
              setp.ge.u32 %p0, %r11, %r0;
              @%p0 bra DONE;
            LOOP:
              mul.wide.u32 %d4, %r11, 4;
              add.s64 %d5, %d0, %d4;
              ld.global.u32 %r12, [%d5];
              mad.lo.u32 %r10, %r10, 3, %r12;
              add.s32 %r11, %r11, %r5;
              setp.lt.u32 %p1, %r11, %r0;
              @%p1 bra LOOP;
            """ + END;

    /** The address is made from the last turn's index, and lanes leave by the other way. */
    private static final String SIGNED = HEAD + """
            LOOP:
              cvt.s64.s32 %d4, %r11;
              shl.b64 %d10, %d4, 2;
              add.s64 %d5, %d0, %d10;
              ld.global.f32 %f1, [%d5+4];
              st.global.f32 [%d5], %f1;
              add.s32 %r10, %r10, %r11;
              add.s32 %r11, %r5, %r11;
              setp.ge.s32 %p1, %r11, %r0;
              @!%p1 bra LOOP;
            """ + END;

    private static final String DOWN = HEAD + """
              mad.lo.u32 %r11, %r5, 9, %r11;
            LOOP:
              mul.wide.s32 %d4, %r11, 4;
              add.s64 %d5, %d0, %d4;
              ld.global.u32 %r12, [%d5];
              mad.lo.u32 %r10, %r10, 5, %r12;
              sub.s32 %r11, %r11, %r5;
              setp.gt.s32 %p1, %r0, %r11;
              @%p1 bra DONE;
              bra LOOP;
            """ + END;

    /** All lanes leave together; the pointer grows. */
    private static final String COUNTED = HEAD + """
              and.b32 %r13, %r0, 7;
              add.s32 %r13, %r13, 1;
              mul.wide.u32 %d6, %r5, 4;
            LOOP:
              ld.global.u32 %r12, [%d2];
              mad.lo.u32 %r10, %r10, 7, %r12;
              st.global.u32 [%d2], %r10;
              add.s64 %d2, %d2, %d6;
              add.s32 %r13, %r13, -1;
              setp.ne.s32 %p1, %r13, 0;
              @%p1 bra LOOP;
            """ + END;

    /** A row's number that is the same for all lanes is extended: it wraps around behind the fourth row. */
    private static final String ROWS = HEAD + """
              mov.u32 %r14, -4;
              mov.u32 %r13, 0;
              mov.u64 %d7, 0x3FFFFFFF0;
              sub.s64 %d2, %d2, %d7;
            LOOP:
              mul.wide.u32 %d4, %r14, 4;
              add.s64 %d5, %d2, %d4;
              setp.eq.u32 %p3, %r13, 4;
              selp.b64 %d8, %d7, 0, %p3;
              add.s64 %d2, %d2, %d8;
              ld.global.u32 %r12, [%d5];
              mad.lo.u32 %r10, %r10, 7, %r12;
              add.s32 %r14, %r14, 1;
              add.s32 %r13, %r13, 1;
              setp.lt.u32 %p1, %r13, 4;
              @%p1 bra LOOP;
            """ + END;

    /** Elements of 8, 16 and 64 bits, and shared memory. */
    private static final String SIZES = HEAD + """
              add.s64 %d10, %d0, 0;
              cvt.u64.u32 %d11, %r4;
              add.s64 %d10, %d10, %d11;
              add.s64 %d12, %d10, %d11;
              mad.wide.u32 %d13, %r1, 8, %d0;
              mov.u32 %r20, tile;
              mad.lo.u32 %r20, %r1, 4, %r20;
              mov.u32 %r13, 0;
              and.b32 %r15, %r0, 15;
              mov.u64 %d14, 3;
            LOOP:
              ld.global.s8 %r12, [%d10+3];
              ld.global.u16 %h1, [%d12];
              ld.global.u64 %d15, [%d13+8];
              st.shared.u32 [%r20], %r12;
              cvt.u32.u16 %r16, %h1;
              mad.lo.u32 %r10, %r10, 7, %r12;
              xor.b32 %r10, %r10, %r16;
              xor.b64 %d14, %d14, %d15;
              ld.shared.u32 %r17, [%r20];
              add.u32 %r10, %r10, %r17;
              add.s64 %d10, %d10, 6;
              add.s64 %d12, %d12, 32;
              add.s64 %d13, %d13, 16;
              add.s32 %r20, %r20, 256;
              add.s32 %r13, %r13, 1;
              setp.lt.u32 %p1, %r13, %r15;
              @%p1 bra LOOP;
              cvt.u32.u64 %r17, %d14;
              add.u32 %r10, %r10, %r17;
            """ + END;

    private static final List<String> ALL = List.of(STRIDE, SIGNED, DOWN, COUNTED, ROWS, SIZES);

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 64, 100, 256})
    void turnsWithoutTestsLeaveWhatTheInterpreterLeaves(int threads) {
        for (String text : ALL) {
            for (int n : new int[] {0, threads, 700, 701, 1023, 4_096 - threads, 4_200}) {
                int[][] expected = run(new Interpreter(), text, threads, n, 0);
                int[][] found = run(new Jit(Jit.Shape.VECTOR), text, threads, n, 0);
                assertArrayEquals(expected[0], found[0], "x, n = " + n + "\n" + text);
                assertArrayEquals(expected[1], found[1], "y, n = " + n + "\n" + text);
            }
        }
    }

    /** Misaligned from the first turn on, beyond the memory after some turns, and both for threads in the middle of a group. */
    @ParameterizedTest
    @CsvSource({"0, 10000000", "2, 1000", "-40, 1000", "0, -1", "16000000, 5000"})
    void aLoopThatLeavesItsMemoryFailsAtTheSameElement(long displaced, int n) {
        for (String text : List.of(STRIDE, SIGNED, COUNTED)) {
            String name = "displaced " + displaced + "\n" + text;
            Jit scalar = new Jit(Jit.Shape.SCALAR);
            int count = text.equals(COUNTED) ? 63 : n;
            long by = text.equals(COUNTED) && displaced == 0 ? (16 << 20) - 16_384 : displaced;
            KernelException expected = fault(scalar, text, count, by);
            KernelException found = fault(new Jit(Jit.Shape.VECTOR), text, count, by);
            assertEquals(expected == null ? null : expected.getMessage(), found == null ? null : found.getMessage(), name);
        }
    }

    private static KernelException fault(Engine engine, String text, int n, long displaced) {
        try {
            run(engine, text, 64, n, displaced);
            return null;
        } catch (KernelException e) {
            return e;
        }
    }

    @Test
    void anIndexThatWrapsAroundStartsAnewAtTheFirstElement() {
        // From 2^32 - 512 on by 128 threads: four turns in, the index is 0, and the addresses jump back by 16 GiB.
        String text = STRIDE.replace("LOOP:\n", "add.u32 %r11, %r11, -512;\nmov.u64 %d7, 0x3FFFFF800;\nsub.s64 %d0, %d0, %d7;\nLOOP:\n")
                .replace("setp.lt.u32 %p1, %r11, %r0", "setp.gt.u32 %p1, %r11, 511");
        int[][] expected = run(new Interpreter(), text, 64, 4_000, 0);
        assertArrayEquals(expected[1], run(new Jit(Jit.Shape.VECTOR), text, 64, 4_000, 0)[1]);
        String beyond = text.replace("setp.gt.u32 %p1, %r11, 511", "setp.ne.u32 %p1, %r11, 5");
        assertThrows(KernelException.class, () -> run(new Jit(Jit.Shape.VECTOR), beyond, 64, 4_000, 0));
        assertThrows(KernelException.class, () -> run(new Interpreter(), beyond, 64, 4_000, 0));
    }

    @Test
    void turnsAreCountedExactly() {
        Random random = new Random(5);
        for (int k = 0; k < 200_000; k++) {
            long low = random.nextInt(40) - 20;
            long high = low + random.nextInt(60) - 5;
            long first = low + random.nextInt(70) - 8;
            long step = random.nextInt(21) - 10;
            int most = random.nextInt(30);
            int expected = 0;
            while (expected < most && first + expected * step >= low && first + expected * step <= high) {
                expected++;
            }
            assertEquals(expected, TurnCount.within(most, first, step, low, high), first + " + k * " + step + " in " + low + ".." + high);
        }
        assertEquals(1, TurnCount.within(9, 5, Long.MIN_VALUE, 0, 10));
        assertEquals(1, TurnCount.within(9, 5, Long.MAX_VALUE, 0, 10));
        assertEquals(0, TurnCount.aligned(9, 6, 4, 4));
        assertEquals(0, TurnCount.aligned(9, 8, 2, 4));
        assertEquals(9, TurnCount.aligned(9, 8, -4, 4));
    }

    private static int[][] run(Engine engine, String text, int threads, int n, long displaced) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(16 << 20).open()) {
            PtxModule module = device.load(Checker.check(new SourceFile("k.ptx", text)).module());
            int[] pattern = new Random(3).ints(ELEMENTS).toArray();
            DeviceBuffer x = device.copyOf(pattern);
            DeviceBuffer y = device.allocateInts(ELEMENTS);
            module.kernel("k").grid(2).block(threads).launch(n, x.address() + displaced, y);
            return new int[][] {x.toInts(), y.toInts()};
        }
    }
}
