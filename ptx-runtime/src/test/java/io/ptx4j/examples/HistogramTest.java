package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HistogramTest {
    @ParameterizedTest
    @CsvSource({"histogram_global, 1, 1, 32", "histogram_global, 1000, 3, 96", "histogram_global, 777, 2, 33",
        "histogram_shared, 1, 1, 32", "histogram_shared, 1000, 3, 96", "histogram_shared, 777, 2, 33",
        "histogram_shared, 2000, 1, 512"})
    void everyByteIsCountedOnce(String kernel, int n, int blocks, int threads) {
        ExampleRun.onBothEngines("histogram", run -> check(run, kernel, n, blocks, threads));
    }

    @ParameterizedTest
    @ValueSource(strings = {"histogram_global", "histogram_shared"})
    void manyBlocksCountTogether(String kernel) {
        ExampleRun.onTheJit("histogram", run -> check(run, kernel, 300_007, 64, 128));
    }

    private static void check(ExampleRun run, String kernel, int n, int blocks, int threads) {
        byte[] data = new byte[n];
        Random random = new Random(n);
        for (int i = 0; i < n; i++) {
            data[i] = (byte) (random.nextGaussian() * 40);
        }
        int[] expected = new int[256];
        expected[255] = 9;
        var bins = run.upload(expected);
        run.kernel(kernel).grid(blocks).block(threads).launch(n, run.upload(data), bins);
        for (byte value : data) {
            expected[Byte.toUnsignedInt(value)]++;
        }
        assertArrayEquals(expected, bins.toInts());
    }
}
