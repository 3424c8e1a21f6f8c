package io.ptx4j.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import io.ptx4j.reference.EngineAnswers.Answer;
import io.ptx4j.reference.EngineAnswers.Vector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** docs/instructions.md: every form of the instruction table with what it needs and what runs it. */
final class InstructionReference {
    private static final String EVERYWHERE = "interpreter, scalar, vector";
    private final EngineAnswers engines = new EngineAnswers();
    private final StringBuilder text = new StringBuilder();

    private InstructionReference() {
    }

    static String text() {
        return new InstructionReference().all();
    }

    private String all() {
        text.append("# Instructions\n\n").append(GeneratedDocsTest.notice("the instruction table Opcode and the answers of the engines"));
        text.append("""
                Every form that the checker knows. `(a|b)` is a choice, `{.x}` and `{, x}` may be left out, `d|p` is a pair of destinations;
                behind a colon stands the type of an operand that is not the instruction's: `t2` is its second type, `wide` twice its width.
                The headings are those of the PTX manual, where the chapter has a section for each instruction.

                Under each form stands the first version of PTX and the first target that have it, then who runs it: the **interpreter**, and
                the JIT in its **scalar** shape and in its **vector** shape, natively or lane by lane (the scalar code in a loop over the
                threads of a warp). Loads and stores are asked where neighbouring threads access neighbouring elements. The engines gave these answers themselves, to kernels with each word of each form; what nobody runs is
                checked, and reported as unsupported when a kernel that contains it is compiled.

                """);
        for (Family family : Family.values()) {
            List<String> names = opcodes(family).stream().map(Opcode::spelling).toList();
            text.append("- [").append(family.chapter()).append("](#").append(anchor(family.chapter())).append("): ")
                    .append(String.join(", ", names)).append('\n');
        }
        for (Family family : Family.values()) {
            text.append("\n## ").append(family.chapter()).append('\n');
            opcodes(family).forEach(opcode -> opcode(opcode, family));
        }
        assertEquals("", String.join("\n", engines.refused()), "FormProbe must learn to write the operands of new forms");
        return text.toString();
    }

    private static List<Opcode> opcodes(Family family) {
        return List.of(Opcode.values()).stream().filter(opcode -> opcode.forms().stream().anyMatch(form -> form.family() == family)).toList();
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replace(' ', '-').replaceAll("[^a-z0-9-]", "");
    }

    /** Forms that need the same and run the same stand together. */
    private void opcode(Opcode opcode, Family family) {
        text.append("\n### ").append(opcode).append('\n');
        Map<String, List<Form>> groups = new LinkedHashMap<>();
        opcode.forms().stream().filter(form -> form.family() == family)
                .forEach(form -> groups.computeIfAbsent(needs(form) + "; " + runs(opcode, form), facts -> new ArrayList<>()).add(form));
        groups.forEach((facts, forms) -> {
            text.append("\n```\n");
            forms.forEach(form -> text.append(form.readable()).append('\n'));
            text.append("```\n\n").append(facts).append(".\n");
        });
        List<Form> old = opcode.oldForms().stream().filter(form -> form.family() == family).toList();
        if (!old.isEmpty()) {
            text.append("\nOld spellings: ").append(old.stream().map(form -> "`" + form.readable() + "` (" + until(form) + ", "
                    + (form.means().startsWith("-") ? "without " + form.means().substring(1) : "as " + form.means()) + ")")
                    .collect(Collectors.joining(", "))).append(".\n");
        }
    }

    private static String needs(Form form) {
        return Needs.of(form) + (form.lastVersion() == null && form.lastTarget() == null ? "" : ", " + until(form));
    }

    private static String until(Form form) {
        return "until " + (form.lastVersion() == null ? "" : "PTX " + form.lastVersion())
                + (form.lastTarget() == null ? "" : (form.lastVersion() == null ? "" : " or ") + form.lastTarget());
    }

    private String runs(Opcode opcode, Form form) {
        Map<Spelling, Answer> answers = engines.of(FormProbe.of(opcode, form));
        if (answers.isEmpty()) {
            return "not asked";
        }
        if (answers.values().stream().allMatch(answer -> !answer.interpreter() && !answer.scalar())) {
            return "**runs nowhere yet**";
        }
        List<String> runs = new ArrayList<>();
        add(runs, answers, Answer::interpreter, Map.of(true, "interpreter", false, "not interpreter"));
        add(runs, answers, Answer::scalar, Map.of(true, "scalar", false, "not scalar"));
        add(runs, answers, Answer::vector, Map.of(Vector.NATIVE, "vector", Vector.LANE_BY_LANE, "vector lane by lane", Vector.NONE, "not vector"));
        String all = String.join(", ", runs);
        return all.equals(EVERYWHERE) ? "runs everywhere" : "runs: " + all;
    }

    /** The answer to the first spelling, then the words that change it. */
    private static <T> void add(List<String> runs, Map<Spelling, Answer> answers, Function<Answer, T> question, Map<T, String> names) {
        Spelling first = answers.keySet().iterator().next();
        T usual = question.apply(answers.get(first));
        Map<T, List<String>> others = new LinkedHashMap<>();
        answers.forEach((spelling, answer) -> {
            if (!question.apply(answer).equals(usual)) {
                others.computeIfAbsent(question.apply(answer), a -> new ArrayList<>()).add(difference(spelling, first));
            }
        });
        String exceptions = others.entrySet().stream().map(other -> names.get(other.getKey()) + " with " + String.join(" ", other.getValue()))
                .collect(Collectors.joining(", "));
        runs.add(names.get(usual) + (exceptions.isEmpty() ? "" : " (" + exceptions + ")"));
    }

    private static String difference(Spelling spelling, Spelling first) {
        List<String> words = new ArrayList<>(List.of(spelling.text().split("(?=\\.)")));
        List.of(first.text().split("(?=\\.)")).forEach(words::remove);
        return "`" + (words.isEmpty() ? spelling.text() : String.join("", words)) + "`";
    }
}
