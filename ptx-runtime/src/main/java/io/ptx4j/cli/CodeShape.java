package io.ptx4j.cli;

import io.ptx4j.jit.Jit;

/** What {@code --shape} may ask for. */
enum CodeShape {
    SCALAR(Jit.Shape.SCALAR), VECTOR(Jit.Shape.VECTOR);

    final Jit.Shape wanted;

    CodeShape(Jit.Shape wanted) {
        this.wanted = wanted;
    }
}
