package io.ptx4j.jit;

import io.ptx4j.jit.code.Listing;

/**
 * The class generated for a kernel.
 *
 * @param name binary name with dots
 * @param bytes the class file
 * @param largestMethod upper bound of the bytecodes of its largest method
 */
public record GeneratedClass(String name, byte[] bytes, int largestMethod) {
    /** The class as text: its methods instruction by instruction. */
    public String listing() {
        return Listing.of(bytes);
    }
}
