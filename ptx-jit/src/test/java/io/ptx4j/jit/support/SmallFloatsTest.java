package io.ptx4j.jit.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Narrow formats, held against plain tables of all their values and against {@link Exact} numbers. */
final class SmallFloatsTest {
    private static final int RANDOM = 60_000;

    interface Stochastic {
        int apply(double a, int random);
    }

    /** A format of at most 8 bits; {@code greatest} is the code of its greatest number. */
    private record Narrow(String name, int exponentBits, int fractionBits, int greatest, int nan, DoubleToLongFunction nearest, Stochastic stochastic,
            IntUnaryOperator toF16, IntUnaryOperator toBf16) {
        static final Narrow[] ALL = {
            new Narrow("e4m3", 4, 3, 0x7e, 0x7f, SmallFloats::e4m3Rn, SmallFloats::e4m3Rs, SmallFloats::e4m3ToF16, SmallFloats::e4m3ToBf16),
            new Narrow("e5m2", 5, 2, 0x7b, 0x7f, SmallFloats::e5m2Rn, SmallFloats::e5m2Rs, SmallFloats::e5m2ToF16, SmallFloats::e5m2ToBf16),
            new Narrow("e2m1", 2, 1, 7, 7, SmallFloats::e2m1Rn, SmallFloats::e2m1Rs, SmallFloats::e2m1ToF16, SmallFloats::e2m1ToBf16),
            new Narrow("e2m3", 2, 3, 0x1f, 0x1f, SmallFloats::e2m3Rn, SmallFloats::e2m3Rs, SmallFloats::e2m3ToF16, SmallFloats::e2m3ToBf16),
            new Narrow("e3m2", 3, 2, 0x1f, 0x1f, SmallFloats::e3m2Rn, SmallFloats::e3m2Rs, SmallFloats::e3m2ToF16, SmallFloats::e3m2ToBf16)};

        int sign() {
            return 1 << exponentBits + fractionBits;
        }

        /** Manual: "Alternate Floating-Point Data Formats". */
        double value(int code) {
            int field = code >> fractionBits;
            int fraction = code & (1 << fractionBits) - 1;
            int bias = (1 << exponentBits - 1) - 1;
            return Math.scalb((field == 0 ? 0 : 1 << fractionBits) + fraction, Math.max(field, 1) - bias - fractionBits);
        }

        /** The last code whose value is no greater than a magnitude. */
        int below(double magnitude) {
            int code = greatest;
            while (value(code) > magnitude) {
                code--;
            }
            return code;
        }
    }

    /** All f16 and bf16 values, then random floats that lie in the formats' range as a rule. */
    private static void floats(LongConsumer test) {
        for (int bits = 0; bits < 1 << 16; bits++) {
            test.accept(Float.floatToRawIntBits(Float.float16ToFloat((short) bits)));
            test.accept(bits << 16);
        }
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < RANDOM; i++) {
            test.accept(random.nextInt() & 0x807f_ffff | 127 + random.nextInt(-20, 20) << 23);
        }
    }

    @Test
    void everyNarrowFormatTakesTheNearestOfItsNumbers() {
        for (Narrow format : Narrow.ALL) {
            floats(bits -> {
                double a = Float.intBitsToFloat((int) bits);
                double magnitude = Math.abs(a);
                int expected = format.nan;
                if (a == a) {
                    int below = format.below(magnitude);
                    // Both distances are exact: a has 24 bits, the neighbours lie within its next powers of two or it is far below both.
                    int order = below == format.greatest ? -1
                            : new BigDecimal(magnitude).multiply(BigDecimal.TWO).compareTo(new BigDecimal(format.value(below)).add(new BigDecimal(format.value(below + 1))));
                    expected = (order > 0 || order == 0 && below % 2 != 0 ? below + 1 : below) | (bits < 0 ? format.sign() : 0);
                }
                assertEquals(expected, format.nearest.applyAsLong(a), () -> format.name + " of " + a);
            });
        }
    }

    @Test
    void stochasticRoundingCarriesRandomBitsIntoTheNumber() {
        SplittableRandom random = new SplittableRandom(8);
        for (Narrow format : Narrow.ALL) {
            for (int i = 0; i < RANDOM; i++) {
                float a = Float.intBitsToFloat(random.nextInt() & 0x807f_ffff | 127 + random.nextInt(-18, 18) << 23);
                int bits = random.nextInt(4) == 0 ? random.nextBoolean() ? 0xffff : 0 : random.nextInt(1 << 16);
                int below = format.below(Math.abs(a));
                int expected = below;
                if (below < format.greatest) {
                    BigDecimal step = new BigDecimal(format.value(below + 1)).subtract(new BigDecimal(format.value(below)));
                    BigDecimal beyond = new BigDecimal(Math.abs(a)).subtract(new BigDecimal(format.value(below)));
                    boolean carries = beyond.multiply(BigDecimal.valueOf(1 << 16)).add(step.multiply(BigDecimal.valueOf(bits))).compareTo(
                            step.multiply(BigDecimal.valueOf(1 << 16))) >= 0;
                    expected = carries ? below + 1 : below;
                }
                assertEquals(expected | (a < 0 ? format.sign() : 0), format.stochastic.apply(a, bits), () -> format.name + " of " + a + " with " + bits);
            }
        }
    }

    @Test
    void everyNarrowNumberKeepsItsValueInF16() {
        for (Narrow format : Narrow.ALL) {
            for (int code = 0; code < 2 * format.sign(); code++) {
                int magnitude = code & format.sign() - 1;
                double value = magnitude <= format.greatest ? format.value(magnitude) : format.name.equals("e5m2") && magnitude == 0x7c
                        ? Double.POSITIVE_INFINITY : Double.NaN;
                int expected = Double.isNaN(value) ? 0x7fff : Float.floatToFloat16((float) value) & 0x7fff | (code != magnitude ? 0x8000 : 0);
                assertEquals(expected, format.toF16.applyAsInt(code), format.name + " " + code);
            }
        }
    }

    /** Products with scale factors are exact in f64. */
    @Test
    void everyNarrowNumberKeepsItsValueInBf16() {
        for (Narrow format : Narrow.ALL) {
            for (int code = 0; code < 2 * format.sign(); code++) {
                int magnitude = code & format.sign() - 1;
                double value = magnitude <= format.greatest ? format.value(magnitude) : format.name.equals("e5m2") && magnitude == 0x7c
                        ? Double.POSITIVE_INFINITY : Double.NaN;
                int half = format.toBf16.applyAsInt(code);
                assertEquals(bf16(value, code != magnitude), half, format.name + " " + code);
                for (int scale = 0; scale < 256; scale++) {
                    double power = scale == 255 ? Double.NaN : Math.scalb(1.0, scale - 127);
                    assertEquals(bf16(value * power, code != magnitude), SmallFloats.bf16Scaled(half, scale), format.name + " " + code + " by " + scale);
                }
            }
        }
    }

    private static int bf16(double magnitude, boolean negative) {
        if (Double.isNaN(magnitude)) {
            return 0x7fff;
        }
        long rounded = Exact.of(magnitude).round(Exact.Format.BF16, Exact.Mode.RN);
        return (int) (rounded | (negative ? 0x8000 : 0));
    }

    private static void rounds(String name, Exact.Format format, Exact.Mode mode, DoubleToLongFunction actual, double a) {
        long sign = Double.doubleToRawLongBits(a) < 0 ? format.signBit() : 0;
        long expected = Exact.of(a).round(format, mode) & format.signBit() - 1 | sign;
        assertEquals(expected, actual.applyAsLong(a), () -> name + " of " + Double.toHexString(a));
    }

    /** Doubles: the numbers of the format, the places half-way between them, and their neighbours. */
    @Test
    void halvesAreRoundedOnceInEveryDirection() {
        SplittableRandom random = new SplittableRandom(9);
        DoubleToLongFunction[][] rounding = {{SmallFloats::f16Rn, SmallFloats::f16Rz, SmallFloats::f16Rm, SmallFloats::f16Rp},
            {SmallFloats::bf16Rn, SmallFloats::bf16Rz, SmallFloats::bf16Rm, SmallFloats::bf16Rp}};
        Exact.Format[] formats = {Exact.Format.F16, Exact.Format.BF16};
        Exact.Mode[] modes = {Exact.Mode.RN, Exact.Mode.RZ, Exact.Mode.RM, Exact.Mode.RP};
        DoubleUnaryOperator[] moves = {Math::nextUp, Math::nextDown, x -> x};
        for (int f = 0; f < 2; f++) {
            for (int i = 0; i < RANDOM / 6; i++) {
                int code = random.nextInt(1 << 15) % (int) formats[f].infinity();
                double here = f == 0 ? Float.float16ToFloat((short) code) : Float.intBitsToFloat(code << 16);
                double next = f == 0 ? Float.float16ToFloat((short) Math.min(code + 1, 0x7bff)) : Float.intBitsToFloat(Math.min(code + 1, 0x7f7f) << 16);
                for (double place : new double[] {here, (here + next) / 2, here + (next - here) * random.nextDouble()}) {
                    double a = moves[random.nextInt(3)].applyAsDouble(random.nextBoolean() ? place : -place);
                    for (int m = 0; m < 4; m++) {
                        rounds(formats[f] + " " + modes[m], formats[f], modes[m], rounding[f][m], a);
                    }
                }
            }
        }
    }

    @Test
    void tf32KeepsTenBitsOfTheFraction() {
        Exact.Format format = new Exact.Format(8, 10);
        floats(bits -> {
            float a = Float.intBitsToFloat((int) bits);
            if (Float.isFinite(a)) {
                rounds("tf32.rn", format, Exact.Mode.RN, x -> SmallFloats.tf32Rn((float) x) >>> 13, a);
                rounds("tf32.rz", format, Exact.Mode.RZ, x -> SmallFloats.tf32Rz((float) x) >>> 13, a);
                rounds("tf32.rna", format, Exact.Mode.RNA, x -> SmallFloats.tf32Rna((float) x) >>> 13, a);
            }
        });
    }

    @Test
    void scaleFactorsArePowersOfTwoBelowAndAbove() {
        floats(bits -> {
            float a = Math.abs(Float.intBitsToFloat((int) bits));
            int below = a == a ? 0 : 0xff;
            int above = below;
            while (below < 0xff && a >= Math.scalb(1.0, below + 1 - 127)) {
                below++;
            }
            while (above < 0xff && a > Math.scalb(1.0, above - 127)) {
                above++;
            }
            assertEquals(below, SmallFloats.ue8m0Rz(a), () -> "rz of " + a);
            assertEquals(above, SmallFloats.ue8m0Rp(a), () -> "rp of " + a);
        });
    }

    @Test
    void fixedPointNumbersAreSixtyFourths() {
        SplittableRandom random = new SplittableRandom(10);
        floats(bits -> {
            float a = Float.intBitsToFloat((int) bits);
            int scale = random.nextInt(3) == 0 ? random.nextInt(256) : 127;
            long expected = 0x7f;
            if (a == a && scale != 0xff) {
                double steps = Math.scalb((double) a, 6 + 127 - scale);
                double whole = Math.floor(steps);
                double rest = steps - whole;
                whole += rest > 0.5 || rest == 0.5 && whole % 2 != 0 ? 1 : 0;
                expected = (long) Math.min(127, Math.max(-128, whole)) & 0xff;
            }
            assertEquals(expected, SmallFloats.s2f6Rn(a, scale), () -> a + " by " + scale);
        });
        for (int code = 0; code < 256; code++) {
            for (int scale = 0; scale < 255; scale++) {
                double value = Math.scalb((double) (byte) code, scale - 127 - 6);
                assertEquals(value == -0x1p128 ? Double.NEGATIVE_INFINITY : value, Float.intBitsToFloat(SmallFloats.s2f6ToBf16(code, scale) << 16));
            }
            assertEquals(0x7fff, SmallFloats.s2f6ToBf16(code, 255));
        }
    }
}
