package io.ptx4j.runtime;

import java.util.List;

/** A text is not valid PTX, or a module needs a symbol that it does not define. */
public final class CompilationException extends PtxException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> diagnostics;

    CompilationException(String module, List<String> diagnostics) {
        super(module + " does not compile:\n" + String.join("\n", diagnostics), null);
        this.diagnostics = List.copyOf(diagnostics);
    }

    /** Every problem, worded {@code file:line:column: …}, in text order. */
    public List<String> diagnostics() {
        return diagnostics;
    }
}
