package io.ptx4j.syntax;

import java.util.List;

/** The initial value of a variable as written. */
public sealed interface InitializerSyntax {
    Span span();

    record Value(Span span, Constant constant) implements InitializerSyntax {
    }

    /**
     * The address of a variable or function plus an offset.
     *
     * @param generic {@code generic(name)}: the address in the generic space
     * @param mask {@code 0xff00(name)}: of the address only these bits, moved to the right; -1 for all
     */
    record Symbol(Span span, String name, long offset, boolean generic, long mask) implements InitializerSyntax {
    }

    /** <code>{a, b, c}</code>, also nested. */
    record Elements(Span span, List<InitializerSyntax> list) implements InitializerSyntax {
    }

    /** {@code width = 5} of a texture, sampler or surface; {@code word} is the name on the right side, or null. */
    record Property(Span span, String name, String word, Constant constant) implements InitializerSyntax {
    }
}
