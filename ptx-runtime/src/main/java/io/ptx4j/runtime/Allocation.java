package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;

/**
 * A piece of device memory that belongs to something.
 *
 * @param offset of its first byte from the start of device memory
 */
record Allocation(String name, long offset, long bytes) {
    long address() {
        return AddressSpace.ORIGIN + offset;
    }

    long end() {
        return offset + bytes;
    }

    /** How many bytes {@code other} lies outside; 0 inside. */
    long distance(long other) {
        return other < offset ? offset - other : Math.max(0, other - end() + 1);
    }
}
