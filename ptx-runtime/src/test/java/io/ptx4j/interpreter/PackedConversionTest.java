package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Floats.f32;
import static io.ptx4j.interpreter.Floats.hex;
import static io.ptx4j.interpreter.Floats.operation;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.interpreter.Floats.Operation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/** cvt to and from packed types, held against plain tables of the narrow formats' values. */
class PackedConversionTest {
    private static boolean isNegative(String format, int code) {
        return (code & sign(format)) != 0;
    }

    /** The number of a code, given the finite {@link #magnitudes} of its format. */
    private static double value(String format, int code, double[] magnitudes) {
        int magnitude = (int) (code & sign(format) - 1);
        boolean infinite = format.equals("e5m2") && magnitude == 0x7c;
        double value = infinite ? Double.POSITIVE_INFINITY : magnitude < magnitudes.length ? magnitudes[magnitude] : Double.NaN;
        return isNegative(format, code) ? -value : value;
    }

    /** The finite magnitudes of a format in the order of their codes. */
    private static double[] magnitudes(String format) {
        int exponentBits = format.charAt(1) - '0';
        int fractionBits = format.charAt(3) - '0';
        int bias = (1 << exponentBits - 1) - 1;
        int codes = 1 << exponentBits + fractionBits;
        int finite = format.equals("e4m3") ? codes - 1 : format.equals("e5m2") ? codes - 4 : codes;
        double[] values = new double[finite];
        for (int code = 0; code < finite; code++) {
            int exponent = code >> fractionBits;
            double fraction = (code & (1 << fractionBits) - 1) * Math.scalb(1.0, -fractionBits);
            values[code] = exponent == 0 ? Math.scalb(fraction, 1 - bias) : Math.scalb(1 + fraction, exponent - bias);
        }
        return values;
    }

    private static long nan(String format) {
        return switch (format) {
            case "e4m3", "e5m2" -> 0x7f;
            case "e2m1" -> 7;
            default -> 0x1f;
        };
    }

    private static long sign(String format) {
        return switch (format) {
            case "e4m3", "e5m2" -> 0x80;
            case "e2m1" -> 8;
            default -> 0x20;
        };
    }

    private static int storage(String format) {
        return format.equals("e2m1") ? 4 : 8;
    }

    /** Nearest code, ties to the even one, found by looking at all. */
    private static long nearest(String format, double value, boolean relu) {
        if (Double.isNaN(value)) {
            return nan(format);
        }
        double[] values = magnitudes(format);
        double magnitude = Math.min(Math.abs(value), 1e9);
        int best = values.length - 1;
        for (int code = values.length - 1; code >= 0; code--) {
            double distance = Math.abs(magnitude - values[code]);
            double least = Math.abs(magnitude - values[best]);
            best = distance < least || distance == least && code % 2 == 0 ? code : best;
        }
        boolean negative = Math.copySign(1, value) < 0;
        return !negative ? best : relu ? 0 : best | sign(format);
    }

    @ParameterizedTest
    @ValueSource(strings = {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"})
    void everyHalfGoesToTheNearestNarrowNumber(String format) {
        for (String half : new String[] {"f16", "bf16"}) {
            Reals type = half.equals("f16") ? Reals.F16 : Reals.BF16;
            Operation plain = operation("cvt.rn.satfinite." + format + "x2." + half + "x2");
            Operation relu = operation("cvt.rn.satfinite.relu." + format + "x2." + half + "x2");
            Operation single = operation("cvt.rn.satfinite." + format + "x2.f32");
            for (long bits = 0; bits < 1 << 16; bits += 2) {
                long odd = bits + 1;
                double a = type.toDouble(bits);
                double b = type.toDouble(odd);
                long expected = nearest(format, a, false) << storage(format) | nearest(format, b, false);
                assertEquals(expected, plain.of(bits << 16 | odd), () -> format + " of " + hex(odd));
                assertEquals(nearest(format, a, true) << storage(format) | nearest(format, b, true), relu.of(bits << 16 | odd));
                assertEquals(expected, single.of(f32((float) a), f32((float) b)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"})
    void everyNarrowNumberHasItsValueInF16(String format) {
        Operation operation = operation("cvt.rn.f16x2." + format + "x2");
        Operation relu = operation("cvt.rn.relu.f16x2." + format + "x2");
        double[] values = magnitudes(format);
        for (int code = 0; code < sign(format) * 2; code++) {
            boolean negative = isNegative(format, code);
            double value = value(format, code, values);
            long half = Double.isNaN(value) ? 0x7fff : Float.floatToFloat16((float) value) & 0xffffL;
            assertEquals(half << 16, operation.of((long) code << storage(format)), format + " " + code);
            assertEquals(negative && half != 0x7fff ? 0 : half, relu.of(code));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"})
    void everyNarrowNumberHasItsValueTimesAFactorInBf16(String format) {
        Operation plain = operation("cvt.rn.bf16x2." + format + "x2");
        Operation scaled = operation("cvt.rn.scaled::n2::ue8m0.bf16x2." + format + "x2");
        Operation clamped = operation("cvt.rn.satfinite.relu.scaled::n2::ue8m0.bf16x2." + format + "x2");
        double[] values = magnitudes(format);
        for (int code = 0; code < sign(format) * 2; code++) {
            boolean negative = isNegative(format, code);
            double value = value(format, code, values);
            for (int factor = 0; factor < 256; factor++) {
                double product = factor == 255 ? Double.NaN : Math.scalb(value, factor - 127);
                long half = Double.isNaN(product) ? 0x7fff : bf16(product);
                String what = format + " " + code + " by " + factor;
                if (factor == 127) {
                    assertEquals(half << 16 | bf16(0), plain.of((long) code << storage(format)), what);
                }
                assertEquals(half << 16 | bf16(0), scaled.of((long) code << storage(format), factor << 8 | 1), what);
                long finite = half == 0x7f80 ? 0x7f7f : half;
                assertEquals(negative && half != 0x7fff ? 0 : finite, clamped.of(code, 3 << 8 | factor), what);
            }
        }
    }

    /** Nearest bf16; among products of numbers of few bits those that f32 does not have lie below 2^-149 or above all. */
    private static long bf16(double value) {
        int bits = Float.floatToRawIntBits((float) value);
        return bits + 0x7fff + (bits >>> 16 & 1) >>> 16 & 0xffff;
    }

    @Test
    void theFirstSourceGoesToTheHighHalf() {
        assertEquals(0x3c004000L, operation("cvt.rn.f16x2.f32").of(f32(1), f32(2)));
        assertEquals(0x3f80c000L, operation("cvt.rz.bf16x2.f32").of(f32(1), f32(-2)));
        assertEquals(0x3f800000L, operation("cvt.rn.relu.bf16x2.f32").of(f32(1), f32(-2)));
        assertEquals(0x7bff7fffL, operation("cvt.rn.satfinite.f16x2.f32").of(f32(1e9f), 0xffc00000L));
        assertEquals(0x7bff7c00L, operation("cvt.rz.f16x2.f32").of(f32(1e9f), 0x7f800000L));
        assertEquals(0x7c00fbffL, operation("cvt.rn.f16x2.f32").of(f32(65520), f32(-65519)));
    }

    /** Recorded on a B200 by others; see docs/numerics.md. */
    @ParameterizedTest
    @CsvSource({"3f800000,7f,7f", "40000000,80,80", "3fc00000,7f,80", "c0400000,80,81", "3f400000,7e,7f", "0,0,0", "80000000,0,0",
        "400000,0,0", "7fffff,0,1", "7f800000,ff,ff", "7f7fffff,fe,ff", "7fc00000,ff,ff", "400001,0,1"})
    void scaleFactorsTakeTheFloorOrTheCeilingOfTheExponent(String bits, String floor, String ceiling) {
        long source = Long.parseLong(bits, 16);
        assertEquals(Long.parseLong(floor, 16) << 8, operation("cvt.rz.ue8m0x2.f32").of(source, 0));
        assertEquals(Long.parseLong(ceiling, 16), operation("cvt.rp.ue8m0x2.f32").of(0, source));
    }

    @Test
    void scaleFactorsSaturateAndConvertBack() {
        assertEquals(0xfefe, operation("cvt.rp.satfinite.ue8m0x2.f32").of(0x7f7fffffL, 0xff800000L));
        assertEquals(0xffff, operation("cvt.rz.satfinite.ue8m0x2.f32").of(0x7fc00000L, 0xffc00000L));
        assertEquals(0x7f80, operation("cvt.rz.ue8m0x2.bf16x2").of(0x3f80c000L));
        assertEquals(0x00407fffL, operation("cvt.rn.bf16x2.ue8m0x2").of(0x00ff));
        assertEquals(0x3f807f00L, operation("cvt.rn.bf16x2.ue8m0x2").of(0x7ffe));
    }

    /** Which random bits each source reads, found out by others on a B200; see docs/numerics.md. */
    @Test
    void stochasticRoundingReadsTheRandomBitsThatHardwareReads() {
        check("e4m3", 0x12345678, 0x2c48, 0x1234, 0x1e6a, 0x5678);
        check("e5m2", 0x12345678, 0x2c48, 0x1234, 0x1e6a, 0x5678);
        check("e2m3", 0x12345678, 0x2c48, 0x1234, 0x1e6a, 0x5678);
        check("e2m1", 0x12345678, 0x6a48, 0x1256, 0x1e2c, 0x3478);
    }

    private static void check(String format, long word, int... randoms) {
        int fractionBits = format.charAt(3) - '0';
        Operation operation = operation("cvt.rs.satfinite." + format + "x4.f32");
        long one = nearest(format, 1, false);
        for (int lane = 0; lane < 4; lane++) {
            long up = 0x10000 - randoms[lane];
            for (long fraction : new long[] {up - 1, up}) {
                float value = 1 + Math.scalb((float) fraction, -16 - fractionBits);
                long[] sources = {f32(1), f32(1), f32(1), f32(1), word};
                sources[lane] = f32(value);
                long found = operation.of(sources) >> storage(format) * (3 - lane) & (1L << storage(format)) - 1;
                assertEquals(fraction == up ? one + 1 : one, found, format + " lane " + lane);
            }
        }
    }

    @Test
    void stochasticRoundingToHalvesReadsThirteenAndSixteenBits() {
        Operation f16 = operation("cvt.rs.f16x2.f32");
        assertEquals(0x3c013c00L, f16.of(f32(1 + 0x1p-23f), f32(1 + 0x1p-23f), 0x1fff1ffeL));
        assertEquals(0x3c013c00L, f16.of(f32(1 + 0x1p-11f), f32(1 + 0x1p-11f), 0x10000fffL));
        Operation bf16 = operation("cvt.rs.bf16x2.f32");
        assertEquals(0x3f813f80L, bf16.of(f32(1 + 0x1p-23f), f32(1 + 0x1p-23f), 0xfffffffeL));
        assertEquals(0x7f807f80L, bf16.of(0x7f7fffffL, 0x7f800000L, 0xffffffffL));
        assertEquals(0x7f7f7f7fL, operation("cvt.rs.satfinite.bf16x2.f32").of(0x7f7fffffL, 0x7f800000L, 0xffffffffL));
        assertEquals(0x7fff0000L, operation("cvt.rs.relu.f16x2.f32").of(0xffc00000L, f32(-1), 0));
        assertEquals(0x00010000L, f16.of(f32(0x1p-25f), f32(0x1p-25f), 0x10000fffL), "subnormal results round by the same rule");
    }

    @Test
    void stochasticRoundingNeverMovesNumbersOfTheFormat() {
        Random random = new Random(5);
        for (String format : new String[] {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"}) {
            Operation operation = operation("cvt.rs.satfinite." + format + "x4.f32");
            double[] values = magnitudes(format);
            for (int code = 0; code < values.length; code++) {
                long word = random.nextInt() & 0xffffffffL;
                long found = operation.of(f32((float) values[code]), f32(-(float) values[code]), 0x7fc00000L, 0xff800000L, word);
                long top = values.length - 1 | sign(format);
                int width = storage(format);
                assertEquals(((((long) code << width | code | sign(format)) << width) | nan(format)) << width | top, found);
            }
        }
    }
}
