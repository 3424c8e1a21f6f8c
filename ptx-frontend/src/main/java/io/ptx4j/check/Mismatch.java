package io.ptx4j.check;

import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Span;

/** Why an operand does not fit a form; reported when no other form fits better. */
record Mismatch(DiagnosticCode code, Span span, String message, String hint) {
}
