package io.ptx4j.jit.support;

import io.ptx4j.jit.support.TextureOperation.Geometry;

/** What a {@code suld}, {@code sust} or {@code sured} does, packed into a constant of generated code. */
public record SurfaceOperation(int bits) {
    /** What is done, in bits 4 to 7. */
    public enum Action { LOAD, STORE, STORE_TEXEL, ADD, MIN, MAX, AND, OR }

    /** What happens outside the image, in bits 8 and 9. */
    public enum Outside { TRAP, CLAMP, ZERO }

    private static final Geometry[] GEOMETRIES = Geometry.values();
    private static final Action[] ACTIONS = Action.values();
    private static final Outside[] OUTSIDES = Outside.values();

    /**
     * @param elements elements of the vector: 1, 2 or 4
     * @param bytes of an element
     * @param signed how minimum and maximum compare; of texels the image's type decides
     * @param texels whether the first coordinate counts texels, not bytes
     */
    public static int pack(Geometry geometry, Action action, Outside outside, int elements, int bytes, boolean signed, boolean texels) {
        return geometry.ordinal() | action.ordinal() << 4 | outside.ordinal() << 8 | elements << 10 | bytes << 13
                | (signed ? 1 << 17 : 0) | (texels ? 1 << 18 : 0);
    }

    Geometry geometry() {
        return GEOMETRIES[bits & 15];
    }

    Action action() {
        return ACTIONS[bits >> 4 & 15];
    }

    Outside outside() {
        return OUTSIDES[bits >> 8 & 3];
    }

    int elements() {
        return bits >> 10 & 7;
    }

    int bytes() {
        return bits >> 13 & 15;
    }

    boolean signed() {
        return (bits & 1 << 17) != 0;
    }

    boolean texels() {
        return (bits & 1 << 18) != 0;
    }
}
