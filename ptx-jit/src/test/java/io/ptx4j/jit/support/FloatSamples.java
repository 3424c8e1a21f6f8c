package io.ptx4j.jit.support;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Floating-point sources: edge values of both signs, and random ones whose exponents are near each other often enough. */
final class FloatSamples {
    private FloatSamples() {}

    /** Zeros, infinities, NaN, the ends of the subnormal and normal range, numbers around 1, and numbers of few bits. */
    static float[] floats() {
        int[] magnitudes = {0, 1, 2, 3, 0x3fffff, 0x400000, 0x7ffffe, 0x7fffff, 0x800000, 0x800001, 0xffffff, 0x1000000, 0x0c000001, 0x1f800000,
            0x1fffffff, 0x20000000, 0x33000000, 0x33800000, 0x33800001, 0x34000000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3f2aaaab, 0x3f7fffff,
            0x3f800000, 0x3f800001, 0x3fc00000, 0x3fffffff, 0x40000000, 0x40490fdb, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x4f000000, 0x5e7fffff,
            0x5f000000, 0x5f800000, 0x7e7fffff, 0x7e800000, 0x7effffff, 0x7f000000, 0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001};
        float[] floats = new float[2 * magnitudes.length];
        for (int i = 0; i < magnitudes.length; i++) {
            floats[2 * i] = Float.intBitsToFloat(magnitudes[i]);
            floats[2 * i + 1] = Float.intBitsToFloat(magnitudes[i] | Integer.MIN_VALUE);
        }
        return floats;
    }

    /** The same for f64. */
    static double[] doubles() {
        long unit = 1L << 52;
        LongStream magnitudes = LongStream.of(0, 1, 2, 3, unit / 2, unit - 1, unit, unit + 1, 2 * unit - 1, 2 * unit, 53 * unit + 1, 100 * unit,
                510 * unit + 3, 511 * unit, 512 * unit - 1, 969 * unit, 970 * unit - 1, 971 * unit, 1022 * unit, 1023 * unit - 1, 1023 * unit,
                1023 * unit + 1, 1023 * unit + unit / 3, 1024 * unit - 1, 1075 * unit, 1076 * unit - 1, 1086 * unit, 1500 * unit, 1534 * unit + 5,
                1535 * unit, 2045 * unit, 2046 * unit - 1, 2046 * unit, 2047 * unit - 2, 2047 * unit - 1, 2047 * unit, 2047 * unit + 1,
                2047 * unit + unit / 2 + 5);
        return magnitudes.mapToObj(bits -> DoubleStream.of(Double.longBitsToDouble(bits), Double.longBitsToDouble(bits | Long.MIN_VALUE)))
                .flatMapToDouble(pair -> pair).toArray();
    }

    /** Any bit pattern, or a number whose exponent is within {@code spread} of {@code middle}. */
    static float random(SplittableRandom random, int middle, int spread) {
        int exponent = Math.clamp(127 + middle + random.nextInt(-spread, spread + 1), 0, 254);
        int bits = random.nextInt();
        int fraction = switch (bits >>> 24 & 3) {
            case 0 -> bits & 0x7fffff;
            case 1 -> bits & 0x7ff800;
            case 2 -> bits & 3;
            default -> -(bits & 3) & 0x7fffff;
        };
        return Float.intBitsToFloat(bits & Integer.MIN_VALUE | exponent << 23 | fraction);
    }

    /** The same for f64. */
    static double randomDouble(SplittableRandom random, int middle, int spread) {
        long exponent = Math.clamp(1023 + middle + random.nextInt(-spread, spread + 1), 0, 2046);
        long bits = random.nextLong();
        long fraction = switch ((int) (bits >>> 56) & 3) {
            case 0 -> bits & 0xf_ffff_ffff_ffffL;
            case 1 -> bits & 0xf_ffff_f000_0000L;
            case 2 -> bits & 3;
            default -> -(bits & 3) & 0xf_ffff_ffff_ffffL;
        };
        return Double.longBitsToDouble(bits & Long.MIN_VALUE | exponent << 52 | fraction);
    }
}
