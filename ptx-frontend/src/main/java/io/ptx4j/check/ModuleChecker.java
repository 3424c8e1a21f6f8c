package io.ptx4j.check;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Function.Formal;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.ParsedModule;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import io.ptx4j.syntax.Statement.Word;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks a module statement by statement, in the order of the text: names must be declared before they are used. */
final class ModuleChecker {
    private static final int MOST_NUMBERED = 1 << 16;

    private final ParsedModule parsed;
    private final Diagnostics diagnostics;
    private final Places places;
    private final Variables variables;
    private final Scope scope = new Scope(null);
    private final SourceLines lines = new SourceLines();
    private final Map<String, List<Spelling>> spellings = Instructions.newCache();
    private final List<Variable> memory = new ArrayList<>();
    private final Map<String, Linking.Draft> kernels = new LinkedHashMap<>();
    private final Map<String, Function> bodies = new LinkedHashMap<>();
    private final List<Statement.Function> heads = new ArrayList<>();
    private final Set<String> definitions = new HashSet<>();
    private Functions functions;
    private Limits limits;
    private Features features;
    private Dialect dialect = Dialect.NEWEST;

    ModuleChecker(ParsedModule parsed, Diagnostics diagnostics) {
        this.parsed = parsed;
        this.diagnostics = diagnostics;
        this.places = new Places(parsed.source());
        this.variables = new Variables(diagnostics, places);
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

    /** The shape of a {@code .callprototype}. */
    Prototype prototype(Statement.CallPrototype prototype) {
        limits.ofFunction(prototype.traits(), !prototype.results().isEmpty());
        return functions.prototype(prototype.results(), prototype.parameters(), prototype.traits(), false);
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
        functions = new Functions(diagnostics, variables, dialect);
        limits = new Limits(diagnostics, dialect);
        features = new Features(diagnostics, dialect);
        parsed.statements().forEach(this::statement);
        heads.forEach(this::defined);
        if (diagnostics.hasErrors()) {
            return null;
        }
        Module module = new Linking(parsed.source(), dialect, bodies, diagnostics).module(
                kernels, memory, variables.count(), lines.byLine());
        return diagnostics.hasErrors() ? null : module;
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
        Linkage linkage = linkage(declaration.linkage());
        if (declared == null) {
            return;
        }
        for (Statement.Declarator one : declaration.declarators()) {
            switch (declared.space()) {
                case null -> bad(declaration.span(), "the declaration has no state space");
                case GLOBAL, CONST, SHARED -> memory(declared, linkage, one);
                case TEX -> oldTexture(declared, linkage, one);
                case REG, LOCAL, PARAM, SREG, TENSOR, GENERIC ->
                        bad(declaration.span(), declared.space() + " variables are declared in bodies");
            }
        }
    }

    /** The linking directive; only one may be written. */
    private Linkage linkage(List<Word> words) {
        if (words.size() > 1) {
            bad(words.get(1).span(), "a declaration has one linking directive; found " + words.get(0).text() + " and "
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

    /** {@code .tex .u32 name} of PTX 1.x is a texture reference. */
    private void oldTexture(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (dialect.version().atLeast(1, 5)) {
            bad(declarator.span(), ".tex variables exist up to PTX 1.4; later ones are .global .texref");
        } else if (declared.type() != ScalarType.U32 && declared.type() != ScalarType.U64 || declared.lanes() > 1
                || !declarator.dimensions().isEmpty()) {
            bad(declarator.span(), "a .tex variable is a single .u32 or .u64; found " + declared.type());
        } else {
            memory(new Declared(StateSpace.TEX, ScalarType.TEXREF, 1, 0, false, null), linkage, declarator);
        }
    }

    private void memory(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (linkage == Linkage.COMMON && (declared.space() != StateSpace.GLOBAL || opaque(declared))) {
            bad(declarator.span(), ".common variables lie in .global and hold data; this one is "
                    + (opaque(declared) ? declared.type() : "in " + declared.space()));
        } else if (opaque(declared) && declared.space() != StateSpace.GLOBAL && declared.space() != StateSpace.TEX) {
            bad(declarator.span(), declared.type() + " variables lie in .global; this one lies in " + declared.space());
        } else if (declared.type() == ScalarType.SAMPLERREF && !dialect.independentTextures()) {
            bad(declarator.span(), "a .samplerref needs .target texmode_independent");
        } else if (declarator.count() >= 0) {
            numbered(declared, linkage, declarator);
        } else {
            Variable variable = variables.make(declared, declared.space(), declarator, linkage, scope);
            if (variable != null) {
                declare(variable, declarator);
            }
        }
    }

    private static boolean opaque(Declared declared) {
        return declared.type().kind() == ScalarType.Kind.OPAQUE;
    }

    private void numbered(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (declarator.initializer() != null) {
            bad(declarator.span(), "variables declared by number have no initial value");
            return;
        }
        for (long i = 0; i < Math.min(declarator.count(), MOST_NUMBERED); i++) {
            memory(declared, linkage, new Statement.Declarator(
                    declarator.start(), declarator.end(), declarator.name() + i, -1, List.of(), null));
        }
    }

    private void declare(Variable variable, Statement.Declarator declarator) {
        Symbol known = scope.own(declarator.name());
        if (predefined(declarator.name())) {
            predefined(declarator.name(), declarator.span());
        } else if (known == null) {
            scope.declare(declarator.name(), new Symbol.OfVariable(variable));
            keep(variable);
        } else {
            again(variable, declarator, known);
        }
    }

    private void again(Variable variable, Statement.Declarator declarator, Symbol known) {
        boolean external = variable.linkage() == Linkage.EXTERN;
        if (!(known instanceof Symbol.OfVariable(Variable before, boolean _, boolean _))
                || !external && before.linkage() != Linkage.EXTERN) {
            duplicate(declarator.name(), declarator.span());
        } else if (before.type() != variable.type() || before.space() != variable.space()
                || before.bytes() != variable.bytes() && before.bytes() != 0 && variable.bytes() != 0) {
            bad(declarator.span(), "'" + declarator.name() + "' is declared before with another type, size or state space");
        } else if (before.linkage() == Linkage.EXTERN && variable.linkage() == Linkage.INTERNAL) {
            bad(declarator.span(), "'" + declarator.name() + "' is .extern before, so it cannot be private here",
                    "write .visible, .weak or .common before the definition");
        } else if (!external || before.linkage() == Linkage.EXTERN && before.bytes() == 0) {
            scope.replace(declarator.name(), new Symbol.OfVariable(variable));
            memory.remove(before);
            keep(variable);
        }
    }

    private void kernel(Statement.Function head) {
        lines.forget();
        Linkage linkage = linkage(head);
        if (!head.results().isEmpty()) {
            bad(head.name().span(), "a kernel returns nothing; '" + head.name().text() + "' declares results");
        }
        Prototype prototype = functions.kernelPrototype(head.parameters());
        Kernel.Limits bounds = limits.ofKernel(head.traits());
        BodyChecker checker = new BodyChecker(this, true);
        List<Variable> parameters = functions.kernelParameters(head.parameters(), checker);
        if (!named(head, new Symbol.OfFunction(head.name().text(), true, linkage, prototype)) || head.body() == null) {
            return;
        }
        Body body = checker.check(head.body());
        parameters.addAll(checker.oldParameters());
        kernels.put(head.name().text(), new Linking.Draft(
                head.name().text(), linkage, List.copyOf(parameters), body, bounds, places.at(head.start()), head.name().span()));
    }

    private void function(Statement.Function head) {
        lines.forget();
        Linkage linkage = linkage(head);
        String name = head.name().text();
        limits.ofFunction(head.traits(), !head.results().isEmpty());
        Prototype prototype = functions.prototype(head.results(), head.parameters(), head.traits(), true);
        if (!named(head, new Symbol.OfFunction(name, false, linkage, prototype))) {
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
        } else if (bodies.containsKey(name)) {
            return;
        }
        bodies.put(name, new Function(name, linkage, prototype, results, parameters, body, places.at(head.start())));
    }

    private Linkage linkage(Statement.Function head) {
        Linkage linkage = linkage(head.linkage());
        if (linkage == Linkage.COMMON) {
            bad(head.linkage().getFirst().span(), "only variables are .common");
        } else if (linkage == Linkage.EXTERN && head.body() != null) {
            bad(head.linkage().getFirst().span(), "'" + head.name().text() + "' has a body; what is .extern has it in another module");
        }
        if (head.body() == null && linkage != Linkage.EXTERN) {
            heads.add(head);
        }
        return linkage;
    }

    /** What is declared without {@code .extern} must be defined somewhere in the module. */
    private void defined(Statement.Function head) {
        String name = head.name().text();
        if (!definitions.contains(name)) {
            diagnostics.report(DiagnosticCode.UNDEFINED_NAME, head.name().span(),
                    "'" + name + "' is declared, but this module does not define it",
                    "write .extern before it if another module does");
        }
    }

    /** Declares a kernel or function; a prototype may come before its definition. */
    private boolean named(Statement.Function head, Symbol.OfFunction symbol) {
        String name = symbol.name();
        if (predefined(name)) {
            predefined(name, head.name().span());
            return false;
        }
        boolean declared = switch (scope.own(name)) {
            case null -> scope.declare(name, symbol);
            case Symbol.OfFunction before -> again(head, before, symbol);
            case Symbol _ -> false;
        };
        if (!declared) {
            duplicate(name, head.name().span());
        } else if (head.body() != null) {
            definitions.add(name);
        }
        return declared;
    }

    private boolean again(Statement.Function head, Symbol.OfFunction before, Symbol.OfFunction now) {
        if (before.kernel() != now.kernel() || definitions.contains(now.name())) {
            return false;
        }
        if (!sameShape(before.prototype(), now.prototype())) {
            bad(head.name().span(), "'" + now.name() + "' is declared before with other parameters or results");
        } else if (before.linkage() != now.linkage() && (now.linkage() != Linkage.INTERNAL || before.linkage() == Linkage.EXTERN)) {
            bad(head.name().span(), "'" + now.name() + "' is declared before as " + before.linkage());
        }
        scope.replace(now.name(), new Symbol.OfFunction(now.name(), now.kernel(), before.linkage(), now.prototype()));
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
        definitions.add(alias.name().text());
        bodies.put(alias.name().text(), new Function(alias.name().text(), function.linkage(), function.prototype(), function.results(),
                function.parameters(), function.body(), places.at(alias.start())));
        scope.replace(alias.name().text(), new Symbol.OfFunction(alias.name().text(), false, function.linkage(), function.prototype()));
    }

    private static boolean predefined(String name) {
        return SpecialRegister.named(name) != null || SpecialRegister.named(name + ".x") != null;
    }

    private void predefined(String name, Span span) {
        diagnostics.report(DiagnosticCode.DUPLICATE_NAME, span, "'" + name + "' is a special register; a module cannot declare it");
    }

    private void duplicate(String name, Span span) {
        diagnostics.report(DiagnosticCode.DUPLICATE_NAME, span, "'" + name + "' is declared twice");
    }

    private void bad(Span span, String message) {
        bad(span, message, "");
    }

    private void bad(Span span, String message, String hint) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message, hint);
    }
}
