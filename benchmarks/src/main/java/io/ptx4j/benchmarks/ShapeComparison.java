package io.ptx4j.benchmarks;

import io.ptx4j.check.Checker;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * How much faster the vector shape is than the scalar one: both run the same launches in one JVM, round by round in turn, and must
 * leave the same bytes. Arguments: names of kernels, none for all.
 */
public final class ShapeComparison {
    private static final int WARM_UP = Integer.getInteger("ptx4j.warmup", 12);
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 9);

    private static final String HASH = """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry hash(.param .u32 n, .param .u64 out)
            {
              .reg .pred %p<3>;
              .reg .b32 %r<20>;
              .reg .b64 %d<4>;
              ld.param.u32 %r0, [n];
              ld.param.u64 %d0, [out];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mad.lo.s32 %r4, %r2, %r3, %r1;
              setp.ge.u32 %p0, %r4, %r0;
              @%p0 bra END;
              mov.u32 %r5, %r4;
              mov.u32 %r6, 0;
            LOOP:
              mul.lo.u32 %r5, %r5, 0x9E3779B1;
              shf.l.wrap.b32 %r7, %r5, %r5, 13;
              xor.b32 %r5, %r7, %r6;
              add.u32 %r5, %r5, %r4;
              add.u32 %r6, %r6, 1;
              setp.lt.u32 %p1, %r6, 64;
              @%p1 bra LOOP;
              mul.wide.u32 %d1, %r4, 4;
              add.s64 %d2, %d0, %d1;
              st.global.u32 [%d2], %r5;
            END:
              ret;
            }
            """;

    /** A launch to measure. */
    private record Work(Launch launch, DeviceBuffer result, Object... arguments) {
    }

    private ShapeComparison() {
    }

    public static void main(String[] names) {
        Map<String, Function<Device, Work>> all = new LinkedHashMap<>();
        all.put("saxpy", ShapeComparison::saxpy);
        all.put("saxpyL2", ShapeComparison::saxpyInCache);
        all.put("hash", ShapeComparison::hash);
        all.put("mandelbrot", ShapeComparison::mandelbrot);
        all.put("matmul", ShapeComparison::matmul);
        all.put("reduction", ShapeComparison::reduction);
        all.put("histogram", ShapeComparison::histogram);
        all.put("stencil", ShapeComparison::stencil);
        all.put("nbody", ShapeComparison::nbody);
        all.put("montgomery", ShapeComparison::montgomery);
        System.out.printf("%-12s %10s %10s %8s%n", "kernel", "scalar ms", "vector ms", "ratio");
        try (Device scalar = open(Jit.Shape.SCALAR); Device vector = open(Jit.Shape.valueOf(System.getProperty("ptx4j.compared", "VECTOR")))) {
            all.forEach((name, make) -> {
                if (names.length == 0 || Arrays.asList(names).contains(name)) {
                    compare(name, make.apply(scalar), make.apply(vector));
                }
            });
        }
    }

    private static Device open(Jit.Shape shape) {
        return Device.builder().engine(new Jit(shape)).workers(1).memory(1L << 30).open();
    }

    private static void compare(String name, Work scalar, Work vector) {
        String shape = "";
        double[] scalarTimes = new double[ROUNDS];
        double[] vectorTimes = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double scalarTime = time(scalar);
            double vectorTime = time(vector);
            if (round >= 0) {
                scalarTimes[round] = scalarTime;
                vectorTimes[round] = vectorTime;
            }
        }
        shape = vector.launch.launch(vector.arguments).shape();
        scalar.launch.launch(scalar.arguments);
        boolean same = Arrays.equals(scalar.result.toBytes(), vector.result.toBytes());
        Arrays.sort(scalarTimes);
        Arrays.sort(vectorTimes);
        double a = scalarTimes[ROUNDS / 2];
        double b = vectorTimes[ROUNDS / 2];
        System.out.printf("%-12s %10.2f %10.2f %8.2f %s%s%n", name, a, b, a / b, shape, same ? "" : "  DIFFERENT RESULTS");
    }

    private static double time(Work work) {
        long start = System.nanoTime();
        work.launch.launch(work.arguments);
        return (System.nanoTime() - start) / 1e6;
    }

    private static PtxModule example(Device device, String name) {
        String file = "/examples/" + name + ".sm_75.ptx";
        try (InputStream in = ShapeComparison.class.getResourceAsStream(file)) {
            return module(device, file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PtxModule module(Device device, String name, String text) {
        return device.load(Checker.check(new SourceFile(name, text)).module());
    }

    private static DeviceBuffer floats(Device device, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (i * 31 % 97) / 97f;
        }
        return device.copyOf(values);
    }

    private static Work saxpy(Device device) {
        int n = 1 << 23;
        DeviceBuffer y = floats(device, n);
        return new Work(example(device, "saxpy").kernel("saxpy").grid(n / 256).block(256), y,
                n, 0.5f, floats(device, n), y);
    }

    private static Work saxpyInCache(Device device) {
        int n = 1 << 15;
        DeviceBuffer y = floats(device, n);
        // Many times over the same elements: blocks beyond the first 128 start anew.
        String text = """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
                {
                  .reg .pred %p<2>;
                  .reg .b32 %r<8>;
                  .reg .f32 %f<5>;
                  .reg .b64 %d<8>;
                  ld.param.u32 %r0, [n];
                  ld.param.f32 %f0, [a];
                  ld.param.u64 %d0, [x];
                  ld.param.u64 %d1, [y];
                  mov.u32 %r1, %tid.x;
                  mov.u32 %r2, %ctaid.x;
                  and.b32 %r2, %r2, 127;
                  mov.u32 %r3, %ntid.x;
                  mad.lo.s32 %r4, %r2, %r3, %r1;
                  setp.ge.u32 %p0, %r4, %r0;
                  @%p0 bra END;
                  mul.wide.u32 %d2, %r4, 4;
                  add.s64 %d3, %d0, %d2;
                  add.s64 %d4, %d1, %d2;
                  ld.global.f32 %f1, [%d3];
                  ld.global.f32 %f2, [%d4];
                  fma.rn.f32 %f3, %f0, %f1, %f2;
                  st.global.f32 [%d4], %f3;
                END:
                  ret;
                }
                """;
        return new Work(module(device, "saxpyL2", text).kernel("k").grid(128 * 200).block(256), y,
                n, 0.5f, floats(device, n), y);
    }

    private static Work hash(Device device) {
        int n = 1 << 21;
        DeviceBuffer out = device.allocateInts(n);
        return new Work(module(device, "hash", HASH).kernel("hash").grid(n / 256).block(256), out,
                n, out);
    }

    private static Work mandelbrot(Device device) {
        int side = 1024;
        DeviceBuffer out = device.allocate(3L * side * side);
        return new Work(example(device, "mandelbrot").kernel("mandelbrot").grid(side / 32, side / 8).block(32, 8), out,
                out, side, side, -2f, -1.25f, 2.5f / side, 2.5f / side, 256);
    }

    private static Work matmul(Device device) {
        int n = 512;
        DeviceBuffer out = device.allocateFloats(n * n);
        return new Work(example(device, "matmul").kernel("matmul").grid(n / 16, n / 16).block(16, 16), out,
                n, n, n, floats(device, n * n), floats(device, n * n), out);
    }

    private static Work reduction(Device device) {
        int n = 1 << 22;
        DeviceBuffer out = device.allocateFloats(1024);
        return new Work(example(device, "reduction").kernel("sum_partial_f32").grid(1024).block(256), out,
                n, floats(device, n), out);
    }

    private static Work histogram(Device device) {
        int n = 1 << 22;
        byte[] text = new byte[n];
        for (int i = 0; i < n; i++) {
            text[i] = (byte) (i * 7919 >> 3);
        }
        DeviceBuffer out = device.allocateInts(256);
        return new Work(example(device, "histogram").kernel("histogram_shared").grid(256).block(256), out,
                n, device.copyOf(text), out);
    }

    private static Work stencil(Device device) {
        int side = 2048;
        DeviceBuffer out = device.allocateFloats(side * side);
        return new Work(example(device, "stencil").kernel("stencil").grid(side / 32, side / 8).block(32, 8), out,
                side, side, 0.2f, floats(device, side * side), out);
    }

    private static Work nbody(Device device) {
        int n = 4096;
        DeviceBuffer out = device.allocateFloats(4 * n);
        return new Work(example(device, "nbody").kernel("nbody_step").grid(n / 128).block(128).shared(128 * 16), out,
                n, 0.01f, 0.25f, floats(device, 4 * n), floats(device, 4 * n), out);
    }

    private static Work montgomery(Device device) {
        int n = 1 << 16;
        long[] a = new long[4 * n];
        for (int i = 0; i < a.length; i++) {
            a[i] = i % 4 == 3 ? 0x1234_5678L * i & 0x0FFF_FFFF_FFFF_FFFFL : 0x9E37_79B9_7F4A_7C15L * (i + 1);
        }
        DeviceBuffer out = device.allocateLongs(4L * n);
        return new Work(example(device, "montgomery").kernel("montgomery_mul").grid(n / 128).block(128), out,
                n, device.copyOf(a), device.copyOf(a), out);
    }
}
