package io.ptx4j.agreement;

import io.ptx4j.isa.ScalarType;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Sources for probes: edge values of each type in all combinations, as far as there is room, then random ones. */
public final class SourceValues {
    private static final long[] INTEGERS = {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
        0x10000, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x7fffffffL, 0x80000000L, 0x80000001L, 0xfffffffeL, 0xffffffffL, 0x100000000L,
        0x12345678_9abcdef0L, 0x00ff7f80_ff80017fL, 0x5555_5555_5555_5555L, 0x7fff_ffff_ffff_ffffL, 1L << 63, (1L << 63) + 1,
        0xffff_ffff_7fff_ffffL, 0xffff_ffff_8000_0000L, -2, -1};
    private static final int[] EXPONENTS = {0, 1, 2, 3, 8};

    private SourceValues() {
    }

    /** Sources of {@code count} threads, eight bytes each. */
    public static long[] of(List<ScalarType> types, int count, long seed) {
        long[][] edges = types.stream().map(SourceValues::edges).toArray(long[][]::new);
        long combinations = 1;
        for (long[] some : edges) {
            combinations *= some.length;
        }
        SplittableRandom random = new SplittableRandom(seed);
        long[] sources = new long[count * types.size()];
        boolean all = combinations <= count * 3L / 4;
        for (int thread = 0; thread < count; thread++) {
            long rest = thread;
            boolean edge = all ? thread < combinations : (thread & 3) != 3;
            for (int k = 0; k < types.size(); k++) {
                long value = edge ? edges[k][(int) (all ? rest % edges[k].length : random.nextInt(edges[k].length))] : random(types.get(k), random);
                rest /= edges[k].length;
                sources[thread * types.size() + k] = value;
            }
        }
        return sources;
    }

    /** At most {@code most} edges of a type, the most telling ones of floating-point types. */
    static long[] edges(ScalarType type, int most) {
        long[] all = edges(type);
        if (all.length <= most) {
            return all;
        }
        long[] few = switch (type) {
            case F32 -> fewFloats(8, 23);
            case F64 -> fewFloats(11, 52);
            case F16 -> fewFloats(5, 10);
            case BF16 -> fewFloats(8, 7);
            case F16X2 -> pairs(fewFloats(5, 10), 16);
            case BF16X2 -> pairs(fewFloats(8, 7), 16);
            case F32X2 -> pairs(fewFloats(8, 23), 32);
            default -> all;
        };
        return Arrays.copyOf(few, Math.min(most, few.length));
    }

    /** Forty: zeros, subnormal, least, greatest and infinite numbers, NaN, and ones around 1, of both signs. */
    private static long[] fewFloats(int exponentBits, int fractionBits) {
        long one = (1L << exponentBits - 1) - 1 << fractionBits;
        long least = 1L << fractionBits;
        long infinity = (1L << exponentBits) - 1 << fractionBits;
        long[] magnitudes = {0, 1, least - 1, least, least + 1, 2 * least - 1, one - least, one - 1, one, one + 1, one + least / 2, one + least - 1,
            one + least, one - (fractionBits + 1) * least, one / 2, infinity - 1, infinity - least, infinity, infinity + 1, infinity + least / 2};
        long[] values = new long[2 * magnitudes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = magnitudes[i / 2] & infinity + least - 1 | (i & 1L) << exponentBits + fractionBits;
        }
        return values;
    }

    private static long[] edges(ScalarType type) {
        return switch (type) {
            case PRED -> new long[] {0, 1};
            case F32, TF32 -> floats(8, 23, 0, 128);
            case F64 -> floats(11, 52, 0, 1024);
            case F16 -> floats(5, 10, 0, 16);
            case BF16 -> floats(8, 7, 0, 128);
            case F16X2 -> pairs(floats(5, 10, 0, 16), 16);
            case BF16X2 -> pairs(floats(8, 7, 0, 128), 16);
            case F32X2 -> pairs(floats(8, 23, 0, 128), 32);
            default -> INTEGERS;
        };
    }

    /** Of both signs: the ends of the range, and numbers around powers of two, 1 and the subnormal numbers among them. */
    private static long[] floats(int exponentBits, int fractionBits, int from, int bias) {
        long[] fractions = {0, 1, (1L << fractionBits) - 1, 1L << fractionBits - 1};
        int greatest = (1 << exponentBits) - 1;
        long[] values = new long[2 * fractions.length * (2 * EXPONENTS.length + 4)];
        int n = 0;
        for (int i = 0; i < 2 * EXPONENTS.length + 4; i++) {
            int exponent = i < EXPONENTS.length ? EXPONENTS[i] + from : i < 2 * EXPONENTS.length ? greatest - EXPONENTS[i - EXPONENTS.length] : bias + i - 2 * EXPONENTS.length - 3;
            for (long fraction : fractions) {
                for (long sign = 0; sign < 2; sign++) {
                    values[n++] = (sign << exponentBits | exponent) << fractionBits | fraction;
                }
            }
        }
        return values;
    }

    private static long[] pairs(long[] values, int width) {
        long[] pairs = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            pairs[i] = values[i] | values[(i * 37 + 11) % values.length] << width;
        }
        return pairs;
    }

    static long random(ScalarType type, SplittableRandom random) {
        int exponentBits = switch (type.element()) {
            case F64 -> 11;
            case F32, BF16 -> 8;
            case F16 -> 5;
            default -> 0;
        };
        long bits = random.nextLong();
        if (exponentBits == 0 || type.packed()) {
            return type.isInteger() ? bits >> (random.nextInt() & 63) : bits;
        }
        // Exponents near each other, so that sums and products meet.
        int spread = 1 << random.nextInt(1, exponentBits);
        long exponent = (1L << exponentBits - 1) - 1 + random.nextInt(-spread, spread);
        int fractionBits = type.bits() - 1 - exponentBits;
        long fraction = bits & (1L << fractionBits) - 1;
        return ((bits >>> 63) << exponentBits | Math.max(0, exponent)) << fractionBits | fraction;
    }
}
