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
