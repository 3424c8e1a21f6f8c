package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScanTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "31, 32", "500, 64", "700, 96", "1025, 128", "100, 7"})
    void everyElementBecomesTheSumUpToIt(int n, int threads) {
        ExampleRun.onBothEngines("scan", run -> check(run, n, threads));
    }

    @ParameterizedTest
    @CsvSource({"100003, 512", "65537, 256"})
    void hundredsOfBlocksAreJoined(int n, int threads) {
        ExampleRun.onTheJit("scan", run -> check(run, n, threads));
    }

    private static void check(ExampleRun run, int n, int threads) {
        int blocks = (n + threads - 1) / threads;
        int[] in = new Random(n).ints(n).toArray();
        var out = run.upload(new int[n]);
        var sums = run.upload(new int[blocks]);
        var total = run.upload(new int[1]);
        run.kernel("scan_blocks").grid(blocks).block(threads).shared(8 * threads).launch(n, run.upload(in), out, sums);
        run.kernel("scan_blocks").grid(1).block(blocks).shared(8 * blocks).launch(blocks, sums, sums, total);
        run.kernel("add_offsets").grid(blocks).block(threads).launch(n, out, sums);
        int[] expected = in.clone();
        Arrays.parallelPrefix(expected, Integer::sum);
        assertArrayEquals(expected, out.toInts());
        assertEquals(expected[n - 1], total.toInts()[0]);
    }
}
