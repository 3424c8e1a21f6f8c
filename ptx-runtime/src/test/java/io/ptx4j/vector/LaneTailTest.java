package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchStoppedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops over scattered data that lanes run one after the other until they end: they must leave what the other engines leave, and fail as they do. */
@Timeout(120)
final class LaneTailTest {
    private static final int ELEMENTS = 1 << 12;
    private static final int BLOCKS = 5;

    /** {@code %r4} is the thread's number in the grid, {@code %d3} the address of its word, {@code %d4} of its result; some values of each kind cross to the loop. */
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
              .reg .f64 %g<20>;
              .reg .b64 %d<20>;
              .local .align 4 .b32 own[4];
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [x];
              ld.param.u64 %d9, [y];
              cvta.to.global.u64 %d0, %d0;
              cvta.to.global.u64 %d9, %d9;
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mov.u32 %r5, %tid.y;
              mov.u32 %r6, %ntid.y;
              mad.lo.u32 %r7, %r2, %r6, %r5;
              mad.lo.u32 %r4, %r7, %r3, %r1;
              setp.ge.u32 %p0, %r4, %r0;
              @%p0 bra END;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d3, %d0, %d1;
              add.s64 %d4, %d9, %d1;
              ld.global.u32 %r10, [%d3];
            """;
    private static final String END = "END: ret;\n}\n";

    /** Few threads follow words that lead to other words, as often as the first of them says. */
    private static final String CHASE = HEAD + """
              and.b32 %r11, %r10, 7;
              setp.ne.u32 %p1, %r11, 0;
              @%p1 bra END;
              shr.u32 %r12, %r10, 4;
              and.b32 %r12, %r12, 15;
              setp.eq.u32 %p2, %r12, 0;
              @%p2 bra END;
              and.b32 %r13, %r10, 1023;
              mov.u32 %r14, 1;
            LOOP:
              mul.wide.u32 %d5, %r13, 4;
              add.s64 %d6, %d0, %d5;
              ld.global.u32 %r15, [%d6];
              ld.global.u32 %r16, [%d6+4];
              mad.lo.u32 %r14, %r14, 3, %r16;
              and.b32 %r13, %r15, 1023;
              add.s32 %r12, %r12, -1;
              setp.ne.s32 %p3, %r12, 0;
              @%p3 bra LOOP;
              st.global.u32 [%d4], %r14;
            """ + END;

    /** Values of each kind from before the loop are used in it and behind it: predicates, halves, floats, doubles, numbers that grow from lane to lane. */
    private static final String VALUES = HEAD + """
              cvt.u16.u32 %h1, %r10;
              cvt.rn.f32.u32 %f1, %r10;
              cvt.rn.f64.u32 %g1, %r10;
              setp.gt.u32 %p4, %r10, 0x80000000;
              setp.gt.s32 %p5, %r0, 300;
              shl.b32 %r20, %r4, 1;
              add.u32 %r21, %r0, 77;
              and.b32 %r12, %r10, 7;
              and.b32 %r13, %r10, 1023;
            LOOP:
              mul.wide.u32 %d5, %r13, 4;
              add.s64 %d6, %d0, %d5;
              ld.global.u32 %r15, [%d6];
              ld.global.f32 %f2, [%d6+8];
              ld.global.u16 %h2, [%d6+14];
              ld.global.f64 %g2, [%d0+16];
              add.f32 %f1, %f1, %f2;
              min.f64 %g1, %g1, %g2;
              add.u16 %h1, %h1, %h2;
              and.b32 %r13, %r15, 1022;
              add.s32 %r12, %r12, -1;
              setp.gt.s32 %p3, %r12, 0;
              @%p3 bra LOOP;
              selp.u32 %r22, %r20, %r21, %p4;
              @!%p5 add.u32 %r22, %r22, 5;
              mov.b32 %r23, %f1;
              cvt.u32.u16 %r24, %h1;
              mov.b64 {%r25, %r26}, %g1;
              xor.b32 %r22, %r22, %r23;
              xor.b32 %r22, %r22, %r24;
              xor.b32 %r22, %r22, %r26;
              st.global.u32 [%d4], %r22;
            """ + END;

    /** What each lane begins with is the same, or grows from lane to lane, and changes in the loop. */
    private static final String BEGINNINGS = HEAD + """
              mov.u32 %r20, 1;
              mov.u64 %d10, 3;
              mov.f32 %f1, 0f3F800000;
              mov.f64 %g1, 0d3FF0000000000000;
              mov.u16 %h1, 7;
              mov.u32 %r21, %r4;
              setp.gt.s32 %p4, %r0, 300;
              and.b32 %r12, %r10, 7;
              and.b32 %r13, %r10, 1023;
            LOOP:
              mul.wide.u32 %d5, %r13, 4;
              add.s64 %d6, %d0, %d5;
              ld.global.u32 %r15, [%d6];
              ld.global.u16 %h2, [%d6+14];
              ld.global.f32 %f2, [%d6+8];
              ld.global.u32 %r16, [%d6+20];
              add.u32 %r20, %r20, %r15;
              mad.wide.u32 %d10, %r16, 5, %d10;
              add.f32 %f1, %f1, %f2;
              fma.rn.f64 %g1, %g1, 0d3FF8000000000000, %g1;
              add.u16 %h1, %h1, %h2;
              add.u32 %r21, %r21, %r16;
              @%p4 add.u32 %r20, %r20, 9;
              setp.lt.u32 %p4, %r20, %r21;
              and.b32 %r13, %r15, 1022;
              add.s32 %r12, %r12, -1;
              setp.gt.s32 %p3, %r12, 0;
              @%p3 bra LOOP;
              cvt.u32.u64 %r22, %d10;
              mov.b32 %r23, %f1;
              cvt.u32.u16 %r24, %h1;
              mov.b64 {%r25, %r26}, %g1;
              mad.lo.u32 %r22, %r22, 3, %r20;
              mad.lo.u32 %r22, %r22, 3, %r21;
              xor.b32 %r22, %r22, %r23;
              mad.lo.u32 %r22, %r22, 3, %r24;
              xor.b32 %r22, %r22, %r26;
              @%p4 add.u32 %r22, %r22, 1;
              st.global.u32 [%d4], %r22;
            """ + END;

    /** A loop in a loop, several ends, sums by atomics, local memory. */
    private static final String NESTED = HEAD + """
              and.b32 %r11, %r10, 3;
              setp.eq.u32 %p1, %r11, 0;
              @%p1 bra END;
              mov.u64 %d10, own;
              st.local.u32 [%d10+4], %r10;
              and.b32 %r13, %r10, 511;
              bfe.u32 %r28, %r10, 9, 4;
            OUTER:
              mul.wide.u32 %d5, %r13, 4;
              add.s64 %d6, %d0, %d5;
              ld.global.u32 %r15, [%d6];
              ld.local.u32 %r30, [%d10+4];
              shr.u32 %r16, %r10, %r11;
              and.b32 %r16, %r16, 3;
            INNER:
              ld.global.u32 %r17, [%d6+4];
              ld.global.u32 %r18, [%d6+8];
              ld.global.u32 %r19, [%d6+12];
              setp.eq.u32 %p2, %r16, %r28;
              @%p2 bra ODD;
              add.s64 %d6, %d6, 4;
              xor.b32 %r18, %r18, %r19;
              add.u32 %r30, %r30, %r18;
              add.s32 %r16, %r16, -1;
              setp.ge.s32 %p3, %r16, 0;
              @%p3 bra INNER;
              st.local.u32 [%d10+4], %r30;
              and.b32 %r13, %r17, 511;
              mul.wide.u32 %d7, %r13, 4;
              add.s64 %d8, %d9, %d7;
              red.global.add.u32 [%d8], %r30;
              add.s32 %r11, %r11, -1;
              setp.gt.s32 %p4, %r11, 0;
              @%p4 bra OUTER;
              exit;
            ODD:
              red.global.add.u32 [%d4+8192], 1;
              @%p2 ret;
            """ + END;

    private static final List<String> ALL = List.of(CHASE, VALUES, BEGINNINGS, NESTED);

    @ParameterizedTest
    @CsvSource({"1, 1", "31, 1", "32, 1", "64, 1", "100, 1", "256, 1", "32, 4", "16, 16", "8, 9"})
    void tailsLeaveWhatTheInterpreterLeaves(int width, int height) {
        for (String text : ALL) {
            for (int n : new int[] {0, 1, width * height + 7, BLOCKS * width * height}) {
                Shapes.assertAgree(engine -> run(engine, text, width, height, n), "n = " + n + "\n" + text, Jit.Shape.VECTOR);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 900})
    void tailsOfPiecesLeaveTheSame(int bytecodes) {
        for (String text : ALL) {
            for (int width : new int[] {64, 100}) {
                Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> run(engine, text, width, 2, 1 << 20), text, Jit.Shape.VECTOR));
            }
        }
    }

    /** Beyond the memory from a thread on, or misaligned; and a later turn of a low thread fails where a higher one has failed at once. */
    @Test
    void theThreadThatFailsIsTheOneOfTheScalarShape() {
        String late = CHASE.replace("mul.wide.u32 %d5, %r13, 4;", """
                setp.eq.u32 %p6, %r12, 1;
                and.b32 %r40, %r4, 127;
                setp.gt.and.u32 %p7, %r40, 90, !%p6;
                @%p7 bra SKIP;
                @%p6 mov.u32 %r13, 0x7FFFFFFF;
                SKIP:
                mul.wide.u32 %d5, %r13, 4;
                """);
        String early = CHASE.replace("mul.wide.u32 %d5, %r13, 4;", """
                setp.gt.u32 %p6, %r4, 90;
                @%p6 mov.u32 %r13, 0x7FFFFFFF;
                setp.eq.and.u32 %p7, %r12, 1, !%p6;
                @%p7 mov.u32 %r13, 0x6FFFFFFF;
                mul.wide.u32 %d5, %r13, 4;
                """);
        for (String text : List.of(late, early, CHASE.replace("[%d6]", "[%d6+2]"), CHASE.replace("LOOP:", "LOOP:\nsetp.gt.u32 %p5, %r4, 200;\n@%p5 trap;"))) {
            for (int threads : new int[] {64, 100, 256}) {
                Shapes.assertFailsLike(new Jit(Jit.Shape.SCALAR), engine -> run(engine, text, threads, 1, 1000), threads + "\n" + text);
            }
        }
    }

    @Test
    void aLaunchInATailIsStopped() {
        String endless = CHASE.replace("add.s32 %r12, %r12, -1;", "");
        try (Device device = Shapes.device(new Jit(Jit.Shape.VECTOR))) {
            Launch launch = device.load("k", endless).kernel("k").grid(BLOCKS).block(128).timeout(Duration.ofMillis(200));
            LaunchStoppedException stopped = assertThrows(LaunchStoppedException.class,
                    () -> launch.launch(1000, device.copyOf(words()), device.allocateInts(ELEMENTS)));
            assertEquals(LaunchStoppedException.Reason.TIMED_OUT, stopped.reason());
        }
    }

    @Test
    void theLoopsOfTheseTestsAreTailsAndThoseThatMustNotBeAreNot() {
        for (String text : ALL) {
            assertTrue(Shapes.listing(text, 128).contains("path0line"), text);
        }
        List<String> others = List.of(
                // Mostly arithmetic.
                CHASE.replace("mad.lo.u32 %r14", "mul.lo.u32 %r14, %r14, 7;\n".repeat(5) + "mad.lo.u32 %r14"),
                // The same way for all lanes.
                CHASE.replace("and.b32 %r12, %r12, 15;", "mov.u32 %r12, %r0;").replace("shr.u32 %r12, %r10, 4;", ""),
                // Others come to its code as well.
                CHASE.replace("@%p2 bra END;", "mov.u32 %r14, 9;\n@%p2 bra STORE;").replace("st.global.u32 [%d4], %r14;", "STORE: st.global.u32 [%d4], %r14;"),
                // A barrier.
                CHASE.replace("ld.param.u32 %r0", "bar.sync 0;\nld.param.u32 %r0"),
                // Neighbouring words.
                CHASE.replace("and.b32 %r13, %r10, 1023;", "mov.u32 %r13, %r4;").replace("and.b32 %r13, %r15, 1023;", "add.u32 %r13, %r13, 256;"));
        for (String text : others) {
            assertEquals(Optional.empty(), Shapes.notVectorizable(text, 128), text);
            assertFalse(Shapes.listing(text, 128).contains("path0line"), text);
        }
    }

    /** Lanes come to a tail one after the other, but behind what all of them did before it; and none of them can wait for another there. */
    @Test
    void tailsThatShowTheOrderOfThreadsOrMightWaitForOthersAreLeftToTheScalarShape() {
        assertEquals(Optional.empty(), Shapes.notVectorizable(CHASE, 128));
        String shows = CHASE.replace("LOOP:", "LOOP:\natom.global.add.u32 %r40, [%d0], 1;\nadd.u32 %r14, %r14, %r40;");
        assertTrue(Shapes.notVectorizable(shows, 128).orElseThrow().contains("depends on the order"), shows);
        String waits = CHASE.replace("ld.global.u32 %r16", "ld.acquire.gpu.global.u32 %r16");
        assertTrue(Shapes.notVectorizable(waits, 128).orElseThrow().contains("wait for"), waits);
    }

    private static int[] words() {
        return new Random(3).ints(ELEMENTS).toArray();
    }

    private static int[] run(Engine engine, String text, int width, int height, int n) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer y = device.allocateInts(2 * ELEMENTS);
            device.load("k", text).kernel("k").grid(BLOCKS).block(width, height).launch(n, device.copyOf(words()), y);
            return y.toInts();
        }
    }
}
