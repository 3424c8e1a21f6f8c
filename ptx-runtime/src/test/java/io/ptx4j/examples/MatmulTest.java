package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MatmulTest {
    private static final int TILE = 16;

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "16, 16, 16", "17, 5, 20", "3, 33, 18", "20, 20, 1"})
    void theProductOfAnySizesIsTheSumOverTheInnerIndex(int rows, int cols, int inner) {
        ExampleRun.onBothEngines("matmul", run -> check(run, rows, cols, inner));
    }

    @ParameterizedTest
    @CsvSource({"200, 150, 100", "64, 256, 129"})
    void manyTilesAreMultipliedSideBySide(int rows, int cols, int inner) {
        ExampleRun.onTheJit("matmul", run -> check(run, rows, cols, inner));
    }

    private static void check(ExampleRun run, int rows, int cols, int inner) {
        float[] a = random(rows * inner, 3);
        float[] b = random(inner * cols, 4);
        var deviceA = run.upload(a);
        var deviceB = run.upload(b);
        var deviceC = run.upload(new float[rows * cols]);
        run.kernel("matmul").grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE).block(TILE, TILE)
            .launch(rows, cols, inner, deviceA, deviceB, deviceC);
        assertArrayEquals(product(a, b, rows, cols, inner), deviceC.toFloats());
    }

    /** Fused multiply-adds in ascending order; the zeros with which the last tile is filled change nothing. */
    private static float[] product(float[] a, float[] b, int rows, int cols, int inner) {
        float[] c = new float[rows * cols];
        for (int row = 0; row < rows; row++) {
            for (int col = 0; col < cols; col++) {
                float sum = 0;
                for (int k = 0; k < inner; k++) {
                    sum = Math.fma(a[row * inner + k], b[k * cols + col], sum);
                }
                c[row * cols + col] = sum;
            }
        }
        return c;
    }

    private static float[] random(int length, long seed) {
        Random random = new Random(seed);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = random.nextFloat(-1, 1);
        }
        return values;
    }
}
