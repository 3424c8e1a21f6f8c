package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link LaneApproximations} gives the bits of {@link PortableApproximations}, with canonical NaNs, and {@link LaneHopperApproximations} those of {@link HopperApproximations}: for a sample of 2^20 sources, all 2^32 with {@code -Dptx4j.long=true}
 * (some four minutes for the first five functions), or every Nth with {@code -Dptx4j.part=K/N}.
 */
@Tag("thorough")
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

    private interface OnHopperVectors {
        void apply(float[] values, LaneHopperApproximations.Steps steps, int lanes);
    }

    private static void sameAsHopper(OnHopperVectors vectors, One one) {
        var steps = new LaneHopperApproximations.Steps(LANES);
        same((values, lanes) -> vectors.apply(values, steps, lanes), one);
    }

    @Test
    void reciprocalsAndRootsAsOnHopper() {
        sameAsHopper(LaneHopperApproximations::rcpF32, HopperApproximations::rcpF32);
        sameAsHopper(LaneHopperApproximations::rcpFtzF32, HopperApproximations::rcpFtzF32);
        sameAsHopper(LaneHopperApproximations::rsqrtF32, HopperApproximations::rsqrtF32);
        sameAsHopper(LaneHopperApproximations::rsqrtFtzF32, HopperApproximations::rsqrtFtzF32);
        sameAsHopper(LaneHopperApproximations::sqrtF32, HopperApproximations::sqrtF32);
        sameAsHopper(LaneHopperApproximations::sqrtFtzF32, HopperApproximations::sqrtFtzF32);
    }

    @Test
    void powersAndLogarithmsAsOnHopper() {
        sameAsHopper(LaneHopperApproximations::ex2F32, HopperApproximations::ex2F32);
        sameAsHopper(LaneHopperApproximations::ex2FtzF32, HopperApproximations::ex2FtzF32);
        sameAsHopper(LaneHopperApproximations::lg2F32, HopperApproximations::lg2F32);
        sameAsHopper(LaneHopperApproximations::lg2FtzF32, HopperApproximations::lg2FtzF32);
    }

    @Test
    void sinesAndTangentsAsOnHopper() {
        sameAsHopper(LaneHopperApproximations::sinF32, HopperApproximations::sinF32);
        sameAsHopper(LaneHopperApproximations::cosF32, HopperApproximations::cosF32);
        sameAsHopper(LaneHopperApproximations::tanhF32, HopperApproximations::tanhF32);
    }

    /** Which NaN it is shows nowhere: it becomes a half. */
    private static void sameHalves(OnHopperVectors vectors, One one) {
        sameAsHopper((values, steps, lanes) -> {
            vectors.apply(values, steps, lanes);
            for (int lane = 0; lane < lanes; lane++) {
                values[lane] = Canonical.canonical(values[lane]);
            }
        }, one);
    }

    @Test
    void halvesAsOnHopper() {
        sameHalves(LaneHopperApproximations::ex2F16, a -> HalfOps.fromF16(HopperApproximations.cutF16(HopperApproximations.ex2FtzF32(a))));
        sameHalves(LaneHopperApproximations::ex2Bf16, a -> HalfOps.fromBf16(HopperApproximations.cutBf16(HopperApproximations.ex2FtzF32(a))));
        sameHalves(LaneHopperApproximations::tanhF16, a -> HalfOps.fromF16(HopperApproximations.cutF16(HopperApproximations.tanhF32(a))));
        sameHalves(LaneHopperApproximations::tanhBf16, a -> HalfOps.fromBf16(HopperApproximations.cutBf16(HopperApproximations.tanhF32(a))));
    }

    /** Vectors of sources alike, so that whole vectors are ordinary, and any. */
    @Test
    void quotientsAsOnHopper() {
        sameQuotients(LaneHopperApproximations::divF32, HopperApproximations::divF32);
        sameQuotients(LaneHopperApproximations::divFtzF32, HopperApproximations::divFtzF32);
        sameQuotients(LaneHopperApproximations::divFullF32, HopperApproximations::divFullF32);
        sameQuotients(LaneHopperApproximations::divFullFtzF32, HopperApproximations::divFullFtzF32);
    }

    private interface Two {
        float apply(float a, float b);
    }

    private static void sameQuotients(OnHopperVectors vectors, Two two) {
        var steps = new LaneHopperApproximations.Steps(LANES);
        var random = new SplittableRandom(3);
        float[] values = new float[3 * LANES];
        for (int turn = 0; turn < 10_000; turn++) {
            int exponent = random.nextInt(256) << 23;
            float[] sources = new float[2 * LANES];
            for (int i = 0; i < sources.length; i++) {
                int bits = random.nextInt();
                sources[i] = Float.intBitsToFloat(turn % 2 == 0 ? bits & ~(0xff << 23) | (i < LANES ? 127 << 23 : exponent) : bits);
                values[i] = sources[i];
            }
            vectors.apply(values, steps, LANES);
            for (int lane = 0; lane < LANES; lane++) {
                float a = sources[lane];
                float b = sources[LANES + lane];
                assertEquals(Float.floatToRawIntBits(two.apply(a, b)), Float.floatToRawIntBits(values[lane]), () -> a + " / " + b);
            }
        }
    }
}
