package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code stencil} computes on a square grid, as a parallel stream of rows. */
final class JavaStencil {
    private JavaStencil() {
    }

    static void relax(int side, float k, float[] in, float[] out) {
        IntStream.range(0, side).parallel().forEach(y -> {
            int row = y * side;
            if (y == 0 || y == side - 1) {
                System.arraycopy(in, row, out, row, side);
                return;
            }
            out[row] = in[row];
            for (int i = row + 1; i < row + side - 1; i++) {
                float around = in[i - side] + in[i + side] + (in[i - 1] + in[i + 1]);
                out[i] = Math.fma(k, Math.fma(0.25f, around, -in[i]), in[i]);
            }
            out[row + side - 1] = in[row + side - 1];
        });
    }
}
