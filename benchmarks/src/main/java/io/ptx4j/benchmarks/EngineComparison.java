package io.ptx4j.benchmarks;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * CPU time per result of the interpreter and of the JIT in each shape, in one JVM, with the same bytes left by all. Arguments: names of
 * kernels, none for all. A device with one worker runs its blocks on the thread that launches, so that thread's CPU time counts neither
 * HotSpot's compilers nor other load of the machine.
 */
public final class EngineComparison {
    private static final int WARM_UP_SECONDS = Integer.getInteger("ptx4j.warmup", 15);
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 7);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** A launch to measure and how many results it computes. */
    private record Work(Launch launch, DeviceBuffer result, long results, Object... arguments) {
    }

    /** A kernel to measure, on a device and for a number of threads. */
    private interface Maker {
        Work make(Device device, int threads);
    }

    private EngineComparison() {
    }

    public static void main(String[] names) {
        Map<String, Maker> all = new LinkedHashMap<>();
        all.put("sha256_chain", EngineComparison::sha256);
        all.put("montgomery_chain", (device, threads) -> montgomery(device, threads, ""));
        all.put("montgomery_chain64", (device, threads) -> montgomery(device, threads, "64"));
        System.out.printf("%-20s %-12s %12s %8s %12s  %s%n", "kernel", "engine", "ns/result", "ratio", "warm-up s", "shape");
        all.forEach((name, maker) -> {
            if (names.length == 0 || Arrays.asList(names).contains(name)) {
                compare(name, maker);
            }
        });
    }

    private static void compare(String name, Maker maker) {
        Map<String, Engine> engines = new LinkedHashMap<>();
        engines.put("interpreter", new Interpreter());
        engines.put("scalar", new Jit(Jit.Shape.SCALAR));
        engines.put("vector", new Jit(Jit.Shape.VECTOR));
        engines.put("auto", new Jit(Jit.Shape.AUTO));
        double slowest = 0;
        byte[] expected = null;
        for (Map.Entry<String, Engine> engine : engines.entrySet()) {
            if (!System.getProperty("ptx4j.engines", engine.getKey()).contains(engine.getKey())) {
                continue;
            }
            boolean interpreted = engine.getKey().equals("interpreter");
            try (Device device = Device.builder().engine(engine.getValue()).workers(1).memory(1L << 28).open()) {
                Work work = maker.make(device, interpreted ? 256 : 4096);
                long warmUp = processNanos();
                String shape = warmUp(work, interpreted ? 2 : WARM_UP_SECONDS);
                double warmUpSeconds = (processNanos() - warmUp) / 1e9;
                double nanos = measure(work);
                // The first threads compute the same on all engines.
                byte[] bytes = work.result.toBytes();
                expected = expected == null ? bytes : expected;
                boolean same = Arrays.equals(Arrays.copyOf(bytes, Math.min(bytes.length, expected.length)),
                        Arrays.copyOf(expected, Math.min(bytes.length, expected.length)));
                slowest = Math.max(slowest, nanos);
                System.out.printf("%-20s %-12s %12.1f %8.1f %12.1f  %s%s%n", name, engine.getKey(), nanos, slowest / nanos,
                        warmUpSeconds, shape, same ? "" : "  DIFFERENT RESULTS");
            }
        }
    }

    /** Returns the shape of the last launch. */
    private static String warmUp(Work work, int seconds) {
        LaunchResult last;
        long start = processNanos();
        do {
            last = work.launch.launch(work.arguments);
        } while (processNanos() - start < seconds * 1_000_000_000L);
        return last.shape();
    }

    /** Nanoseconds of the fastest round. */
    private static double measure(Work work) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            int launches = 0;
            long end;
            do {
                work.launch.launch(work.arguments);
                launches++;
                end = THREADS.getCurrentThreadCpuTime();
            } while (end - start < 100_000_000);
            best = Math.min(best, (double) (end - start) / launches / work.results);
        }
        return best;
    }

    private static long processNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static Launch example(Device device, String file, String kernel) {
        String path = "/examples/" + file + ".sm_75.ptx";
        try (InputStream in = EngineComparison.class.getResourceAsStream(path)) {
            return device.load(path, new String(in.readAllBytes(), StandardCharsets.UTF_8)).kernel(kernel).grid(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Work sha256(Device device, int threads) {
        int iterations = 16;
        DeviceBuffer digests = device.allocateInts(8 * threads);
        return new Work(example(device, "sha256", "sha256_chain").grid(threads / 64).block(64), digests, (long) threads * iterations,
                threads, 7, iterations, digests);
    }

    private static Work montgomery(Device device, int threads, String limbs) {
        int times = 64;
        long[] a = new long[4 * threads];
        for (int i = 0; i < a.length; i++) {
            a[i] = i % 4 == 3 ? 0x1234_5678L * i & 0x0FFF_FFFF_FFFF_FFFFL : 0x9E37_79B9_7F4A_7C15L * (i + 1);
        }
        DeviceBuffer out = device.allocateLongs(4L * threads);
        return new Work(example(device, "montgomery", "montgomery_chain" + limbs).grid(threads / 64).block(64), out,
                (long) threads * times, threads, times, device.copyOf(a), device.copyOf(a), out);
    }
}
