package io.ptx4j.benchmarks.workloads;

import java.util.stream.IntStream;

/** What the kernel {@code nbody_step} computes, up to the last bits of the reciprocal root, as a parallel stream. */
final class JavaNbody {
    private JavaNbody() {
    }

    static void step(int n, float dt, float eps2, float[] bodies, float[] velocities, float[] moved) {
        IntStream.range(0, n).parallel().forEach(i -> {
            float x = bodies[4 * i];
            float y = bodies[4 * i + 1];
            float z = bodies[4 * i + 2];
            float pullX = 0;
            float pullY = 0;
            float pullZ = 0;
            for (int k = 0; k < 4 * n; k += 4) {
                float dx = bodies[k] - x;
                float dy = bodies[k + 1] - y;
                float dz = bodies[k + 2] - z;
                float inverse = 1 / (float) Math.sqrt(Math.fma(dz, dz, Math.fma(dy, dy, dx * dx)) + eps2);
                float strength = bodies[k + 3] * inverse * inverse * inverse;
                pullX = Math.fma(dx, strength, pullX);
                pullY = Math.fma(dy, strength, pullY);
                pullZ = Math.fma(dz, strength, pullZ);
            }
            velocities[4 * i] = Math.fma(dt, pullX, velocities[4 * i]);
            velocities[4 * i + 1] = Math.fma(dt, pullY, velocities[4 * i + 1]);
            velocities[4 * i + 2] = Math.fma(dt, pullZ, velocities[4 * i + 2]);
            moved[4 * i] = Math.fma(dt, velocities[4 * i], x);
            moved[4 * i + 1] = Math.fma(dt, velocities[4 * i + 1], y);
            moved[4 * i + 2] = Math.fma(dt, velocities[4 * i + 2], z);
            moved[4 * i + 3] = bodies[4 * i + 3];
        });
    }
}
