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
        int first = (int) (between ? level : Math.floor(level + 0.5));
        int weight = between ? (int) Math.floor((level - first) * 256.0) : 0;
        if (!interpolates() && weight == 0) {
            return texel(first, nearest(first)).colour;
        }
        var filter = new TexelFilter();
        share(filter, first, 256 - weight);
        if (weight != 0) {
            share(filter, first + 1, weight);
        }
        boolean fractions = !image.type().isFloat() && numbers() && !flag(ImageDescriptor.SRGB) && reference == null;
        int[] colour = new int[4];
        for (int channel = 0; channel < (fractions ? image.channels() : 4); channel++) {
            colour[channel] = fractions ? filter.fractions(channel, image.type()) : filter.floats(channel, image.type() == ChannelType.F16 && reference == null);
        }
        return colour;
    }

    private boolean interpolates() {
        return sampler.field(ImageDescriptor.FILTER) == FilterMode.LINEAR.ordinal() && numbers() && !whole;
    }

    /** Divides a level's weight between the texels around: behind and before, then right and left, then below and above. */
    private void share(TexelFilter filter, int level, int weight) {
        if (!interpolates()) {
            filter.pass();
            Texel texel = texel(level, nearest(level));
            filter.add(texel.colour, texel.stored, weight);
            return;
        }
        int[] upper = new int[3];
        for (int d = 0; d < dimensions(); d++) {
            upper[d] = (int) (inside(d, level) & 255);
        }
        int before = dimensions() == 3 ? rounded(weight * (256 - upper[2])) : weight;
        for (int z = 0; z < 2; z++) {
            int plane = z == 0 ? before : weight - before;
            int right = rounded(plane * upper[0]);
            int left = plane - right;
            int belowRight = dimensions() > 1 ? rounded(right * upper[1]) : 0;
            int aboveLeft = dimensions() > 1 ? rounded(left * (256 - upper[1])) : left;
            int[] shares = {aboveLeft, right - belowRight, left - aboveLeft, belowRight};
            filter.pass();
            for (int corner = 0; corner < 4; corner++) {
                if (shares[corner] != 0) {
                    Texel texel = texel(level, corner(level, 4 * z + corner));
                    filter.add(texel.colour, texel.stored, shares[corner]);
                }
            }
        }
    }

    /** In 256ths, halves up. */
    private static int rounded(int product) {
        return (product + 128) / 256;
    }

    /** The position along one dimension of a level, in texels. */
    private double texels(int d, int level) {
        boolean scaled = !whole && (flag(ImageDescriptor.NORMALIZED) || cube);
        return (scaled ? cut(position[d], image.size(d, level)) * image.size(d, level) : position[d]) + offset[d];
    }

    /** A normalized coordinate without what is behind its 21st binary place, or behind more for large sizes. */
    private double cut(double coordinate, int size) {
        if (cube) {
            return coordinate;
        }
        int places = 21;
        while (1L << places - 8 < size) {
            places++;
        }
        return Math.floor(Math.scalb(coordinate, places)) / Math.scalb(1.0, places);
    }

    /** Where the texels around begin, in 256ths of texels: half a texel before the position. */
    private long fixed(int d, int level) {
        return (long) Math.floor((texels(d, level) - 0.5) * 256.0 + 0.5);
    }

    /** The same for filters: no further out than the middle of the last texel where that is the nearest one. */
    private long inside(int d, int level) {
        long at = fixed(d, level);
        AddressMode mode = mode(d);
        boolean ends = cube || image.shape() != ImageShape.LINEAR && mode != AddressMode.BORDER && (mode == AddressMode.CLAMP || !repeats());
        return ends ? Math.min(Math.max(at, 0), (image.size(d, level) - 1L) * 256) : at;
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
            place[d] = Math.floorDiv(inside(d, level), 256L) + (corner >> d & 1);
        }
        return place;
    }

    private long[] around(int corner) {
        return new long[] {Math.floorDiv(fixed(0, 0), 256L) + (corner & 1), Math.floorDiv(fixed(1, 0), 256L) + (corner >> 1), 0};
    }

    /** One channel of the four texels around: lower left, lower right, upper right, upper left, with y growing downwards. */
    int[] gathered(int channel) {
        return new int[] {
            texel(0, around(2)).colour[channel], texel(0, around(3)).colour[channel], texel(0, around(1)).colour[channel], texel(0, around(0)).colour[channel]};
    }

    /**
     * A texel.
     *
     * @param colour what a program reads of it
     * @param stored its channels as the image holds them
     */
    private record Texel(int[] colour, int[] stored) {
    }

    private Texel texel(int level, long[] place) {
        int[] inside = new int[3];
        boolean border = false;
        for (int d = 0; d < dimensions(); d++) {
            inside[d] = addressed(d, place[d], image.size(d, level));
            border |= inside[d] < 0;
        }
        int[] stored = border ? borderStored() : stored(level, inside);
        int[] colour = border ? border() : colour(stored);
        if (reference == null) {
            return new Texel(colour, stored);
        }
        float depth = numbers() ? Float.intBitsToFloat(colour[0]) : colour[0];
        int one = Float.floatToRawIntBits(1);
        return new Texel(new int[] {reference <= depth ? one : 0, 0, 0, one}, stored);
    }

    /** The texel that the address mode gives for index {@code i}; −1 for the border. */
    private int addressed(int d, long i, int size) {
        if (i >= 0 && i < size) {
            return (int) i;
        }
        if (image.shape() == ImageShape.LINEAR) {
            return -1;
        }
        AddressMode mode = mode(d);
        if (mode == AddressMode.BORDER) {
            return -1;
        }
        if (!repeats() || mode == AddressMode.CLAMP) {
            return i < 0 ? 0 : size - 1;
        }
        if (mode == AddressMode.WRAP) {
            return (int) Math.floorMod(i, (long) size);
        }
        long within = Math.floorMod(i, 2L * size);
        return (int) Math.min(within, 2L * size - 1 - within);
    }

    private AddressMode mode(int d) {
        return cube ? AddressMode.CLAMP : sampler.choice(AddressMode.values(), ImageDescriptor.ADDRESS_MODES + 4 * d);
    }

    private boolean repeats() {
        return flag(ImageDescriptor.NORMALIZED) && !whole;
    }

    /** The border's colour as an image of whole numbers would hold it. */
    private int[] borderStored() {
        int[] stored = new int[4];
        int greatest = switch (image.type()) {
            case U8 -> 255;
            case S8 -> 127;
            case U16 -> 65535;
            default -> 32767;
        };
        for (int channel = 0; channel < 4; channel++) {
            float value = image.shape() == ImageShape.LINEAR ? 0 : Float.intBitsToFloat(sampler.field(ImageDescriptor.BORDER + 4 * channel));
            float inside = value > 1 ? 1 : value < (image.type().signed() ? -1 : 0) ? image.type().signed() ? -1 : 0 : value;
            stored[channel] = Math.round(inside * greatest);
        }
        return stored;
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
        int[] stored = new int[4];
        for (int channel = 0; channel < image.channels(); channel++) {
            stored[channel] = image.channel(texel + (long) channel * image.type().bytes());
        }
        return stored;
    }

    private int[] colour(int[] stored) {
        int[] colour = new int[4];
        for (int channel = 0; channel < image.channels(); channel++) {
            colour[channel] = numbers() ? number(stored[channel], image.type(), flag(ImageDescriptor.SRGB) && channel < 3) : stored[channel];
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
