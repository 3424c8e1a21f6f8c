package io.ptx4j.matrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.LaunchResult;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Attention as nvcc compiles it (src/test/resources/matrix/attention.cu): asynchronous copies, ldmatrix, mma, shuffles and exponentials, 660 instructions. The code shapes leave the
 * interpreter's bits, and these are near what double precision gives.
 */
final class AttentionTest {
    private static final int HEAD = 64;
    private static final int QUERIES = 64;
    private static final int KEYS = 128;
    private static final float SCALE = 0.125f;

    @Test
    void allEnginesAgreeAndAreRight() {
        short[] expected = run(new Interpreter(), "interpreter");
        assertArrayEquals(expected, run(new Jit(Jit.Shape.SCALAR), "scalar"));
        assertArrayEquals(expected, run(new Jit(Jit.Shape.VECTOR), "vector"));
        float[] right = attention();
        for (int i = 0; i < right.length; i++) {
            assertEquals(right[i], Float.float16ToFloat(expected[i]), 2e-3f, "element " + i);
        }
    }

    private static short[] run(Engine engine, String shape) {
        try (Device device = Device.builder().engine(engine).memory(1 << 22).open()) {
            DeviceBuffer out = device.allocateShorts(QUERIES * HEAD);
            LaunchResult result = device.load(Path.of("src/test/resources/matrix/attention.sm_80.ptx")).kernel("attention").grid(QUERIES / 64).block(128)
                    .launch(device.copyOf(halves(QUERIES, 1)), device.copyOf(halves(KEYS, 2)), device.copyOf(halves(KEYS, 3)), out, KEYS, SCALE * 1.44269504f);
            assertEquals(shape, result.shape());
            return out.toShorts();
        }
    }

    private static short[] halves(int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        short[] halves = new short[rows * HEAD];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = Float.floatToFloat16((float) random.nextGaussian());
        }
        return halves;
    }

    private static float[] attention() {
        short[] q = halves(QUERIES, 1);
        short[] k = halves(KEYS, 2);
        short[] v = halves(KEYS, 3);
        float[] out = new float[QUERIES * HEAD];
        for (int row = 0; row < QUERIES; row++) {
            double[] weights = new double[KEYS];
            double all = 0;
            for (int key = 0; key < KEYS; key++) {
                double s = 0;
                for (int d = 0; d < HEAD; d++) {
                    s += Float.float16ToFloat(q[row * HEAD + d]) * Float.float16ToFloat(k[key * HEAD + d]);
                }
                weights[key] = Math.exp(s * SCALE);
                all += weights[key];
            }
            for (int d = 0; d < HEAD; d++) {
                double sum = 0;
                for (int key = 0; key < KEYS; key++) {
                    sum += weights[key] / all * Float.float16ToFloat(v[key * HEAD + d]);
                }
                out[row * HEAD + d] = (float) sum;
            }
        }
        return out;
    }
}
