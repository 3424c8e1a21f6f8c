package io.ptx4j.syntax;

import java.util.Locale;

/** How bad a diagnostic is. */
public enum Severity {
    /** The text is not PTX; nothing of the module runs. */
    ERROR,
    /** Good PTX that no engine can run yet; kernels that do not reach it run. */
    UNSUPPORTED,
    /** Good PTX that is likely not meant. */
    WARNING,
    NOTE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
