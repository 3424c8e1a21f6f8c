package io.ptx4j.check;

import io.ptx4j.ir.Module;
import io.ptx4j.syntax.Diagnostic;
import java.util.List;

/**
 * What the front end makes of a file.
 *
 * @param module null when {@code diagnostics} holds an error
 * @param diagnostics all problems, in the order of their places
 */
public record CheckedModule(Module module, List<Diagnostic> diagnostics) {
    public boolean ok() {
        return module != null;
    }
}
