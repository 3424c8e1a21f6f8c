package io.ptx4j.check;

import io.ptx4j.ir.Function;
import io.ptx4j.ir.Linkage;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Functions that stand for other functions of the module (manual: ".alias"). */
final class Aliases {
    private final ModuleChecker module;
    private final Map<String, Statement.Alias> found = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();
    /** The functions at the ends of chains, null for circles. */
    private final Map<String, String> ends = new HashMap<>();

    Aliases(ModuleChecker module) {
        this.module = module;
    }

    /** The names that stand for functions, or should. */
    Set<String> names() {
        return names;
    }

    /** @param defined names of the kernels and functions that have a body so far */
    void add(Statement.Alias alias, Set<String> defined) {
        String name = alias.name().text();
        names.add(name);
        Symbol.OfFunction stand = function(alias.name());
        Symbol.OfFunction target = function(alias.aliasee());
        if (stand == null || target == null || !module.features().need(alias.span(), Construct.ALIAS)) {
            return;
        }
        if (name.equals(alias.aliasee().text())) {
            bad(alias.aliasee().span(), "'" + name + "' cannot stand for itself");
        } else if (defined.contains(name) || found.containsKey(name)) {
            bad(alias.name().span(), "'" + name + "' " + (found.containsKey(name) ? "is an alias already" : "has a body already"));
        } else if (target.linkage() == Linkage.WEAK || target.linkage() == Linkage.EXTERN) {
            bad(alias.aliasee().span(), "'" + alias.aliasee().text() + "' is " + target.linkage() + "; an alias stands for a function of "
                    + "this module that no other replaces");
        } else if (!stand.prototype().sameShape(target.prototype())) {
            bad(alias.name().span(), "'" + name + "' and '" + alias.aliasee().text() + "' have other parameters or results");
        } else {
            found.put(name, alias);
        }
    }

    private Symbol.OfFunction function(Statement.Word name) {
        if (module.scope().own(name.text()) instanceof Symbol.OfFunction function && !function.kernel()) {
            return function;
        }
        module.diagnostics().report(DiagnosticCode.UNKNOWN_NAME, name.span(),
                "an alias and what it stands for are functions declared before here; '" + name.text() + "' is none");
        return null;
    }

    /** Gives each alias the body that it stands for, also through other aliases. */
    void resolve(Map<String, Function> bodies) {
        found.values().forEach(alias -> resolve(alias, bodies));
    }

    private void resolve(Statement.Alias alias, Map<String, Function> bodies) {
        String target = target(alias.name().text());
        if (target == null) {
            bad(alias.name().span(), "'" + alias.name().text() + "' stands for itself through other aliases");
            return;
        }
        Function function = bodies.get(module.names().linked(target));
        Function stand = bodies.get(module.names().linked(alias.name().text()));
        if (function != null && stand != null) {
            bodies.put(stand.name(), new Function(stand.name(), stand.linkage() == Linkage.EXTERN ? Linkage.VISIBLE : stand.linkage(),
                    function.prototype(), function.results(), function.parameters(), function.body(), stand.location()));
        }
    }

    /** The function at the end of a chain of aliases; null for a circle. Each link is followed once. */
    private String target(String name) {
        Set<String> seen = new LinkedHashSet<>();
        String end = name;
        while (end != null && found.containsKey(end) && !ends.containsKey(end)) {
            end = seen.add(end) ? found.get(end).aliasee().text() : null;
        }
        String last = end != null && ends.containsKey(end) ? ends.get(end) : end;
        seen.forEach(link -> ends.put(link, last));
        return found.containsKey(name) ? ends.get(name) : last;
    }

    private void bad(Span span, String message) {
        module.diagnostics().report(DiagnosticCode.BAD_DECLARATION, span, message);
    }
}
