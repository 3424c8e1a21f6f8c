package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.JavaRun;
import io.ptx4j.benchmarks.workloads.Workload;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
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

/** How long does one run of a workload take, once warm? */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 12, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class KernelBenchmark {
    /** A workload on a device, its first result checked against plain Java. */
    abstract static class OnDevice {
        private Device device;
        private DeviceRun run;

        void open(String workloadName, Workloads.Size size, Engine engine) {
            Workload workload = Workloads.named(workloadName, size);
            device = Device.builder().engine(engine).open();
            run = new DeviceRun(workload, device);
            run.run();
            JavaRun plain = new JavaRun(workload);
            plain.run();
            workload.verify("ptx4j", plain.result(), run.result());
        }

        void run() {
            run.run();
        }

        @TearDown
        public void close() {
            device.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Compiled extends OnDevice {
        @Param({"saxpy", "saxpyL2", "hash", "mandelbrot", "matmul", "sgemm", "hgemm", "reduction", "histogram", "montgomery", "montgomery64", "scan",
            "bitonic", "nbody", "stencil", "blackScholes", "sha256", "keccak", "modexp", "bfs"})
        public String workload;

        @Param({"AUTO", "SCALAR"})
        public Jit.Shape shape;

        @Setup
        public void open() {
            open(workload, Workloads.Size.FULL, new Jit(shape));
        }
    }

    @State(Scope.Benchmark)
    public static class Plain {
        @Param({"saxpy", "saxpyL2", "hash", "mandelbrot", "matmul", "sgemm", "hgemm", "reduction", "histogram", "montgomery", "montgomery64", "scan",
            "bitonic", "nbody", "stencil", "blackScholes", "sha256", "keccak", "modexp", "bfs"})
        public String workload;

        private JavaRun run;

        @Setup
        public void open() {
            run = new JavaRun(Workloads.named(workload, Workloads.Size.FULL));
        }
    }

    @Benchmark
    public void jit(Compiled on) {
        on.run();
    }

    @Benchmark
    public void parallelJava(Plain on) {
        on.run.run();
    }
}
