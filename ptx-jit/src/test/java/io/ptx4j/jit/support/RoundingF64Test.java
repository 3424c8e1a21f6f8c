package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.Exact.Mode.RM;
import static io.ptx4j.jit.support.Exact.Mode.RP;
import static io.ptx4j.jit.support.Exact.Mode.RZ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RoundingF64Test {
    private static final double[] EDGES = FloatSamples.doubles();

    private static void same(double expected, double actual, String name, double... sources) {
        if (Double.doubleToLongBits(expected) != Double.doubleToLongBits(actual)) {
            StringBuilder text = new StringBuilder(name);
            for (double source : sources) {
                text.append(' ').append(Double.toHexString(source));
            }
            assertEquals(Double.toHexString(expected), Double.toHexString(actual), text::toString);
        }
    }

    /** Rounds an exact result; {@code nearest} is what the JVM gives, which is right for infinities and NaN, and for zeros but in rm. */
    private static double expected(Exact exact, Exact.Mode mode, double nearest, boolean zeroIsNegative) {
        if (exact == null) {
            return nearest;
        }
        if (exact.isZero() && !exact.more()) {
            return mode == RM ? zeroIsNegative ? -0.0 : 0.0 : nearest;
        }
        return Double.longBitsToDouble(exact.round(Exact.Format.F64, mode));
    }

    private static boolean negative(double a) {
        return Double.doubleToRawLongBits(a) < 0;
    }

    private static void addAndMultiply(double a, double b) {
        boolean finite = Double.isFinite(a) && Double.isFinite(b);
        Exact sum = finite ? Exact.of(a).add(Exact.of(b)) : null;
        Exact product = finite ? Exact.of(a).multiply(Exact.of(b)) : null;
        boolean minus = negative(a) || negative(b);
        boolean minusProduct = negative(a) != negative(b);
        same(expected(sum, RZ, a + b, minus), RoundingF64.addRzF64(a, b), "add.rz", a, b);
        same(expected(sum, RM, a + b, minus), RoundingF64.addRmF64(a, b), "add.rm", a, b);
        same(expected(sum, RP, a + b, minus), RoundingF64.addRpF64(a, b), "add.rp", a, b);
        same(expected(product, RZ, a * b, minusProduct), RoundingF64.mulRzF64(a, b), "mul.rz", a, b);
        same(expected(product, RM, a * b, minusProduct), RoundingF64.mulRmF64(a, b), "mul.rm", a, b);
        same(expected(product, RP, a * b, minusProduct), RoundingF64.mulRpF64(a, b), "mul.rp", a, b);
    }

    private static void divide(double a, double b) {
        Exact quotient = Double.isFinite(a) && Double.isFinite(b) && b != 0 ? Exact.of(a).divide(Exact.of(b)) : null;
        boolean minus = negative(a) != negative(b);
        same(expected(quotient, RZ, a / b, minus), RoundingF64.divRzF64(a, b), "div.rz", a, b);
        same(expected(quotient, RM, a / b, minus), RoundingF64.divRmF64(a, b), "div.rm", a, b);
        same(expected(quotient, RP, a / b, minus), RoundingF64.divRpF64(a, b), "div.rp", a, b);
    }

    private static void fuse(double a, double b, double c) {
        boolean finite = Double.isFinite(a) && Double.isFinite(b) && Double.isFinite(c);
        Exact exact = finite ? Exact.of(a).multiply(Exact.of(b)).add(Exact.of(c)) : null;
        double nearest = Math.fma(a, b, c);
        boolean minus = negative(a) != negative(b) || negative(c);
        same(expected(exact, RZ, nearest, minus), RoundingF64.fmaRzF64(a, b, c), "fma.rz", a, b, c);
        same(expected(exact, RM, nearest, minus), RoundingF64.fmaRmF64(a, b, c), "fma.rm", a, b, c);
        same(expected(exact, RP, nearest, minus), RoundingF64.fmaRpF64(a, b, c), "fma.rp", a, b, c);
    }

    private static void root(double a) {
        Exact exact = Double.isFinite(a) && a > 0 ? Exact.of(a).root() : null;
        same(expected(exact, RZ, Math.sqrt(a), false), RoundingF64.sqrtRzF64(a), "sqrt.rz", a);
        same(expected(exact, RP, Math.sqrt(a), false), RoundingF64.sqrtRpF64(a), "sqrt.rp", a);
    }

    @Test
    void everyPairOfEdgeValuesIsRoundedAsAsked() {
        for (double a : EDGES) {
            root(a);
            for (double b : EDGES) {
                addAndMultiply(a, b);
                divide(a, b);
            }
        }
    }

    @Test
    void everyTripleOfEdgeValuesIsRoundedAsAsked() {
        for (double a : EDGES) {
            for (double b : EDGES) {
                for (int i = 0; i < EDGES.length; i += 3) {
                    fuse(a, b, EDGES[i]);
                }
            }
        }
    }

    @Test
    void randomSourcesAreRoundedAsAsked() {
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 100_000; i++) {
            int spread = 1 << random.nextInt(11);
            double a = FloatSamples.randomDouble(random, 0, spread);
            double b = FloatSamples.randomDouble(random, 0, spread);
            addAndMultiply(a, b);
            divide(a, b);
            root(Math.abs(a));
        }
    }

    @Test
    void randomFusedSumsAreRoundedAsAsked() {
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 200_000; i++) {
            int spread = 1 << random.nextInt(11);
            double a = FloatSamples.randomDouble(random, random.nextInt(-500, 500), spread);
            double b = FloatSamples.randomDouble(random, random.nextInt(-500, 500), spread);
            int middle = Math.getExponent(a) + Math.getExponent(b);
            double c = switch (i & 3) {
                case 0 -> FloatSamples.randomDouble(random, middle, 3);
                case 1 -> FloatSamples.randomDouble(random, middle, 120);
                case 2 -> -(a * b);
                default -> FloatSamples.randomDouble(random, 0, spread);
            };
            fuse(a, b, c);
        }
    }

    @Test
    void resultsAroundTheEndsOfTheRangeAreRoundedAsAsked() {
        SplittableRandom random = Samples.random();
        for (int i = 0; i < 100_000; i++) {
            double a = FloatSamples.randomDouble(random, random.nextInt(-500, 500), 3);
            int end = random.nextBoolean() ? 1022 : -1040;
            double b = FloatSamples.randomDouble(random, end - Math.getExponent(a), 36);
            addAndMultiply(a, b);
            divide(a, 1 / b);
            fuse(a, b, FloatSamples.randomDouble(random, end, 40));
            root(Math.abs(FloatSamples.randomDouble(random, -1023, 60)));
        }
    }
}
