package io.ptx4j.benchmarks;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
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

/** How long y = a·x + y takes: 65,536 elements stay in the caches, 16,777,216 go through memory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class SaxpyBenchmark {
    private static final float A = 0.5f;

    @State(Scope.Benchmark)
    public static class Compiled {
        @Param({"65536", "16777216"})
        public int n;

        private SaxpyLaunch launch;

        @Setup
        public void open() {
            launch = new SaxpyLaunch(new Jit(), n);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Interpreted {
        @Param({"65536"})
        public int n;

        private SaxpyLaunch launch;

        @Setup
        public void open() {
            launch = new SaxpyLaunch(new Interpreter(), n);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Plain {
        @Param({"65536", "16777216"})
        public int n;

        private float[] x;
        private float[] y;

        @Setup
        public void fill() {
            x = values(n);
            y = values(n);
        }
    }

    @Benchmark
    public void jit(Compiled on) {
        on.launch.run();
    }

    @Benchmark
    @Warmup(iterations = 2, time = 1)
    @Measurement(iterations = 3, time = 1)
    public void interpreter(Interpreted on) {
        on.launch.run();
    }

    @Benchmark
    public float[] parallelJava(Plain on) {
        JavaSaxpy.add(on.n, A, on.x, on.y);
        return on.y;
    }

    private static float[] values(int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = i % 1000;
        }
        return values;
    }

    private static final class SaxpyLaunch implements AutoCloseable {
        private final LoadedExample example;
        private final int n;
        private final Launch launch;
        private final DeviceBuffer x;
        private final DeviceBuffer y;

        SaxpyLaunch(Engine engine, int n) {
            this.n = n;
            example = new LoadedExample("saxpy", engine);
            launch = example.kernel("saxpy").grid((n + 255) / 256).block(256);
            float[] values = values(n);
            x = example.copyOf(values);
            y = example.copyOf(values);
            run();
            float[] expected = values.clone();
            JavaSaxpy.add(n, A, values, expected);
            LoadedExample.verify("saxpy", expected, y.toFloats());
        }

        void run() {
            launch.launch(n, A, x, y);
        }

        @Override
        public void close() {
            example.close();
        }
    }
}
