package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Requirement;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.Target;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.OperandSyntax;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the form that an instruction is of, with its operands fitted. */
final class Instructions {
    /** An instruction with its form; {@code operands} has one for each of the form's. */
    record Fitted(Spelling spelling, List<Operand> operands) {
    }

    private final Names names;
    private final Dialect dialect;
    private final Diagnostics diagnostics;
    private final KnownForms known;

    Instructions(Names names, Dialect dialect, Diagnostics diagnostics, KnownForms known) {
        this.names = names;
        this.dialect = dialect;
        this.diagnostics = diagnostics;
        this.known = known;
    }

    /** The forms that the spelling may mean; empty, and reported, when there are none. */
    List<Spelling> forms(Statement.Instruction instruction) {
        List<Spelling> found = known.of(instruction.spelling());
        if (found.isEmpty()) {
            UnknownForms.report(instruction, diagnostics);
        }
        return found;
    }

    /** The first form that the operands fit and that version and target have; null, and reported, when there is none. */
    Fitted fit(Statement.Instruction instruction, List<Spelling> forms) {
        List<Mismatch> fewest = null;
        Spelling nearest = null;
        Fitted tooNew = null;
        for (Spelling spelling : forms) {
            List<Mismatch> mismatches = new ArrayList<>(0);
            List<Operand> operands = new OperandFit(names, dialect, spelling, mismatches).fit(
                    instruction.operands(), opcode(instruction));
            if (!mismatches.isEmpty()) {
                if (fewest == null || mismatches.size() < fewest.size()) {
                    fewest = mismatches;
                    nearest = spelling;
                }
            } else if (allowed(spelling)) {
                return new Fitted(OldDialect.modern(spelling, dialect), List.copyOf(operands));
            } else {
                tooNew = tooNew == null ? new Fitted(spelling, operands) : tooNew;
            }
        }
        if (tooNew != null) {
            requirement(instruction, tooNew.spelling());
        } else if (fewest != null) {
            report(fewest, nearest);
        }
        return null;
    }

    /**
     * Where a mismatch does not say it better, the first one of an instruction shows how the instruction is written. With a wrong
     * number of operands there is no telling which of them has the wrong type.
     */
    private void report(List<Mismatch> mismatches, Spelling spelling) {
        boolean shown = false;
        boolean miscounted = mismatches.stream().anyMatch(one -> one.code() == DiagnosticCode.OPERAND_COUNT);
        for (Mismatch one : mismatches) {
            if (miscounted && one.code() == DiagnosticCode.OPERAND_TYPE) {
                continue;
            }
            boolean form = !shown && one.hint().isEmpty() && switch (one.code()) {
                case OPERAND_COUNT, OPERAND_TYPE -> true;
                default -> false;
            };
            shown |= form;
            diagnostics.report(one.code(), one.span(), one.message(), form ? "form: " + spelling.usage() : one.hint());
        }
    }

    private static OperandSyntax.Name opcode(Statement.Instruction instruction) {
        return new OperandSyntax.Name(instruction.opcodeStart(), instruction.spellingSpan().end(), instruction.spelling(), "");
    }

    boolean allowed(Spelling spelling) {
        return known.allowed(spelling);
    }

    /** Says what version or target the spelling needs. */
    void requirement(Statement.Instruction instruction, Spelling spelling) {
        Requirement unmet = spelling.unmet(dialect.version(), dialect.target());
        if (unmet != null && dialect.version().compareTo(unmet.version()) < 0) {
            diagnostics.report(DiagnosticCode.NEEDS_VERSION, instruction.spellingSpan(),
                    "'" + spelling + "' needs .version " + spelling.since() + " or later; the module says " + dialect.version(),
                    "the first head that has it: .version " + spelling.since() + ", .target " + spelling.minimum());
        } else if (unmet != null) {
            diagnostics.report(DiagnosticCode.NEEDS_TARGET, instruction.spellingSpan(),
                    "'" + spelling + "' needs .target " + targets(unmet.targets()) + "; the module says " + dialect.target());
        } else {
            Form form = spelling.form();
            String last = form.lastVersion() == null ? "" : ".version " + form.lastVersion();
            last += form.lastTarget() == null ? "" : (last.isEmpty() ? "" : " or ") + ".target " + form.lastTarget();
            diagnostics.report(DiagnosticCode.NO_SUCH_FORM, instruction.spellingSpan(),
                    "'" + spelling + "' exists up to " + last + "; the module says .version " + dialect.version() + ", .target "
                            + dialect.target(), UnknownForms.forms(spelling.opcode(), spelling.text().split("\\.")));
        }
    }

    private static String targets(List<Target> targets) {
        return targets.stream().map(target -> target + switch (target.suffix()) {
            case 'a' -> "";
            case 'f' -> " or later of its family";
            default -> " or later";
        }).collect(Collectors.joining(", "));
    }
}
