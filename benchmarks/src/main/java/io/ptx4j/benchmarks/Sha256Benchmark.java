package io.ptx4j.benchmarks;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

/**
 * How long {@code count} chains of four SHA-256 hashes of 64 bytes take. Besides plain loops, the platform's own
 * {@code MessageDigest}, which may use instructions made for SHA, hashes as much.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class Sha256Benchmark {
    private static final int ITERATIONS = 4;

    @State(Scope.Benchmark)
    public static class Compiled {
        @Param({"1024", "65536"})
        public int count;

        private Sha256Launch launch;

        @Setup
        public void open() {
            launch = new Sha256Launch(new Jit(), count);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Interpreted {
        @Param({"1024"})
        public int count;

        private Sha256Launch launch;

        @Setup
        public void open() {
            launch = new Sha256Launch(new Interpreter(), count);
        }

        @TearDown
        public void close() {
            launch.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Plain {
        @Param({"1024", "65536"})
        public int count;

        private int[] digests;

        @Setup
        public void allocate() {
            digests = new int[8 * count];
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
        JavaSha256.chains(on.count, 0, ITERATIONS, on.digests);
        return on.digests;
    }

    @Benchmark
    public int messageDigest(Plain on) {
        return IntStream.range(0, on.count).parallel().map(Sha256Benchmark::hashes).sum();
    }

    private static int hashes(int first) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] message = new byte[64];
            message[0] = (byte) first;
            for (int iteration = 0; iteration < ITERATIONS; iteration++) {
                byte[] digest = sha.digest(message);
                System.arraycopy(digest, 0, message, 0, 32);
                System.arraycopy(digest, 0, message, 32, 32);
            }
            return message[0];
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static final class Sha256Launch implements AutoCloseable {
        private final LoadedExample example;
        private final int count;
        private final Launch launch;
        private final DeviceBuffer digests;

        Sha256Launch(Engine engine, int count) {
            this.count = count;
            example = new LoadedExample("sha256", engine);
            launch = example.kernel("sha256_chain").grid((count + 63) / 64).block(64);
            digests = example.copyOf(new int[8 * count]);
            run();
            int[] expected = new int[8 * count];
            JavaSha256.chains(count, 0, ITERATIONS, expected);
            LoadedExample.verify("sha256_chain", expected, digests.toInts());
        }

        void run() {
            launch.launch(count, 0, ITERATIONS, digests);
        }

        @Override
        public void close() {
            example.close();
        }
    }
}
