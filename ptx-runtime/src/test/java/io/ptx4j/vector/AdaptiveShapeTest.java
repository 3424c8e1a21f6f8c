package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.syntax.SourceFile;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Kernels that begin in the scalar shape while the vector shape is rehearsed aside. */
final class AdaptiveShapeTest {
    private static final int THREADS = 1 << 14;

    /** Counts launches in out[i] and, by atomics, in the word behind; what it prints in a rehearsal nobody may see. */
    private static final String COUNTER = """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .u32 launches;
            .visible .entry k(.param .u64 out)
            {
              .reg .pred %p<2>;
              .reg .b32 %r<10>;
              .reg .b64 %d<4>;
              ld.param.u64 %d0, [out];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mad.lo.u32 %r4, %r2, %r3, %r1;
              mul.wide.u32 %d1, %r4, 4;
              add.u64 %d2, %d0, %d1;
              mov.u32 %r5, 0;
              mov.u32 %r6, %r4;
            LOOP:
              mad.lo.u32 %r6, %r6, 1664525, 1013904223;
              add.u32 %r5, %r5, 1;
              setp.lt.u32 %p1, %r5, 20;
              @%p1 bra LOOP;
              and.b32 %r6, %r6, 0;
              ld.global.u32 %r7, [%d2];
              add.u32 %r7, %r7, 1;
              add.u32 %r7, %r7, %r6;
              st.global.u32 [%d2], %r7;
              red.global.add.u32 [launches], 1;
              ld.global.u32 %r8, [launches];
              st.global.u32 [%d0+65536], %r8;
              ret;
            }
            """;

    private static Device open(int workers) {
        return Device.builder().engine(new Jit(Jit.Shape.AUTO)).workers(workers).memory(16 << 20).open();
    }

    private static Launch counter(Device device) {
        return device.load(Checker.check(new SourceFile("k.ptx", COUNTER)).module()).kernel("k").grid(THREADS / 256).block(256);
    }

    @Test
    void rehearsalsLeaveNothingInTheMemoryOfTheDevice() {
        try (Device device = open(1)) {
            DeviceBuffer out = device.allocateInts(THREADS + 1);
            Launch launch = counter(device);
            int launches = 0;
            for (long end = System.nanoTime() + 2_000_000_000L; System.nanoTime() < end; launches++) {
                launch.launch(out);
            }
            int[] expected = new int[THREADS + 1];
            Arrays.fill(expected, launches);
            expected[THREADS] = launches * THREADS;
            assertArrayEquals(expected, out.toInts());
        }
    }

    @Test
    void aDeviceMayBeClosedDuringARehearsal() {
        for (int i = 0; i < 4; i++) {
            try (Device device = open(2)) {
                DeviceBuffer out = device.allocateInts(THREADS + 1);
                Launch launch = counter(device);
                for (long end = System.nanoTime() + 150_000_000L; System.nanoTime() < end;) {
                    launch.launch(out);
                }
            }
        }
    }

    /** As long as HotSpot takes to compile vector code. */
    @Test
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    void aKernelGoesOverToTheVectorShapeInTheMiddleOfItsLaunches() {
        try (Device device = open(1)) {
            DeviceBuffer out = device.allocateInts(THREADS + 1);
            Launch launch = counter(device);
            int launches = 0;
            String shape = "scalar";
            for (long end = System.nanoTime() + 120_000_000_000L; shape.equals("scalar") && System.nanoTime() < end; launches++) {
                shape = launch.launch(out).shape();
            }
            assertEquals("vector", shape);
            launch.launch(out);
            int[] expected = new int[THREADS];
            Arrays.fill(expected, launches + 1);
            assertArrayEquals(expected, Arrays.copyOf(out.toInts(), THREADS));
        }
    }
}
