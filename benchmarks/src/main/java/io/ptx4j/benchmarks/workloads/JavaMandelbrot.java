package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernels {@code mandelbrot} and {@code escape} compute for a square picture, as a parallel stream of rows. */
final class JavaMandelbrot {
    private static final int[][] COLOURS = {
        {12, 16, 64}, {24, 72, 148}, {60, 140, 200}, {180, 220, 232}, {248, 236, 176}, {248, 176, 40}, {176, 84, 16}, {72, 24, 40},
    };

    private JavaMandelbrot() {
    }

    static void draw(byte[] rgb, int side, float x0, float y0, float pixel, int limit) {
        IntStream.range(0, side).parallel().forEach(py -> {
            float cy = Math.fma(py, pixel, y0);
            for (int px = 0; px < side; px++) {
                int steps = steps(Math.fma(px, pixel, x0), cy, limit);
                int[] from = COLOURS[steps / 8 % 8];
                int[] to = COLOURS[(steps / 8 + 1) % 8];
                for (int channel = 0; channel < 3; channel++) {
                    int colour = from[channel] + (to[channel] - from[channel]) * (steps % 8) / 8;
                    rgb[3 * (py * side + px) + channel] = (byte) (steps == limit ? 0 : colour);
                }
            }
        });
    }

    static void escape(int[] steps, int side, float x0, float y0, float pixel, int limit) {
        IntStream.range(0, side).parallel().forEach(py -> {
            float cy = Math.fma(py, pixel, y0);
            for (int px = 0; px < side; px++) {
                steps[py * side + px] = steps(Math.fma(px, pixel, x0), cy, limit);
            }
        });
    }

    private static int steps(float cx, float cy, int limit) {
        float x = 0;
        float y = 0;
        for (int step = 0; step < limit; step++) {
            float xx = x * x;
            float yy = y * y;
            if (xx + yy > 4) {
                return step;
            }
            y = Math.fma(x + x, y, cy);
            x = xx - yy + cx;
        }
        return limit;
    }
}
