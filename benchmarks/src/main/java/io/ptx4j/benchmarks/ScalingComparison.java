package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workload;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.runtime.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * How much faster are more workers, and how much faster can the machine be? In each round a workload runs with one worker, then with several, and so does a loop in plain
 * Java that shares nothing, in as many threads: where that loop stays below linear too, the machine does (clock, neighbours), not ptx4j.
 * Arguments: workloads (hash and mandelbrot by default). Properties: {@code ptx4j.workers} (2), {@code ptx4j.warmup} seconds for each (6), {@code ptx4j.rounds} (21).
 */
public final class ScalingComparison {
    private static final int TURNS = 20_000_000;
    private static volatile long sink;

    private ScalingComparison() {
    }

    public static void main(String... names) throws InterruptedException {
        int workers = Integer.getInteger("ptx4j.workers", 2);
        int rounds = Integer.getInteger("ptx4j.rounds", 21);
        System.out.printf("%-12s %10s %10s %12s %14s%n", "", "1, ms", workers + ", ms", "of linear", "plain loop's");
        for (String name : names.length == 0 ? new String[] {"hash", "mandelbrot"} : names) {
            Workload workload = Workloads.named(name, Workloads.Size.FULL);
            try (Device one = Device.builder().workers(1).open(); Device several = Device.builder().workers(workers).open()) {
                Runnable alone = new DeviceRun(workload, one);
                Runnable together = new DeviceRun(workload, several);
                warm(alone);
                warm(together);
                for (int i = 0; i < 10; i++) {
                    loops(1, TURNS);
                    loops(workers, TURNS / workers);
                }
                double[] first = new double[rounds];
                double[] second = new double[rounds];
                double[] ratio = new double[rounds];
                double[] plain = new double[rounds];
                for (int i = 0; i < rounds; i++) {
                    first[i] = milliseconds(alone);
                    second[i] = milliseconds(together);
                    ratio[i] = first[i] / second[i] / workers;
                    double loop = milliseconds(() -> loops(1, TURNS));
                    plain[i] = loop / milliseconds(() -> loops(workers, TURNS / workers)) / workers;
                }
                System.out.printf("%-12s %10.2f %10.2f %12.3f %14.3f%n", name, median(first), median(second), median(ratio), median(plain));
            }
        }
    }

    private static void warm(Runnable run) {
        long end = System.nanoTime() + Integer.getInteger("ptx4j.warmup", 6) * 1_000_000_000L;
        while (System.nanoTime() < end) {
            run.run();
        }
    }

    private static double milliseconds(Runnable run) {
        long start = System.nanoTime();
        run.run();
        return (System.nanoTime() - start) * 1e-6;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The plain loop in {@code threads} threads, each with {@code turns} turns; the calling thread is one of them. */
    private static void loops(int threads, int turns) {
        CountDownLatch end = new CountDownLatch(threads - 1);
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            Thread thread = new Thread(() -> {
                sink = loop(turns);
                end.countDown();
            });
            thread.start();
            others.add(thread);
        }
        sink = loop(turns);
        try {
            end.await();
            for (Thread thread : others) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long loop(int turns) {
        long a = sink | 1;
        for (int i = 0; i < turns; i++) {
            a = a * 0x9E3779B97F4A7C15L + i;
        }
        return a;
    }
}
