package io.ptx4j.engine;

/** What a texture gives for coordinates outside it. */
public enum AddressMode {
    /** The texture repeats. With coordinates that are not normalized, as {@link #CLAMP}. */
    WRAP,
    /** The texture repeats, every other time mirrored. With coordinates that are not normalized, as {@link #CLAMP}. */
    MIRROR,
    /** The texel at the edge. */
    CLAMP,
    /** The border's colour. */
    BORDER
}
