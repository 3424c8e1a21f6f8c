package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MandelbrotTest {
    private static final int[][] COLOURS = {
        {12, 16, 64}, {24, 72, 148}, {60, 140, 200}, {180, 220, 232}, {248, 236, 176}, {248, 176, 40}, {176, 84, 16}, {72, 24, 40}};

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1, 3", "24, 15, 16, 4, 40", "17, 19, 8, 8, 100", "33, 7, 32, 3, 17"})
    void everyPixelHasTheColourOfItsEscape(int w, int h, int blockX, int blockY, int limit) {
        ExampleRun.onBothEngines("mandelbrot", run -> check(run, w, h, blockX, blockY, limit));
    }

    @ParameterizedTest
    @CsvSource({"301, 203, 16, 16, 256", "640, 99, 128, 1, 50"})
    void largePicturesAreDrawnByManyBlocks(int w, int h, int blockX, int blockY, int limit) {
        ExampleRun.onTheJit("mandelbrot", run -> check(run, w, h, blockX, blockY, limit));
    }

    private static void check(ExampleRun run, int w, int h, int blockX, int blockY, int limit) {
        float x0 = -2.1f;
        float y0 = -1.2f;
        float dx = 2.8f / w;
        float dy = 2.4f / h;
        var rgb = run.upload(new byte[3 * w * h]);
        run.kernel("mandelbrot").grid((w + blockX - 1) / blockX, (h + blockY - 1) / blockY).block(blockX, blockY)
            .launch(rgb, w, h, x0, y0, dx, dy, limit);
        byte[] expected = new byte[3 * w * h];
        for (int py = 0; py < h; py++) {
            for (int px = 0; px < w; px++) {
                int step = escape(Math.fma((float) px, dx, x0), Math.fma((float) py, dy, y0), limit);
                System.arraycopy(colour(step, limit), 0, expected, 3 * (py * w + px), 3);
            }
        }
        assertArrayEquals(expected, rgb.toBytes());
    }

    private static int escape(float cx, float cy, int limit) {
        float x = 0;
        float y = 0;
        for (int step = 0; step < limit; step++) {
            float xx = x * x;
            float yy = y * y;
            if (xx + yy > 4) {
                return step;
            }
            y = Math.fma(2 * x, y, cy);
            x = xx - yy + cx;
        }
        return limit;
    }

    private static byte[] colour(int step, int limit) {
        byte[] rgb = new byte[3];
        for (int channel = 0; channel < 3 && step < limit; channel++) {
            int from = COLOURS[step / 8 % 8][channel];
            int to = COLOURS[(step / 8 + 1) % 8][channel];
            rgb[channel] = (byte) (from + (to - from) * (step % 8) / 8);
        }
        return rgb;
    }
}
