package io.ptx4j.check;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Function.Formal;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.ParsedModule;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks a module statement by statement, in the order of the text: names must be declared before they are used. */
final class ModuleChecker {
    private final ParsedModule parsed;
    private final Diagnostics diagnostics;
    private final Places places;
    private final Variables variables;
    private final Functions functions;
    private final Scope scope = new Scope(null);
    private final SourceLines lines = new SourceLines();
    private final Map<String, List<Spelling>> spellings = Instructions.newCache();
    private final List<Variable> memory = new ArrayList<>();
    private final Map<String, Linking.Draft> kernels = new LinkedHashMap<>();
    private final Map<String, Function> bodies = new LinkedHashMap<>();
    private Dialect dialect = Dialect.NEWEST;

    ModuleChecker(ParsedModule parsed, Diagnostics diagnostics) {
        this.parsed = parsed;
        this.diagnostics = diagnostics;
        this.places = new Places(parsed.source());
        this.variables = new Variables(diagnostics, places);
        this.functions = new Functions(diagnostics, variables);
    }

    Diagnostics diagnostics() {
        return diagnostics;
    }

    Places places() {
        return places;
    }

    Variables variables() {
        return variables;
    }

    Functions functions() {
        return functions;
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

    Map<String, List<Spelling>> spellings() {
        return spellings;
    }

    /** A {@code .global} or {@code .const} variable, wherever it is declared. */
    void keep(Variable variable) {
        memory.add(variable);
    }

    /** The checked module; null when there are errors. */
    Module check() {
        dialect = new Head(diagnostics).read(parsed.statements());
        parsed.statements().forEach(this::statement);
        if (diagnostics.hasErrors()) {
            return null;
        }
        return new Linking(parsed.source(), dialect, bodies, diagnostics).module(
                kernels, memory, variables.count(), lines.byLine());
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.Variables declaration -> variables(declaration);
            case Statement.Function function when function.kernel() -> kernel(function);
            case Statement.Function function -> function(function);
            case Statement.Target target -> target(target);
            case Statement.Alias alias -> alias(alias);
            case Statement.FileName file -> lines.file(file);
            case Statement.Version _, Statement.AddressSize _, Statement.Pragma _, Statement.Section _, Statement.DwarfLine _,
                    Statement.Location _ -> { }
            case Statement.Instruction _, Statement.Label _, Statement.Block _, Statement.CallPrototype _, Statement.BranchTargets _,
                    Statement.CallTargets _ -> throw new IllegalStateException("the reader keeps " + statement + " inside bodies");
        }
    }

    /** A later {@code .target} adds to the first; instructions are checked against the first. */
    void target(Statement.Target target) {
        new Head(diagnostics).target(target);
    }

    private void variables(Statement.Variables declaration) {
        Declared declared = Declared.read(declaration.specifiers(), declaration.span(), diagnostics);
        Linkage linkage = functions.linkage(declaration.linkage());
        if (declared == null) {
            return;
        }
        switch (declared.space()) {
            case null -> bad(declaration.span(), "the declaration has no state space");
            case GLOBAL, CONST, SHARED -> declaration.declarators().forEach(one -> memory(declared, linkage, one));
            case TEX -> declaration.declarators().forEach(one -> oldTexture(declared, linkage, one));
            case REG, LOCAL, PARAM, SREG, TENSOR, GENERIC -> bad(declaration.span(), declared.space() + " variables are declared in bodies");
        }
    }

    /** {@code .tex .u32 name} of PTX 1.x is a texture reference. */
    private void oldTexture(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (dialect.version().atLeast(1, 5)) {
            bad(declarator.span(), ".tex variables exist up to PTX 1.4; later ones are .global .texref");
            return;
        }
        memory(new Declared(StateSpace.TEX, ScalarType.TEXREF, 1, 0, false, null), linkage, declarator);
    }

    private void memory(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (linkage == Linkage.COMMON && declared.space() != StateSpace.GLOBAL) {
            bad(declarator.span(), ".common variables lie in .global; this one lies in " + declared.space());
            return;
        }
        if (declarator.count() >= 0) {
            for (long i = 0; i < Math.min(declarator.count(), 1 << 16); i++) {
                memory(declared, linkage, new Statement.Declarator(
                        declarator.start(), declarator.end(), declarator.name() + i, -1, List.of(), null));
            }
            return;
        }
        Variable variable = variables.make(declared, declared.space(), declarator, linkage, scope);
        if (variable == null) {
            return;
        }
        Symbol known = scope.own(declarator.name());
        if (known instanceof Symbol.OfVariable(Variable before, boolean _, boolean _) && before.linkage() == Linkage.EXTERN && linkage != Linkage.INTERNAL) {
            scope.replace(declarator.name(), new Symbol.OfVariable(variable));
            memory.remove(before);
        } else if (!scope.declare(declarator.name(), new Symbol.OfVariable(variable))) {
            duplicate(declarator.name(), declarator.span());
            return;
        }
        keep(variable);
    }

    private void kernel(Statement.Function head) {
        lines.forget();
        Linkage linkage = functions.linkage(head.linkage());
        if (!head.results().isEmpty()) {
            bad(head.name().span(), "a kernel returns nothing; '" + head.name().text() + "' declares results");
        }
        Prototype prototype = functions.prototype(List.of(), head.parameters(), head.traits());
        if (!named(head, new Symbol.OfFunction(head.name().text(), true, prototype)) || head.body() == null) {
            return;
        }
        BodyChecker checker = new BodyChecker(this, true);
        List<Variable> parameters = functions.kernelParameters(head.parameters(), checker);
        Body body = checker.check(head.body());
        parameters.addAll(checker.oldParameters());
        kernels.put(head.name().text(), new Linking.Draft(head.name().text(), linkage, List.copyOf(parameters), body,
                Limits.of(head.traits(), diagnostics), places.at(head.start())));
    }

    private void function(Statement.Function head) {
        lines.forget();
        Linkage linkage = functions.linkage(head.linkage());
        String name = head.name().text();
        Prototype prototype = functions.prototype(head.results(), head.parameters(), head.traits());
        if (!named(head, new Symbol.OfFunction(name, false, prototype))) {
            return;
        }
        Body body = null;
        List<Formal> results = List.of();
        List<Formal> parameters = List.of();
        if (head.body() != null) {
            BodyChecker checker = new BodyChecker(this, false);
            results = functions.formals(head.results(), checker, false);
            parameters = functions.formals(head.parameters(), checker, true);
            body = checker.check(head.body());
        }
        bodies.put(name, new Function(name, linkage, prototype, results, parameters, body, places.at(head.start())));
    }

    /** Declares a kernel or function; a prototype may come before its definition. */
    private boolean named(Statement.Function head, Symbol.OfFunction symbol) {
        String name = symbol.name();
        boolean declared = switch (scope.own(name)) {
            case null -> scope.declare(name, symbol);
            case Symbol.OfFunction before -> again(head, before, symbol);
            case Symbol _ -> false;
        };
        if (!declared) {
            duplicate(name, head.name().span());
        }
        return declared;
    }

    private boolean again(Statement.Function head, Symbol.OfFunction before, Symbol.OfFunction now) {
        boolean defined = now.kernel() ? kernels.containsKey(now.name()) : bodies.get(now.name()) != null
                && bodies.get(now.name()).body() != null;
        if (defined || before.kernel() != now.kernel()) {
            return false;
        }
        if (!sameShape(before.prototype(), now.prototype())) {
            bad(head.name().span(), "'" + now.name() + "' is declared before with other parameters or results");
        }
        scope.replace(now.name(), now);
        return true;
    }

    private static boolean sameShape(Prototype a, Prototype b) {
        return a.results().equals(b.results()) && a.parameters().equals(b.parameters());
    }

    private void alias(Statement.Alias alias) {
        if (!(scope.own(alias.aliasee().text()) instanceof Symbol.OfFunction target) || target.kernel()) {
            diagnostics.report(DiagnosticCode.UNKNOWN_NAME, alias.aliasee().span(),
                    "an alias stands for a function defined before here; '" + alias.aliasee().text() + "' is none");
            return;
        }
        Function function = bodies.get(target.name());
        if (function.body() == null && !diagnostics.hasErrors()) {
            bad(alias.aliasee().span(), "'" + target.name() + "' has no body to stand for");
            return;
        }
        bodies.put(alias.name().text(), new Function(alias.name().text(), function.linkage(), function.prototype(), function.results(),
                function.parameters(), function.body(), places.at(alias.start())));
        scope.replace(alias.name().text(), new Symbol.OfFunction(alias.name().text(), false, function.prototype()));
    }

    private void duplicate(String name, Span span) {
        diagnostics.report(DiagnosticCode.DUPLICATE_NAME, span, "'" + name + "' is declared twice");
    }

    private void bad(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
    }
}
