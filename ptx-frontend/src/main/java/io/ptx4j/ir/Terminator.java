package io.ptx4j.ir;

import java.util.List;

/** How a basic block ends. Targets are block indices. */
public sealed interface Terminator {
    Location location();

    /** Goes on at {@code target}: {@code bra}, or the fall-through into the next label. */
    record Jump(int target, Location location) implements Terminator {
    }

    /**
     * {@code @p bra}: to {@code taken} where {@code predicate} is true ({@code negated}: false), else to {@code otherwise}. Guarded
     * {@code ret} and {@code exit} branch to a block of their own.
     *
     * @param uniform {@code .uni} was written
     */
    record Branch(Register predicate, boolean negated, int taken, int otherwise, boolean uniform, Location location)
            implements Terminator {
    }

    /** {@code brx.idx}: an index outside the list is undefined in the manual and a fault here. */
    record Switch(Register index, List<Integer> targets, Location location) implements Terminator {
    }

    /** {@code ret}; from a kernel the thread ends. */
    record Return(Location location) implements Terminator {
    }

    /** {@code exit}: the thread ends, from whatever call depth. */
    record Exit(Location location) implements Terminator {
    }
}
