package io.ptx4j.check;

import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Words why a spelling is of no form. */
final class UnknownForms {
    private static final int FORMS_SHOWN = 4;
    private static final int LENGTH_SHOWN = 240;

    private UnknownForms() {
    }

    static void report(Statement.Instruction instruction, Diagnostics diagnostics) {
        String[] words = instruction.spelling().split("\\.", -1);
        Opcode opcode = Opcode.named(words[0]);
        if (opcode == null) {
            String foreign = Foreign.instruction(words[0]);
            String near = foreign.isEmpty() ? Nearest.to(words[0], Arrays.stream(Opcode.values()).map(Opcode::spelling).toList()) : null;
            diagnostics.report(DiagnosticCode.UNKNOWN_INSTRUCTION, word(instruction, 0, words[0].length()),
                    "no instruction is named '" + words[0] + "'", near == null ? foreign : "did you mean '" + near + "'?");
            return;
        }
        int at = words[0].length();
        for (int i = 1; i < words.length; i++) {
            if (!stands(opcode, words[i])) {
                diagnostics.report(DiagnosticCode.NO_SUCH_FORM, word(instruction, at, at + 1 + words[i].length()),
                        "no form of '" + opcode + "' takes '." + words[i] + "'", hint(opcode, words, words[i]));
                return;
            }
            at += 1 + words[i].length();
        }
        diagnostics.report(DiagnosticCode.NO_SUCH_FORM, instruction.spellingSpan(),
                words.length == 1 ? "'" + opcode + "' does not stand without modifiers" : "no form of '" + opcode + "' takes " + together(words), hint(opcode, words, ""));
    }

    private static Span word(Statement.Instruction instruction, int from, int to) {
        int start = Math.min(instruction.opcodeStart() + from, instruction.end());
        return new Span(start, Math.min(instruction.opcodeStart() + to, instruction.end()));
    }

    private static boolean stands(Opcode opcode, String word) {
        ScalarType type = ScalarType.named(word);
        Modifier modifier = Modifier.spelled(word);
        return opcode.forms().stream().flatMap(form -> form.parts().stream())
                .anyMatch(part -> part.types().contains(type) || part.modifiers().contains(modifier));
    }

    private static String together(String[] words) {
        StringBuilder text = new StringBuilder("'." + words[1] + "'");
        for (int i = 2; i < words.length; i++) {
            text.append(i == words.length - 1 ? " with '." : ", '.").append(words[i]).append("'");
        }
        return text.toString();
    }

    private static String hint(Opcode opcode, String[] words, String wrong) {
        String meant = Foreign.type(wrong);
        return meant + (meant.isEmpty() ? "" : " ") + forms(opcode, words);
    }

    /** The forms that share most words with what is written and have not ended: one at least, more while they are short. */
    static String forms(Opcode opcode, String[] words) {
        Set<ScalarType> types = EnumSet.noneOf(ScalarType.class);
        Set<Modifier> modifiers = EnumSet.noneOf(Modifier.class);
        for (String word : words) {
            Optional.ofNullable(ScalarType.named(word)).ifPresent(types::add);
            Optional.ofNullable(Modifier.spelled(word)).ifPresent(modifiers::add);
        }
        List<String> best = new ArrayList<>();
        int length = 0;
        for (Near near : opcode.forms().stream().filter(form -> form.lastVersion() == null && form.lastTarget() == null)
                .map(form -> new Near(form, shared(form, types, modifiers)))
                .sorted(Comparator.comparingLong(Near::shared).reversed()).limit(FORMS_SHOWN).toList()) {
            length += near.form.readable().length();
            if (best.isEmpty() || length <= LENGTH_SHOWN) {
                best.add(near.form.readable());
            }
        }
        return best.isEmpty() ? "" : (best.size() == 1 ? "the form is: " : "forms: ") + String.join("; ", best);
    }

    /** @param shared how many of its parts are written */
    private record Near(Form form, long shared) {
    }

    private static long shared(Form form, Set<ScalarType> types, Set<Modifier> modifiers) {
        return form.parts().stream().filter(part -> !Collections.disjoint(part.types(), types) || !Collections.disjoint(part.modifiers(), modifiers)).count();
    }
}
