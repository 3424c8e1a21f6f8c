package io.ptx4j.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the problems of one file. */
public final class Diagnostics {
    /** So many are kept of one file; a note says that there were more. */
    public static final int LIMIT = 1000;

    private final SourceFile source;
    private final List<Diagnostic> found = new ArrayList<>();
    private boolean errors;

    public Diagnostics(SourceFile source) {
        this.source = source;
    }

    public SourceFile source() {
        return source;
    }

    public void report(DiagnosticCode code, Span span, String message) {
        report(code, span, message, "");
    }

    public void report(DiagnosticCode code, Span span, String message, String hint) {
        errors |= code.severity() == Severity.ERROR;
        if (found.size() < LIMIT) {
            found.add(new Diagnostic(code, source, span, message, hint));
        } else if (found.size() == LIMIT) {
            found.add(new Diagnostic(DiagnosticCode.TOO_MANY, source, span,
                    "more problems follow; only the first " + LIMIT + " are reported", ""));
        }
    }

    public boolean hasErrors() {
        return errors;
    }

    /** True when {@link #LIMIT} is reached and nothing more is kept. */
    public boolean full() {
        return found.size() > LIMIT;
    }

    /** All problems in the order of their places. */
    public List<Diagnostic> all() {
        return found.stream().sorted(Comparator.comparingInt(d -> d.span().start())).toList();
    }
}
