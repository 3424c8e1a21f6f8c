package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchStoppedException;
import io.ptx4j.runtime.PtxModule;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops whose turns all groups of some blocks run ahead, before barriers: they must leave what the other engines leave. */
@Timeout(120)
@Tag("thorough")
final class LoopAheadTest {
    private static final int ELEMENTS = 40_000;
    private static final int BLOCKS = 37;

    /** {@code %r5} is the number of all threads; what {@code %r10} is before the barrier the next thread of the block writes behind it. */
    private static final String HEAD = Shapes.head(".param .u32 n, .param .u64 x, .param .u64 y") + """
              .shared .align 4 .b32 tile[1024];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [x];
              ld.param.u64 %d9, [y];
              cvta.to.global.u64 %d0, %d0;
              mov.u32 %r6, %nctaid.x;
              mul.lo.s32 %r5, %r6, %r3;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
              mov.u32 %r10, 1;
              mov.u32 %r11, %r4;
              mov.u32 %r12, 5;
              mov.u32 %r50, tile;
            """;
    private static final String END = """
            DONE:
              mad.lo.u32 %r51, %r1, 4, %r50;
              st.shared.u32 [%r51], %r10;
              bar.sync 0;
              add.u32 %r52, %r1, 1;
              rem.u32 %r52, %r52, %r3;
              mad.lo.u32 %r52, %r52, 4, %r50;
              ld.shared.u32 %r53, [%r52];
              xor.b32 %r53, %r53, %r12;
              add.s64 %d3, %d9, %d1;
              st.global.u32 [%d3], %r53;
              ret;
            }
            """;

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

    /** All lanes leave together; a pointer grows, and what a turn loads the next one uses. */
    private static final String COUNTED = HEAD + """
              div.u32 %r13, %r0, %r5;
              max.u32 %r13, %r13, 1;
              mul.wide.u32 %d6, %r5, 4;
            LOOP:
              mad.lo.u32 %r10, %r10, 7, %r12;
              ld.global.u32 %r12, [%d2];
              add.s64 %d2, %d2, %d6;
              add.s32 %r13, %r13, -1;
              setp.ne.s32 %p1, %r13, 0;
              @%p1 bra LOOP;
            """ + END;

    /** Two ways lead to the loop, other sums and a predicate go through it, and blocks have different bounds. */
    private static final String WAYS = HEAD + """
              mov.f32 %f1, 0f40000000;
              and.b32 %r20, %r2, 3;
              setp.eq.u32 %p2, %r20, 3;
              @%p2 bra OTHER;
              sub.u32 %r21, %r0, %r20;
              mov.u32 %r22, %r1;
              bra START;
            OTHER:
              shr.u32 %r21, %r0, 1;
              add.u32 %r22, %r1, 3;
            START:
              setp.gt.u32 %p3, %r1, 40;
              setp.ge.s32 %p0, %r11, %r21;
              @%p0 bra BEHIND;
            LOOP:
              mad.wide.s32 %d5, %r11, 4, %d0;
              ld.global.u32 %r12, [%d5];
              ld.global.f32 %f2, [%d5+4];
              and.b32 %r23, %r12, 0xFFFF;
              selp.u32 %r24, %r23, %r22, %p3;
              setp.gt.u32 %p3, %r23, 0x8000;
              add.f32 %f1, %f1, %f2;
              add.u32 %r10, %r10, %r24;
              add.s32 %r11, %r5, %r11;
              setp.lt.s32 %p1, %r11, %r21;
              @%p1 bra LOOP;
            BEHIND:
              mov.b32 %r26, %f1;
              selp.u32 %r27, 77, %r26, %p3;
              add.u32 %r10, %r10, %r27;
            """ + END;

    private static final String DOUBLES = HEAD + """
              mov.f64 %g1, 0d3FF0000000000000;
              shr.u32 %r0, %r0, 1;
              setp.ge.u32 %p0, %r11, %r0;
              @%p0 bra BEHIND;
            LOOP:
              mul.wide.u32 %d4, %r11, 8;
              add.s64 %d5, %d0, %d4;
              ld.global.f64 %g2, [%d5];
              add.f64 %g1, %g1, %g2;
              add.s32 %r11, %r11, %r5;
              setp.lt.u32 %p1, %r11, %r0;
              @%p1 bra LOOP;
            BEHIND:
              mov.b64 {%r10, %r12}, %g1;
            """ + END;

    private static final List<String> ALL = List.of(STRIDE, COUNTED, WAYS, DOUBLES);

    /** What is done before the loop shows, may fail or finds something else the next time; the loop stores, or loads what all lanes share. */
    private static final List<String> ALONE = List.of(
            STRIDE.replace("setp.ge.u32 %p0", "st.global.u32 [%d2], %r4;\nsetp.ge.u32 %p0"),
            STRIDE.replace("setp.ge.u32 %p0", "ld.global.u32 %r10, [%d2];\nsetp.ge.u32 %p0"),
            STRIDE.replace("setp.ge.u32 %p0", "mov.u32 %r30, %clock;\nsetp.ge.u32 %p0"),
            STRIDE.replace("mad.lo.u32 %r10, %r10, 3, %r12;", "st.global.u32 [%d5], %r10;"),
            STRIDE.replace("mad.lo.u32 %r10, %r10, 3, %r12;", "ld.global.u32 %r40, [%d0];\nadd.u32 %r10, %r12, %r40;"));

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 64, 100, 256})
    void turnsAheadLeaveWhatTheInterpreterLeaves(int threads) {
        for (String text : ALL) {
            for (int n : new int[] {0, threads, 4_095, 20_000, 20_001, ELEMENTS - BLOCKS * threads}) {
                Shapes.assertAgree(engine -> run(engine, text, threads, n, 0), "n = " + n + "\n" + text, Jit.Shape.VECTOR);
            }
        }
    }

    @Test
    void launchesOfOneKernelFindNothingOfThoseBefore() {
        for (String text : ALL) {
            int[] sizes = {30_000, 10, 9_000, 30_000, 29_999, 0, 20_000};
            Shapes.assertAgree(engine -> launches(engine, text, sizes), text, Jit.Shape.VECTOR);
        }
    }

    private static int[][] launches(Engine engine, String text, int[] sizes) {
        try (Device device = Device.builder().engine(engine).workers(2).memory(16 << 20).open()) {
            PtxModule module = device.load("k", text);
            int[][] results = new int[sizes.length][];
            for (int k = 0; k < sizes.length; k++) {
                DeviceBuffer x = device.copyOf(new Random(k).ints(ELEMENTS).toArray());
                DeviceBuffer y = device.allocateInts(ELEMENTS);
                module.kernel("k").grid(7 + 9 * (k % 3)).block(128).launch(sizes[k], x, y);
                results[k] = y.toInts();
            }
            return results;
        }
    }

    /** Misaligned from the first turn on, and beyond the memory after many turns for threads in the middle of a group and of the grid. */
    @ParameterizedTest
    @CsvSource({"0, 10000000", "2, 20000", "0, -1", "4, 10000000", "65536, 10000000", "131000, 10000000"})
    void theThreadThatFailsIsTheOneOfTheScalarShape(long displaced, int n) {
        for (int threads : new int[] {64, 100}) {
            Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, STRIDE, threads, n, displaced), threads + " displaced " + displaced);
        }
    }

    /** Threads that fail behind the loop do so before threads of later groups fail in it. */
    @Test
    void whatFailsBehindTheLoopFailsFirst() {
        String behind = STRIDE.replace("DONE:", "DONE:\nsetp.eq.u32 %p5, %r4, 70;\n@%p5 trap;");
        for (int n : new int[] {30_000, 10_000_000}) {
            Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, behind, 128, n, 0), "n = " + n);
        }
    }

    @Test
    void aLaunchThatRunsAheadIsStopped() {
        String endless = COUNTED.replace("mul.wide.u32 %d6, %r5, 4;", "mov.u64 %d6, 0;").replace("div.u32 %r13, %r0, %r5;", "mov.u32 %r13, -9;");
        try (Device device = Shapes.device(new Jit(Jit.Shape.VECTOR))) {
            Launch launch = device.load("k", endless).kernel("k").grid(BLOCKS).block(128).timeout(Duration.ofMillis(200));
            LaunchStoppedException stopped = assertThrows(LaunchStoppedException.class,
                    () -> launch.launch(0, device.allocateInts(ELEMENTS), device.allocateInts(ELEMENTS)));
            assertEquals(LaunchStoppedException.Reason.TIMED_OUT, stopped.reason());
        }
    }

    @Test
    void theLoopsOfTheseTestsRunAheadAndThoseThatMustNotDoNot() {
        // Where vectors are short, the other loops have too many of them, or too much code behind them; with eight vectors a group all do.
        String stride = STRIDE.replace("rem.u32 %r52, %r52, %r3;", "and.b32 %r52, %r52, 127;").replace("xor.b32 %r53, %r53, %r12;", "");
        assertEquals(Shapes.vectorBits() >= 256, Shapes.listing(stride, 128).contains("region0ahead"), stride);
        for (String text : ALONE) {
            assertTrue(!Shapes.listing(text, 128).contains("region0ahead"), text);
        }
    }

    private static int[] run(Engine engine, String text, int threads, int n, long displaced) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer x = device.copyOf(new Random(3).ints(ELEMENTS).toArray());
            DeviceBuffer y = device.allocateInts(ELEMENTS);
            device.load("k", text).kernel("k").grid(BLOCKS).block(threads).launch(n, x.address() + displaced, y);
            return y.toInts();
        }
    }
}
