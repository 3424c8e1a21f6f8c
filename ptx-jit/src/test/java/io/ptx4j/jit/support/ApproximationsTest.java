package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The bounds and special values of the manual, over the whole range of f32: a sample of 2^20 sources, all of them in the long profile, or
 * every Nth from the Kth on with {@code -Dptx4j.part=K/N}, since all take a quarter of an hour.
 */
final class ApproximationsTest {
    private static final String[] PART = System.getProperty("ptx4j.part", "1/1").split("/");
    private static final long FIRST = Long.parseLong(PART[0]) - 1;
    private static final long STEP = Boolean.getBoolean("ptx4j.long") ? Long.parseLong(PART[1]) : 4099;

    interface Function {
        float apply(float a);
    }

    interface Bound {
        /** The error allowed for source {@code a} whose exact result is {@code exact}. */
        double of(double a, double exact);
    }

    private static void within(Bound bound, Function actual, DoubleUnaryOperator exact, double least, double greatest) {
        for (long bits = FIRST; bits < 1L << 32; bits += STEP) {
            float a = Float.intBitsToFloat((int) bits);
            if (a >= least && a <= greatest) {
                double wanted = exact.applyAsDouble(a);
                double error = Math.abs(actual.apply(a) - wanted);
                if (!(error <= bound.of(a, wanted))) {
                    assertEquals(wanted, actual.apply(a), "of " + Float.toHexString(a));
                }
            }
        }
    }

    private static Bound relative(double bound) {
        return (a, exact) -> Math.abs(exact) * bound;
    }

    private static Bound absolute(double bound) {
        return (a, exact) -> bound;
    }

    private static double log2(double a) {
        return Math.abs(a - 1) < 0.25 ? Math.log1p(a - 1) / Math.log(2) : Math.log(a) / Math.log(2);
    }

    @Test
    void powersOfTwoAreWithinTwoUnitsInTheLastPlace() {
        within((a, exact) -> 2 * Math.ulp((float) exact), PortableApproximations::ex2F32, a -> Math.pow(2, a), -160, 127.9999);
    }

    @Test
    void logarithmsAreWithinTheirBounds() {
        Bound bound = (a, exact) -> a > 0.5 && a < 2 ? 0x1p-22 : Math.abs(exact) * 0x1p-22;
        within(bound, PortableApproximations::lg2F32, ApproximationsTest::log2, Float.MIN_VALUE, Float.MAX_VALUE);
    }

    @Test
    void sineAndCosineAreWithinTheirBounds() {
        double near = 2 * Math.PI;
        double far = 100 * Math.PI;
        within(absolute(0x1p-20), PortableApproximations::sinF32, Math::sin, -far, far);
        within(absolute(0x1p-20), PortableApproximations::cosF32, Math::cos, -far, far);
        within(absolute(Math.pow(2, -20.5)), PortableApproximations::sinF32, Math::sin, -near, near);
        within(absolute(Math.pow(2, -20.5)), PortableApproximations::cosF32, Math::cos, -near, near);
    }

    @Test
    void hyperbolicTangentsAreWithinTheirBound() {
        within(relative(0x1p-11), PortableApproximations::tanhF32, Math::tanh, -Float.MAX_VALUE, Float.MAX_VALUE);
    }

    @Test
    void grossApproximationsHaveTwentyBits() {
        for (double a : FloatSamples.doubles()) {
            double magnitude = Math.abs(a);
            if (magnitude >= 0x1p-1000 && magnitude <= 0x1p1000) {
                assertTrue(Math.abs(PortableApproximations.rcpFtzF64(a) * a - 1) <= 0x1p-20 * 1.01, () -> "rcp " + a);
                double root = PortableApproximations.rsqrtFtzF64(magnitude);
                assertTrue(Math.abs(root * root * magnitude - 1) <= 0x1p-19, () -> "rsqrt " + a);
            }
        }
        assertEquals(0x7fffffff00000000L, Double.doubleToRawLongBits(PortableApproximations.rcpFtzF64(Double.longBitsToDouble(0x7ff0000100000000L))));
        assertEquals(0x7fffffff00000000L, Double.doubleToRawLongBits(PortableApproximations.rsqrtFtzF64(Double.longBitsToDouble(0x7ff0000100000000L))));
        // The lower word is not looked at: without it this is infinity.
        assertEquals(0, Double.doubleToRawLongBits(PortableApproximations.rcpFtzF64(Double.longBitsToDouble(0x7ff0000000000001L))));
        assertEquals(0x7fffffff00000000L, Double.doubleToRawLongBits(PortableApproximations.rsqrtFtzF64(-1)));
        assertEquals(Double.NEGATIVE_INFINITY, PortableApproximations.rcpFtzF64(-Double.MIN_VALUE));
        assertEquals(Double.NEGATIVE_INFINITY, PortableApproximations.rsqrtFtzF64(-0.0));
        assertEquals(Double.doubleToRawLongBits(-0.0), Double.doubleToRawLongBits(PortableApproximations.rcpFtzF64(Double.NEGATIVE_INFINITY)));
    }

    private static void special(Function function, float... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            int found = Float.floatToRawIntBits(function.apply(pairs[i]));
            int wanted = Float.isNaN(pairs[i + 1]) ? 0x7fffffff : Float.floatToRawIntBits(pairs[i + 1]);
            assertEquals(Integer.toHexString(wanted), Integer.toHexString(found), "of " + pairs[i]);
        }
    }

    @Test
    void specialSourcesGiveWhatTheManualsTablesSay() {
        float inf = Float.POSITIVE_INFINITY;
        float nan = Float.NaN;
        special(PortableApproximations::ex2F32, -inf, 0f, -0f, 1f, 0f, 1f, inf, inf, nan, nan, -200f, 0f, 128f, inf, -149f, Float.MIN_VALUE);
        special(PortableApproximations::lg2F32, -inf, nan, -1f, nan, -Float.MIN_VALUE, nan, -0f, -inf, 0f, -inf, 1f, 0f, inf, inf, nan, nan,
                Float.MIN_VALUE, -149f, 0x1p100f, 100f);
        special(PortableApproximations::sinF32, -inf, nan, -0f, -0f, 0f, 0f, inf, nan, nan, nan, -Float.MIN_VALUE, -Float.MIN_VALUE, 0x1p40f, 0f);
        special(PortableApproximations::cosF32, -inf, nan, -0f, 1f, 0f, 1f, inf, nan, nan, nan, Float.MIN_VALUE, 1f);
        special(PortableApproximations::tanhF32, -inf, -1f, -0f, -0f, 0f, 0f, inf, 1f, nan, nan, 20f, 1f, -Float.MIN_VALUE, -Float.MIN_VALUE);
        special(b -> Canonical.canonical(PortableApproximations.divF32(3, b)), 0x1.8p126f, 0f, -0x1.8p126f, -0f, 0x1p126f, 0x1.8p-125f, inf, 0f, 0f, inf, nan, nan);
        special(b -> PortableApproximations.divF32(inf, b), 0x1.8p126f, nan, 2f, inf);
    }
}
