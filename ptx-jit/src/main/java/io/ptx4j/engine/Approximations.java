package io.ptx4j.engine;

/**
 * What {@code .approx} instructions, {@code div.full} and {@code tanh} give. The manual bounds their errors and leaves the bits open, and processors differ
 * (docs/numerics.md, "Approximations").
 */
public enum Approximations {
    /** Sequences of correctly rounded operations, within the manual's bounds, for {@code rcp}, {@code sqrt} and quotients the nearest number: fast everywhere. */
    PORTABLE,

    /** What an H100 gives, bit by bit (docs/numerics.md, "What an H100 approximates"); slower here. */
    HOPPER
}
