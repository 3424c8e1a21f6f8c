package io.ptx4j.check;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Function.Formal;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Variable;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kernels, functions and aliases of a module (manual: "Kernel Entry Point and Function Directives"). */
final class ModuleFunctions {
    private final ModuleChecker module;
    private final Diagnostics diagnostics;
    private final Functions functions;
    private final Limits limits;
    private final Aliases aliases;
    private final Map<String, Part.Draft> kernels = new LinkedHashMap<>();
    private final Map<String, Function> bodies = new LinkedHashMap<>();
    private final List<Statement.Function> declared = new ArrayList<>();
    private final Set<String> definitions = new HashSet<>();

    ModuleFunctions(ModuleChecker module) {
        this.module = module;
        this.diagnostics = module.diagnostics();
        this.functions = new Functions(diagnostics, module.variables(), module.dialect());
        this.limits = new Limits(diagnostics, module.dialect());
        this.aliases = new Aliases(module);
    }

    Map<String, Part.Draft> kernels() {
        return kernels;
    }

    /** The functions by the names that they have in the program. */
    Map<String, Function> bodies() {
        return bodies;
    }

    Prototype prototype(Statement.CallPrototype prototype) {
        limits.ofFunction(prototype.traits(), !prototype.results().isEmpty());
        return functions.prototype(prototype.results(), prototype.parameters(), prototype.traits(), false);
    }

    void add(Statement.Function head) {
        module.lines().forget();
        if (head.kernel()) {
            kernel(head);
        } else {
            function(head);
        }
    }

    void add(Statement.Alias alias) {
        aliases.add(alias, definitions);
    }

    /** What is declared without {@code .extern} must be defined somewhere in the module. */
    void finish() {
        aliases.resolve(bodies);
        for (Statement.Function head : declared) {
            String name = head.name().text();
            if (!definitions.contains(name) && !aliases.names().contains(name)) {
                diagnostics.report(DiagnosticCode.UNDEFINED_NAME, head.name().span(),
                        "'" + name + "' is declared, but this module does not define it", "write .extern before it if another module does");
            }
        }
    }

    private void kernel(Statement.Function head) {
        String name = head.name().text();
        Linkage linkage = linkage(head);
        if (!head.results().isEmpty()) {
            bad(head.name().span(), "a kernel returns nothing; '" + name + "' declares results");
        }
        Prototype prototype = functions.kernelPrototype(head.parameters());
        Kernel.Limits bounds = limits.ofKernel(head.traits());
        BodyChecker checker = new BodyChecker(module, true);
        List<Variable> parameters = functions.kernelParameters(head.parameters(), checker);
        if (named(head, new Symbol.OfFunction(name, true, linkage, prototype)) == null || head.body() == null) {
            return;
        }
        Body body = checker.check(head.body());
        parameters.addAll(checker.oldParameters());
        kernels.put(name, new Part.Draft(name, linkage, List.copyOf(parameters), body, bounds, module.places().at(head.name().start())));
    }

    private void function(Statement.Function head) {
        Linkage linkage = linkage(head);
        limits.ofFunction(head.traits(), !head.results().isEmpty());
        Prototype prototype = functions.prototype(head.results(), head.parameters(), head.traits(), true);
        String name = module.names().linked(head.name().text());
        Symbol.OfFunction symbol = named(head, new Symbol.OfFunction(name, false, linkage, prototype));
        if (symbol == null) {
            return;
        }
        Body body = null;
        List<Formal> results = List.of();
        List<Formal> parameters = List.of();
        if (head.body() != null) {
            BodyChecker checker = new BodyChecker(module, false);
            results = functions.formals(head.results(), checker, false);
            parameters = functions.formals(head.parameters(), checker, true);
            body = checker.check(head.body());
        } else if (bodies.containsKey(name)) {
            return;
        }
        if (module.dialect().mapsDoubles()) {
            prototype = DoublesAsSingles.prototype(prototype);
            results = results.stream().map(DoublesAsSingles::single).toList();
            parameters = parameters.stream().map(DoublesAsSingles::single).toList();
        }
        bodies.put(name, new Function(name, symbol.linkage(), prototype, results, parameters, body,
                module.places().at(head.name().start())));
    }

    private Linkage linkage(Statement.Function head) {
        Linkage linkage = module.linkage(head.linkage());
        head.attributes().stream().filter(attribute -> head.kernel() || !attribute.word().text().equals(".unified")).findFirst()
                .ifPresent(attribute -> bad(attribute.word().span(), "functions may be .unified, and kernels have no attributes"));
        if (linkage == Linkage.COMMON) {
            bad(head.linkage().getFirst().span(), "only variables are .common");
        } else if (linkage == Linkage.EXTERN && head.body() != null) {
            bad(head.linkage().getFirst().span(), "'" + head.name().text() + "' has a body; what is .extern has it in another module");
        }
        if (head.body() == null && linkage != Linkage.EXTERN) {
            declared.add(head);
        }
        return linkage;
    }

    /** Declares a kernel or function; a prototype may come before its definition. Null, and reported, where it cannot be. */
    private Symbol.OfFunction named(Statement.Function head, Symbol.OfFunction symbol) {
        String name = head.name().text();
        if (Scope.predefined(name)) {
            diagnostics.report(DiagnosticCode.DUPLICATE_NAME, head.name().span(),
                    "'" + name + "' is a special register; a module cannot declare it");
            return null;
        }
        Symbol before = module.scope().own(name);
        if (before == null) {
            module.scope().declare(name, symbol, head.name().start());
        } else if (before instanceof Symbol.OfFunction function && function.kernel() == symbol.kernel() && !definitions.contains(name)) {
            symbol = again(head, function, symbol);
        } else {
            diagnostics.report(DiagnosticCode.DUPLICATE_NAME, head.name().span(), "'" + name + "' is declared twice",
                    module.places().other(module.scope().start(name)));
            return null;
        }
        if (head.body() != null) {
            definitions.add(name);
        }
        return symbol;
    }

    private Symbol.OfFunction again(Statement.Function head, Symbol.OfFunction before, Symbol.OfFunction now) {
        String name = head.name().text();
        if (!before.prototype().sameShape(now.prototype())) {
            bad(head.name().span(), "'" + name + "' is declared before with other parameters or results");
        } else if (before.linkage() != now.linkage() && (now.linkage() != Linkage.INTERNAL || before.linkage() == Linkage.EXTERN)) {
            bad(head.name().span(), "'" + name + "' is declared before as " + before.linkage());
        }
        Symbol.OfFunction both = new Symbol.OfFunction(before.name(), now.kernel(), before.linkage(), now.prototype());
        module.scope().replace(name, both);
        return both;
    }

    private void bad(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
    }
}
