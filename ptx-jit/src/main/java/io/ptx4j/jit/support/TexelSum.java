package io.ptx4j.jit.support;

import io.ptx4j.engine.ChannelType;

/** Texels with weights of 256ths, and what a filter makes of them: docs/textures.md, "Filters". */
final class TexelSum {
    /** Two levels of eight texels. */
    private static final int MOST = 16;
    private static final int NAN = 0x7fff_ffff;

    private final int[][] texels = new int[MOST][4];
    private final int[] weights = new int[MOST];
    private final int[] passes = new int[MOST];
    private int count;
    private int pass;

    void clear() {
        count = 0;
        pass = 0;
    }

    /** Begins the next texels that are added up together: those of one level and one plane. */
    void nextPass() {
        pass++;
    }

    /** Adds a texel: bits of floats, or whole numbers where {@link #wholes} is asked. */
    void add(int[] texel, int weight) {
        System.arraycopy(texel, 0, texels[count], 0, 4);
        weights[count] = weight;
        passes[count++] = pass;
    }

    /** The bits of the filtered channel where it is of f32, or of f16. */
    int floats(int channel, boolean halves) {
        int aligned = halves ? 15 : 28;
        int more = 28 - aligned;
        double special = 0;
        long sum = 0;
        int top = Integer.MIN_VALUE;
        for (int first = 0; first < count;) {
            int end = first;
            int exponent = Integer.MIN_VALUE;
            for (; end < count && passes[end] == passes[first]; end++) {
                float value = Float.intBitsToFloat(texels[end][channel]);
                if (weights[end] != 0) {
                    special += value - value;
                    special += Float.isInfinite(value) ? value : 0;
                    exponent = Math.abs(value) < Float.MIN_NORMAL ? exponent : Math.max(exponent, Math.getExponent(value));
                }
            }
            if (special == 0 && exponent > Integer.MIN_VALUE) {
                long part = part(channel, first, end, aligned - 1 - exponent) << more;
                int greater = Math.max(top, exponent);
                sum = (top == Integer.MIN_VALUE ? 0 : sum >> Math.min(greater - top, 63)) + (part >> Math.min(greater - exponent, 63));
                top = greater;
            }
            first = end;
        }
        if (special != 0) {
            return infinite(channel);
        }
        return sum == 0 ? 0 : rounded(sum, top - 27 - 8, halves);
    }

    /** What {@link #floats} gives for one pass of four texels, the bits of floats; those without a weight do not count. */
    static int ofFour(int a, int aShare, int b, int bShare, int c, int cShare, int d, int dShare, boolean halves) {
        int top = Math.max(Math.max(exponent(a, aShare), exponent(b, bShare)), Math.max(exponent(c, cShare), exponent(d, dShare)));
        if (top == 0) {
            return 0;
        }
        if (top == 0xff) {
            return special(a, aShare, special(b, bShare, special(c, cShare, special(d, dShare, 0))));
        }
        double unit = powerOfTwo((halves ? 14 : 27) - (top - 127));
        long sum = cut(a, unit) * aShare + cut(b, unit) * bShare + cut(c, unit) * cShare + cut(d, unit) * dShare;
        return sum == 0 ? 0 : rounded(halves ? sum << 13 : sum, top - 127 - 27 - 8, halves);
    }

    private static int exponent(int bits, int share) {
        return share == 0 ? 0 : bits >>> 23 & 0xff;
    }

    private static long cut(int bits, double unit) {
        return (bits & 0x7f80_0000) == 0 ? 0 : (long) (Float.intBitsToFloat(bits) * unit);
    }

    /** {@code sum} of infinities, or NaN, and one number more. */
    private static int special(int bits, int share, int sum) {
        if (share == 0 || (bits & 0x7f80_0000) != 0x7f80_0000) {
            return sum;
        }
        float all = Float.intBitsToFloat(sum) + Float.intBitsToFloat(bits);
        return all == all ? Float.floatToRawIntBits(all) : NAN;
    }

    /** The part of a weight {@code all} that a weight of 256ths takes. */
    static int share(int all, int weight) {
        return all * weight + 128 >> 8;
    }

    /** Infinity, or NaN where there is one or infinities of both signs. */
    private int infinite(int channel) {
        float sum = 0;
        for (int i = 0; i < count; i++) {
            float value = Float.intBitsToFloat(texels[i][channel]);
            sum += weights[i] == 0 || Math.abs(value) <= Float.MAX_VALUE ? 0 : value;
        }
        return sum == sum ? Float.floatToRawIntBits(sum) : NAN;
    }

    /** The weighted sum of texels in units of 2^-up, each one cut off. */
    private long part(int channel, int first, int end, int up) {
        double unit = powerOfTwo(up);
        long sum = 0;
        for (int i = first; i < end; i++) {
            float value = Float.intBitsToFloat(texels[i][channel]);
            if (Math.abs(value) >= Float.MIN_NORMAL) {
                sum += (long) (value * unit) * weights[i];
            }
        }
        return sum;
    }

    /** The number {@code sum · 2^exponent} to nearest, halves away from zero. */
    private static int rounded(long sum, int exponent, boolean halves) {
        long magnitude = Math.abs(sum);
        int digits = halves ? 11 : 24;
        int down = Math.max(Long.SIZE - Long.numberOfLeadingZeros(magnitude) - digits, halves ? -24 - exponent : 0);
        if (down > 0) {
            magnitude = magnitude + (1L << down - 1) >> down;
            exponent += down;
        }
        return Float.floatToRawIntBits(FlushF32.ftz((float) ((sum < 0 ? -magnitude : magnitude) * powerOfTwo(exponent))));
    }

    /** Exponents of f32, a few tens more or less. */
    private static double powerOfTwo(int exponent) {
        return Double.longBitsToDouble(exponent + 1023L << 52);
    }

    /** The bits of the filtered channel where texels are whole numbers that stand for fractions of the greatest one. */
    int wholes(int channel, ChannelType type) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += (long) texels[i][channel] * weights[i];
        }
        return whole(sum, type);
    }

    /** The bits of the fraction that a sum of whole numbers with weights stands for. */
    static int whole(long sum, ChannelType type) {
        return Float.floatToRawIntBits((float) switch (type) {
            case U8 -> (257 * sum + 128 >> 8) / 65535.0;
            case U16 -> (sum + 128 >> 8) / 65535.0;
            case S8 -> fraction(258 * sum + (sum >> 12 << 5) + 128 >> 8);
            default -> fraction(sum + 128 >> 8);
        });
    }

    private static double fraction(long whole) {
        return Math.clamp(whole, -32767L, 32767L) / 32767.0;
    }
}
