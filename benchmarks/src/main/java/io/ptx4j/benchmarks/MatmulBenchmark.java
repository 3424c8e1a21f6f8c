package io.ptx4j.benchmarks;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import java.util.Random;
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

/** How long the tiled product of two n × n matrices of floats takes: two barriers for each tile of 16 × 16. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class MatmulBenchmark {

    @State(Scope.Benchmark)
    public static class Compiled {
        @Param({"128", "1024"})
        public int n;

        private MatmulLaunch launch;

        @Setup
        public void open() {
            launch = new MatmulLaunch(new Jit(), n);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Interpreted {
        @Param({"128"})
        public int n;

        private MatmulLaunch launch;

        @Setup
        public void open() {
            launch = new MatmulLaunch(new Interpreter(), n);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Plain {
        @Param({"128", "1024"})
        public int n;

        private float[] a;
        private float[] b;
        private float[] c;

        @Setup
        public void fill() {
            a = values(n, 1);
            b = values(n, 2);
            c = new float[n * n];
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
        JavaMatmul.multiply(on.n, on.a, on.b, on.c);
        return on.c;
    }

    private static float[] values(int n, long seed) {
        Random random = new Random(seed);
        float[] values = new float[n * n];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat(-1, 1);
        }
        return values;
    }

    private static final class MatmulLaunch implements AutoCloseable {
        private final LoadedExample example;
        private final int n;
        private final Launch launch;
        private final DeviceBuffer a;
        private final DeviceBuffer b;
        private final DeviceBuffer c;

        MatmulLaunch(Engine engine, int n) {
            this.n = n;
            example = new LoadedExample("matmul", engine);
            launch = example.kernel("matmul").grid((n + 15) / 16, (n + 15) / 16).block(16, 16);
            float[] left = values(n, 1);
            float[] right = values(n, 2);
            a = example.copyOf(left);
            b = example.copyOf(right);
            c = example.copyOf(new float[n * n]);
            run();
            float[] expected = new float[n * n];
            JavaMatmul.multiply(n, left, right, expected);
            LoadedExample.verify("matmul", expected, c.toFloats());
        }

        void run() {
            launch.launch(n, n, n, a, b, c);
        }

        @Override
        public void close() {
            example.close();
        }
    }
}
