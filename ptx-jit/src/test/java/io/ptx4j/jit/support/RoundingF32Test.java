package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.Exact.Mode.RM;
import static io.ptx4j.jit.support.Exact.Mode.RN;
import static io.ptx4j.jit.support.Exact.Mode.RP;
import static io.ptx4j.jit.support.Exact.Mode.RZ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RoundingF32Test {
    private static final float[] EDGES = FloatSamples.floats();

    private static void same(int expected, float actual, String name, float... sources) {
        int bits = Float.floatToRawIntBits(actual);
        if (bits != expected) {
            StringBuilder text = new StringBuilder(name);
            for (float source : sources) {
                text.append(' ').append(Integer.toHexString(Float.floatToRawIntBits(source)));
            }
            assertEquals(Integer.toHexString(expected), Integer.toHexString(bits), text::toString);
        }
    }

    private static boolean finite(float a) {
        return Math.abs(a) <= Float.MAX_VALUE;
    }

    /** Rounds an exact result; {@code nearest} is what the JVM gives, which is right for infinities, and for zeros but in rm. */
    private static int expected(Exact exact, Exact.Mode mode, float nearest, boolean zeroIsNegative) {
        if (nearest != nearest) {
            return 0x7fffffff;
        }
        if (exact == null) {
            return Float.floatToRawIntBits(nearest);
        }
        if (exact.isZero() && !exact.more()) {
            return mode == RM ? zeroIsNegative ? Integer.MIN_VALUE : 0 : Float.floatToRawIntBits(nearest);
        }
        return (int) exact.round(Exact.Format.F32, mode);
    }

    private static int flushed(Exact exact, Exact.Mode mode, float nearest, boolean zeroIsNegative) {
        int rounded = expected(exact, mode, nearest, zeroIsNegative);
        return exact != null && !exact.isZero() && exact.isTiny(Exact.Format.F32, mode) ? rounded & Integer.MIN_VALUE : rounded;
    }

    private static boolean negative(float a) {
        return Float.floatToRawIntBits(a) < 0;
    }

    private static void addAndMultiply(float a, float b) {
        boolean finite = finite(a) && finite(b);
        Exact sum = finite ? Exact.of(a).add(Exact.of(b)) : null;
        Exact product = finite ? Exact.of(a).multiply(Exact.of(b)) : null;
        boolean minus = negative(a) || negative(b);
        boolean minusProduct = negative(a) != negative(b);
        same(expected(sum, RZ, a + b, minus), RoundingF32.addRzF32(a, b), "add.rz", a, b);
        same(expected(sum, RM, a + b, minus), RoundingF32.addRmF32(a, b), "add.rm", a, b);
        same(expected(sum, RP, a + b, minus), RoundingF32.addRpF32(a, b), "add.rp", a, b);
        same(expected(product, RZ, a * b, minusProduct), RoundingF32.mulRzF32(a, b), "mul.rz", a, b);
        same(expected(product, RM, a * b, minusProduct), RoundingF32.mulRmF32(a, b), "mul.rm", a, b);
        same(expected(product, RP, a * b, minusProduct), RoundingF32.mulRpF32(a, b), "mul.rp", a, b);
        same(flushed(product, RN, a * b, minusProduct), FlushF32.mulRnFtzF32(a, b), "mul.rn.ftz", a, b);
        same(flushed(product, RM, a * b, minusProduct), FlushF32.mulRmFtzF32(a, b), "mul.rm.ftz", a, b);
        same(flushed(product, RP, a * b, minusProduct), FlushF32.mulRpFtzF32(a, b), "mul.rp.ftz", a, b);
    }

    private static void divide(float a, float b) {
        Exact quotient = finite(a) && finite(b) && b != 0 ? Exact.of(a).divide(Exact.of(b)) : null;
        boolean minus = negative(a) != negative(b);
        same(expected(quotient, RZ, a / b, minus), RoundingF32.divRzF32(a, b), "div.rz", a, b);
        same(expected(quotient, RM, a / b, minus), RoundingF32.divRmF32(a, b), "div.rm", a, b);
        same(expected(quotient, RP, a / b, minus), RoundingF32.divRpF32(a, b), "div.rp", a, b);
        same(flushed(quotient, RN, a / b, minus), FlushF32.divRnFtzF32(a, b), "div.rn.ftz", a, b);
        same(flushed(quotient, RM, a / b, minus), FlushF32.divRmFtzF32(a, b), "div.rm.ftz", a, b);
        same(flushed(quotient, RP, a / b, minus), FlushF32.divRpFtzF32(a, b), "div.rp.ftz", a, b);
    }

    private static void fuse(float a, float b, float c) {
        boolean finite = finite(a) && finite(b) && finite(c);
        Exact exact = finite ? Exact.of(a).multiply(Exact.of(b)).add(Exact.of(c)) : null;
        float nearest = Math.fma(a, b, c);
        boolean minus = negative(a) != negative(b) || negative(c);
        same(expected(exact, RZ, nearest, minus), RoundingF32.fmaRzF32(a, b, c), "fma.rz", a, b, c);
        same(expected(exact, RM, nearest, minus), RoundingF32.fmaRmF32(a, b, c), "fma.rm", a, b, c);
        same(expected(exact, RP, nearest, minus), RoundingF32.fmaRpF32(a, b, c), "fma.rp", a, b, c);
        same(flushed(exact, RN, nearest, minus), FlushF32.fmaRnFtzF32(a, b, c), "fma.rn.ftz", a, b, c);
        same(flushed(exact, RM, nearest, minus), FlushF32.fmaRmFtzF32(a, b, c), "fma.rm.ftz", a, b, c);
        same(flushed(exact, RP, nearest, minus), FlushF32.fmaRpFtzF32(a, b, c), "fma.rp.ftz", a, b, c);
    }

    private static void root(float a) {
        float nearest = (float) Math.sqrt(a);
        Exact exact = finite(a) && a > 0 ? Exact.of(a).root() : null;
        same(expected(exact, RZ, nearest, false), RoundingF32.sqrtRzF32(a), "sqrt.rz", a);
        same(expected(exact, RP, nearest, false), RoundingF32.sqrtRpF32(a), "sqrt.rp", a);
    }

    private static void convert(double a) {
        Exact exact = Double.isFinite(a) ? Exact.of(a) : null;
        same(expected(exact, RZ, (float) a, a < 0), RoundingF32.roundRzF32(a), "cvt.rz", (float) a);
        boolean minus = Double.doubleToRawLongBits(a) < 0;
        same(expected(exact, RM, (float) a, minus), RoundingF32.roundRmF32(a), "cvt.rm", (float) a);
        same(expected(exact, RP, (float) a, minus), RoundingF32.roundRpF32(a), "cvt.rp", (float) a);
    }

    @Test
    void everyPairOfEdgeValuesIsRoundedAsAsked() {
        for (float a : EDGES) {
            root(a);
            for (float b : EDGES) {
                addAndMultiply(a, b);
                divide(a, b);
            }
        }
    }

    @Test
    void everyTripleOfEdgeValuesIsRoundedAsAsked() {
        for (float a : EDGES) {
            for (float b : EDGES) {
                for (int i = 0; i < EDGES.length; i += 3) {
                    fuse(a, b, EDGES[i]);
                }
            }
        }
    }

    @Test
    void randomSourcesAreRoundedAsAsked() {
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 150_000; i++) {
            int spread = 1 << random.nextInt(8);
            float a = FloatSamples.random(random, 0, spread);
            float b = FloatSamples.random(random, 0, spread);
            addAndMultiply(a, b);
            divide(a, b);
            root(Math.abs(a));
        }
    }

    @Test
    void randomFusedSumsAreRoundedAsAsked() {
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 300_000; i++) {
            int spread = 1 << random.nextInt(8);
            float a = FloatSamples.random(random, random.nextInt(-60, 60), spread);
            float b = FloatSamples.random(random, random.nextInt(-60, 60), spread);
            int middle = Math.getExponent(a) + Math.getExponent(b);
            float c = switch (i & 3) {
                case 0 -> FloatSamples.random(random, middle, 3);
                case 1 -> FloatSamples.random(random, middle, 60);
                case 2 -> -(a * b);
                default -> FloatSamples.random(random, 0, spread);
            };
            fuse(a, b, c);
        }
    }

    @Test
    void productsAroundTheLeastNormalNumberAreFlushedByWhatTheyAreWithUnboundedExponent() {
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 100_000; i++) {
            float a = FloatSamples.random(random, random.nextInt(-100, 100), 3);
            float b = Math.nextAfter(Float.MIN_NORMAL / a, random.nextBoolean() ? 0.0 : 1e30);
            addAndMultiply(a, b);
            fuse(a, b, FloatSamples.random(random, -149, 6));
            divide(Float.MIN_NORMAL * Math.abs(a), Math.nextAfter(Math.abs(a), 1e38));
        }
    }

    @Test
    void doublesAreRoundedToFloatsAsAsked() {
        for (double a : FloatSamples.doubles()) {
            convert(a);
        }
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 200_000; i++) {
            convert(FloatSamples.randomDouble(random, 0, 160));
            convert(Math.nextAfter((double) FloatSamples.random(random, 0, 127), random.nextBoolean() ? 1e300 : -1e300));
        }
    }
}
