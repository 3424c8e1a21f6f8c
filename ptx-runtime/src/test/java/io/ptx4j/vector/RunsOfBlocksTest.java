package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import io.ptx4j.runtime.LaunchStoppedException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The JIT runs neighbouring blocks in one call where threads never stop: each must find its own place in the grid, and fail as if it were alone. */
@Timeout(120)
@Tag("thorough")
final class RunsOfBlocksTest {
    private static final long WHOLE_GRID = 1L << 40;

    private static final String HEAD = """
            .version 8.0
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 out, .param .u32 bad)
            {
              .reg .pred %p<8>;
              .reg .b32 %r<40>;
              .reg .b64 %d<20>;
              .shared .align 4 .b32 tile[256];
              .local .align 4 .b32 own[4];
              ld.param.u64 %d0, [out];
              ld.param.u32 %r30, [bad];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ctaid.y;
              mov.u32 %r4, %ctaid.z;
              mov.u32 %r5, %nctaid.x;
              mov.u32 %r6, %nctaid.y;
              mad.lo.u32 %r7, %r4, %r6, %r3;
              mad.lo.u32 %r7, %r7, %r5, %r2;
              mov.u32 %r8, %ntid.x;
              mad.lo.u32 %r9, %r7, %r8, %r1;
              mul.wide.u32 %d1, %r9, 4;
              add.s64 %d2, %d0, %d1;
            """;
    private static final String END = "END: ret;\n}\n";

    /** Every block's own place, from uniform and from varying code, and from code lane by lane. */
    private static final String PLACES = HEAD + """
              mov.u32 %r10, %clusterid.x;
              mad.lo.u32 %r10, %r4, 1000, %r10;
              mad.lo.u32 %r10, %r3, 100, %r10;
              mov.u32 %r11, %cluster_ctaid.y;
              add.u32 %r10, %r10, %r11;
              mad.lo.u32 %r10, %r2, 7, %r10;
              prmt.b32 %r12, %r2, %r1, %r9;
              add.u32 %r10, %r10, %r12;
              st.global.u32 [%d2], %r10;
            """ + END;

    /** Blocks that end at once, threads of some blocks that do, and loops of as many turns as the block says. */
    private static final String GUARDS = HEAD + """
              and.b32 %r10, %r2, 3;
              setp.eq.u32 %p0, %r10, 1;
              @%p0 bra END;
              mul.lo.u32 %r11, %r7, 5;
              setp.lt.u32 %p1, %r1, %r11;
              @%p1 bra END;
              mov.u32 %r12, 3;
              mov.u32 %r13, 0;
            LOOP:
              mad.lo.u32 %r12, %r12, 31, %r1;
              add.u32 %r13, %r13, 1;
              setp.le.u32 %p2, %r13, %r2;
              @%p2 bra LOOP;
              and.b32 %r14, %r12, 7;
              setp.eq.u32 %p3, %r14, 3;
              @%p3 add.u32 %r12, %r12, %r7;
              st.global.u32 [%d2], %r12;
            """ + END;

    /** What one block has left in shared and local memory the next one finds, or writes first. */
    private static final String WINDOWS = HEAD + """
              mov.u32 %r10, tile;
              mad.lo.u32 %r10, %r1, 4, %r10;
              add.u32 %r11, %r9, 17;
              st.shared.u32 [%r10], %r11;
              and.b32 %r12, %r9, 3;
              mov.u64 %d3, own;
              mad.wide.u32 %d3, %r12, 4, %d3;
              st.local.u32 [%d3], %r9;
              ld.shared.u32 %r13, [%r10];
              ld.local.u32 %r14, [%d3];
              mad.lo.u32 %r15, %r13, 3, %r14;
              st.global.u32 [%d2], %r15;
            """ + END;

    /** A thread of one block stores far away, all others that come before it have stored. */
    private static final String FAULT = HEAD + """
              st.global.u32 [%d2], %r9;
              setp.eq.u32 %p0, %r9, %r30;
              mov.u64 %d3, 0x100000000000;
              @%p0 add.s64 %d2, %d2, %d3;
              st.global.u32 [%d2], %r9;
            """ + END;

    private static final String ENDLESS = HEAD + """
              st.global.u32 [%d0], %r1;
            """ + END;

    private static Device device(Engine engine, int workers) {
        return Device.builder().engine(engine).workers(workers).memory(1 << 22).open();
    }

    private static Engine runs(Jit.Shape shape, long length) {
        return new RunsOfBlocks(new Jit(shape), length);
    }

    private static Launch launch(Device device, String text, int x, int y, int z, int threads) {
        return device.load("k.ptx", text).kernel("k").grid(x, y, z).block(threads);
    }

    private static int[] run(Engine engine, int workers, String text, int x, int y, int z, int threads, int bad) {
        try (Device device = device(engine, workers)) {
            DeviceBuffer out = device.allocateInts((long) x * y * z * threads);
            launch(device, text, x, y, z, threads).launch(out, bad);
            return out.toInts();
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALAR, 7, 1, 1, 33", "SCALAR, 5, 3, 2, 64", "SCALAR, 1, 4, 3, 100", "SCALAR, 3, 1, 5, 1",
            "VECTOR, 1, 1, 1, 32", "VECTOR, 7, 1, 1, 33", "VECTOR, 5, 3, 2, 64", "VECTOR, 1, 4, 3, 100", "VECTOR, 3, 1, 5, 1", "VECTOR, 64, 2, 1, 96", "VECTOR, 2, 2, 2, 256"})
    void everyBlockOfARunIsAtItsOwnPlace(Jit.Shape shape, int x, int y, int z, int threads) {
        for (String text : new String[] {PLACES, GUARDS, WINDOWS}) {
            int[] expected = run(new Interpreter(), 1, text, x, y, z, threads, 0);
            for (long length : new long[] {1, 4, WHOLE_GRID}) {
                for (int workers : new int[] {1, 3}) {
                    assertArrayEquals(expected, run(runs(shape, length), workers, text, x, y, z, threads, 0), workers + " workers, runs of " + length + "\n" + text);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"SCALAR, 0, 1", "SCALAR, 833, 1", "SCALAR, 1919, 3", "VECTOR, 0, 1", "VECTOR, 500, 1", "VECTOR, 833, 1", "VECTOR, 1919, 1",
            "VECTOR, 0, 3", "VECTOR, 500, 3", "VECTOR, 833, 3", "VECTOR, 1919, 3"})
    void aFaultInTheMiddleOfARunNamesBlockThreadAndLine(Jit.Shape shape, int bad, int workers) {
        int threads = 64;
        String expected = assertThrows(KernelException.class, () -> run(new Interpreter(), 1, FAULT, 5, 3, 2, threads, bad)).getMessage();
        for (long length : new long[] {1, 4, WHOLE_GRID}) {
            try (Device device = device(runs(shape, length), workers)) {
                DeviceBuffer out = device.allocateInts(30L * threads);
                Launch launch = launch(device, FAULT, 5, 3, 2, threads);
                KernelException found = assertThrows(KernelException.class, () -> launch.launch(out, bad));
                assertEquals(expected, found.getMessage());
                int block = bad / threads;
                assertTrue(found.getMessage().contains("block (" + block % 5 + "," + block / 5 % 3 + "," + block / 15 + ")")
                        && found.getMessage().contains("thread (" + bad % threads + ",0,0)"), found.getMessage());
                int[] stored = out.toInts();
                for (int i = 1; i <= bad; i++) {
                    assertEquals(i, stored[i], "thread " + i);
                }
                for (int i = (block + 1) * threads; i < 30 * threads && workers == 1; i++) {
                    assertEquals(0, stored[i], "a thread of a block behind it, " + i);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALAR", "VECTOR"})
    void aRunOfBlocksWithoutEndStops(Jit.Shape shape) {
        for (int workers : new int[] {1, 2}) {
            try (Device device = device(runs(shape, WHOLE_GRID), workers)) {
                DeviceBuffer out = device.allocateInts(1);
                Launch launch = launch(device, ENDLESS, Integer.MAX_VALUE, 65_535, 1, 32).timeout(Duration.ofMillis(200));
                long start = System.nanoTime();
                LaunchStoppedException stopped = assertThrows(LaunchStoppedException.class, () -> launch.launch(out, 0));
                assertEquals(LaunchStoppedException.Reason.TIMED_OUT, stopped.reason());
                assertTrue(System.nanoTime() - start < 10_000_000_000L, "after " + (System.nanoTime() - start) / 1_000_000 + " ms");
            }
        }
    }
}
