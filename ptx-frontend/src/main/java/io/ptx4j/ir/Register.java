package io.ptx4j.ir;

import io.ptx4j.isa.ScalarType;

/**
 * A virtual register of one body. Registers that sibling scopes declare under one name are different registers.
 *
 * @param index dense number within the body, from 0
 * @param name as declared, such as {@code %r12} or {@code top}; a component of a vector register is {@code %v.x}
 * @param type as declared; it gives the width, the instruction's type says how the bits are read
 */
public record Register(int index, String name, ScalarType type) {
    /** The index alone: tables of registers are asked at every step, and differ in it within a body. */
    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public String toString() {
        return name;
    }
}
