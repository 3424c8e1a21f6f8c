package io.ptx4j.jit.support;

import io.ptx4j.engine.ImageShape;

/** Fields that {@code txq} and {@code suq} ask for, by number, and their values (manual: "Texture, Sampler and Surface Types"). */
public final class ImageQuery {
    public static final int WIDTH = 0;
    public static final int HEIGHT = 1;
    public static final int DEPTH = 2;
    public static final int CHANNEL_DATA_TYPE = 3;
    public static final int CHANNEL_ORDER = 4;
    public static final int NORMALIZED_COORDS = 5;
    public static final int ARRAY_SIZE = 6;
    public static final int LEVELS = 7;
    public static final int SAMPLES = 8;
    public static final int MEMORY_LAYOUT = 9;
    /** From here on a sampler is asked. */
    static final int SAMPLER_FIELDS = 16;
    public static final int FILTER_MODE = 16;
    public static final int FORCE_UNNORMALIZED = 17;
    public static final int ADDRESS_MODE = 18;

    private ImageQuery() {
    }

    static int of(ImageView image, SamplerView sampler, int field, int level) {
        return switch (field) {
            case WIDTH -> image.width(Math.clamp(level, 0, image.levels - 1));
            case HEIGHT -> image.shape.dimensions() < 2 ? 0 : image.height(Math.clamp(level, 0, image.levels - 1));
            case DEPTH -> image.shape.dimensions() < 3 ? 0 : image.depth(Math.clamp(level, 0, image.levels - 1));
            case CHANNEL_DATA_TYPE -> dataType(image, sampler.asFloat);
            case CHANNEL_ORDER -> image.channels == 1 ? 0x10B0 : image.channels == 2 ? 0x10B2 : 0x10B5;
            case NORMALIZED_COORDS -> sampler.normalized ? 1 : 0;
            case ARRAY_SIZE -> image.shape.layered() ? image.shape.cube() ? image.layers / 6 : image.layers : 0;
            case LEVELS -> image.levels;
            case SAMPLES -> image.samples;
            default -> image.shape == ImageShape.LINEAR ? 1 : 0;
        };
    }

    private static int dataType(ImageView image, boolean asFloat) {
        return switch (image.type) {
            case S8 -> asFloat ? 0x10D0 : 0x10D7;
            case S16 -> asFloat ? 0x10D1 : 0x10D8;
            case U8 -> asFloat ? 0x10D2 : 0x10DA;
            case U16 -> asFloat ? 0x10D3 : 0x10DB;
            case S32 -> 0x10D9;
            case U32 -> 0x10DC;
            case F16 -> 0x10DD;
            case F32 -> 0x10DE;
        };
    }
}
