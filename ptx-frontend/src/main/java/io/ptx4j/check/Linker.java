package io.ptx4j.check;

import io.ptx4j.ir.Module;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.ModuleReader;
import io.ptx4j.syntax.ParsedModule;
import io.ptx4j.syntax.SourceFile;
import io.ptx4j.syntax.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes one program of several modules (manual: "Linking Directives"). {@code .extern} names get the definition that another
 * module has {@code .visible}, {@code .weak} or {@code .common}; names without a directive stay private to their module.
 */
public final class Linker {
    private Linker() {
    }

    /**
     * Reads, checks and links files; never throws for any text. The diagnostics of the files come one file after the other; names
     * that nothing defines, that two modules define, or that two modules declare differently are among them.
     *
     * @param sources at least one
     */
    public static CheckedModule link(List<SourceFile> sources) {
        return link(sources, true);
    }

    /** @param complete whether all that is used must be defined */
    static CheckedModule link(List<SourceFile> sources, boolean complete) {
        List<Diagnostics> problems = sources.stream().map(Diagnostics::new).toList();
        List<ParsedModule> parsed = problems.stream().map(ModuleReader::read).toList();
        LinkNames names = new LinkNames(parsed);
        List<Part> parts = new ArrayList<>();
        int line = 1;
        for (int i = 0; i < parsed.size(); i++) {
            parts.add(new ModuleChecker(parsed.get(i), problems.get(i), names.of(parsed.get(i)), line).check());
            line += sources.get(i).lineCount();
        }
        Module module = failed(problems) ? null : program(parts, names.count(), complete);
        List<Diagnostic> all = problems.stream().flatMap(one -> one.all().stream()).toList();
        return new CheckedModule(failed(problems) ? null : module, all);
    }

    private static boolean failed(List<Diagnostics> problems) {
        return problems.stream().anyMatch(Diagnostics::hasErrors);
    }

    private static Module program(List<Part> parts, int variables, boolean complete) {
        Part first = parts.stream().filter(part -> part.addressBits() != 0).findFirst().orElse(parts.getFirst());
        for (Part part : parts) {
            if (part.addressBits() != 0 && part.addressBits() != first.addressBits()) {
                part.diagnostics().report(DiagnosticCode.LINK_MISMATCH, new Span(0, 0), "addresses have " + part.addressBits()
                        + " bits here and " + first.addressBits() + " in " + first.source().name());
            }
        }
        for (Part part : parts) {
            if (part.dialect().mapsDoubles() != first.dialect().mapsDoubles()) {
                part.diagnostics().report(DiagnosticCode.LINK_MISMATCH, new Span(0, 0), "map_f64_to_f32 is for all modules of a program or for none",
                        first.source().name() + (first.dialect().mapsDoubles() ? " has it" : " does not have it"));
            }
        }
        Resolution resolution = new Resolution(parts);
        if (complete) {
            resolution.complete();
        }
        return parts.stream().anyMatch(part -> part.diagnostics().hasErrors()) ? null : new Linking(parts, resolution).module(first.addressBits() == 0 ? Long.SIZE : first.addressBits(), variables);
    }
}
