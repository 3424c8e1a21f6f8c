package io.ptx4j.check;

import io.ptx4j.syntax.SourceFile;
import java.util.List;

/** The front end's one entry: PTX text to the checked program. */
public final class Checker {
    private Checker() {
    }

    /** Reads and checks a file; never throws for any text. What is {@code .extern} may be missing. */
    public static CheckedModule check(SourceFile source) {
        return Linker.link(List.of(source), false);
    }
}
