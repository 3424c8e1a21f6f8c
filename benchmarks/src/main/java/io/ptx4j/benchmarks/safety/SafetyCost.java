package io.ptx4j.benchmarks.safety;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What it costs that kernels cannot leave their device's memory, and that launches can be stopped: processor time of workloads against the same
 * ptx4j without checks of bounds and alignment, and without loops asking whether to go on. All three run in one JVM in turn, so that
 * other load of the machine meets all. Arguments: names of workloads. {@code -Dptx4j.shape=SCALAR|VECTOR}, {@code -Dptx4j.warmup=SECONDS} (10, of processor
 * time, for each), {@code -Dptx4j.rounds=N} (15).
 */
public final class SafetyCost {
    private static final int WARM_UP_SECONDS = Integer.getInteger("ptx4j.warmup", 10);
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 15);
    private static final long ROUND_NANOS = 100_000_000;
    private static final String SHAPE = System.getProperty("ptx4j.shape", "SCALAR");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private SafetyCost() {
    }

    public static void main(String[] names) throws ReflectiveOperationException {
        System.out.printf("%-14s %-8s %12s %16s %16s%n", "workload", "shape", "ms a run", "checks cost", "asking costs");
        for (String name : names.length == 0 ? new String[] {"saxpyL2", "matmul", "stencil", "histogram", "bfs", "mandelbrot", "sha256"} : names) {
            compare(name);
        }
    }

    private static void compare(String name) throws ReflectiveOperationException {
        Map<Variant, Runnable> works = new EnumMap<>(Variant.class);
        for (Variant variant : Variant.values()) {
            works.put(variant, (Runnable) new VariantLoader(variant).loadClass(SafetyWork.class.getName())
                    .getConstructor(String.class, String.class).newInstance(name, SHAPE));
        }
        for (Runnable work : works.values()) {
            long end = THREADS.getCurrentThreadCpuTime() + WARM_UP_SECONDS * 1_000_000_000L;
            while (THREADS.getCurrentThreadCpuTime() < end) {
                work.run();
            }
        }
        double[] shipped = new double[ROUNDS];
        double[] checks = new double[ROUNDS];
        double[] asking = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            Map<Variant, Double> times = new EnumMap<>(Variant.class);
            for (Variant variant : round % 2 == 0 ? List.of(Variant.values()) : List.of(Variant.values()).reversed()) {
                times.put(variant, nanos(works.get(variant)));
            }
            shipped[round] = times.get(Variant.SHIPPED);
            checks[round] = shipped[round] / times.get(Variant.UNCHECKED);
            asking[round] = shipped[round] / times.get(Variant.UNASKED);
        }
        System.out.printf("%-14s %-8s %12.3f %16s %16s%n", name, SHAPE.toLowerCase(java.util.Locale.ROOT), median(shipped) / 1e6,
                ratio(checks), ratio(asking));
    }

    private static double nanos(Runnable work) {
        long start = THREADS.getCurrentThreadCpuTime();
        int runs = 0;
        long end;
        do {
            work.run();
            runs++;
            end = THREADS.getCurrentThreadCpuTime();
        } while (end - start < ROUND_NANOS);
        return (double) (end - start) / runs;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The median, and the quartiles around it. */
    private static String ratio(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return String.format("%.2f (%.2f-%.2f)", median(values), sorted[sorted.length / 4], sorted[sorted.length * 3 / 4]);
    }
}
