package io.ptx4j.reference;

import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.DiagnosticCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** docs/diagnostics: a page for each code of the catalogue, with what is really printed for its example. */
final class DiagnosticPages {
    private static final String FOLDER = "diagnostics/";

    /** Codes of {@code ptx check} that no text of PTX is to blame for. */
    private static final Map<String, String> OTHERS = Map.of(
            "unsupported", """
                    **Good PTX that the chosen engine cannot run.** Severity: unsupported. It is found when a kernel that contains the
                    instruction is compiled, not before: `ptx check` goes on with the other kernels, and they run. The message names the
                    instruction and the reason; [instructions](../instructions.md) says for each form what runs it.

                    ```
                    tcgen05.ptx:9:1: unsupported: tcgen05.shift.cta_group::1.down: not supported by the JIT
                    ```

                    Another engine may run it: `--engine interpreter`.
                    """,
            "unreadable", """
                    **A file cannot be read.** Severity: error. It does not exist, may not be read, or is larger than the memory of the
                    JVM. The message is that of the operating system; line and column are 0. Other files of the same run are checked.
                    """,
            "internal-error", """
                    **A fault of ptx4j.** Severity: internal. Reading or compiling ended with an exception that says nothing about the
                    PTX. `ok` stays true, other kernels and files are checked, and the exit code is 1. Please tell us, with the file.
                    """);

    private DiagnosticPages() {
    }

    /** The pages by their path below docs. */
    static Map<String, String> all() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put(FOLDER + "README.md", index());
        for (DiagnosticCode code : DiagnosticCode.values()) {
            pages.put(FOLDER + code + ".md", page(code));
        }
        OTHERS.forEach((code, text) -> pages.put(FOLDER + code + ".md", "# " + code + "\n\n" + GeneratedDocsTest.notice("DiagnosticPages") + text));
        return pages;
    }

    private static String index() {
        StringBuilder text = new StringBuilder("# Diagnostics\n\n").append(GeneratedDocsTest.notice("DiagnosticCode"));
        text.append("""
                Each message has a stable code: at its end in brackets, and as `code` in `ptx check --json`. All problems of a file are
                reported in one run; one mistake costs one statement.

                | code | what it says |
                |---|---|
                """);
        for (DiagnosticCode code : DiagnosticCode.values()) {
            text.append("| [").append(code).append("](").append(code).append(".md) | ").append(code.title()).append(" |\n");
        }
        return text.append("""

                Three codes are not about the PTX itself: [unsupported](unsupported.md), [unreadable](unreadable.md) and
                [internal-error](internal-error.md).

                A case file names the codes that a text must be answered with: `// diagnostic: operand-count 12 takes 3` wants that code in
                line 12, with these words in the message or in the hint, and no code in any line that no such comment names.
                """).toString();
    }

    private static String page(DiagnosticCode code) {
        StringBuilder text = new StringBuilder("# ").append(code).append("\n\n").append(GeneratedDocsTest.notice("DiagnosticCode"));
        text.append("**").append(code.title()).append(".** Severity: ").append(code.severity()).append(". ");
        text.append(code.section().isEmpty() ? "A limit of ptx4j.\n\n" : "In the PTX manual: \"" + code.section() + "\".\n\n");
        text.append(code.explanation()).append("\n\n");
        if (!code.wrong().isEmpty()) {
            fenced(text.append("Wrong:\n\n"), code.wrong().stripTrailing());
            fenced(text.append("Reported as:\n\n"), DiagnosticExample.check(code.wrong()).stream().map(Diagnostic::render)
                    .collect(Collectors.joining("\n")));
            fenced(text.append("Right:\n\n"), code.right().stripTrailing());
        }
        return text.append("[All codes](README.md)\n").toString();
    }

    private static void fenced(StringBuilder text, String lines) {
        text.append("```\n").append(lines).append("\n```\n\n");
    }
}
