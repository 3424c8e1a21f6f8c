package io.ptx4j.ir;

import java.util.List;

/**
 * Initial contents of a variable: little-endian bytes from its start (shorter than the variable when the rest is zero), and
 * the places where addresses go once they are known.
 */
public record Initializer(byte[] bytes, List<Relocation> relocations) {
    /**
     * An address inside an initialiser.
     *
     * @param offset where in the variable, in bytes
     * @param width bytes written: 1 to 8
     * @param symbol name of the variable, function or kernel
     * @param addend added to the address
     * @param generic {@code generic(symbol)}: the generic address, not the one within the symbol's space
     * @param mask {@code 0xff00(symbol)}: which bits of the address are taken (shifted down to its lowest bit); -1 for all
     */
    public record Relocation(int offset, int width, String symbol, long addend, boolean generic, long mask) {
    }
}
