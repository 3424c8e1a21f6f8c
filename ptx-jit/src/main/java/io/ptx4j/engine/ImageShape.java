package io.ptx4j.engine;

/** How the texels of an image are arranged. */
public enum ImageShape {
    /** A row of texels in plain memory, read by whole-numbered coordinates only; outside it everything is zero. */
    LINEAR,
    D1, D2, D3, LAYERED_1D, LAYERED_2D,
    /** Six square layers: +x, −x, +y, −y, +z, −z. */
    CUBE,
    /** Six layers for each cube. */
    LAYERED_CUBE,
    /** Several samples for each texel, next to each other. */
    MULTISAMPLED, LAYERED_MULTISAMPLED;

    /** Coordinates of a texel within a layer: 1 to 3. */
    public int dimensions() {
        return switch (this) {
            case LINEAR, D1, LAYERED_1D -> 1;
            case D3 -> 3;
            default -> 2;
        };
    }

    public boolean layered() {
        return this == LAYERED_1D || this == LAYERED_2D || this == LAYERED_CUBE || this == LAYERED_MULTISAMPLED;
    }

    public boolean cube() {
        return this == CUBE || this == LAYERED_CUBE;
    }
}
