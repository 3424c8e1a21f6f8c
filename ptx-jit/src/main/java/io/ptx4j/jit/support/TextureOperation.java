package io.ptx4j.jit.support;

import io.ptx4j.engine.ImageShape;

/** What a {@code tex} or {@code tld4} does, packed into a constant of generated code. */
public record TextureOperation(int bits) {
    /** Geometries, in bits 0 to 3. */
    public enum Geometry {
        D1(1), D2(2), D3(3), A1D(1), A2D(2), CUBE(3), ACUBE(3), D2MS(2), A2DMS(2);

        final int coordinates;

        Geometry(int coordinates) {
            this.coordinates = coordinates;
        }

        /** Whether an instruction of this geometry can take an image of that shape. */
        boolean fits(ImageShape shape) {
            return switch (this) {
                case D1 -> shape == ImageShape.D1 || shape == ImageShape.LINEAR;
                case D2 -> shape == ImageShape.D2;
                case D3 -> shape == ImageShape.D3;
                case A1D -> shape == ImageShape.LAYERED_1D;
                case A2D -> shape == ImageShape.LAYERED_2D || shape.cube();
                case CUBE -> shape == ImageShape.CUBE;
                case ACUBE -> shape == ImageShape.LAYERED_CUBE;
                case D2MS -> shape == ImageShape.MULTISAMPLED;
                case A2DMS -> shape == ImageShape.LAYERED_MULTISAMPLED;
            };
        }

        boolean layered() {
            return this == A1D || this == A2D || this == ACUBE || this == A2DMS;
        }

        boolean cube() {
            return this == CUBE || this == ACUBE;
        }

        boolean sampled() {
            return this == D2MS || this == A2DMS;
        }
    }

    /** How the level is chosen, in bits 5 and 6. */
    public enum Lod { NONE, BASE, LEVEL, GRAD }

    /** How results are stored, in bits 9 and 10. */
    public enum Result { WORDS, HALVES, HALF_PAIRS }

    private static final Geometry[] GEOMETRIES = Geometry.values();
    private static final Lod[] LODS = Lod.values();
    private static final Result[] RESULTS = Result.values();

    /** @param component 0 to 3 of {@code tld4}, −1 for {@code tex} */
    public static int pack(Geometry geometry, boolean floatCoordinates, Lod lod, boolean offset, boolean compare, Result result, int component) {
        return geometry.ordinal() | bit(floatCoordinates, 4) | lod.ordinal() << 5 | bit(offset, 7) | bit(compare, 8)
                | result.ordinal() << 9 | bit(component >= 0, 11) | Math.max(0, component) << 12;
    }

    private static int bit(boolean set, int place) {
        return set ? 1 << place : 0;
    }

    Geometry geometry() {
        return GEOMETRIES[bits & 15];
    }

    boolean floatCoordinates() {
        return (bits & 1 << 4) != 0;
    }

    Lod lod() {
        return LODS[bits >> 5 & 3];
    }

    boolean offset() {
        return (bits & 1 << 7) != 0;
    }

    boolean compare() {
        return (bits & 1 << 8) != 0;
    }

    Result result() {
        return RESULTS[bits >> 9 & 3];
    }

    boolean gather() {
        return (bits & 1 << 11) != 0;
    }

    int component() {
        return bits >> 12 & 3;
    }
}
