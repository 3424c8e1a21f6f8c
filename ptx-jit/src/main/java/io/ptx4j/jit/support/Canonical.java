package io.ptx4j.jit.support;

/** The one NaN that PTX arithmetic yields. */
public final class Canonical {
    private Canonical() {
    }

    /** {@code value}, with every NaN turned into {@code 0x7FFFFFFF}. */
    public static float f32(float value) {
        return value == value ? value : Float.intBitsToFloat(0x7FFF_FFFF);
    }

    /** {@code value}, with every NaN turned into the canonical one of {@code .f64}. */
    public static double f64(double value) {
        return value == value ? value : Double.longBitsToDouble(0x7FF8_0000_0000_0000L);
    }
}
