package io.ptx4j.runtime;

import io.ptx4j.engine.AddressMode;
import io.ptx4j.engine.FilterMode;
import java.util.List;

/**
 * How a texture is read, as CUDA's texture descriptor says it.
 *
 * @param normalized whether coordinates go from 0 to 1, not to the size in texels
 * @param readAsFloat whether whole numbers of 8 and 16 bits are read as floats from 0 (−1) to 1
 * @param srgb whether colours of 8 bits, read as floats, are sRGB
 * @param filter between texels; linear needs texels that are read as floats
 * @param mipFilter between mip levels
 * @param modes what lies outside, by dimension; three of them
 * @param lodBias added to the level of detail
 * @param lodMin least level of detail
 * @param lodMax greatest level of detail
 * @param border colour of {@link AddressMode#BORDER}, four channels
 */
public record Sampler(boolean normalized, boolean readAsFloat, boolean srgb, FilterMode filter, FilterMode mipFilter, List<AddressMode> modes,
        float lodBias, float lodMin, float lodMax, List<Float> border) {
    /** Texel coordinates, nearest texel, edges repeated, values as they are. */
    public static final Sampler DEFAULT = new Sampler(false, false, false, FilterMode.POINT, FilterMode.POINT,
            List.of(AddressMode.CLAMP, AddressMode.CLAMP, AddressMode.CLAMP), 0, 0, 1000, List.of(0f, 0f, 0f, 0f));

    public Sampler {
        modes = List.copyOf(modes);
        border = List.copyOf(border);
        if (modes.size() != 3 || border.size() != 4) {
            throw new IllegalArgumentException("a sampler has three address modes and a border of four channels");
        }
        if (Float.isNaN(lodBias) || !(lodMin <= lodMax)) {
            throw new IllegalArgumentException("levels of detail from " + lodMin + " to " + lodMax + " with bias " + lodBias);
        }
    }

    public Sampler withNormalized(boolean yes) {
        return new Sampler(yes, readAsFloat, srgb, filter, mipFilter, modes, lodBias, lodMin, lodMax, border);
    }

    public Sampler withReadAsFloat(boolean yes) {
        return new Sampler(normalized, yes, srgb, filter, mipFilter, modes, lodBias, lodMin, lodMax, border);
    }

    public Sampler withSrgb(boolean yes) {
        return new Sampler(normalized, readAsFloat, yes, filter, mipFilter, modes, lodBias, lodMin, lodMax, border);
    }

    public Sampler withFilter(FilterMode mode) {
        return new Sampler(normalized, readAsFloat, srgb, mode, mipFilter, modes, lodBias, lodMin, lodMax, border);
    }

    public Sampler withMipFilter(FilterMode mode) {
        return new Sampler(normalized, readAsFloat, srgb, filter, mode, modes, lodBias, lodMin, lodMax, border);
    }

    /** The same mode in every dimension. */
    public Sampler withAddressMode(AddressMode mode) {
        return withAddressModes(mode, mode, mode);
    }

    public Sampler withAddressModes(AddressMode x, AddressMode y, AddressMode z) {
        return new Sampler(normalized, readAsFloat, srgb, filter, mipFilter, List.of(x, y, z), lodBias, lodMin, lodMax, border);
    }

    public Sampler withLod(float bias, float least, float greatest) {
        return new Sampler(normalized, readAsFloat, srgb, filter, mipFilter, modes, bias, least, greatest, border);
    }

    public Sampler withBorder(float r, float g, float b, float a) {
        return new Sampler(normalized, readAsFloat, srgb, filter, mipFilter, modes, lodBias, lodMin, lodMax, List.of(r, g, b, a));
    }
}
