package io.ptx4j.isa;

import java.util.Locale;

/** A state space (manual: "State Spaces"); {@code GENERIC} is the absence of one on a memory instruction. */
public enum StateSpace {
    REG, SREG, CONST, GLOBAL, LOCAL, PARAM, SHARED, TEX,
    /** Tensor memory of the fifth generation of tensor cores. */
    TENSOR,
    GENERIC;

    @Override
    public String toString() {
        return "." + name().toLowerCase(Locale.ROOT);
    }
}
