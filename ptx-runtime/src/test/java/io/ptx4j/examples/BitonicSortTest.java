package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.runtime.DeviceBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BitonicSortTest {
    @ParameterizedTest
    @CsvSource({"1, 8", "2, 1", "16, 8", "75, 8", "200, 32", "257, 64", "100, 64"})
    void keysOfAnyNumberAreSorted(int n, int threads) {
        ExampleRun.onBothEngines("bitonic", run -> check(run, n, threads));
    }

    @ParameterizedTest
    @CsvSource({"10007, 128", "65536, 512"})
    void thousandsOfKeysAreSorted(int n, int threads) {
        ExampleRun.onTheJit("bitonic", run -> check(run, n, threads));
    }

    private static void check(ExampleRun run, int n, int threads) {
        int beyond = 3;
        int[] keys = new Random(n).ints(n + beyond).map(key -> key % 5 == 0 ? key & 3 : key).toArray();
        var data = run.upload(keys);
        sort(run, data, n, threads);
        int[] expected = keys.clone();
        flipSigns(expected);
        Arrays.sort(expected, 0, n);
        flipSigns(expected);
        assertArrayEquals(expected, data.toInts());
    }

    /** As cuda/bitonic.cu prescribes. */
    private static void sort(ExampleRun run, DeviceBuffer data, int n, int threads) {
        int length = 2 * threads;
        int runs = (n + length - 1) / length;
        run.kernel("bitonic_block").grid(runs).block(threads).shared(8 * threads).launch(data, n);
        for (int height = 2 * length; height < 2 * n; height *= 2) {
            int blocks = Integer.highestOneBit(2 * n - 1) / length;
            run.kernel("bitonic_flip").grid(blocks).block(threads).launch(data, n, height);
            for (int lower = height / 2; lower > length; lower /= 2) {
                run.kernel("bitonic_disperse").grid(blocks).block(threads).launch(data, n, lower);
            }
            run.kernel("bitonic_merge").grid(runs).block(threads).shared(8 * threads).launch(data, n);
        }
    }

    /** Makes the order of ints that of the unsigned keys. */
    private static void flipSigns(int[] keys) {
        Arrays.setAll(keys, i -> keys[i] ^ Integer.MIN_VALUE);
    }
}
