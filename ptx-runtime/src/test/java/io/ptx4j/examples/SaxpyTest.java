package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SaxpyTest {
    private static final float A = -1.7f;

    @ParameterizedTest
    @CsvSource({"1, 1, 32", "31, 1, 31", "1000, 4, 256", "1025, 33, 32", "999, 3, 1024"})
    void everyElementBecomesAXPlusY(int n, int blocks, int threads) {
        ExampleRun.onBothEngines("saxpy", run -> check(run, "saxpy", n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"1, 5, 32", "1000, 3, 96", "1777, 2, 33"})
    void theStridedLoopReachesEveryElementWithAnyGrid(int n, int blocks, int threads) {
        ExampleRun.onBothEngines("saxpy", run -> check(run, "saxpy_strided", n, blocks, threads));
    }

    @ParameterizedTest
    @ValueSource(ints = {100_003, 1 << 20})
    void manyBlocksShareTheWork(int n) {
        ExampleRun.onTheJit("saxpy", run -> check(run, "saxpy", n, (n + 127) / 128, 128));
        ExampleRun.onTheJit("saxpy", run -> check(run, "saxpy_strided", n, 17, 96));
    }

    private static void check(ExampleRun run, String kernel, int n, int blocks, int threads) {
        int beyond = 5;
        float[] x = random(n + beyond, 1);
        float[] y = random(n + beyond, 2);
        var deviceX = run.upload(x);
        var deviceY = run.upload(y);
        run.kernel(kernel).grid(blocks).block(threads).launch(n, A, deviceX, deviceY);
        float[] expected = y.clone();
        for (int i = 0; i < n; i++) {
            expected[i] = Math.fma(A, x[i], y[i]);
        }
        assertArrayEquals(expected, deviceY.toFloats());
        assertArrayEquals(x, deviceX.toFloats());
    }

    private static float[] random(int length, long seed) {
        Random random = new Random(seed);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = random.nextFloat(-1000, 1000);
        }
        return values;
    }
}
