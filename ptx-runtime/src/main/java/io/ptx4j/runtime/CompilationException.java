package io.ptx4j.runtime;

import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.Severity;
import java.util.List;
import java.util.stream.Collectors;

/** A text is not valid PTX, or a module needs a symbol that it does not define. */
public final class CompilationException extends PtxException {
    private static final long serialVersionUID = 1L;

    private final transient List<Diagnostic> diagnostics;

    CompilationException(String module, List<Diagnostic> diagnostics) {
        super(module + " does not compile:\n" + diagnostics.stream().filter(d -> d.severity() == Severity.ERROR)
                .map(Diagnostic::render).collect(Collectors.joining("\n")), null);
        this.diagnostics = List.copyOf(diagnostics);
    }

    /** Everything that was found, warnings included, in text order. */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }
}
