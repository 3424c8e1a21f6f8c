package io.ptx4j.interpreter;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.FilterMode;
import io.ptx4j.engine.ImageDescriptor;
import io.ptx4j.engine.ImageShape;

/**
 * One read of a texture: where it looks, and what it makes of the texels there (manual: "tex", "tld4"; docs/textures.md).
 *
 * @param whole whether coordinates are whole numbers of texels
 * @param cube whether the position is one on a cube's face
 * @param position coordinates as given, of a cube on its face
 * @param offset in texels, added to the position in each dimension
 * @param reference what depths are compared with; null where they are not
 */
record TextureRead(Image image, Image sampler, boolean whole, boolean cube, int layer, int sample, double[] position, int[] offset, Float reference) {
    private static final int CANONICAL_NAN = 0x7FFF_FFFF;

    private boolean flag(int field) {
        return sampler.field(field) != 0;
    }

    /** Whether texels are read as floats. */
    private boolean numbers() {
        return image.type().isFloat() || flag(ImageDescriptor.READ_AS_FLOAT);
    }

    /** Whether the result is floats. */
    boolean floats() {
        return numbers() || reference != null;
    }

    private int dimensions() {
        return image.shape().dimensions();
    }

    /** Four channels at the given level of detail; −∞ for the base level. */
    int[] colour(double lod) {
        double last = image.levels() - 1;
        boolean between = sampler.field(ImageDescriptor.MIP_FILTER) == FilterMode.LINEAR.ordinal() && floats()
                && lod != Double.NEGATIVE_INFINITY;
        double level = Math.min(Math.max(lod, 0), last);
        if (!between) {
            return filtered((int) Math.floor(level + 0.5));
        }
        int upper = (int) level;
        double weight = weight(level - upper);
        if (weight == 0) {
            return filtered(upper);
        }
        return rounded(blend(values(upper), values(upper + 1), weight));
    }

    private boolean interpolates() {
        return sampler.field(ImageDescriptor.FILTER) == FilterMode.LINEAR.ordinal() && numbers() && !whole;
    }

    private int[] filtered(int level) {
        return interpolates() ? rounded(values(level)) : texel(level, nearest(level));
    }

    private double[] values(int level) {
        if (!interpolates()) {
            return numbers(texel(level, nearest(level)));
        }
        int corners = 1 << dimensions();
        double[][] around = new double[corners][];
        for (int corner = 0; corner < corners; corner++) {
            around[corner] = numbers(texel(level, corner(level, corner)));
        }
        for (int d = 0; d < dimensions(); d++) {
            double at = texels(d, level) - 0.5;
            double weight = Double.isInfinite(at) || Double.isNaN(at) ? 0 : weight(at - Math.floor(at));
            for (int pair = 0; pair < corners >> d + 1; pair++) {
                around[pair] = blend(around[2 * pair], around[2 * pair + 1], weight);
            }
        }
        return around[0];
    }

    /** A fraction with 8 bits behind the point. */
    private static double weight(double fraction) {
        return Math.rint(Math.floor(fraction * 256.0 + 0.5)) / 256.0;
    }

    private static double[] blend(double[] low, double[] high, double weight) {
        double[] sum = new double[4];
        for (int channel = 0; channel < 4; channel++) {
            double share = low[channel] * (1.0 - weight);
            sum[channel] = share + high[channel] * weight;
        }
        return sum;
    }

    private static double[] numbers(int[] bits) {
        double[] numbers = new double[4];
        for (int channel = 0; channel < 4; channel++) {
            numbers[channel] = Float.intBitsToFloat(bits[channel]);
        }
        return numbers;
    }

    private static int[] rounded(double[] numbers) {
        int[] bits = new int[4];
        for (int channel = 0; channel < 4; channel++) {
            float value = (float) numbers[channel];
            bits[channel] = value == value ? Float.floatToRawIntBits(value) : CANONICAL_NAN;
        }
        return bits;
    }

    /** The position along one dimension of a level, in texels. */
    private double texels(int d, int level) {
        boolean scaled = !whole && (flag(ImageDescriptor.NORMALIZED) || cube);
        return (scaled ? position[d] * image.size(d, level) : position[d]) + offset[d];
    }

    private long[] nearest(int level) {
        long[] place = new long[3];
        for (int d = 0; d < dimensions(); d++) {
            place[d] = (long) Math.floor(texels(d, level));
        }
        return place;
    }

    /** One of the texels around the position; bit d of {@code corner} says which one along dimension d. */
    private long[] corner(int level, int corner) {
        long[] place = new long[3];
        for (int d = 0; d < dimensions(); d++) {
            place[d] = (long) Math.floor(texels(d, level) - 0.5) + (corner >> d & 1);
        }
        return place;
    }

    /** One channel of the four texels around: lower left, lower right, upper right, upper left, with y growing downwards. */
    int[] gathered(int channel) {
        return new int[] {
            texel(0, corner(0, 2))[channel], texel(0, corner(0, 3))[channel],
            texel(0, corner(0, 1))[channel], texel(0, corner(0, 0))[channel]};
    }

    private int[] texel(int level, long[] place) {
        int[] inside = new int[3];
        boolean border = false;
        for (int d = 0; d < dimensions(); d++) {
            inside[d] = addressed(d, place[d], image.size(d, level));
            border |= inside[d] < 0;
        }
        int[] colour = border ? border() : stored(level, inside);
        if (reference == null) {
            return colour;
        }
        float depth = numbers() ? Float.intBitsToFloat(colour[0]) : colour[0];
        int one = Float.floatToRawIntBits(1);
        return new int[] {reference <= depth ? one : 0, 0, 0, one};
    }

    /** The texel that the address mode gives for index {@code i}; −1 for the border. */
    private int addressed(int d, long i, int size) {
        if (i >= 0 && i < size) {
            return (int) i;
        }
        if (image.shape() == ImageShape.LINEAR) {
            return -1;
        }
        AddressMode mode = cube ? AddressMode.CLAMP : sampler.choice(AddressMode.values(), ImageDescriptor.ADDRESS_MODES + 4 * d);
        boolean repeats = flag(ImageDescriptor.NORMALIZED) && !whole;
        if (mode == AddressMode.BORDER) {
            return -1;
        }
        if (!repeats || mode == AddressMode.CLAMP) {
            return i < 0 ? 0 : size - 1;
        }
        if (mode == AddressMode.WRAP) {
            return (int) Math.floorMod(i, (long) size);
        }
        long within = Math.floorMod(i, 2L * size);
        return (int) Math.min(within, 2L * size - 1 - within);
    }

    private int[] border() {
        int[] colour = new int[4];
        for (int channel = 0; channel < 4; channel++) {
            float value = image.shape() == ImageShape.LINEAR ? 0
                    : Float.intBitsToFloat(sampler.field(ImageDescriptor.BORDER + 4 * channel));
            colour[channel] = numbers() ? Float.floatToRawIntBits(value) : (int) value;
        }
        return colour;
    }

    private int[] stored(int level, int[] place) {
        long texel = image.address(level, layer, place[2], place[1], ((long) place[0] * image.samples() + sample) * image.texelBytes());
        int[] colour = {0, 0, 0, numbers() ? Float.floatToRawIntBits(1) : 1};
        for (int channel = 0; channel < image.channels(); channel++) {
            int value = image.channel(texel + (long) channel * image.type().bytes());
            colour[channel] = numbers() ? number(value, image.type(), flag(ImageDescriptor.SRGB) && channel < 3) : value;
        }
        return colour;
    }

    /** A channel as the bits of a {@code .f32}. */
    private static int number(int value, ChannelType type, boolean srgb) {
        return switch (type) {
            case F32, U32, S32 -> value;
            case F16 -> (int) Format.F32.round(Format.F16.decode(value), Rounding.Fixed.NEAREST_EVEN);
            case U8 -> Float.floatToRawIntBits(srgb ? linear(value) : (float) (value / 255.0));
            case U16 -> Float.floatToRawIntBits((float) (value / 65535.0));
            case S8 -> Float.floatToRawIntBits((float) (value == -128 ? -1.0 : value / 127.0));
            case S16 -> Float.floatToRawIntBits((float) (value == -32768 ? -1.0 : value / 32767.0));
        };
    }

    private static float linear(int value) {
        double c = value / 255.0;
        return (float) (c > 0.04045 ? StrictMath.pow((c + 0.055) / 1.055, 2.4) : c / 12.92);
    }
}
