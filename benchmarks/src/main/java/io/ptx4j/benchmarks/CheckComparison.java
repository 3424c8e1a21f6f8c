package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.engine.Check;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What checked mode costs: CPU time of the process for each set of checks, as a multiple of the unchecked scalar shape, the median of rounds in
 * which all take turns. Arguments: names of workloads, none for all.
 */
public final class CheckComparison {
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 7);
    private static final long WARM_UP = 1_000_000L * Integer.getInteger("ptx4j.warmup", 2_000);
    private static final long ROUND = 1_000_000L * Integer.getInteger("ptx4j.round", 100);
    private static final int WORKERS = Integer.getInteger("ptx4j.workers", 2);
    private static final Workloads.Size SIZE = Workloads.Size.valueOf(System.getProperty("ptx4j.size", "SMALL"));
    private static final List<Set<Check>> CHECKS = List.of(EnumSet.noneOf(Check.class), EnumSet.of(Check.MEMORY, Check.INITIALIZATION),
            EnumSet.of(Check.RACES), EnumSet.of(Check.SYNCHRONIZATION), EnumSet.allOf(Check.class));
    private static final MethodHandle CLOCK = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("clock"), FunctionDescriptor.of(ValueLayout.JAVA_LONG));

    private CheckComparison() {
    }

    public static void main(String[] args) {
        System.out.printf("%-14s %12s %12s %12s %12s %12s   (CPU time; multiples of unchecked)%n", "workload", "unchecked ms", "memory+init",
                "race", "sync", "all");
        for (String name : args.length > 0 ? List.of(args) : Workloads.names()) {
            compare(name);
        }
    }

    /** Lines of bfs in which threads look at what others may set meanwhile, as its algorithm allows. */
    private static int[] benign(String name) {
        return name.equals("bfs") ? new int[] {76, 104} : new int[0];
    }

    private static long cpuMicros() {
        try {
            return (long) CLOCK.invokeExact();
        } catch (Throwable failure) {
            throw new IllegalStateException("clock cannot be called", failure);
        }
    }

    private static void compare(String name) {
        List<Device> devices = new ArrayList<>();
        try {
            List<DeviceRun> runs = new ArrayList<>();
            for (Set<Check> checks : CHECKS) {
                Device device = Device.builder().engine(new Jit(Jit.Shape.SCALAR)).workers(WORKERS).memory(1L << 30).checks(checks)
                        .benignLines(benign(name)).open();
                devices.add(device);
                runs.add(new DeviceRun(Workloads.named(name, SIZE), device));
            }
            int[] times = new int[runs.size()];
            for (int i = 0; i < times.length; i++) {
                times[i] = warmUp(runs.get(i));
            }
            double[][] micros = new double[runs.size()][ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < times.length; i++) {
                    long start = cpuMicros();
                    for (int time = 0; time < times[i]; time++) {
                        runs.get(i).run();
                    }
                    micros[i][round] = (double) (cpuMicros() - start) / times[i];
                }
            }
            print(name, micros);
        } finally {
            devices.forEach(Device::close);
        }
    }

    /** Gives how many runs fill a round. */
    private static int warmUp(Runnable run) {
        long start = cpuMicros() * 1_000;
        long last = 1;
        for (long now = start; now - start < WARM_UP;) {
            run.run();
            long end = cpuMicros() * 1_000;
            last = Math.max(1, end - now);
            now = end;
        }
        return Math.clamp(ROUND / last, 1, 1_000);
    }

    private static void print(String name, double[][] micros) {
        double unchecked = median(micros[0]);
        System.out.printf("%-14s %12.2f", name, unchecked / 1_000);
        for (int i = 1; i < micros.length; i++) {
            System.out.printf(" %12.2f", median(micros[i]) / unchecked);
        }
        System.out.println();
        System.out.flush();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
