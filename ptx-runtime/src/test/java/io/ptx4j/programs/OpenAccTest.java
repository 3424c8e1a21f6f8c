package io.ptx4j.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels that GCC makes of loops, on every engine: generic addresses, values that one thread hands to its warp and its block through shared memory, sums by shuffles and by locks. */
@Timeout(120)
final class OpenAccTest {
    private static final int COUNT = 1_000;
    private static final int SIZE = 24;

    private static void run(CaseEngine engine, Consumer<PtxModule> test) throws IOException {
        try (Device device = Device.builder().engine(engine.create()).workers(2).memory(4 << 20).timeout(Duration.ofSeconds(60)).open();
                var in = OpenAccTest.class.getResourceAsStream("/programs/openacc.sm_30.ptx")) {
            test.accept(device.load("openacc.ptx", new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        }
    }

    /** A kernel has one argument: the addresses of what the loop names. */
    private static void launch(PtxModule module, String function, int gangs, int workers, int threads, DeviceBuffer... named) {
        DeviceBuffer addresses = module.device().copyOf(Arrays.stream(named).mapToLong(DeviceBuffer::address).toArray());
        module.kernel(function + "$_omp_fn$0").grid(gangs).block(threads, workers).launch(addresses);
    }

    private static float[] floats(int count, int seed) {
        Random random = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(100);
        }
        return values;
    }

    private static DeviceBuffer number(PtxModule module, int n) {
        return module.device().copyOf(new int[] {n});
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void gangsOfVectors(CaseEngine engine) throws IOException {
        float[] x = floats(COUNT, 1);
        float[] y = floats(COUNT, 2);
        run(engine, module -> {
            DeviceBuffer result = module.device().copyOf(y);
            launch(module, "saxpy", 3, 1, 128, module.device().copyOf(x), result, module.device().copyOf(new float[] {3}), number(module, COUNT));
            float[] expected = new float[COUNT];
            IntStream.range(0, COUNT).forEach(i -> expected[i] = 3 * x[i] + y[i]);
            assertArrayEquals(expected, result.toFloats());
        });
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void sumsOfWorkers(CaseEngine engine) throws IOException {
        float[] x = floats(COUNT, 1);
        float[] y = floats(COUNT, 2);
        run(engine, module -> {
            DeviceBuffer sum = module.device().allocateFloats(1);
            launch(module, "dot", 4, 4, 32, sum, module.device().copyOf(x), module.device().copyOf(y), number(module, COUNT));
            assertEquals(IntStream.range(0, COUNT).mapToDouble(i -> x[i] * y[i]).sum(), sum.toFloats()[0]);
        });
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void loopsWithinLoops(CaseEngine engine) throws IOException {
        float[] a = floats(SIZE * SIZE, 1);
        float[] b = floats(SIZE * SIZE, 2);
        run(engine, module -> {
            DeviceBuffer product = module.device().allocateFloats(SIZE * SIZE);
            launch(module, "matmul", 8, 8, 32, module.device().copyOf(a), module.device().copyOf(b), product, number(module, SIZE));
            float[] expected = new float[SIZE * SIZE];
            for (int i = 0; i < SIZE; i++) {
                for (int j = 0; j < SIZE; j++) {
                    for (int k = 0; k < SIZE; k++) {
                        expected[i * SIZE + j] += a[i * SIZE + k] * b[k * SIZE + j];
                    }
                }
            }
            assertArrayEquals(expected, product.toFloats());
        });
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void updatesOfElements(CaseEngine engine) throws IOException {
        int[] x = new Random(3).ints(COUNT).toArray();
        run(engine, module -> {
            DeviceBuffer counts = module.device().allocateInts(64);
            launch(module, "hist", 4, 1, 32, module.device().copyOf(x), counts, number(module, COUNT));
            int[] expected = new int[64];
            Arrays.stream(x).forEach(i -> expected[i & 63]++);
            assertArrayEquals(expected, counts.toInts());
        });
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void functionsOfAVector(CaseEngine engine) throws IOException {
        double[] x = new Random(4).doubles(SIZE * SIZE, 0, 100).map(Math::rint).toArray();
        run(engine, module -> {
            DeviceBuffer most = module.device().allocateDoubles(1);
            launch(module, "norms", 4, 1, 32, most, module.device().copyOf(x), number(module, SIZE), number(module, SIZE));
            double expected = IntStream.range(0, SIZE).mapToDouble(row -> IntStream.range(0, SIZE).mapToDouble(i -> x[row * SIZE + i] * x[row * SIZE + i]).sum()).max().orElseThrow();
            assertEquals(expected, most.toDoubles()[0]);
        });
    }
}
