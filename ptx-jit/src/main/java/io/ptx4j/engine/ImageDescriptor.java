package io.ptx4j.engine;

/**
 * How textures, surfaces and samplers lie in device memory: a handle, as kernels have it in registers, parameters and
 * {@code .texref} variables, is the generic address of {@link #BYTES} bytes of these little-endian fields. What is not said here
 * is zero.
 *
 * <p>Texels lie row by row, slice by slice, layer by layer, level by level. A row of level 0 takes {@link #PITCH} bytes, one of
 * any other level its texels; level n is max(1, size &gt;&gt; n) in each dimension. The samples of a texel lie together.
 */
public final class ImageDescriptor {
    public static final int BYTES = 128;
    /** {@link #KIND} of a texture: an image and how it is read. */
    public static final long TEXTURE = 0x2074_7865_7478_7470L;
    /** {@link #KIND} of a surface: an image that is read and written texel by texel. */
    public static final long SURFACE = 0x2066_7275_7378_7470L;
    /** {@link #KIND} of a sampler: how a texture is read, where PTX names it apart ({@code .texmode_independent}). */
    public static final long SAMPLER = 0x2070_6d61_7378_7470L;

    /** {@code long}. */
    public static final int KIND = 0;
    /** {@code long}: generic address of the first texel. */
    public static final int DATA = 8;
    /** {@code int}: ordinal of the {@link ImageShape}. */
    public static final int SHAPE = 16;
    /** {@code int}: ordinal of the {@link ChannelType}. */
    public static final int TYPE = 20;
    /** {@code int}: 1, 2 or 4. */
    public static final int CHANNELS = 24;
    /** {@code int}: texels of a row. */
    public static final int WIDTH = 28;
    /** {@code int}: rows; 1 in one dimension. */
    public static final int HEIGHT = 32;
    /** {@code int}: slices; 1 below three dimensions. */
    public static final int DEPTH = 36;
    /** {@code int}: layers, six for each cube; 1 for shapes without. */
    public static final int LAYERS = 40;
    /** {@code int}: mip levels. */
    public static final int LEVELS = 44;
    /** {@code int}: samples of a texel. */
    public static final int SAMPLES = 48;
    /** {@code int}: bytes of a row of level 0. */
    public static final int PITCH = 52;

    /** {@code int}: 1 where coordinates go from 0 to 1. */
    public static final int NORMALIZED = 64;
    /** {@code int}: 1 where whole numbers are read as floats from 0 (−1) to 1. */
    public static final int READ_AS_FLOAT = 68;
    /** {@code int}: 1 where colours (not the fourth channel) of {@code U8} texels read as floats are sRGB. */
    public static final int SRGB = 72;
    /** {@code int}: ordinal of the {@link FilterMode} between texels. */
    public static final int FILTER = 76;
    /** {@code int}: ordinal of the {@link FilterMode} between levels. */
    public static final int MIP_FILTER = 80;
    /** Three {@code int}s: ordinals of the {@link AddressMode}s by dimension. */
    public static final int ADDRESS_MODES = 84;
    /** {@code float}: added to each level of detail. */
    public static final int LOD_BIAS = 96;
    /** {@code float}: least level of detail. */
    public static final int LOD_MIN = 100;
    /** {@code float}: greatest level of detail. */
    public static final int LOD_MAX = 104;
    /** Four {@code float}s: the border's colour; whole numbers for textures that give such. */
    public static final int BORDER = 108;

    private ImageDescriptor() {
    }
}
