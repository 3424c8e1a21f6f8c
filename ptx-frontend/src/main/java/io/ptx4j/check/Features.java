package io.ptx4j.check;

import io.ptx4j.isa.Requirement;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;

/** Holds directives to the version and the target that a module's head names. */
record Features(Diagnostics diagnostics, Dialect dialect) {
    boolean need(Span place, Construct construct) {
        return need(place, construct.toString(), construct.since());
    }

    /** What the words of a declaration need. */
    boolean need(Span place, Declared declared) {
        return (declared.type() != ScalarType.B128 || need(place, Construct.B128))
                && (declared.type() != ScalarType.F16X2 || need(place, Construct.F16X2))
                && (declared.type().kind() != ScalarType.Kind.OPAQUE || declared.space() == StateSpace.TEX || need(place, Construct.OPAQUE))
                && (!declared.attributes() || need(place, Construct.ATTRIBUTE))
                && (declared.pointer() == null || need(place, Construct.POINTER));
    }

    /** Whether the module may use what {@code since} is the first version and target of; reports it where not. */
    boolean need(Span place, String what, Requirement since) {
        Mismatch unmet = unmet(dialect, place, what, since);
        if (unmet != null) {
            diagnostics.report(unmet.code(), unmet.span(), unmet.message(), unmet.hint());
        }
        return unmet == null;
    }

    /** The problem where version or target of the module lack what {@code since} is the first one of; null where they have it. */
    static Mismatch unmet(Dialect dialect, Span place, String what, Requirement since) {
        if (since.version().compareTo(dialect.version()) > 0) {
            return new Mismatch(DiagnosticCode.NEEDS_VERSION, place, what + " needs .version " + since.version()
                    + " or later; the module says " + dialect.version(), "");
        }
        return since.metBy(dialect.target()) ? null : new Mismatch(DiagnosticCode.NEEDS_TARGET, place, what + " needs .target "
                + since.targets().getFirst() + " or later; the module says " + dialect.target(), "");
    }
}
