package io.ptx4j.check;

import io.ptx4j.ir.Linkage;
import io.ptx4j.syntax.ParsedModule;
import io.ptx4j.syntax.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names and the numbers of variables that the modules of one program share: all that is visible has one number under one
 * name, and what is private to a module has a name of its own.
 */
final class LinkNames {
    private final Map<String, Integer> shared = new HashMap<>();
    private final Map<String, Integer> modulesWith = new HashMap<>();
    private int count;

    LinkNames(List<ParsedModule> modules) {
        for (ParsedModule module : modules) {
            Set<String> declared = new HashSet<>();
            for (Statement statement : module.statements()) {
                switch (statement) {
                    case Statement.Variables variables -> variables.declarators().forEach(one -> declared.add(one.name()));
                    case Statement.Function function -> declared.add(function.name().text());
                    default -> { }
                }
            }
            declared.forEach(name -> modulesWith.merge(name, 1, Integer::sum));
        }
    }

    /** How many variables there are; the next one has this number. */
    int count() {
        return count;
    }

    int next() {
        return count++;
    }

    /** The names as one module sees them. */
    OfModule of(ParsedModule module) {
        Set<String> linked = new HashSet<>();
        for (Statement statement : module.statements()) {
            switch (statement) {
                case Statement.Variables variables when !variables.linkage().isEmpty() ->
                        variables.declarators().forEach(one -> linked.add(one.name()));
                case Statement.Function function when function.kernel() || !function.linkage().isEmpty() ->
                        linked.add(function.name().text());
                default -> { }
            }
        }
        return new OfModule(linked, module.source().name());
    }

    /** The names of one module. */
    final class OfModule {
        private final Set<String> linked;
        private final String file;

        private OfModule(Set<String> linked, String file) {
            this.linked = linked;
            this.file = file;
        }

        /** What the program calls something of the module: {@code name@file} where the name is private and others have it too. */
        String linked(String name) {
            return linked.contains(name) || modulesWith.getOrDefault(name, 0) < 2 ? name : name + "@" + file;
        }

        /** The number of a variable of the module. */
        int number(String name, Linkage linkage) {
            return linkage == Linkage.INTERNAL ? next() : shared.computeIfAbsent(name, _ -> next());
        }

        int next() {
            return LinkNames.this.next();
        }
    }
}
