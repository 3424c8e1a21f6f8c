package io.ptx4j.check;

import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Variable;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.ParsedModule;
import io.ptx4j.syntax.Statement;
import io.ptx4j.syntax.Statement.Word;
import java.util.List;

/** Checks a module statement by statement, in the order of the text: names must be declared before they are used. */
final class ModuleChecker {
    private final ParsedModule parsed;
    private final Diagnostics diagnostics;
    private final LinkNames.OfModule names;
    private final int firstLine;
    private final Dialect dialect;
    private final Places places;
    private final Variables variables;
    private final Features features;
    private final ModuleVariables memory;
    private final ModuleFunctions functions;
    private final Scope scope = new Scope(null);
    private final SourceLines lines = new SourceLines();
    private final KnownForms known;
    private final AddressSize addressSize;

    /** @param firstLine the number of the module's first line in the program */
    ModuleChecker(ParsedModule parsed, Diagnostics diagnostics, LinkNames.OfModule names, int firstLine) {
        this.parsed = parsed;
        this.diagnostics = diagnostics;
        this.names = names;
        this.firstLine = firstLine;
        this.dialect = new Head(diagnostics).read(parsed.statements());
        this.known = new KnownForms(dialect);
        this.addressSize = new AddressSize(dialect, diagnostics);
        this.places = new Places(parsed.source(), firstLine);
        this.features = new Features(diagnostics, dialect);
        this.variables = new Variables(features, places, names);
        this.memory = new ModuleVariables(this);
        this.functions = new ModuleFunctions(this);
    }

    Diagnostics diagnostics() {
        return diagnostics;
    }

    LinkNames.OfModule names() {
        return names;
    }

    Places places() {
        return places;
    }

    Variables variables() {
        return variables;
    }

    Features features() {
        return features;
    }

    /** The shape of a {@code .callprototype}. */
    Prototype prototype(Statement.CallPrototype prototype) {
        return functions.prototype(prototype);
    }

    Scope scope() {
        return scope;
    }

    Dialect dialect() {
        return dialect;
    }

    SourceLines lines() {
        return lines;
    }

    AddressSize addressSize() {
        return addressSize;
    }

    KnownForms known() {
        return known;
    }

    /** A {@code .global} or {@code .const} variable, wherever it is declared. */
    void keep(Variable variable) {
        memory.keep(variable);
    }

    /** The checked module; of no use where problems were reported. */
    Part check() {
        parsed.statements().forEach(this::statement);
        functions.finish();
        return new Part(diagnostics, dialect, addressSize.bits(), firstLine, functions.kernels(), functions.bodies(), memory.memory(), lines.byLine());
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.Variables declaration -> memory.declare(declaration);
            case Statement.Function function -> functions.add(function);
            case Statement.Target target -> target(target);
            case Statement.Alias alias -> functions.add(alias);
            case Statement.FileName file -> file(file);
            case Statement.Pragma pragma -> features.need(pragma.span(), Construct.PRAGMA);
            case Statement.Version _, Statement.AddressSize _, Statement.Section _, Statement.DwarfLine _ -> { }
            case Statement.Location location -> diagnostics.report(DiagnosticCode.MISPLACED, location.span(), "'.loc' stands in bodies");
            case Statement.Instruction _, Statement.Label _, Statement.Block _, Statement.CallPrototype _, Statement.BranchTargets _,
                    Statement.CallTargets _ -> throw new IllegalStateException("the reader keeps " + statement + " inside bodies");
        }
    }

    private void file(Statement.FileName file) {
        if (file.stamped()) {
            features.need(file.span(), Construct.FILE_STAMP);
        }
        if (!lines.file(file)) {
            diagnostics.report(DiagnosticCode.DUPLICATE_NAME, file.span(), "file " + file.index() + " has a name already");
        }
    }

    /** What the instructions from here on were made from. */
    void at(Statement.Location location) {
        if (location.inlined() != null) {
            features.need(location.span(), Construct.INLINED);
        }
        lines.at(location);
    }

    /** A later {@code .target} adds to the first, which the head has read; instructions are checked against the first. */
    void target(Statement.Target target) {
        if (target != parsed.statements().get(1)) {
            new Head(diagnostics).target(dialect.version(), target);
        }
    }

    /** The linking directive; only one may be written. */
    Linkage linkage(List<Word> words) {
        if (words.size() > 1) {
            diagnostics.report(DiagnosticCode.BAD_DECLARATION, words.get(1).span(), "a declaration has one linking directive; found " + words.get(0).text() + " and "
                    + words.get(1).text());
        }
        Linkage linkage = words.isEmpty() ? Linkage.INTERNAL : switch (words.getFirst().text()) {
            case ".visible" -> Linkage.VISIBLE;
            case ".extern" -> Linkage.EXTERN;
            case ".weak" -> Linkage.WEAK;
            default -> Linkage.COMMON;
        };
        if (!words.isEmpty()) {
            features.need(words.getFirst().span(), words.getFirst().text(), linkage.since());
        }
        return linkage;
    }
}
