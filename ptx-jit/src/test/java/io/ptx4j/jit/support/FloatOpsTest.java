package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FloatOpsTest {
    private static final float[] EDGES = FloatSamples.floats();

    private static void same(float expected, float actual, String name, Object... sources) {
        if (Float.floatToRawIntBits(expected) != Float.floatToRawIntBits(actual)) {
            assertEquals(Float.toHexString(expected), Float.toHexString(actual), () -> name + List.of(sources));
            assertEquals(Float.floatToRawIntBits(expected), Float.floatToRawIntBits(actual), () -> name + List.of(sources));
        }
    }

    /** The order of the manual: numbers by value, -0 before +0. */
    private static boolean less(double a, double b) {
        if (a == 0 && b == 0) {
            return 1 / a < 1 / b;
        }
        return Double.isInfinite(a) || Double.isInfinite(b) ? a < b : new BigDecimal(a).compareTo(new BigDecimal(b)) < 0;
    }

    private static float choose(float a, float b, boolean nan, boolean greater) {
        if (Float.isNaN(a) && Float.isNaN(b) || nan && (Float.isNaN(a) || Float.isNaN(b))) {
            return Canonical.F32;
        }
        if (Float.isNaN(a) || Float.isNaN(b)) {
            return Float.isNaN(a) ? b : a;
        }
        return less(a, b) != greater ? a : b;
    }

    private static float xorsign(float magnitude, float a, float b) {
        return Float.isNaN(magnitude) ? magnitude : Math.copySign(magnitude, Math.copySign(1f, a) * Math.copySign(1f, b));
    }

    @Test
    void minimaAndMaximaPreferNumbersUnlessNanIsAskedFor() {
        for (float a : EDGES) {
            for (float b : EDGES) {
                same(choose(a, b, false, false), FloatOps.minF32(a, b), "min", a, b);
                same(choose(a, b, false, true), FloatOps.maxF32(a, b), "max", a, b);
                same(choose(a, b, true, false), FloatOps.minNanF32(a, b), "min.NaN", a, b);
                same(choose(a, b, true, true), FloatOps.maxNanF32(a, b), "max.NaN", a, b);
                float x = Math.abs(a);
                float y = Math.abs(b);
                same(xorsign(choose(x, y, false, false), a, b), FloatOps.minXorsignAbsF32(a, b), "min.xorsign.abs", a, b);
                same(xorsign(choose(x, y, false, true), a, b), FloatOps.maxXorsignAbsF32(a, b), "max.xorsign.abs", a, b);
                same(xorsign(choose(x, y, true, false), a, b), FloatOps.minNanXorsignAbsF32(a, b), "min.NaN.xorsign.abs", a, b);
                same(xorsign(choose(x, y, true, true), a, b), FloatOps.maxNanXorsignAbsF32(a, b), "max.NaN.xorsign.abs", a, b);
            }
        }
    }

    private static void sameDouble(long expected, double actual) {
        assertEquals(Long.toHexString(expected), Long.toHexString(Double.doubleToRawLongBits(actual)));
    }

    @Test
    void minimaOfDoublesQuietTheLastNan() {
        double first = Double.longBitsToDouble(0x7ff0000000000001L);
        double last = Double.longBitsToDouble(0xfff4000000000002L);
        sameDouble(0xfffc000000000002L, FloatOps.minF64(first, last));
        sameDouble(0x7ff8000000000001L, FloatOps.maxF64(last, first));
        sameDouble(Double.doubleToRawLongBits(3), FloatOps.minF64(first, 3));
        sameDouble(Double.doubleToRawLongBits(3), FloatOps.maxF64(3, first));
        sameDouble(Double.doubleToRawLongBits(-0.0), FloatOps.minF64(0.0, -0.0));
        sameDouble(0L, FloatOps.maxF64(-0.0, 0.0));
    }

    @Test
    void signsOfDoubleNansStay() {
        sameDouble(0xfff8000000000001L, FloatOps.absF64(Double.longBitsToDouble(0xfff0000000000001L)));
        sameDouble(0x7ff8000000000001L, FloatOps.negF64(Double.longBitsToDouble(0x7ff8000000000001L)));
        sameDouble(1L << 63, FloatOps.negF64(0.0));
    }

    @Test
    void canonicalResultsKeepANanOfDoubleSources() {
        double nan1 = Double.longBitsToDouble(0x7ff0000000000001L);
        double nan2 = Double.longBitsToDouble(0xfff0000000000002L);
        double nan3 = Double.longBitsToDouble(0x7ff8000000000003L);
        sameDouble(0xfff8000000000000L, Canonical.canonical(Double.NaN, 1, 2));
        sameDouble(0xfff8000000000002L, Canonical.canonical(Double.NaN, nan1, nan2));
        sameDouble(0x7ff8000000000001L, Canonical.canonical(Double.NaN, nan1, 5));
        sameDouble(0xfff8000000000002L, Canonical.canonical(Double.NaN, nan1, nan2, nan3));
        sameDouble(0x7ff8000000000003L, Canonical.canonical(Double.NaN, nan1, 0, nan3));
        sameDouble(0x7ff8000000000001L, Canonical.canonical(Double.NaN, nan1, 0, 0));
        sameDouble(0xfff8000000000002L, Canonical.canonical(Double.NaN, nan1, nan2, 0));
        sameDouble(0x7ff8000000000001L, Canonical.canonical(Double.NaN, nan1));
        sameDouble(Double.doubleToRawLongBits(7), Canonical.canonical(7, 1, 2, 3));
        same(Canonical.F32, Canonical.canonical(Float.intBitsToFloat(0xffffffff)), "canonical");
    }

    @Test
    void saturationClampsToOneAndTurnsNanIntoPlusZero() {
        for (float a : EDGES) {
            float expected = Float.isNaN(a) || a <= 0 ? 0f : a > 1 ? 1f : a;
            same(expected, FloatOps.sat(a), "sat", a);
            assertEquals(expected, FloatOps.sat((double) a));
        }
        sameDouble(0, FloatOps.sat(-0.0));
    }

    @Test
    void subnormalsAreFlushedWithTheirSign() {
        same(-0f, FlushF32.ftz(-Float.MIN_VALUE), "ftz");
        same(0f, FlushF32.ftz(Math.nextDown(Float.MIN_NORMAL)), "ftz");
        same(-Float.MIN_NORMAL, FlushF32.ftz(-Float.MIN_NORMAL), "ftz");
        same(Float.NaN, FlushF32.ftz(Float.NaN), "ftz");
    }

    @Test
    void testsSortNumbersIntoKinds() {
        for (float a : EDGES) {
            int kind = Float.isNaN(a) ? 3 : Float.isInfinite(a) ? 2 : a != 0 && Math.getExponent(a) < Float.MIN_EXPONENT ? 1 : 0;
            assertEquals(kind < 2, FloatOps.testpFiniteF32(a));
            assertEquals(kind == 2, FloatOps.testpInfiniteF32(a));
            assertEquals(kind != 3, FloatOps.testpNumberF32(a));
            assertEquals(kind == 3, FloatOps.testpNotanumberF32(a));
            assertEquals(kind == 0, FloatOps.testpNormalF32(a));
            assertEquals(kind == 1, FloatOps.testpSubnormalF32(a));
        }
        for (double a : FloatSamples.doubles()) {
            int kind = Double.isNaN(a) ? 3 : Double.isInfinite(a) ? 2 : a != 0 && Math.getExponent(a) < Double.MIN_EXPONENT ? 1 : 0;
            assertEquals(kind < 2, FloatOps.testpFiniteF64(a));
            assertEquals(kind == 2, FloatOps.testpInfiniteF64(a));
            assertEquals(kind != 3, FloatOps.testpNumberF64(a));
            assertEquals(kind == 3, FloatOps.testpNotanumberF64(a));
            assertEquals(kind == 0, FloatOps.testpNormalF64(a));
            assertEquals(kind == 1, FloatOps.testpSubnormalF64(a));
        }
    }

    @Test
    void comparisonsKnowUnorderedSources() {
        assertEquals(1, Comparisons.neF64(1, 2));
        assertEquals(0, Comparisons.neF64(1, Double.NaN));
        assertEquals(1, Comparisons.equF64(1, Double.NaN));
        assertEquals(1, Comparisons.equF64(-0.0, 0.0));
        assertEquals(0, Comparisons.equF64(1, 2));
        assertEquals(1, Comparisons.orderedF64(1, 2));
        assertEquals(0, Comparisons.orderedF64(Double.NaN, 2));
        assertEquals(1, Comparisons.unorderedF64(1, Double.NaN));
        assertEquals(0, Comparisons.unorderedF64(1, 2));
        assertEquals(1, Comparisons.neF32(1, 2));
        assertEquals(0, Comparisons.neF32(1, Float.NaN));
        assertEquals(1, Comparisons.equF32(1, Float.NaN));
        assertEquals(1, Comparisons.equF32(-0f, 0f));
        assertEquals(0, Comparisons.equF32(1, 2));
        assertEquals(1, Comparisons.orderedF32(1, 2));
        assertEquals(0, Comparisons.orderedF32(Float.NaN, 2));
        assertEquals(1, Comparisons.unorderedF32(1, Float.NaN));
        assertEquals(0, Comparisons.unorderedF32(1, 2));
    }

    @Test
    void copiedSignsChangeNothingElse() {
        same(Float.intBitsToFloat(0xffc00001), FloatOps.copysignF32(-1, Float.intBitsToFloat(0x7fc00001)), "copysign");
        same(2f, FloatOps.copysignF32(0f, -2f), "copysign");
        sameDouble(Double.doubleToRawLongBits(-2), FloatOps.copysignF64(-0.0, 2));
        sameDouble(0x7ff0000000000001L, FloatOps.copysignF64(1, Double.longBitsToDouble(0xfff0000000000001L)));
    }

    @Test
    void pairsOfFloatsKeepTheirBits() {
        long pair = FloatOps.packF32x2(-1f, Float.intBitsToFloat(0x7f800001));
        assertEquals(0x7f800001bf800000L, pair);
        same(-1f, FloatOps.lowF32x2(pair), "low");
        assertEquals(0x7f800001, Float.floatToRawIntBits(FloatOps.highF32x2(pair)));
    }

    @Test
    void oldMultiplyAddCutsTheProduct() {
        Exact.Format cut = new Exact.Format(11, 23);
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 200_000; i++) {
            float a = FlushF32.ftz(FloatSamples.random(random, 0, 70));
            float b = FlushF32.ftz(FloatSamples.random(random, 0, 70));
            float c = FlushF32.ftz(FloatSamples.random(random, Math.getExponent(a) + Math.getExponent(b), i % 60));
            Exact product = Exact.of(a).multiply(Exact.of(b));
            Exact exact = product;
            if (c != 0 && !product.isZero()) {
                long bits = product.round(cut, Exact.Mode.RZ);
                double shortened = Double.longBitsToDouble((bits & ~cut.signBit()) << 29);
                exact = Exact.of((bits & cut.signBit()) != 0 ? -shortened : shortened).add(Exact.of(c));
            } else if (c != 0) {
                exact = Exact.of(c);
            }
            if (exact.isZero()) {
                same(c == 0 ? a * b + c : 0f, FloatOps.madF32(a, b, c), "mad", a, b, c);
                continue;
            }
            boolean tiny = exact.isTiny(Exact.Format.F32, Exact.Mode.RN);
            int bits = (int) exact.round(Exact.Format.F32, Exact.Mode.RN);
            float expected = Float.intBitsToFloat(tiny ? bits & Integer.MIN_VALUE : bits);
            same(c == 0 && tiny ? expected + c : expected, FloatOps.madF32(a, b, c), "mad", a, b, c);
        }
    }
}
