package io.ptx4j.syntax;

import java.util.List;

/** A statement or directive as written. Offsets are those of the source text. */
public sealed interface Statement {
    int start();

    /** The offset behind the statement. */
    int end();

    default Span span() {
        return new Span(start(), end());
    }

    record Label(int start, int end, String name) implements Statement {
    }

    /** {@code @p} or {@code @!p}. */
    record Guard(int start, int end, String name, boolean negated) {
        public Span span() {
            return new Span(start, end);
        }
    }

    /**
     * @param guard null when there is none
     * @param spelling opcode and modifiers, {@code ld.global.v4.f32}
     * @param opcodeStart the offset of the spelling
     */
    record Instruction(int start, int end, Guard guard, String spelling, int opcodeStart, List<OperandSyntax> operands)
            implements Statement {
        /** The whole spelling, as far as it is written in one piece. */
        public Span spellingSpan() {
            return new Span(opcodeStart, Math.min(end, opcodeStart + spelling.length()));
        }
    }

    /** A scope of its own: <code>{ ... }</code>. */
    record Block(int start, int end, List<Statement> statements) implements Statement {
    }

    /**
     * A declaration of variables or registers, such as {@code .visible .global .align 4 .b8 table[64];}.
     *
     * @param linkage {@code .visible}, {@code .extern}, {@code .weak}, {@code .common}
     * @param specifiers state space, alignment, attributes, vector length and type, in the order written
     */
    record Variables(int start, int end, List<Word> linkage, List<Specifier> specifiers, List<Declarator> declarators)
            implements Statement {
    }

    /** A word with a dot, such as {@code .global}. */
    record Word(int start, int end, String text) {
        public Span span() {
            return new Span(start, end);
        }
    }

    sealed interface Specifier {
        Span span();
    }

    /** State space, type, vector length, {@code .ptr}; {@code bank} is that of {@code .const[2]}, or -1. */
    record Plain(Word word, long bank) implements Specifier {
        @Override
        public Span span() {
            return word.span();
        }
    }

    record Alignment(Span span, long bytes) implements Specifier {
    }

    /** {@code .attribute(.managed, .unified(1, 2))}. */
    record Attributes(Span span, List<Attribute> list) implements Specifier {
    }

    record Attribute(Word word, List<Long> values) {
    }

    /**
     * A declared name.
     *
     * @param count of {@code %r<count>}, or -1
     * @param dimensions {@link #OPEN} for {@code []}
     * @param initializer null when there is none
     */
    record Declarator(int start, int end, String name, long count, List<Long> dimensions, InitializerSyntax initializer) {
        /** The size of a dimension that the initialiser or the linker decides. */
        public static final long OPEN = -1;

        public Span span() {
            return new Span(start, end);
        }
    }

    /**
     * An entry, a function or its prototype.
     *
     * @param kernel {@code .entry}, not {@code .func}
     * @param body null for a prototype
     */
    record Function(
            int start, int end, List<Word> linkage, boolean kernel, List<Attribute> attributes, List<Parameter> results,
            Word name, List<Parameter> parameters, List<Trait> traits, Block body) implements Statement {
    }

    /** A formal parameter; {@code name} is {@code _} where a prototype leaves it open. */
    record Parameter(int start, int end, List<Specifier> specifiers, Word name, List<Long> dimensions) {
        public Span span() {
            return new Span(start, end);
        }
    }

    /**
     * What stands between the head of a function and its body, such as {@code .maxntid 16, 16}.
     *
     * @param strings of {@code .pragma}, else empty
     */
    record Trait(Word word, List<TraitArgument> arguments, List<String> strings) {
    }

    /** @param target the target that the value is for ({@code .maxnctapersm sm_13:8}), or null */
    record TraitArgument(String target, long value) {
    }

    record Pragma(int start, int end, List<String> strings) implements Statement {
    }

    /** @param inlined null where the code is not inlined */
    record Location(int start, int end, int file, int line, int column, Inlined inlined) implements Statement {
    }

    /** @param function the label of the function's name in {@code .debug_str} */
    record Inlined(String function, long offset, int file, int line, int column) {
    }

    /** @param stamped whether its time or size is written */
    record FileName(int start, int end, int index, String name, boolean stamped) implements Statement {
    }

    /** Debug information; its lines are checked for syntax and not kept. */
    record Section(int start, int end, String name) implements Statement {
    }

    /** An {@code @@DWARF} line of PTX 1.x. */
    record DwarfLine(int start, int end) implements Statement {
    }

    /** {@code .version 9.0}: {@code number} is the text of the number. */
    record Version(int start, int end, String number) implements Statement {
    }

    record Target(int start, int end, List<Word> names) implements Statement {
    }

    record AddressSize(int start, int end, long bits) implements Statement {
    }

    record Alias(int start, int end, Word name, Word aliasee) implements Statement {
    }

    /** @param name the label before it */
    record CallPrototype(int start, int end, Word name, List<Parameter> results, List<Parameter> parameters, List<Trait> traits)
            implements Statement {
    }

    /** @param name the label before it */
    record BranchTargets(int start, int end, Word name, List<Word> labels) implements Statement {
    }

    /** @param name the label before it */
    record CallTargets(int start, int end, Word name, List<Word> functions) implements Statement {
    }
}
