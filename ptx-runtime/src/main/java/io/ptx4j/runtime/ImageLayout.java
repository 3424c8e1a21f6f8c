package io.ptx4j.runtime;

import io.ptx4j.engine.ImageShape;

/**
 * Size and arrangement of an {@link Image}, in texels.
 *
 * @param height rows, 1 in one dimension
 * @param depth slices, 1 below three dimensions
 * @param layers at least 1; six for each cube
 * @param levels mip levels, at least 1
 * @param samples of a texel, at least 1
 */
public record ImageLayout(ImageShape shape, int width, int height, int depth, int layers, int levels, int samples) {
    public ImageLayout {
        if (width < 1 || height < 1 || depth < 1 || layers < 1 || samples < 1) {
            throw new IllegalArgumentException("an image of " + width + " x " + height + " x " + depth + " texels, " + layers + " layers, "
                    + samples + " samples");
        }
        int most = 32 - Integer.numberOfLeadingZeros(Math.max(width, Math.max(height, depth)));
        if (levels < 1 || levels > most || levels > 1 && (shape == ImageShape.LINEAR || samples > 1)) {
            throw new IllegalArgumentException(levels + " mip levels; 1 to " + most + " are possible, and 1 for linear and multisampled images");
        }
    }

    private static ImageLayout of(ImageShape shape, int width, int height, int depth, int layers) {
        return new ImageLayout(shape, width, height, depth, layers, 1, 1);
    }

    /** Texels in plain memory, read by whole-numbered coordinates ({@code tex1Dfetch}). */
    public static ImageLayout linear(int width) {
        return of(ImageShape.LINEAR, width, 1, 1, 1);
    }

    public static ImageLayout of1d(int width) {
        return of(ImageShape.D1, width, 1, 1, 1);
    }

    public static ImageLayout of2d(int width, int height) {
        return of(ImageShape.D2, width, height, 1, 1);
    }

    public static ImageLayout of3d(int width, int height, int depth) {
        return of(ImageShape.D3, width, height, depth, 1);
    }

    public static ImageLayout layered1d(int width, int layers) {
        return of(ImageShape.LAYERED_1D, width, 1, 1, layers);
    }

    public static ImageLayout layered2d(int width, int height, int layers) {
        return of(ImageShape.LAYERED_2D, width, height, 1, layers);
    }

    /** Six faces: +x, −x, +y, −y, +z, −z. */
    public static ImageLayout cube(int side) {
        return of(ImageShape.CUBE, side, side, 1, 6);
    }

    public static ImageLayout layeredCube(int side, int cubes) {
        return of(ImageShape.LAYERED_CUBE, side, side, 1, Math.multiplyExact(6, cubes));
    }

    public static ImageLayout multisampled(int width, int height, int samples) {
        return new ImageLayout(ImageShape.MULTISAMPLED, width, height, 1, 1, 1, samples);
    }

    public static ImageLayout layeredMultisampled(int width, int height, int layers, int samples) {
        return new ImageLayout(ImageShape.LAYERED_MULTISAMPLED, width, height, 1, layers, 1, samples);
    }

    /** This with mip levels, each half as large as the one before. */
    public ImageLayout withLevels(int count) {
        return new ImageLayout(shape, width, height, depth, layers, count, samples);
    }

    /** Texels of all slices and layers of a level, each with its samples. */
    public long texels(int level) {
        return (long) Math.max(1, width >> level) * Math.max(1, height >> level) * Math.max(1, depth >> level) * layers * samples;
    }

    /** Texels of all levels. */
    public long texels() {
        long sum = 0;
        for (int level = 0; level < levels; level++) {
            sum += texels(level);
        }
        return sum;
    }
}
