package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Floats.f32;
import static io.ptx4j.interpreter.Floats.f64;
import static io.ptx4j.interpreter.Floats.hex;
import static io.ptx4j.interpreter.Floats.operation;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.interpreter.Floats.Operation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

class ApproximationTest {
    private static final int[] EX2 = {0x3920bd2e, 0x3aaf84a3, 0x3c1d96e9, 0x3d6357bd, 0x3e75fdee, 0x3f317218, 0x3f800000};
    private static final int[] LG2 = {0x3e00d04a, 0xbe53bcd2, 0x3e5caa2d, 0xbe74c0df, 0x3e936e81, 0xbeb8adbc, 0x3ef639b4,
        0xbf38aa39, 0x3fb8aa3b};

    // docs/numerics.md in Java's float arithmetic, for sources that are no NaN.

    private static float ex2(float a) {
        float x = Math.clamp(a, -152f, 129f);
        float n = (float) Math.rint(x);
        int half = Math.floorDiv((int) n, 2);
        return polynomial(x - n, EX2) * Math.scalb(1f, half) * Math.scalb(1f, (int) n - half);
    }

    private static float lg2(float a) {
        if (a == 0 || a < 0 || a == Float.POSITIVE_INFINITY) {
            return a == 0 ? Float.NEGATIVE_INFINITY : a < 0 ? Float.NaN : a;
        }
        boolean subnormal = a < Float.MIN_NORMAL;
        int bits = Float.floatToRawIntBits(subnormal ? a * 0x1p24f : a);
        int e = bits - 0x3f3504f3 >> 23;
        float f = Float.intBitsToFloat(bits - (e << 23)) - 1;
        return Math.fma(f, polynomial(f, LG2), subnormal ? e - 24 : e);
    }

    private static float sine(float a, int quadrants) {
        if (Float.isInfinite(a)) {
            return Float.NaN;
        }
        float x = Math.abs(a) > 0x1p22f ? Math.copySign(0f, a) : a;
        if (x == 0 && quadrants == 0) {
            return x;
        }
        float n = (float) Math.rint(x * Float.intBitsToFloat(0x3f22f983));
        float r = Math.fma(n, Float.intBitsToFloat(0x333bbd2e), Math.fma(n, Float.intBitsToFloat(0xbfc90fdb), x));
        int q = (int) n + quadrants & 3;
        float w = (q & 1) == 0 ? polynomial(r * r, 0xb94caae6, 0x3c0883be, 0xbe2aaaa3, 0x3f800000)
                : polynomial(r * r, 0xbab23c12, 0x3d2a9fd5, 0xbeffffdd, 0x3f800000);
        float magnitude = (q & 1) == 0 ? r * w : w;
        return q >= 2 ? -magnitude : magnitude;
    }

    private static float tanh(float a) {
        if (Math.abs(a) >= 6) {
            return Math.copySign(1f, a);
        }
        float s = a * a;
        return a * polynomial(s, 0x3ac79a4f, 0x3deb7c9a, 0x3f800000) / polynomial(s, 0x386e03ee, 0x3c90b537, 0x3ee58552, 0x3f800000);
    }

    private static float polynomial(float x, int... coefficients) {
        float sum = Float.intBitsToFloat(coefficients[0]);
        for (int i = 1; i < coefficients.length; i++) {
            sum = Math.fma(x, sum, Float.intBitsToFloat(coefficients[i]));
        }
        return sum;
    }

    private static float function(String name, float a) {
        return switch (name) {
            case "ex2" -> ex2(a);
            case "lg2" -> lg2(a);
            case "sin" -> sine(a, 0);
            case "cos" -> sine(a, 1);
            case "tanh" -> tanh(a);
            case "rsqrt" -> 1 / (float) Math.sqrt(a);
            case "sqrt" -> (float) Math.sqrt(a);
            default -> 1 / a;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"ex2", "lg2", "sin", "cos", "tanh", "rsqrt", "sqrt", "rcp"})
    void theDefinitionIsWhatFloatArithmeticComputes(String name) {
        Operation plain = operation(name + ".approx.f32");
        Operation flushing = operation(name + ".approx.ftz.f32");
        int step = Boolean.getBoolean("ptx4j.long") ? 997 : 300_007;
        for (long i = 0; i < 1L << 32; i += step) {
            compare(name, plain, flushing, i);
        }
        for (long edge : Reals.F32.edges()) {
            compare(name, plain, flushing, edge);
        }
        Random random = new Random(1);
        for (int i = 0; i < 4_000; i++) {
            compare(name, plain, flushing, f32((float) (random.nextGaussian() * Math.scalb(1.0, random.nextInt(12) - 4))));
        }
    }

    private static void compare(String name, Operation plain, Operation flushing, long bits) {
        float a = Float.intBitsToFloat((int) bits);
        float expected = Float.isNaN(a) ? a : function(name, a);
        long result = Float.isNaN(expected) ? 0x7fffffffL : f32(expected);
        assertEquals(hex(result), hex(plain.of(bits)), () -> name + " of " + a);
        float flushed = Math.abs(a) < Float.MIN_NORMAL ? Math.copySign(0f, a) : a;
        float zero = Float.isNaN(flushed) ? flushed : function(name, flushed);
        float expectedFlushed = Math.abs(zero) < Float.MIN_NORMAL ? Math.copySign(0f, zero) : zero;
        long resultFlushed = Float.isNaN(expectedFlushed) ? 0x7fffffffL : f32(expectedFlushed);
        assertEquals(hex(resultFlushed), hex(flushing.of(bits)), () -> name + ".ftz of " + a);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ex2", "lg2", "sin", "cos", "tanh"})
    void errorsStayWithinTheManualsBoundsAgainstSeriesOfFortyPlaces(String name) {
        Operation operation = operation(name + ".approx.f32");
        Random random = new Random(2);
        for (int i = 0; i < 800; i++) {
            float a = switch (name) {
                case "ex2" -> random.nextFloat(-140, 128);
                case "lg2" -> Math.scalb(random.nextFloat(0.5f, 2), i % 2 == 0 ? 0 : random.nextInt(250) - 125);
                case "sin", "cos" -> random.nextFloat(-1, 1) * (i % 2 == 0 ? 6.28f : 314.15f);
                default -> random.nextFloat(-1, 1) * (i % 2 == 0 ? 8 : 0.1f);
            };
            BigDecimal x = new BigDecimal(a);
            double exact = switch (name) {
                case "ex2" -> Transcendental.exp2(x).doubleValue();
                case "lg2" -> Transcendental.log2(new BigDecimal(Math.scalb(a, -Math.getExponent(a))), Math.getExponent(a)).doubleValue();
                case "sin" -> Transcendental.sin(x).doubleValue();
                case "cos" -> Transcendental.cos(x).doubleValue();
                default -> Transcendental.tanh(x).doubleValue();
            };
            assertWithinBound(name, a, Float.intBitsToFloat((int) operation.of(f32(a))), exact);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ex2", "lg2", "sin", "cos", "tanh", "rsqrt", "sqrt", "rcp"})
    void errorsStayWithinTheManualsBoundsOverASampleOfAllSources(String name) {
        checkBounds(name, 4_001);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ex2", "lg2", "sin", "cos", "tanh", "rsqrt", "sqrt", "rcp"})
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    void errorsStayWithinTheManualsBoundsForAllSources(String name) {
        checkBounds(name, 1);
    }

    /** A function that needs no more than a division and a root, as a class of its own, which HotSpot compiles into the loop. */
    private interface Root {
        float of(float a);

        double exact(double a);

        double relativeBound();
    }

    private record Rsqrt() implements Root {
        private static final double BOUND = Math.pow(2, -22.9);

        @Override
        public float of(float a) {
            return 1 / (float) Math.sqrt(a);
        }

        @Override
        public double exact(double a) {
            return 1 / Math.sqrt(a);
        }

        @Override
        public double relativeBound() {
            return BOUND;
        }
    }

    private record Sqrt() implements Root {
        @Override
        public float of(float a) {
            return (float) Math.sqrt(a);
        }

        @Override
        public double exact(double a) {
            return Math.sqrt(a);
        }

        @Override
        public double relativeBound() {
            return 0x1p-23;
        }
    }

    /** One unit in the last place is at least 2^-24 of a normal number. */
    private record Rcp() implements Root {
        @Override
        public float of(float a) {
            return 1 / a;
        }

        @Override
        public double exact(double a) {
            return 1 / a;
        }

        @Override
        public double relativeBound() {
            return 0x1p-24;
        }
    }

    /** Leaves to {@link #assertWithinBound} what is not a normal number well within the bound. */
    private static void checkRoots(String name, int step) {
        Root root = switch (name) {
            case "rsqrt" -> new Rsqrt();
            case "sqrt" -> new Sqrt();
            default -> new Rcp();
        };
        IntStream.range(0, 256).parallel().forEach(top -> {
            long end = top + 1L << 24;
            for (long bits = ((long) top << 24) + step / 2; bits < end; bits += step) {
                float a = Float.intBitsToFloat((int) bits);
                float found = root.of(a);
                double exact = root.exact(a);
                if (!(Math.abs(found - exact) <= Math.abs(exact) * root.relativeBound() && Math.abs(found) >= Float.MIN_NORMAL)
                        && !Float.isNaN(a) && !Float.isInfinite(a)) {
                    assertWithinBound(name, a, found, exact);
                }
            }
        });
    }

    private static void checkBounds(String name, int step) {
        if (name.equals("rsqrt") || name.equals("sqrt") || name.equals("rcp")) {
            checkRoots(name, step);
            return;
        }
        DoubleUnaryOperator exact = switch (name) {
            case "ex2" -> x -> Math.pow(2, x);
            case "lg2" -> x -> Math.log(x) / Math.log(2);
            case "sin" -> Math::sin;
            case "cos" -> Math::cos;
            default -> Math::tanh;
        };
        IntStream.range(0, 256).parallel().forEach(top -> {
            long end = top + 1L << 24;
            for (long bits = ((long) top << 24) + step / 2; bits < end; bits += step) {
                float a = Float.intBitsToFloat((int) bits);
                if (!Float.isNaN(a) && !Float.isInfinite(a)) {
                    assertWithinBound(name, a, function(name, a), exact.applyAsDouble(a));
                }
            }
        });
    }

    /** Manual: the error bounds under "Notes" of each instruction. */
    private static void assertWithinBound(String name, float a, float found, double exact) {
        if (Double.isNaN(exact) || Math.abs(exact) > Float.MAX_VALUE) {
            assertEquals((float) exact, found, () -> name + " of " + a);
            return;
        }
        double bound = switch (name) {
            case "ex2" -> 2 * Math.ulp((float) exact);
            case "lg2" -> a > 0.5f && a < 2 ? 0x1p-22 : 0x1p-22 * Math.abs(exact);
            case "sin", "cos" -> Math.abs(a) <= 2 * Math.PI ? Math.scalb(Math.sqrt(0.5), -20)
                    : Math.abs(a) <= 100 * Math.PI ? Math.pow(2, -14.7) : 2;
            case "tanh" -> 0x1p-11 * Math.abs(exact);
            case "rsqrt" -> Math.pow(2, -22.9) * exact;
            case "sqrt" -> 0x1p-23 * exact;
            default -> Math.ulp((float) exact);
        };
        assertTrue(Math.abs(found - exact) <= bound, () -> name + " of " + a + " is " + found + ", exactly " + exact);
    }

    /** Manual: the tables of special values. */
    @ParameterizedTest
    @CsvSource({"rcp,ff800000,80000000", "rcp,80000000,ff800000", "rcp,0,7f800000", "rcp,7f800000,0",
        "sqrt,ff800000,7fffffff", "sqrt,bf800000,7fffffff", "sqrt,80000000,80000000", "sqrt,7f800000,7f800000",
        "rsqrt,ff800000,7fffffff", "rsqrt,80000000,ff800000", "rsqrt,0,7f800000", "rsqrt,7f800000,0",
        "sin,ff800000,7fffffff", "sin,80000000,80000000", "sin,0,0", "cos,80000000,3f800000", "cos,7f800000,7fffffff",
        "lg2,ff800000,7fffffff", "lg2,bf800000,7fffffff", "lg2,80000000,ff800000", "lg2,0,ff800000", "lg2,7f800000,7f800000",
        "lg2,3f800000,0", "lg2,80000001,7fffffff", "ex2,ff800000,0", "ex2,80000001,3f800000", "ex2,0,3f800000", "ex2,7f800000,7f800000",
        "ex2,c3150000,1", "ex2,43000000,7f800000", "tanh,ff800000,bf800000", "tanh,80000000,80000000", "tanh,1,1",
        "tanh,7f800000,3f800000", "tanh,ffc00001,7fffffff", "ex2,7f800001,7fffffff"})
    void specialValuesGiveWhatTheManualSays(String name, String source, String result) {
        assertEquals(result, Long.toHexString(operation(name + ".approx.f32").of(Long.parseLong(source, 16))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ex2.approx.f16", "tanh.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.bf16"})
    void halvesAreTheSingleFunctionsRoundedAndWithinTheManualsBounds(String name) {
        Operation operation = operation(name);
        Reals type = name.endsWith("bf16") ? Reals.BF16 : Reals.F16;
        for (long bits = 0; bits < 1 << 16; bits++) {
            double a = type.toDouble(bits);
            long found = operation.of(bits);
            if (type.isFinite(bits) && Math.abs(a) < 1e30) {
                double exact = name.startsWith("ex2") ? Math.pow(2, a) : Math.tanh(a);
                boolean normal = exact >= type.leastNormal().doubleValue() && exact <= type.toDouble(type.infinity() - 1);
                double bound = name.startsWith("ex2") ? Math.pow(2, type == Reals.F16 ? -9.9 : -7) * exact
                        : Math.pow(2, type == Reals.F16 ? -10.987 : -8);
                assertTrue(name.startsWith("ex2") && !normal || Math.abs(type.toDouble(found) - exact) <= bound, () -> name + " of " + a);
            }
        }
        assertEquals(0x7fff, operation.of(0xffff));
    }

    @Test
    void halvesKnowTheirSpecialValues() {
        assertEquals(0x00010400L, operation("ex2.approx.f16x2").of(0xce00cb00L));
        assertEquals(0x3c000000L, operation("ex2.approx.f16x2").of(0x0001fc00L));
        assertEquals(0x3f80, operation("ex2.approx.ftz.bf16").of(0x8001));
        assertEquals(0, operation("ex2.approx.ftz.bf16").of(0xc2fe));
        assertEquals(0x3c00bc00L, operation("tanh.approx.f16x2").of(0x7c00fc00L));
        assertEquals(0x0001, operation("tanh.approx.bf16").of(0x0001));
    }

    @Test
    void grossApproximationsReadAndWriteUpperWords() {
        Operation rcp = operation("rcp.approx.ftz.f64");
        Operation rsqrt = operation("rsqrt.approx.ftz.f64");
        assertEquals(f64(0.5), rcp.of(f64(2) | 0xffffffffL));
        assertEquals(0x7fffffff00000000L, rcp.of(0xfff8000000000000L));
        assertEquals(f64(Double.NEGATIVE_INFINITY), rcp.of(0x8000000000000001L));
        assertEquals(f64(-0.0), rcp.of(f64(-0x1.8p1022)));
        assertEquals(f64(0.25), rsqrt.of(f64(16)));
        assertEquals(0x7fffffff00000000L, rsqrt.of(f64(-1)));
        assertEquals(f64(Double.NEGATIVE_INFINITY), rsqrt.of(f64(-0.0)));
        Random random = new Random(4);
        for (int i = 0; i < 2_000; i++) {
            double a = Math.scalb(random.nextDouble(1, 2), random.nextInt(2000) - 1000);
            double upper = Double.longBitsToDouble(f64(a) & ~0xffffffffL);
            long found = rcp.of(f64(a));
            assertEquals(0, found & 0xffffffffL);
            assertEquals(1, Double.longBitsToDouble(found) * upper, 0x1p-20);
            assertEquals(1, Double.longBitsToDouble(rsqrt.of(f64(a))) * Math.sqrt(upper), 0x1p-20);
            assertEquals(f64(1 / Math.sqrt(a)), operation("rsqrt.approx.f64").of(f64(a)));
        }
    }

    @Test
    void formsWithoutModifierAreThoseOfOldPtx() {
        assertEquals(0x7f800000L, operation("rcp.f32").of(1), "rcp.approx.ftz.f32");
        assertEquals(0x80000000L, operation("sqrt.f32").of(0x80000001L), "sqrt.approx.ftz.f32");
        assertEquals(0, operation("ex2.f32").of(f32(-140)), "ex2.approx.ftz.f32");
        assertEquals(f64(0.5), operation("rcp.f64").of(f64(2)));
    }
}
