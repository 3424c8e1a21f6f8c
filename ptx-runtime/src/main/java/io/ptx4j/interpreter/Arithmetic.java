package io.ptx4j.interpreter;

import io.ptx4j.isa.Spelling;

/**
 * The definition of an instruction that computes one value from its sources and has no other effect.
 *
 * <p>Each family file offers {@code static Arithmetic definition(Spelling)}: what that spelling means, or null where the file has
 * no definition for it. {@code set} and {@code setp} of every type are in {@code Comparison}.
 */
@FunctionalInterface
interface Arithmetic {
    /**
     * Raw bits of the result, cut to the destination type's width (a predicate is 0 or 1).
     *
     * @param sources raw bits of the source operands in the form's order, each already cut to its operand type's width, without
     *     the optional ones that are not written; read only
     */
    long apply(Spelling spelling, long[] sources);
}
