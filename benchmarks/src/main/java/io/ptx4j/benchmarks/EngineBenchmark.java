package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
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

/** How much does the reference interpreter cost against compiled code, on small data? */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class EngineBenchmark {
    /** Which engine runs. */
    public enum Runs {
        JIT, INTERPRETER
    }

    @State(Scope.Benchmark)
    public static class Small extends KernelBenchmark.OnDevice {
        @Param({"saxpy", "matmul", "montgomery", "sha256"})
        public String workload;

        @Param
        public Runs engine;

        @Setup
        public void open() {
            open(workload, Workloads.Size.SMALL, engine == Runs.JIT ? new Jit() : new Interpreter());
        }
    }

    @Benchmark
    public void run(Small on) {
        on.run();
    }
}
