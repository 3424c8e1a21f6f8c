package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReductionTest {
    @ParameterizedTest
    @CsvSource({"1, 1, 32", "33, 2, 64", "1000, 3, 96", "2047, 1, 1024"})
    void twoPassesSumWholeNumbersExactly(int n, int blocks, int threads) {
        ExampleRun.onBothEngines("reduction", run -> checkWholeNumbers(run, n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"5, 1, 32", "1003, 3, 64", "999, 2, 256"})
    void roundedSumsStayNearTheExactSum(int n, int blocks, int threads) {
        ExampleRun.onBothEngines("reduction", run -> checkFractions(run, n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 32", "1000, 3, 96", "511, 7, 64"})
    void atomicsSumOverBlocksInSixtyFourBits(int n, int blocks, int threads) {
        ExampleRun.onBothEngines("reduction", run -> checkAtomics(run, n, blocks, threads));
    }

    @ParameterizedTest
    @CsvSource({"1000003, 61, 256", "500001, 1000, 512"})
    void manyBlocksAddToOneTotal(int n, int blocks, int threads) {
        ExampleRun.onTheJit("reduction", run -> checkAtomics(run, n, blocks, threads));
        ExampleRun.onTheJit("reduction", run -> checkFractions(run, n, blocks, threads));
    }

    private static void checkWholeNumbers(ExampleRun run, int n, int blocks, int threads) {
        Random random = new Random(n);
        float[] x = new float[n];
        float sum = 0;
        for (int i = 0; i < n; i++) {
            x[i] = random.nextInt(-4000, 4001);
            sum += x[i];
        }
        assertEquals(sum, twoPasses(run, x, blocks, threads));
    }

    private static void checkFractions(ExampleRun run, int n, int blocks, int threads) {
        Random random = new Random(n);
        float[] x = new float[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            x[i] = random.nextFloat();
            sum += x[i];
        }
        // At most 32 additions in a row on a thread's way to the result for each factor of 32 in n, each within 2^-24.
        assertEquals(sum, twoPasses(run, x, blocks, threads), sum * 0x1p-24 * (64 + (double) n / (blocks * threads)));
    }

    private static float twoPasses(ExampleRun run, float[] x, int blocks, int threads) {
        var deviceX = run.upload(x);
        var partial = run.upload(new float[blocks]);
        var total = run.upload(new float[1]);
        run.kernel("sum_partial_f32").grid(blocks).block(threads).launch(x.length, deviceX, partial);
        run.kernel("sum_partial_f32").grid(1).block(64).launch(blocks, partial, total);
        return total.toFloats()[0];
    }

    private static void checkAtomics(ExampleRun run, int n, int blocks, int threads) {
        int[] x = new Random(n).ints(n).toArray();
        long expected = 77;
        for (int value : x) {
            expected += Integer.toUnsignedLong(value);
        }
        var total = run.upload(new long[] {77});
        run.kernel("sum_atomic_u32").grid(blocks).block(threads).launch(n, run.upload(x), total);
        assertArrayEquals(new long[] {expected}, total.toLongs());
    }
}
