package io.ptx4j.engine;

/**
 * How {@code mma} and {@code wmma.mma} add up the products of floating-point elements of up to 19 bits. The manual leaves order, precision and rounding open, and processors
 * differ (docs/matrix.md, "Arithmetic"). Integers and {@code .f64} have one right result.
 */
public enum MatrixSums {
    /** A chain of single precision multiply-adds in the order of k, each rounded once, to nearest: what a loop of {@code fma.rn.f32} gives, whatever the shape. */
    FUSED,

    /**
     * What an H100 gives, bit by bit (docs/matrix.md, "What an H100 does"); slower here. Instructions that an H100 does not have, with block scales or elements of 4 or 6 bits, are
     * summed as {@link #FUSED} says.
     */
    HOPPER
}
