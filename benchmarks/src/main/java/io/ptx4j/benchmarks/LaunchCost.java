package io.ptx4j.benchmarks;

import com.sun.management.ThreadMXBean;
import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.PtxModule;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;

/**
 * What a launch costs, and a block, with next to nothing to do: time on the clock, CPU time of the whole process and bytes allocated,
 * the least of many short rounds each, so that other load of the machine counts little.
 */
public final class LaunchCost {
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 40);
    private static final long WARM_UP = 1_000_000_000L * Integer.getInteger("ptx4j.warmup", 4);
    private static final int BLOCKS = 1 << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** C's function: the JVM's own clock of the process steps in hundredths of a second. */
    private static final MethodHandle CLOCK = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("clock"), FunctionDescriptor.of(ValueLayout.JAVA_LONG));
    private static final long NANOS_PER_CLOCK = 1_000;

    private LaunchCost() {
    }

    public static void main(String[] args) {
        System.out.printf("%-34s %8s %12s %12s %12s%n", "per launch, or per block", "workers", "ns", "CPU ns", "bytes");
        for (int workers = 1; workers <= 2; workers++) {
            try (Device device = Device.builder().workers(workers).memory(1 << 28).open()) {
                PtxModule module = device.load("launch.ptx", LaunchBenchmark.TEXT);
                DeviceBuffer out = device.allocateInts(1 << 15);
                Launch empty = module.kernel("empty").grid(1).block(1);
                Launch some = module.kernel("store").grid(128).block(256);
                Launch million = module.kernel("store").grid(BLOCKS).block(32);
                measure("empty launch", workers, 2_000, 1, () -> empty.launch());
                measure("empty launch, asynchronous", workers, 2_000, 1, () -> empty.launchAsync().join());
                measure("128 blocks of 256 threads", workers, 500, 1, () -> some.launch(out));
                DeviceRun saxpy = new DeviceRun(Workloads.named("saxpyL2", Workloads.Size.FULL), device);
                measure("128 blocks of 256 threads, saxpy", workers, 1, 500, saxpy);
                measure("a block of a million of 32 threads", workers, 1, BLOCKS, () -> million.launch(out));
            }
        }
    }

    private static long cpuNanos() {
        try {
            return NANOS_PER_CLOCK * (long) CLOCK.invokeExact();
        } catch (Throwable failure) {
            throw new IllegalStateException("clock cannot be called", failure);
        }
    }

    private static void measure(String what, int workers, int times, int parts, Runnable launch) {
        for (long end = cpuNanos() + WARM_UP; cpuNanos() < end;) {
            launch.run();
        }
        long nanos = Long.MAX_VALUE;
        long cpu = Long.MAX_VALUE;
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long startBytes = THREADS.getTotalThreadAllocatedBytes();
            long startCpu = cpuNanos();
            long start = System.nanoTime();
            for (int i = 0; i < times; i++) {
                launch.run();
            }
            nanos = Math.min(nanos, System.nanoTime() - start);
            cpu = Math.min(cpu, cpuNanos() - startCpu);
            bytes = Math.min(bytes, THREADS.getTotalThreadAllocatedBytes() - startBytes);
        }
        double count = (double) times * parts;
        System.out.printf("%-34s %8d %12.1f %12.1f %12.2f%n", what, workers, nanos / count, cpu / count, bytes / count);
    }
}
