package io.ptx4j.ir;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;

/**
 * A named piece of memory: a module or body variable, a parameter, or a call's {@code .param} argument area.
 *
 * @param index dense number within the module over all variables of all bodies, from 0
 * @param name as declared
 * @param space {@code GLOBAL}, {@code CONST}, {@code SHARED}, {@code LOCAL}, {@code PARAM} or {@code TEX}
 * @param type element type ({@code TEXREF}, {@code SAMPLERREF}, {@code SURFREF} for opaque ones)
 * @param bytes whole size; 0 for an {@code .extern .shared} array of unknown size (dynamic shared memory)
 * @param alignment in bytes, a power of two
 * @param linkage who else sees it
 * @param initial the initial bytes; null when there are none (zero)
 * @param pointer what a kernel parameter declared with {@code .ptr} points to; null otherwise
 */
public record Variable(
        int index, String name, StateSpace space, ScalarType type, long bytes, int alignment, Linkage linkage,
        Initializer initial, Pointer pointer, Location location) {

    /** Whether its size is given by each launch ({@code .extern .shared .b8 s[]}). */
    public boolean dynamic() {
        return space == StateSpace.SHARED && bytes == 0;
    }

    /** The {@code .ptr} attribute of a kernel parameter; {@code GENERIC} space when none is written. */
    public record Pointer(StateSpace space, int alignment) {
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Variable variable && variable.index == index && variable.name.equals(name);
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public String toString() {
        return name;
    }
}
