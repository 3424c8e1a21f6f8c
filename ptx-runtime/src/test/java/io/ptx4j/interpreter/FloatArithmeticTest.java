package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Floats.f32;
import static io.ptx4j.interpreter.Floats.f64;
import static io.ptx4j.interpreter.Floats.hex;
import static io.ptx4j.interpreter.Floats.operation;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.ptx4j.interpreter.Floats.Operation;
import io.ptx4j.interpreter.Reals.Unrounded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/** add, sub, mul, fma, div, rcp, sqrt in f32, f64, f16, bf16 and their mixtures. */
class FloatArithmeticTest {
    private static final int RANDOM = 6_000;

    @ParameterizedTest
    @ValueSource(strings = {"add", "sub", "mul", "div.rn", "fma.rn", "sqrt.rn"})
    void roundingToNearestGivesWhatJavasOwnArithmeticGives(String name) {
        Operation single = operation(name + ".f32");
        forEach(Reals.F32, sources(name), x -> {
            float expected = java(name, Reals.F32, x);
            long bits = Float.isNaN(expected) ? 0x7fffffffL : f32(expected);
            check(bits, single.of(x), name + ".f32", x);
        });
        Operation twice = operation(name + ".f64");
        forEach(Reals.F64, sources(name), x -> {
            double expected = javaDouble(name, x);
            long found = twice.of(x);
            if (!Double.isNaN(expected) || !Reals.F64.isNaN(found)) {
                check(f64(expected), found, name + ".f64", x);
            }
        });
    }

    private static float java(String name, Reals type, long[] x) {
        float a = (float) type.toDouble(x[0]);
        float b = x.length > 1 ? (float) type.toDouble(x[1]) : 0;
        return switch (name) {
            case "add" -> a + b;
            case "sub" -> a - b;
            case "mul" -> a * b;
            case "div.rn" -> a / b;
            case "fma.rn" -> Math.fma(a, b, (float) type.toDouble(x[2]));
            default -> (float) Math.sqrt(a);
        };
    }

    private static double javaDouble(String name, long[] x) {
        double a = Double.longBitsToDouble(x[0]);
        double b = x.length > 1 ? Double.longBitsToDouble(x[1]) : 0;
        return switch (name) {
            case "add" -> a + b;
            case "sub" -> a - b;
            case "mul" -> a * b;
            case "div.rn" -> a / b;
            case "fma.rn" -> Math.fma(a, b, Double.longBitsToDouble(x[2]));
            default -> Math.sqrt(a);
        };
    }

    @ParameterizedTest
    @CsvSource({"add,f32", "sub,f32", "mul,f32", "div,f32", "fma,f32", "sqrt,f32", "rcp,f32",
        "add,f64", "sub,f64", "mul,f64", "div,f64", "fma,f64", "sqrt,f64", "rcp,f64"})
    void everyRoundingGivesTheNeighbourItNames(String name, String type) {
        Reals reals = type.equals("f32") ? Reals.F32 : Reals.F64;
        for (String rounding : new String[] {"rn", "rz", "rm", "rp"}) {
            holdAgainstDecimals(name, operation(name + "." + rounding + "." + type), reals, reals, Reals.direction(rounding));
        }
    }

    @ParameterizedTest
    @CsvSource({"add,f16", "sub,f16", "mul,f16", "fma,f16", "add,bf16", "sub,bf16", "mul,bf16", "fma,bf16"})
    void halfPrecisionRoundsTheExactResultOnce(String name, String type) {
        Reals reals = type.equals("f16") ? Reals.F16 : Reals.BF16;
        holdAgainstDecimals(name, operation(name + ".rn." + type), reals, reals, Reals.Direction.NEAREST);
    }

    @ParameterizedTest
    @CsvSource({"add,f16", "sub,f16", "fma,f16", "add,bf16", "sub,bf16", "fma,bf16"})
    void mixedPrecisionRoundsTheExactResultToF32(String name, String type) {
        Reals reals = type.equals("f16") ? Reals.F16 : Reals.BF16;
        for (String rounding : new String[] {"rn", "rz", "rm", "rp"}) {
            Operation operation = operation(name + "." + rounding + ".f32." + type);
            holdAgainstDecimals(name, operation, reals, Reals.F32, Reals.direction(rounding));
        }
    }

    /** The last source has the type of the result. */
    private static void holdAgainstDecimals(String name, Operation operation, Reals source, Reals result, Reals.Direction direction) {
        Random random = new Random(name.hashCode());
        Consumer<long[]> test = x -> {
            if (x.length > 1 && source != result) {
                x[x.length - 1] = result.edges()[(int) ((x[x.length - 1] & 0xffff) % result.edges().length)] ^ random.nextInt(4);
            }
            Unrounded exact = exact(name, source, result, x);
            if (exact != null) {
                result.assertRounded(exact, direction, operation.of(x), name + " " + direction + " of " + hex(x));
            }
        };
        forEach(source, sources(name), test);
    }

    /** Null when a source or the result is no number. */
    private static Unrounded exact(String name, Reals source, Reals result, long[] x) {
        BigDecimal[] v = new BigDecimal[x.length];
        for (int i = 0; i < x.length; i++) {
            Reals type = i > 0 && i == x.length - 1 ? result : source;
            if (!type.isFinite(x[i])) {
                return null;
            }
            v[i] = type.value(x[i]);
        }
        return switch (name) {
            case "add" -> v[0].add(v[1])::compareTo;
            case "sub" -> v[0].subtract(v[1])::compareTo;
            case "mul" -> v[0].multiply(v[1])::compareTo;
            case "fma" -> v[0].multiply(v[1]).add(v[2])::compareTo;
            case "div" -> v[1].signum() == 0 ? null : quotient(v[0], v[1]);
            case "rcp" -> v[0].signum() == 0 ? null : quotient(BigDecimal.ONE, v[0]);
            default -> v[0].signum() < 0 ? null : other -> other.signum() < 0 ? 1 : v[0].compareTo(other.multiply(other));
        };
    }

    private static Unrounded quotient(BigDecimal a, BigDecimal b) {
        return other -> a.compareTo(other.multiply(b)) * b.signum();
    }

    private static int sources(String name) {
        return name.startsWith("fma") ? 3 : name.startsWith("sqrt") || name.startsWith("rcp") ? 1 : 2;
    }

    private static void forEach(Reals type, int sources, Consumer<long[]> test) {
        long[] edges = type.edges();
        Floats.tuples(sources == 3 ? Arrays.copyOf(edges, 24) : edges, sources, test);
        Random random = new Random(sources);
        for (int i = 0; i < RANDOM; i++) {
            test.accept(type.random(random, sources));
        }
    }

    private static void check(long expected, long found, String name, long[] x) {
        if (expected != found) {
            fail(() -> name + " of " + hex(x) + " should be " + Long.toHexString(expected) + ", is " + Long.toHexString(found));
        }
    }

    @ParameterizedTest
    @CsvSource({"mul.rn", "mul.rp", "mul.rz", "add.rn", "fma.rn", "fma.rm"})
    void ftzFlushesSubnormalSourcesAndResultsThatAreTinyWhenRounded(String name) {
        Operation plain = operation(name + ".f32");
        Operation flushing = operation(name + ".ftz.f32");
        forEach(Reals.F32, sources(name), x -> {
            long[] flushed = Arrays.stream(x).map(bits -> (bits & 0x7f800000L) == 0 ? bits & 0x80000000L : bits).toArray();
            Unrounded exact = exact(name.substring(0, 3), Reals.F32, Reals.F32, flushed);
            long expected = plain.of(flushed);
            if (exact != null && exact.compareTo(BigDecimal.ZERO) != 0) {
                boolean negative = exact.compareTo(BigDecimal.ZERO) < 0;
                expected = isTiny(exact, negative, name.substring(4)) ? negative ? 0x80000000L : 0 : expected;
            }
            check(expected, flushing.of(x), name + ".ftz", x);
        });
    }

    /** Below the least normal number lies one of 24 bits, half as far from it as the greatest subnormal one. */
    private static boolean isTiny(Unrounded exact, boolean negative, String rounding) {
        BigDecimal least = Reals.F32.leastNormal();
        BigDecimal below = least.subtract(power(-150));
        boolean away = rounding.equals(negative ? "rm" : "rp");
        BigDecimal limit = rounding.equals("rn") ? least.subtract(power(-151)) : away ? below : least;
        int order = negative ? -exact.compareTo(limit.negate()) : exact.compareTo(limit);
        return away ? order <= 0 : order < 0;
    }

    private static BigDecimal power(int exponent) {
        return BigDecimal.ONE.divide(BigDecimal.TWO.pow(-exponent));
    }

    @Test
    void aProductThatWouldRoundUpToTheLeastNormalNumberIsFlushed() {
        long below = f32(Math.nextDown(1f));
        assertEquals(0x00800000L, operation("mul.rn.f32").of(below, 0x00800000L));
        assertEquals(0, operation("mul.rn.ftz.f32").of(below, 0x00800000L));
    }

    /** An H100 gives these: the product of 48 bits needs more than 24 of them and rounds up. */
    @Test
    void aProductThatRoundsUpToTheLeastNormalNumberWithoutBoundsIsKept() {
        assertEquals(0x00800000L, operation("mul.rn.ftz.f32").of(0x21c9de82L, 0x1e2252adL));
        assertEquals(0x00800000L, operation("fma.rn.ftz.f32").of(0x21c9de82L, 0x1e2252adL, 0));
        assertEquals(0, operation("mul.rz.ftz.f32").of(0x21c9de82L, 0x1e2252adL));
        assertEquals(0x8400L, operation("mul.rn.ftz.f16").of(0xa4b5L, 0x1accL));
    }

    @Test
    void satClampsToZeroAndOneAndTurnsNaNToZero() {
        Operation add = operation("add.sat.f32");
        assertEquals(f32(1), add.of(f32(3), f32(4)));
        assertEquals(f32(0.75f), add.of(f32(0.5f), f32(0.25f)));
        assertEquals(0, add.of(f32(-3), f32(1)));
        assertEquals(0, add.of(f32(-0f), f32(-0f)));
        assertEquals(0, add.of(0x7fc00000L, f32(1)));
        assertEquals(f32(1), add.of(0x7f800000L, f32(1)));
        assertEquals(0x3c00, operation("fma.rn.sat.f16").of(0x4000, 0x4000, 0));
    }

    @Test
    void nanOfF32IsCanonicalAndOfF64TheLastSourcesQuieted() {
        assertEquals(0x7fffffffL, operation("add.f32").of(0xffc00001L, f32(1)));
        assertEquals(0x7fffffffL, operation("sqrt.rn.f32").of(f32(-1)));
        assertEquals(0xfff8000000000000L, operation("add.f64").of(f64(Double.POSITIVE_INFINITY), f64(Double.NEGATIVE_INFINITY)));
        assertEquals(0xfff8000000000000L, operation("mul.f64").of(f64(0), f64(Double.NEGATIVE_INFINITY)));
        assertEquals(0x7ff8000000001234L, operation("add.f64").of(0x7ff0000000001234L, f64(1)));
        assertEquals(0xfff8000000005678L, operation("sub.f64").of(0x7ff0000000001234L, 0xfff8000000005678L));
        assertEquals(0xfff8000000000003L, operation("fma.rn.f64").of(0x7ff8000000000001L, f64(2), 0xfff8000000000003L));
        assertEquals(0x7fff, operation("mul.f16").of(0x7c00, 0));
        assertEquals(0x7fff, operation("fma.rn.relu.bf16").of(0xffc1, 0x3f80, 0));
    }

    @Test
    void theTwoLanesOfAPackedInstructionDoNotTouch() {
        long a = f32(2) | f32(3) << 32;
        long b = f32(4) | f32(5) << 32;
        assertEquals(f32(8) | f32(15) << 32, operation("mul.f32x2").of(a, b));
        assertEquals(f32(8.5f) | f32(15.25f) << 32, operation("fma.rz.f32x2").of(a, b, f32(0.5f) | f32(0.25f) << 32));
        assertEquals(0xc0003c00L, operation("add.f16x2").of(0xbc003c00L, 0xbc000000L));
        assertEquals(0x7fff0000L, operation("fma.rn.relu.f16x2").of(0x7e00bc00L, 0x3c003c00L, 0));
    }

    @Test
    void reluClearsEverythingWithASignButNaN() {
        Operation fma = operation("fma.rn.relu.f16");
        assertEquals(0, fma.of(0xbc00, 0x3c00, 0));
        assertEquals(0, fma.of(0x8000, 0x3c00, 0x8000));
        assertEquals(0x4000, fma.of(0x3c00, 0x3c00, 0x3c00));
        assertEquals(0x7fff, fma.of(0xfe00, 0x3c00, 0x3c00));
    }

    @Test
    void anOutOfBoundsFactorGivesZero() {
        Operation fma = operation("fma.rn.oob.bf16x2");
        assertEquals(0x40000000L, fma.of(0x3f807ff7L, 0x3f803f80L, 0x3f803f80L));
        assertEquals(0x4000, operation("fma.rn.oob.f16").of(0x3c00, 0x3c00, 0x3c00));
        assertEquals(0x7fff, operation("fma.rn.oob.f16").of(0x7e00, 0x3c00, 0x3c00));
        assertEquals(0, operation("fma.rn.oob.f16").of(0x3c00, 0xfff7, 0x3c00));
        assertEquals(0x7fff, operation("fma.rn.oob.f16").of(0x3c00, 0x3c00, 0x7ff7));
    }

    @Test
    void madWithoutRoundingTruncatesTheProductUnlessItAddsZero() {
        Operation mad = operation("mad.f32");
        for (int i = 1; i < 1000; i++) {
            float a = 1 + i * 0x1p-23f;
            float b = 1.7f - i * 0x1p-22f;
            double exact = (double) a * b;
            float truncated = (float) exact > exact ? Math.nextDown((float) exact) : (float) exact;
            assertEquals(f32(truncated), mad.of(f32(a), f32(b), f32(0x1p-126f)));
            assertEquals(f32(a * b), mad.of(f32(a), f32(b), f32(-0f)));
        }
        assertEquals(f32(-0x1p-24f), mad.of(f32(1 + 0x1p-23f), f32(1 - 0x1p-23f), f32(-1)));
        long sum = mad.of(f32(0x1p126f), f32(4), f32(-0x1p127f));
        assertEquals(f32(0x1p127f), sum, "the product keeps an exponent beyond the format's range");
    }

    @Test
    void divisionByALargeNumberIsZeroInTheApproximateForm() {
        Operation approx = operation("div.approx.f32");
        assertEquals(f32(0.5f), approx.of(f32(0x1p125f), f32(0x1p126f)));
        assertEquals(f32(-0f), approx.of(f32(-0x1p126f), f32(Math.nextUp(0x1p126f))));
        assertEquals(0x7fffffffL, approx.of(f32(Float.POSITIVE_INFINITY), f32(0x1.8p126f)));
        assertEquals(f32(0), approx.of(f32(1), f32(Float.POSITIVE_INFINITY)));
        assertEquals(f32(0x1p-1f), operation("div.full.f32").of(f32(0x1p126f), f32(0x1p127f)));
        assertEquals(0x7f800000L, operation("div.approx.ftz.f32").of(f32(1), 1));
    }

    @Test
    void signInstructionsTouchOnlyTheSign() {
        assertEquals(f32(1.5f), operation("abs.f32").of(f32(-1.5f)));
        assertEquals(f32(-0f), operation("neg.f32").of(0));
        assertEquals(0x80000000L, operation("neg.ftz.f32").of(1));
        assertEquals(0x7fffffffL, operation("neg.f32").of(0x7fc00001L));
        assertEquals(0xfff8000000000001L, operation("abs.f64").of(0xfff0000000000001L));
        assertEquals(0x7ff8000000000001L, operation("neg.f64").of(0x7ff8000000000001L));
        assertEquals(0x7fc00001L | 0x80000000L, operation("copysign.f32").of(f32(-2), 0x7fc00001L));
        assertEquals(f64(-3), operation("copysign.f64").of(f64(-0.0), f64(3)));
        for (long bits = 0; bits < 1 << 16; bits++) {
            boolean nan = Reals.F16.isNaN(bits);
            assertEquals(nan ? 0x7fff : bits & 0x7fff, operation("abs.f16").of(bits));
            assertEquals(Reals.BF16.isNaN(bits) ? 0x7fff : bits ^ 0x8000, operation("neg.bf16").of(bits));
        }
    }

    @Test
    void testpKnowsTheKindsOfValues() {
        assertEquals(1, operation("testp.finite.f32").of(f32(1)));
        assertEquals(0, operation("testp.finite.f32").of(0x7f800000L));
        assertEquals(1, operation("testp.infinite.f64").of(f64(Double.NEGATIVE_INFINITY)));
        assertEquals(1, operation("testp.number.f32").of(0x7f800000L));
        assertEquals(1, operation("testp.notanumber.f32").of(0x7f800001L));
        assertEquals(1, operation("testp.normal.f32").of(0x80000000L), "zero counts as normal");
        assertEquals(0, operation("testp.normal.f32").of(1));
        assertEquals(1, operation("testp.subnormal.f64").of(1));
        assertEquals(0, operation("testp.subnormal.f64").of(0));
    }
}
