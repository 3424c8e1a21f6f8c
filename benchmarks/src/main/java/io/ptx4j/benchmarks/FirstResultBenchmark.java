package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workload;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long from PTX text to the first result: opening a device, loading a module, compiling a kernel, launching it on small data?
 * {@code cold} is the first time in a JVM, {@code warm} a later one.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FirstResultBenchmark {
    @Param({"saxpy", "matmul", "sha256"})
    public String workload;

    private Workload small;

    @Setup
    public void choose() {
        small = Workloads.named(workload, Workloads.Size.SMALL);
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    @Fork(value = 5, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
    public Object cold() {
        return firstResult();
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @Warmup(iterations = 5, time = 1)
    @Measurement(iterations = 5, time = 1)
    @Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
    public Object warm() {
        return firstResult();
    }

    private Object firstResult() {
        try (Device device = Device.open()) {
            DeviceRun run = new DeviceRun(small, device);
            run.run();
            return run.result();
        }
    }
}
