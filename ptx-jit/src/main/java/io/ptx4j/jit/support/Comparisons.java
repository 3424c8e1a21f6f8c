package io.ptx4j.jit.support;

/** Floating-point comparisons that no single JVM instruction makes. Results are 0 or 1. */
public final class Comparisons {
    private Comparisons() {
    }

    public static int neF32(float a, float b) {
        return a < b || a > b ? 1 : 0;
    }

    public static int neF64(double a, double b) {
        return a < b || a > b ? 1 : 0;
    }

    public static int equF32(float a, float b) {
        return a < b || a > b ? 0 : 1;
    }

    public static int equF64(double a, double b) {
        return a < b || a > b ? 0 : 1;
    }

    public static int orderedF32(float a, float b) {
        return Float.isNaN(a) || Float.isNaN(b) ? 0 : 1;
    }

    public static int orderedF64(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b) ? 0 : 1;
    }

    public static int unorderedF32(float a, float b) {
        return 1 - orderedF32(a, b);
    }

    public static int unorderedF64(double a, double b) {
        return 1 - orderedF64(a, b);
    }
}
