package io.ptx4j.jit.support;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.ChannelType;
import io.ptx4j.engine.ImageShape;
import io.ptx4j.jit.support.TextureOperation.Geometry;

/** A texture, how it is read, and by what instruction: what all its reads in a launch have in common. */
final class Fetch {
    final ImageView image;
    final SamplerView sampler;
    final TextureOperation operation;
    final Geometry geometry;
    final int dimensions;
    final boolean floats;
    final boolean repeats;
    final boolean filtered;
    /** Texels are whole numbers until they are filtered. */
    final boolean wholes;
    /** Coordinates are fractions of the image's size. */
    final boolean scaled;
    /** {@link PlainSampling} can do it, unless it meets the border. */
    final boolean plain;
    private final long texture;
    private final long separateSampler;
    private final boolean floatCoordinates;
    /** Of the greatest level, in each dimension. */
    private final int[] sizes;
    private final double[] units;

    /** @throws io.ptx4j.engine.Fault if the instruction cannot read an image of that shape */
    Fetch(long texture, long separateSampler, TextureOperation operation, ImageView image, SamplerView sampler) {
        this.texture = texture;
        this.separateSampler = separateSampler;
        this.operation = operation;
        this.image = image;
        this.sampler = sampler;
        geometry = operation.geometry();
        ImageUnit.require(image.shape, geometry.fits(image.shape), "tex." + geometry);
        dimensions = image.shape.dimensions();
        floatCoordinates = operation.floatCoordinates();
        floats = image.type.isFloat() || sampler.asFloat;
        filtered = sampler.linear && floats && floatCoordinates;
        wholes = !image.type.isFloat() && sampler.asFloat && !sampler.srgb && !operation.compare();
        repeats = sampler.normalized && floatCoordinates && !geometry.cube();
        scaled = floatCoordinates && (sampler.normalized || geometry.cube());
        boolean direct = geometry == Geometry.D1 || geometry == Geometry.D2 || geometry == Geometry.D3;
        plain = direct && image.levels == 1 && !operation.gather() && !operation.compare() && !operation.offset() && !sampler.srgb
                && (!filtered || dimensions < 3);
        sizes = new int[] {image.width, image.height, image.depth};
        units = new double[3];
        for (int d = 0; d < 3; d++) {
            units[d] = unit(sizes[d]);
        }
    }

    boolean is(long handle, long samplerHandle, int bits) {
        return texture == handle && separateSampler == samplerHandle && operation.bits() == bits;
    }

    /** Normalized coordinates are cut off to 21 bits behind the point, more for sizes beyond 2^13. */
    static double unit(int size) {
        return 1L << Math.max(21, 8 + Integer.SIZE - Integer.numberOfLeadingZeros(size - 1));
    }

    int size(int dimension) {
        return sizes[dimension];
    }

    double coordinate(int word) {
        return floatCoordinates ? Float.intBitsToFloat(word) : word;
    }

    /** Where a coordinate lies along a dimension of the greatest level, in texels; not for cubes. */
    double texels(int dimension, int word) {
        double at = coordinate(word);
        return scaled ? Math.floor(at * units[dimension]) / units[dimension] * sizes[dimension] : at;
    }

    /** Whether what is filtered is clamped to the middles of the first and the last texel. */
    boolean clamps(int dimension) {
        AddressMode mode = sampler.modes[dimension];
        return geometry.cube() || image.shape != ImageShape.LINEAR && mode != AddressMode.BORDER && (!repeats || mode == AddressMode.CLAMP);
    }

    /** The texel that stands for index {@code i} of {@code size}; −1 for the border. */
    int place(int dimension, long i, int size) {
        if (geometry.cube()) {
            return SamplerView.clamp(i, size);
        }
        if (image.shape == ImageShape.LINEAR) {
            return i >= 0 && i < size ? (int) i : -1;
        }
        return sampler.place(dimension, i, size, repeats);
    }

    boolean halves() {
        return image.type == ChannelType.F16 && !operation.compare();
    }
}
