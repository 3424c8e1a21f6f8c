package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.runtime.Device;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How much faster are more workers? Give other numbers with {@code -p workers=…}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class ScalingBenchmark {
    @Param({"hash", "mandelbrot", "saxpy"})
    public String workload;

    @Param({"1", "2"})
    public int workers;

    private Device device;
    private DeviceRun run;

    @Setup
    public void open() {
        device = Device.builder().workers(workers).open();
        run = new DeviceRun(Workloads.named(workload, Workloads.Size.FULL), device);
    }

    @TearDown
    public void close() {
        device.close();
    }

    @Benchmark
    public void run() {
        run.run();
    }
}
