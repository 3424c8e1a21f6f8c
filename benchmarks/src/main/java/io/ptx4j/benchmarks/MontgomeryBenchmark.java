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

/** How long 64 Montgomery multiplications of 256 bits for each of n numbers take, over carry chains of 32-bit limbs. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class MontgomeryBenchmark {
    private static final int TIMES = 64;
    private static final int WORDS = 8;

    @State(Scope.Benchmark)
    public static class Compiled {
        @Param({"1024", "65536"})
        public int n;

        private MontgomeryLaunch launch;

        @Setup
        public void open() {
            launch = new MontgomeryLaunch(new Jit(), n);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Interpreted {
        @Param({"1024"})
        public int n;

        private MontgomeryLaunch launch;

        @Setup
        public void open() {
            launch = new MontgomeryLaunch(new Interpreter(), n);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Plain {
        @Param({"1024", "65536"})
        public int n;

        private int[] a;
        private int[] b;
        private int[] product;

        @Setup
        public void fill() {
            a = numbers(n, 1);
            b = numbers(n, 2);
            product = new int[WORDS * n];
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
    public int[] parallelJava(Plain on) {
        JavaMontgomery.chains(on.n, TIMES, on.a, on.b, on.product);
        return on.product;
    }

    /** Below the modulus, since the top word is. */
    private static int[] numbers(int n, long seed) {
        Random random = new Random(seed);
        int[] words = random.ints((long) WORDS * n).toArray();
        for (int top = WORDS - 1; top < words.length; top += WORDS) {
            words[top] = random.nextInt(0x30644e72);
        }
        return words;
    }

    private static final class MontgomeryLaunch implements AutoCloseable {
        private final LoadedExample example;
        private final int n;
        private final Launch launch;
        private final DeviceBuffer a;
        private final DeviceBuffer b;
        private final DeviceBuffer product;

        MontgomeryLaunch(Engine engine, int n) {
            this.n = n;
            example = new LoadedExample("montgomery", engine);
            launch = example.kernel("montgomery_chain").grid((n + 63) / 64).block(64);
            int[] left = numbers(n, 1);
            int[] right = numbers(n, 2);
            a = example.copyOf(left);
            b = example.copyOf(right);
            product = example.copyOf(new int[WORDS * n]);
            run();
            int[] expected = new int[WORDS * n];
            JavaMontgomery.chains(n, TIMES, left, right, expected);
            LoadedExample.verify("montgomery_chain", expected, product.toInts());
        }

        void run() {
            launch.launch(n, TIMES, a, b, product);
        }

        @Override
        public void close() {
            example.close();
        }
    }
}
