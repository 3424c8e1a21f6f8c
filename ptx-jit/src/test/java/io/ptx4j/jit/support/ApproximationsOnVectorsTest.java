package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/**
 * {@link LaneApproximations} gives the bits of {@link PortableApproximations}, with canonical NaNs: for a sample of 2^20 sources, all 2^32 with {@code -Dptx4j.long=true}
 * (some four minutes for the five functions), or every Nth with {@code -Dptx4j.part=K/N}.
 */
final class ApproximationsOnVectorsTest {
    private static final String[] PART = System.getProperty("ptx4j.part", "1/1").split("/");
    private static final long FIRST = Long.parseLong(PART[0]) - 1;
    private static final long STEP = Boolean.getBoolean("ptx4j.long") ? Long.parseLong(PART[1]) : 4099;
    private static final int LANES = 64;

    private interface OnVectors {
        void apply(float[] values, int lanes);
    }

    private interface One {
        float apply(float a);
    }

    private static void same(OnVectors vectors, One one) {
        float[] values = new float[LANES];
        for (long bits = FIRST; bits < 1L << 32; bits += STEP * LANES) {
            for (int lane = 0; lane < LANES; lane++) {
                values[lane] = Float.intBitsToFloat((int) (bits + lane * STEP));
            }
            vectors.apply(values, LANES);
            for (int lane = 0; lane < LANES; lane++) {
                int a = (int) (bits + lane * STEP);
                int expected = Float.floatToRawIntBits(Canonical.canonical(one.apply(Float.intBitsToFloat(a))));
                if (Float.floatToRawIntBits(values[lane]) != expected) {
                    assertEquals(Integer.toHexString(expected), Integer.toHexString(Float.floatToRawIntBits(values[lane])), "of " + Integer.toHexString(a));
                }
            }
        }
    }

    @Test
    void powersOfTwo() {
        same(LaneApproximations::ex2, PortableApproximations::ex2F32);
    }

    @Test
    void logarithms() {
        same(LaneApproximations::lg2, PortableApproximations::lg2F32);
    }

    @Test
    void sines() {
        same(LaneApproximations::sin, PortableApproximations::sinF32);
    }

    @Test
    void cosines() {
        same(LaneApproximations::cos, PortableApproximations::cosF32);
    }

    @Test
    void hyperbolicTangents() {
        same(LaneApproximations::tanh, PortableApproximations::tanhF32);
    }
}
