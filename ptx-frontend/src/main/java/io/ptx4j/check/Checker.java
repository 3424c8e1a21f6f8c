package io.ptx4j.check;

import io.ptx4j.ir.Module;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.ModuleReader;
import io.ptx4j.syntax.ParsedModule;
import io.ptx4j.syntax.SourceFile;

/** The front end's one entry: PTX text to the checked program. */
public final class Checker {
    private Checker() {
    }

    /** Reads and checks a file; never throws for any text. */
    public static CheckedModule check(SourceFile source) {
        Diagnostics diagnostics = new Diagnostics(source);
        ParsedModule parsed = ModuleReader.read(diagnostics);
        Module module = new ModuleChecker(parsed, diagnostics).check();
        return new CheckedModule(diagnostics.hasErrors() ? null : module, diagnostics.all());
    }
}
