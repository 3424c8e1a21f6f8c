package io.ptx4j.ir;

import java.util.List;
import java.util.function.IntUnaryOperator;

/** How a basic block ends. Targets are block indices. */
public sealed interface Terminator {
    Location location();

    /** The same end with other targets. */
    default Terminator withTargets(IntUnaryOperator targets) {
        return switch (this) {
            case Jump j -> new Jump(targets.applyAsInt(j.target), j.location);
            case Branch b -> new Branch(b.predicate, b.negated, targets.applyAsInt(b.taken), targets.applyAsInt(b.otherwise), b.uniform, b.location);
            case Switch s -> new Switch(s.index, s.targets.stream().map(targets::applyAsInt).toList(), s.location);
            case Return r -> r;
            case Exit e -> e;
        };
    }

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
