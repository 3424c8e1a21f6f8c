package io.ptx4j.syntax;

import java.util.Locale;

/**
 * Every kind of problem that the front end can report, with its stable name. The explanation is what the generated page of
 * documentation says; each code has case files.
 */
public enum DiagnosticCode {
    SYNTAX(Severity.ERROR, "The text does not follow the grammar of PTX at this place."),
    NESTING(Severity.ERROR, "Parentheses, braces or scopes stand deeper in each other than the limit."),
    BAD_CONSTANT(Severity.ERROR, "A literal or a constant expression has no value."),
    BAD_OPERAND(Severity.ERROR, "An operand is built from parts that do not go together."),
    MISPLACED(Severity.ERROR, "A directive or an instruction stands where the language does not allow it."),
    HEAD(Severity.ERROR, "The head of a module is wrong: .version, .target and .address_size."),
    UNKNOWN_INSTRUCTION(Severity.ERROR, "No instruction of PTX has this name."),
    NO_SUCH_FORM(Severity.ERROR, "The instruction exists, but not with these modifiers and types."),
    OPERAND_COUNT(Severity.ERROR, "The instruction takes another number of operands."),
    OPERAND_TYPE(Severity.ERROR, "An operand's type does not fit the instruction's."),
    OPERAND_RANGE(Severity.ERROR, "A constant operand is outside the range that the instruction takes."),
    STATE_SPACE(Severity.ERROR, "An address lies in another state space than the instruction accesses."),
    UNKNOWN_NAME(Severity.ERROR, "A name is used that no declaration before it introduces."),
    UNKNOWN_LABEL(Severity.ERROR, "A branch goes to a label that its scope does not have."),
    DUPLICATE_NAME(Severity.ERROR, "A scope declares the same name twice."),
    NEEDS_VERSION(Severity.ERROR, "The instruction or directive is newer than the module's .version."),
    NEEDS_TARGET(Severity.ERROR, "The module's .target does not have the instruction or directive."),
    BAD_DECLARATION(Severity.ERROR, "A declaration combines what does not go together."),
    BAD_INITIALIZER(Severity.ERROR, "An initial value does not fit the variable it is for."),
    BAD_CALL(Severity.ERROR, "A call does not fit the function it calls."),
    UNKNOWN_DIRECTIVE(Severity.ERROR, "A word that begins with a dot is no directive of PTX."),
    TOO_MANY(Severity.NOTE, "The file has more problems than are reported.");

    private final Severity severity;
    private final String explanation;

    DiagnosticCode(Severity severity, String explanation) {
        this.severity = severity;
        this.explanation = explanation;
    }

    public Severity severity() {
        return severity;
    }

    public String explanation() {
        return explanation;
    }

    /** The stable name, such as {@code bad-operand}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
