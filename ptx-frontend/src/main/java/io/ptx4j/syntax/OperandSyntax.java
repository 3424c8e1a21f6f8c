package io.ptx4j.syntax;

import java.util.List;

/** An operand as written; what its names mean is found out by the checker. Offsets are those of the source text. */
public sealed interface OperandSyntax {
    int start();

    /** The offset behind the operand. */
    int end();

    default Span span() {
        return new Span(start(), end());
    }

    /**
     * A register, variable, label, function or special register.
     *
     * @param selector what stands behind the name's dot ({@code x}, {@code b0}, {@code h1}), without the dot, or empty
     */
    record Name(int start, int end, String name, String selector) implements OperandSyntax {
    }

    /** {@code name + 8}: an address computed from a name. */
    record Offset(int start, int end, Name name, long offset) implements OperandSyntax {
    }

    record Immediate(int start, int end, Constant value) implements OperandSyntax {
    }

    /** {@code !p}. */
    record Not(int start, int end, Name name) implements OperandSyntax {
    }

    /** {@code -a}, which video instructions know. */
    record Negated(int start, int end, Name name) implements OperandSyntax {
    }

    /** {@code p|q}: two destinations, the second a predicate. The first may be a vector (textures). */
    record Pair(int start, int end, OperandSyntax first, OperandSyntax second) implements OperandSyntax {
    }

    /** {@code _}: a result that nobody wants. */
    record Discard(int start, int end) implements OperandSyntax {
    }

    /** <code>{a, b}</code>. */
    record Vector(int start, int end, List<OperandSyntax> elements) implements OperandSyntax {
    }

    /**
     * {@code [a+8]}; of a texture or tensor {@code [name, {x, y}]}.
     *
     * @param base name, offset or immediate
     * @param more what stands behind the first comma: sampler, coordinates
     * @param unified {@code .unified} stands behind the bracket
     */
    record Address(int start, int end, OperandSyntax base, List<OperandSyntax> more, boolean unified) implements OperandSyntax {
    }

    /** {@code (a, b)}: the arguments or results of a call. */
    record Arguments(int start, int end, List<OperandSyntax> list) implements OperandSyntax {
    }
}
