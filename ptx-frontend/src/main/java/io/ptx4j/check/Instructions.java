package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Spelling;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.OperandSyntax;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the form that an instruction is of, with its operands fitted. */
final class Instructions {
    /** An instruction with its form; {@code operands} has one for each of the form's. */
    record Fitted(Spelling spelling, List<Operand> operands) {
    }

    private final Names names;
    private final Dialect dialect;
    private final Diagnostics diagnostics;
    private final Map<String, List<Spelling>> spellings;

    Instructions(Names names, Dialect dialect, Diagnostics diagnostics, Map<String, List<Spelling>> spellings) {
        this.names = names;
        this.dialect = dialect;
        this.diagnostics = diagnostics;
        this.spellings = spellings;
    }

    static Map<String, List<Spelling>> newCache() {
        return new HashMap<>();
    }

    /** The forms that the spelling may mean; empty, and reported, when there are none. */
    List<Spelling> forms(Statement.Instruction instruction) {
        List<Spelling> found = spellings.computeIfAbsent(instruction.spelling(), Matcher::match);
        if (found.isEmpty()) {
            UnknownForms.report(instruction, diagnostics);
        }
        return found;
    }

    /** The first form that the operands fit and that version and target have; null, and reported, when there is none. */
    Fitted fit(Statement.Instruction instruction, List<Spelling> forms) {
        List<Mismatch> fewest = null;
        Fitted tooNew = null;
        for (Spelling spelling : forms) {
            List<Mismatch> mismatches = new ArrayList<>(0);
            List<Operand> operands = new OperandFit(names, dialect, spelling, mismatches).fit(
                    instruction.operands(), opcode(instruction));
            if (!mismatches.isEmpty()) {
                fewest = fewest == null || mismatches.size() < fewest.size() ? mismatches : fewest;
            } else if (allowed(spelling.form())) {
                return new Fitted(spelling, List.copyOf(operands));
            } else {
                tooNew = tooNew == null ? new Fitted(spelling, operands) : tooNew;
            }
        }
        if (tooNew != null) {
            requirement(instruction, tooNew.spelling());
        } else if (fewest != null) {
            fewest.forEach(one -> diagnostics.report(one.code(), one.span(), one.message(), one.hint()));
        }
        return null;
    }

    private static OperandSyntax.Name opcode(Statement.Instruction instruction) {
        return new OperandSyntax.Name(instruction.opcodeStart(), instruction.spellingSpan().end(), instruction.spelling(), "");
    }

    boolean allowed(Form form) {
        return dialect.version().compareTo(form.since()) >= 0 && dialect.target().supports(form.minimum())
                && (form.until() == null || dialect.target().number() <= form.until().number());
    }

    /** Says what version or target the form needs. */
    void requirement(Statement.Instruction instruction, Spelling spelling) {
        Form form = spelling.form();
        if (dialect.version().compareTo(form.since()) < 0) {
            diagnostics.report(DiagnosticCode.NEEDS_VERSION, instruction.spellingSpan(),
                    "'" + spelling + "' needs .version " + form.since() + " or later; the module says " + dialect.version());
        } else if (!dialect.target().supports(form.minimum())) {
            diagnostics.report(DiagnosticCode.NEEDS_TARGET, instruction.spellingSpan(),
                    "'" + spelling + "' needs .target " + form.minimum() + (form.minimum().suffix() == 0 ? " or later" : "")
                            + "; the module says " + dialect.target());
        } else {
            diagnostics.report(DiagnosticCode.NEEDS_TARGET, instruction.spellingSpan(),
                    "'" + spelling + "' exists up to .target " + form.until() + "; the module says " + dialect.target());
        }
    }
}
