package io.ptx4j.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.check.Linker;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.Program;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What checking and compiling one file found.
 *
 * @param ok false only for faults of the PTX itself, or when the file cannot be read
 * @param kernels how many it has, as far as it could be read
 * @param compiled how many of them became code
 */
record CheckedFile(Path file, boolean ok, int kernels, int compiled, List<Finding> findings) {
    /**
     * Something found; line and column are 0 where no place is known.
     *
     * @param severity {@code error}, {@code warning}, {@code note}, {@code unsupported} or {@code internal}, a fault of ptx4j
     * @param hint what would be right, or empty
     * @param text with the place and the source line, for people
     */
    record Finding(int line, int column, String severity, String code, String message, String hint, String text) {
        static Finding of(Diagnostic found) {
            return new Finding(found.position().line(), found.position().column(), found.severity().toString(),
                    found.code().toString(), found.message(), found.hint(), found.render());
        }

        /** The members of an object; {@code hint} where there is one. */
        void write(JsonGenerator json) throws IOException {
            json.writeStartObject();
            json.writeNumberField("line", line);
            json.writeNumberField("column", column);
            json.writeStringField("severity", severity);
            json.writeStringField("code", code);
            json.writeStringField("message", message);
            if (!hint.isEmpty()) {
                json.writeStringField("hint", hint);
            }
            json.writeEndObject();
        }
    }

    private static final int THREADS = 128;
    /** The directive at the start of a line, as compilers write it. */
    private static final Pattern ENTRY = Pattern.compile("^[ \\t]*(?:\\.(?:visible|weak|extern)[ \\t]+)?\\.entry\\s", Pattern.MULTILINE);

    boolean fine() {
        return ok && compiled == kernels && findings.stream().noneMatch(finding -> finding.severity().equals("internal"));
    }

    /** Whatever the file holds, this returns. @param links more files of the same program */
    static CheckedFile of(Path file, List<Path> links, Engine engine) {
        List<Finding> findings = new ArrayList<>();
        SourceFile source;
        List<SourceFile> more = new ArrayList<>();
        CheckedModule checked;
        try {
            source = SourceFile.read(file);
            for (Path link : links) {
                more.add(SourceFile.read(link));
            }
        } catch (IOException | OutOfMemoryError unreadable) {
            String message = unreadable instanceof IOException failed ? Ptx.text(failed) : "the file is too large";
            findings.add(new Finding(0, 0, "error", "unreadable", message, "", file + ": error: " + message));
            return new CheckedFile(file, false, 0, 0, findings);
        }
        try {
            more.addFirst(source);
            checked = links.isEmpty() ? Checker.check(source) : Linker.link(more);
        } catch (RuntimeException | Error broken) {
            findings.add(internal(file, 0, 0, "the front end failed: " + broken));
            return new CheckedFile(file, true, 0, 0, findings);
        }
        for (Diagnostic found : checked.diagnostics()) {
            findings.add(Finding.of(found));
        }
        int compiled = checked.ok() ? compile(source, checked.module(), engine, findings) : 0;
        return new CheckedFile(file, checked.ok(), checked.ok() ? checked.module().kernels().size() : entries(source.text()),
                compiled, findings);
    }

    /** About how many kernels a text has that does not compile. */
    private static int entries(String text) {
        return (int) ENTRY.matcher(text).results().count();
    }

    private static int compile(SourceFile source, Module module, Engine engine, List<Finding> findings) {
        Program program = new Program(module, new long[module.variableCount()], 0);
        SourceFile text = new SourceFile(module.name(), module.text());
        Set<Unsupported> unsupported = new LinkedHashSet<>();
        int compiled = 0;
        for (Kernel kernel : module.kernels().values()) {
            try {
                engine.prepare(program, kernel, shape(kernel));
                compiled++;
            } catch (UnsupportedKernelException cannot) {
                unsupported.addAll(cannot.unsupported());
            } catch (RuntimeException | Error broken) {
                findings.add(internal(Path.of(source.name()), kernel.location().line(), kernel.location().column(),
                        "compiling kernel " + kernel.name() + " failed: " + broken));
            }
        }
        for (Unsupported one : unsupported) {
            String message = one.construct() + ": " + one.reason();
            Module.File file = module.file(one.location().line());
            int line = one.location().line() - file.firstLine() + 1;
            findings.add(new Finding(line, one.location().column(), "unsupported", "unsupported", message, "",
                    file.name() + ":" + line + ":" + one.location().column() + ": unsupported: " + message + "\n  "
                            + text.lineText(one.location().line()).strip()));
        }
        return compiled;
    }

    private static Finding internal(Path file, int line, int column, String message) {
        return new Finding(line, column, "internal", "internal-error", message, "",
                file + ":" + line + ":" + column + ": internal: " + message + " (a fault of ptx4j)");
    }

    /** A block that the kernel allows. */
    static BlockShape shape(Kernel kernel) {
        List<Integer> required = kernel.limits().requiredThreads();
        if (required != null && !required.isEmpty()) {
            return new BlockShape(required.get(0), required.size() > 1 ? required.get(1) : 1, required.size() > 2 ? required.get(2) : 1);
        }
        List<Integer> most = kernel.limits().maxThreads();
        int limit = most == null || most.isEmpty() ? THREADS : most.stream().reduce(1, (a, b) -> a * b);
        return new BlockShape(Math.clamp(limit, 1, THREADS), 1, 1);
    }
}
