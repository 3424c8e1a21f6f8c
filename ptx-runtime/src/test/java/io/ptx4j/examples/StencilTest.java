package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.runtime.Launch;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StencilTest {
    private static final float K = 0.3f;

    @ParameterizedTest
    @CsvSource({"1, 1, 16, 16", "2, 5, 4, 4", "21, 13, 16, 16", "33, 17, 8, 4", "16, 16, 32, 2"})
    void innerCellsMoveTowardsTheMeanOfTheirNeighbours(int w, int h, int blockX, int blockY) {
        ExampleRun.onBothEngines("stencil", run -> check(run, "stencil", w, h, blockX, blockY));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "16, 16", "21, 13", "33, 17", "5, 40"})
    void tilesSeeTheCellsAroundThem(int w, int h) {
        ExampleRun.onBothEngines("stencil", run -> check(run, "stencil_tiled", w, h, 16, 16));
    }

    @ParameterizedTest
    @CsvSource({"501, 303", "64, 1000"})
    void largeGridsAreDoneByManyBlocks(int w, int h) {
        ExampleRun.onTheJit("stencil", run -> check(run, "stencil", w, h, 32, 4));
        ExampleRun.onTheJit("stencil", run -> check(run, "stencil_tiled", w, h, 16, 16));
    }

    private static void check(ExampleRun run, String kernel, int w, int h, int blockX, int blockY) {
        Random random = new Random(w);
        float[] in = new float[w * h];
        for (int i = 0; i < in.length; i++) {
            in[i] = random.nextFloat(-100, 100);
        }
        var deviceIn = run.upload(in);
        var middle = run.upload(new float[w * h]);
        var out = run.upload(new float[w * h]);
        Launch step = run.kernel(kernel).grid((w + blockX - 1) / blockX, (h + blockY - 1) / blockY).block(blockX, blockY);
        step.launch(w, h, K, deviceIn, middle);
        step.launch(w, h, K, middle, out);
        assertArrayEquals(step(step(in, w, h), w, h), out.toFloats());
    }

    private static float[] step(float[] in, int w, int h) {
        float[] out = in.clone();
        for (int y = 1; y < h - 1; y++) {
            for (int x = 1; x < w - 1; x++) {
                int i = y * w + x;
                float around = (in[i - w] + in[i + w]) + (in[i - 1] + in[i + 1]);
                out[i] = Math.fma(K, Math.fma(0.25f, around, -in[i]), in[i]);
            }
        }
        return out;
    }
}
