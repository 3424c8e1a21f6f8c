package io.ptx4j.check;

import io.ptx4j.isa.Requirement;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;

/** Holds directives to the version and the target that a module's head names. */
record Features(Diagnostics diagnostics, Dialect dialect) {
    /** Whether the module may use what {@code since} is the first version and target of; reports it where not. */
    boolean need(Span place, String what, Requirement since) {
        if (since.version().compareTo(dialect.version()) > 0) {
            diagnostics.report(DiagnosticCode.NEEDS_VERSION, place, what + " needs .version " + since.version()
                    + " or later; the module says " + dialect.version());
        } else if (!since.metBy(dialect.target())) {
            diagnostics.report(DiagnosticCode.NEEDS_TARGET, place, what + " needs .target " + since.targets().getFirst()
                    + " or later; the module says " + dialect.target());
        } else {
            return true;
        }
        return false;
    }
}
