package io.ptx4j.ir;

import java.util.List;

/**
 * A {@code .func}.
 *
 * @param results formal results: for {@code .param} ones variables, for {@code .reg} ones registers of the body
 * @param parameters formal parameters, likewise
 * @param body null when only declared
 */
public record Function(
        String name, Linkage linkage, Prototype prototype, List<Formal> results, List<Formal> parameters, Body body,
        Location location) {

    /** A formal parameter or result; exactly one of the two is set. */
    public record Formal(Variable variable, Register register) {
    }
}
