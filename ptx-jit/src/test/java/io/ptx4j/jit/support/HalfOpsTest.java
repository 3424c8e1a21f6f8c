package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.Exact.Format.BF16;
import static io.ptx4j.jit.support.Exact.Format.F16;
import static io.ptx4j.jit.support.Exact.Mode.RM;
import static io.ptx4j.jit.support.Exact.Mode.RN;
import static io.ptx4j.jit.support.Exact.Mode.RP;
import static io.ptx4j.jit.support.Exact.Mode.RZ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.jit.support.Exact.Format;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Every half against edge values and random ones, both ways; triples of edge values, and random ones whose parts lie near each other. */
final class HalfOpsTest {
    private static final int STEP = Boolean.getBoolean("ptx4j.long") ? 1 : 5;
    private static final int[] F16_EDGES = edges(F16);
    private static final int[] BF16_EDGES = edges(BF16);

    interface InDouble {
        double apply(double a, double b);
    }

    interface Ternary {
        int apply(int a, int b, int c);
    }

    private static int[] edges(Format format) {
        int one = 1 << format.fractionBits();
        int infinity = (int) format.infinity();
        int bias = format.greatestExponent() << format.fractionBits();
        int[] magnitudes = {0, 1, 2, 3, one / 2, one - 1, one, one + 1, 2 * one - 1, 2 * one, bias - one, bias - 1, bias, bias + 1, bias + one / 2,
            bias + one, bias + one * format.fractionBits(), bias + one * format.fractionBits() + 1, infinity / 2, infinity - one, infinity - 2,
            infinity - 1, infinity, infinity + 1, 0x7fff, 0x7ff7};
        int[] edges = new int[2 * magnitudes.length];
        for (int i = 0; i < magnitudes.length; i++) {
            edges[2 * i] = magnitudes[i];
            edges[2 * i + 1] = magnitudes[i] | 0x8000;
        }
        return edges;
    }

    private static double number(Format format, int bits) {
        int fraction = bits & (1 << format.fractionBits()) - 1;
        int field = (bits & 0x7fff) >> format.fractionBits();
        double magnitude = field == (1 << format.exponentBits()) - 1
                ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : Math.scalb(fraction + (field == 0 ? 0 : 1 << format.fractionBits()), format.leastExponent() + Math.max(field, 1) - 1 - format.fractionBits());
        return bits >= 0x8000 ? -magnitude : magnitude;
    }

    /** What f64 gives is right for zeros, infinities and NaN; other results are rounded from the exact one. */
    private static int rounded(Format format, Exact.Mode mode, double inDouble, Exact exact, boolean ftz) {
        if (Double.isNaN(inDouble)) {
            return 0x7fff;
        }
        if (exact == null || exact.isZero()) {
            int sign = Double.doubleToRawLongBits(inDouble) < 0 ? 0x8000 : 0;
            return sign | (inDouble == 0 ? 0 : (int) format.infinity());
        }
        boolean tiny = ftz && exact.isTiny(format, mode);
        int bits = (int) exact.round(format, mode);
        return tiny ? bits & 0x8000 : bits;
    }

    private static void pairs(String name, Format format, IntBinaryOperator actual, BinaryOperator<Exact> exact, InDouble inDouble,
            boolean ftz) {
        int[] edges = format == F16 ? F16_EDGES : BF16_EDGES;
        SplittableRandom random = Samples.random();
        for (int a = 0; a < 0x10000; a++) {
            for (int k = a % STEP; k < edges.length + 8; k += STEP) {
                int b = k < edges.length ? edges[k] : random.nextInt() & 0xffff;
                pair(name, format, a, b, actual, exact, inDouble, ftz);
                pair(name, format, b, a, actual, exact, inDouble, ftz);
            }
        }
    }

    private static void pair(String name, Format format, int a, int b, IntBinaryOperator actual, BinaryOperator<Exact> exact,
            InDouble inDouble, boolean ftz) {
        int x = ftz ? HalfOps.ftzF16(a) : a;
        int y = ftz ? HalfOps.ftzF16(b) : b;
        double p = number(format, x);
        double q = number(format, y);
        boolean finite = Double.isFinite(p) && Double.isFinite(q);
        int expected = rounded(format, RN, inDouble.apply(p, q), finite ? exact.apply(Exact.of(p), Exact.of(q)) : null, ftz);
        int found = actual.applyAsInt(x, y);
        if (expected != found) {
            assertEquals(Integer.toHexString(expected), Integer.toHexString(found), () -> "%s(%x, %x)".formatted(name, a, b));
        }
    }

    @Test
    void sumsAndProductsOfF16AreRoundedOnce() {
        BinaryOperator<Exact> difference = (a, b) -> a.add(new Exact(b.significand().negate(), b.exponent(), false));
        pairs("add", F16, HalfOps::addF16, Exact::add, (a, b) -> a + b, false);
        pairs("sub", F16, HalfOps::subF16, difference, (a, b) -> a - b, false);
        pairs("mul", F16, HalfOps::mulF16, Exact::multiply, (a, b) -> a * b, false);
        pairs("mul.ftz", F16, HalfOps::mulFtzF16, Exact::multiply, (a, b) -> a * b, true);
        pairs("add.ftz", F16, (a, b) -> HalfOps.ftzF16(HalfOps.addF16(a, b)), Exact::add, (a, b) -> a + b, true);
    }

    @Test
    void sumsAndProductsOfBf16AreRoundedOnce() {
        BinaryOperator<Exact> difference = (a, b) -> a.add(new Exact(b.significand().negate(), b.exponent(), false));
        pairs("add", BF16, HalfOps::addBf16, Exact::add, (a, b) -> a + b, false);
        pairs("sub", BF16, HalfOps::subBf16, difference, (a, b) -> a - b, false);
        pairs("mul", BF16, HalfOps::mulBf16, Exact::multiply, (a, b) -> a * b, false);
    }

    private static void triple(String name, Format format, Exact.Mode mode, int a, int b, int c, Ternary actual, boolean ftz) {
        int[] x = {a, b, c};
        for (int i = 0; ftz && i < 3; i++) {
            x[i] = HalfOps.ftzF16(x[i]);
        }
        double p = number(format, x[0]);
        double q = number(format, x[1]);
        double r = number(format, x[2]);
        boolean finite = Double.isFinite(p) && Double.isFinite(q) && Double.isFinite(r);
        Exact exact = finite ? Exact.of(p).multiply(Exact.of(q)).add(Exact.of(r)) : null;
        boolean minus = x[0] >= 0x8000 != x[1] >= 0x8000 || x[2] >= 0x8000;
        int expected = exact != null && exact.isZero() && mode == RM ? minus ? 0x8000 : 0 : rounded(format, mode, p * q + r, exact, ftz);
        int found = actual.apply(x[0], x[1], x[2]);
        if (expected != found) {
            assertEquals(Integer.toHexString(expected), Integer.toHexString(found), () -> "%s(%x, %x, %x)".formatted(name, a, b, c));
        }
    }

    private static void triples(String name, Format format, Exact.Mode mode, Ternary actual, boolean ftz) {
        int[] edges = format == F16 ? F16_EDGES : BF16_EDGES;
        for (int a : edges) {
            for (int b : edges) {
                for (int c : edges) {
                    triple(name, format, mode, a, b, c, actual, ftz);
                }
            }
        }
        SplittableRandom random = Samples.random();
        int fraction = (1 << format.fractionBits()) - 1;
        for (int i = 0; i < 1_000_000; i++) {
            int a = random.nextInt() & 0xffff;
            int b = random.nextInt() & 0xffff;
            double product = number(format, a) * number(format, b);
            int exponent = Math.clamp(Math.getExponent(product) + random.nextInt(-14, 15) + format.greatestExponent(), 0, 2 * format.greatestExponent());
            int c = random.nextInt() & (0x8000 | fraction) & (i % 3 == 0 ? ~fraction : -1) | exponent << format.fractionBits();
            triple(name, format, mode, a, b, c, actual, ftz);
        }
        for (int i = 0; i < 300_000; i++) {
            triple(name, format, mode, random.nextInt() & 0xffff, random.nextInt() & 0xffff, random.nextInt() & 0xffff, actual, ftz);
        }
    }

    @Test
    void fusedSumsAreRoundedOnce() {
        triples("fma.f16", F16, RN, HalfOps::fmaF16, false);
        triples("fma.ftz.f16", F16, RN, HalfOps::fmaFtzF16, true);
        triples("fma.bf16", BF16, RN, HalfOps::fmaBf16, false);
        triples("fma.rz.bf16", BF16, RZ, HalfOps::fmaRzBf16, false);
        triples("fma.rm.bf16", BF16, RM, HalfOps::fmaRmBf16, false);
        triples("fma.rp.bf16", BF16, RP, HalfOps::fmaRpBf16, false);
    }

    @Test
    void tiesOfBf16AreBrokenByAddendsFarBelow() {
        // The square of 1 + 2^-4 is 1 + 2^-3 + 2^-8, a tie.
        assertEquals(0x3f90, HalfOps.fmaBf16(0x3f88, 0x3f88, 0));
        assertEquals(0x3f91, HalfOps.fmaBf16(0x3f88, 0x3f88, 0x0001));
        assertEquals(0x3f90, HalfOps.fmaBf16(0x3f88, 0x3f88, 0x8001));
    }

    @Test
    void roundingToOddShowsThatBitsWereLost() {
        assertEquals(1f, HalfOps.toOdd(1));
        assertEquals(Math.nextUp(1f), HalfOps.toOdd(1 + 0x1p-50));
        assertEquals(Math.nextDown(1f), HalfOps.toOdd(1 - 0x1p-50));
        assertEquals(-Math.nextUp(1f), HalfOps.toOdd(-1 - 0x1p-50));
        assertEquals(Float.MIN_VALUE, HalfOps.toOdd(0x1p-200));
        assertEquals(Float.MAX_VALUE, HalfOps.toOdd(0x1p200));
        assertEquals(Float.POSITIVE_INFINITY, HalfOps.toOdd(Double.POSITIVE_INFINITY));
    }

    private static int extreme(Format format, int a, int b, boolean max, boolean nan) {
        double p = number(format, a);
        double q = number(format, b);
        if (Double.isNaN(p) && Double.isNaN(q) || nan && (Double.isNaN(p) || Double.isNaN(q))) {
            return 0x7fff;
        }
        if (Double.isNaN(p) || Double.isNaN(q)) {
            return Double.isNaN(p) ? b : a;
        }
        return max == (Double.compare(p, q) > 0) ? a : b;
    }

    @Test
    void minimaAndMaximaPreferNumbersUnlessNanIsAskedFor() {
        for (int a = 0; a < 0x10000; a++) {
            for (int b : F16_EDGES) {
                assertEquals(extreme(F16, a, b, false, false), HalfOps.minF16(a, b));
                assertEquals(extreme(F16, a, b, true, false), HalfOps.maxF16(a, b));
                assertEquals(extreme(F16, a, b, false, true), HalfOps.minNanF16(a, b));
                assertEquals(extreme(F16, a, b, true, true), HalfOps.maxNanF16(a, b));
            }
            for (int b : BF16_EDGES) {
                assertEquals(extreme(BF16, a, b, false, false), HalfOps.minBf16(a, b));
                assertEquals(extreme(BF16, a, b, true, false), HalfOps.maxBf16(a, b));
                assertEquals(extreme(BF16, a, b, false, true), HalfOps.minNanBf16(a, b));
                assertEquals(extreme(BF16, a, b, true, true), HalfOps.maxNanBf16(a, b));
            }
        }
        assertEquals(0xbc00, HalfOps.xorsign(0x3c00, 0x8001, 0x0001));
        assertEquals(0x7fff, HalfOps.xorsign(0x7fff, 0x8001, 0x0001));
    }

    private static void unary(Format format, IntUnaryOperator actual, DoubleUnaryOperator exact, double bound, boolean absolute) {
        for (int a = 0; a < 0x10000; a++) {
            double x = number(format, a);
            double wanted = exact.applyAsDouble(x);
            double found = number(format, actual.applyAsInt(a));
            double least = Math.scalb(1.0, format.leastExponent() - format.fractionBits());
            double greatest = number(format, (int) format.infinity() - 1);
            double allowed = absolute ? bound : Math.max(bound * Math.abs(wanted), least);
            boolean fine = Double.isNaN(wanted) ? Double.isNaN(found) : Math.abs(wanted) > greatest ? Math.abs(found) >= greatest
                    : Math.abs(found - wanted) <= allowed;
            assertEquals(true, fine, "of " + x + ": " + found + ", not " + wanted);
        }
    }

    @Test
    void approximationsOfEveryHalfAreWithinTheManualsBounds() {
        unary(F16, HalfOps::ex2F16, a -> Math.pow(2, a), Math.pow(2, -9.9), false);
        unary(F16, HalfOps::tanhF16, Math::tanh, Math.pow(2, -10.987), true);
        unary(BF16, HalfOps::ex2Bf16, a -> Math.pow(2, a) < 0x1p-126 ? 0 : Math.pow(2, a), 0x1p-7, false);
        unary(BF16, HalfOps::tanhBf16, Math::tanh, 0x1p-8, true);
    }

    @Test
    void clampsAndSignsFollowTheBits() {
        for (int a = 0; a < 0x10000; a++) {
            double f16 = number(F16, a);
            int clamped = Double.isNaN(f16) || a >= 0x8000 ? 0 : f16 > 1 ? 0x3c00 : a;
            assertEquals(clamped, HalfOps.satF16(a));
            assertEquals(Double.isNaN(f16) ? 0x7fff : a & 0x7fff, HalfOps.absF16(a));
            assertEquals(Double.isNaN(f16) ? 0x7fff : a ^ 0x8000, HalfOps.negF16(a));
            assertEquals(Math.abs(f16) < 0x1p-14 ? a & 0x8000 : a, HalfOps.ftzF16(a));
            double bf16 = number(BF16, a);
            assertEquals(Double.isNaN(bf16) ? 0x7fff : a & 0x7fff, HalfOps.absBf16(a));
            assertEquals(Double.isNaN(bf16) ? 0x7fff : a ^ 0x8000, HalfOps.negBf16(a));
            assertEquals(Math.abs(bf16) < 0x1p-126 ? a & 0x8000 : a, HalfOps.ftzBf16(a));
        }
        assertEquals(0, HalfOps.relu(0x8000));
        assertEquals(0x7fff, HalfOps.relu(0x7fff));
        assertEquals(0, HalfOps.oob(0x1234, 0x7ff7, 0));
        assertEquals(0, HalfOps.oob(0x1234, 0, 0x7ff7));
        assertEquals(0, HalfOps.oob(0x1234, 0xfff7, 0));
        assertEquals(0x1234, HalfOps.oob(0x1234, 0x7ff6, 0));
    }
}
