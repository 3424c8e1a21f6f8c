package io.ptx4j.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NBodyTest {
    private static final float DT = 0.0625f;
    private static final float SOFTENING = 0.5f;

    @ParameterizedTest
    @CsvSource({"1, 1", "7, 8", "50, 32", "33, 33"})
    void everyBodyIsPulledByEveryOther(int n, int threads) {
        ExampleRun.onBothEngines("nbody", run -> check(run, n, threads));
    }

    @ParameterizedTest
    @CsvSource({"500, 64", "1000, 128"})
    void hundredsOfBodiesMove(int n, int threads) {
        ExampleRun.onTheJit("nbody", run -> check(run, n, threads));
    }

    private static void check(ExampleRun run, int n, int threads) {
        Random random = new Random(n);
        float[] bodies = new float[4 * n];
        float[] velocities = new float[4 * n];
        for (int i = 0; i < 4 * n; i++) {
            bodies[i] = i % 4 == 3 ? random.nextFloat() / n : random.nextFloat(-1, 1);
            velocities[i] = i % 4 == 3 ? 0 : random.nextFloat(-1, 1);
        }
        var deviceVelocities = run.upload(velocities);
        var moved = run.upload(new float[4 * n]);
        int blocks = (n + threads - 1) / threads;
        run.kernel("nbody_step").grid(blocks).block(threads).shared(16 * threads)
            .launch(n, DT, SOFTENING, run.upload(bodies), deviceVelocities, moved);
        float[] expectedVelocities = velocities.clone();
        float[] expectedBodies = bodies.clone();
        step(bodies, expectedVelocities, expectedBodies);
        // rsqrt.approx is within 2^-22.9 (manual, "rsqrt"); masses sum to at most 1, so forces are below 6.
        assertArrayEquals(expectedVelocities, deviceVelocities.toFloats(), 2e-6f);
        assertArrayEquals(expectedBodies, moved.toFloats(), 2e-6f);
    }

    private static void step(float[] bodies, float[] velocities, float[] moved) {
        for (int i = 0; i < bodies.length; i += 4) {
            double[] pull = new double[3];
            for (int j = 0; j < bodies.length; j += 4) {
                double distance2 = SOFTENING;
                for (int axis = 0; axis < 3; axis++) {
                    double d = (double) bodies[j + axis] - bodies[i + axis];
                    distance2 += d * d;
                }
                for (int axis = 0; axis < 3; axis++) {
                    double d = (double) bodies[j + axis] - bodies[i + axis];
                    pull[axis] += d * bodies[j + 3] / (distance2 * Math.sqrt(distance2));
                }
            }
            for (int axis = 0; axis < 3; axis++) {
                double velocity = velocities[i + axis] + DT * pull[axis];
                velocities[i + axis] = (float) velocity;
                moved[i + axis] = (float) (bodies[i + axis] + DT * velocity);
            }
        }
    }
}
