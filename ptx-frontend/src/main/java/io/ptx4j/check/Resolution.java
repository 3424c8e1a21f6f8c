package io.ptx4j.check;

import io.ptx4j.ir.Function;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One definition for each name that modules share (manual: "Linking Directives"): a visible one before a weak one, that before a
 * common one, of which the largest counts; what is private to a module stays apart.
 */
final class Resolution {
    private final List<Part> parts;
    private final Map<String, Function> functions = new LinkedHashMap<>();
    private final Map<String, Part.Draft> kernels = new LinkedHashMap<>();
    private final Map<Variable, Variable> variables = new LinkedHashMap<>();

    Resolution(List<Part> parts) {
        this.parts = parts;
        for (Part part : parts) {
            part.functions().values().forEach(function -> add(part, function));
            part.kernels().values().forEach(kernel -> add(part, kernel));
            part.memory().forEach(variable -> add(part, variable));
        }
        kernels.values().stream().filter(kernel -> functions.containsKey(kernel.name()))
                .forEach(kernel -> duplicate(part(kernel.location()), kernel.name(), kernel.location(), functions.get(kernel.name()).location()));
    }

    /** All functions by the name that the program gives them; those without a body are defined nowhere. */
    Map<String, Function> functions() {
        return functions;
    }

    Map<String, Part.Draft> kernels() {
        return kernels;
    }

    List<Variable> memory() {
        return List.copyOf(variables.values());
    }

    /** The variable that a module's variable stands for. */
    Variable chosen(Variable variable) {
        return variables.getOrDefault(variable, variable);
    }

    private void add(Part part, Function function) {
        Function before = functions.putIfAbsent(function.name(), function);
        if (before == null) {
            return;
        }
        if (!before.prototype().sameShape(function.prototype())) {
            mismatch(part, function.name(), function.location(), before.location(), "parameters or results");
        }
        if (before.body() == null || function.body() != null && replaces(function.linkage(), before.linkage())) {
            functions.put(function.name(), function);
        } else if (function.body() != null && clash(function.linkage(), before.linkage())) {
            duplicate(part, function.name(), function.location(), before.location());
        }
    }

    private void add(Part part, Part.Draft kernel) {
        Part.Draft before = kernels.putIfAbsent(kernel.name(), kernel);
        if (before != null && clash(kernel.linkage(), before.linkage())) {
            duplicate(part, kernel.name(), kernel.location(), before.location());
        } else if (before != null && replaces(kernel.linkage(), before.linkage())) {
            kernels.put(kernel.name(), kernel);
        }
    }

    private void add(Part part, Variable variable) {
        Variable before = variables.putIfAbsent(variable, variable);
        if (before == null) {
            return;
        }
        boolean common = variable.linkage() == Linkage.COMMON && before.linkage() == Linkage.COMMON;
        boolean sized = variable.bytes() != 0 && before.bytes() != 0;
        if (variable.space() != before.space()) {
            mismatch(part, variable.name(), variable.location(), before.location(), "state space");
        } else if (sized && variable.bytes() != before.bytes() && !common) {
            mismatch(part, variable.name(), variable.location(), before.location(), "size");
        }
        if (clash(variable.linkage(), before.linkage())) {
            duplicate(part, variable.name(), variable.location(), before.location());
        } else if (replaces(variable.linkage(), before.linkage())
                || variable.linkage() == before.linkage() && variable.bytes() > before.bytes()) {
            variables.put(variable, variable);
        }
    }

    /** Two definitions of which neither gives way. */
    private static boolean clash(Linkage one, Linkage other) {
        return strength(one) == strength(other) && strength(one) == strength(Linkage.VISIBLE);
    }

    private static boolean replaces(Linkage later, Linkage earlier) {
        return strength(later) > strength(earlier);
    }

    private static int strength(Linkage linkage) {
        return switch (linkage) {
            case EXTERN -> 0;
            case COMMON -> 1;
            case WEAK -> 2;
            case VISIBLE, INTERNAL -> 3;
        };
    }

    /** Reports what is used and defined nowhere. */
    void complete() {
        Set<String> used = new UsedNames(functions.values(), kernels.values(), variables.values()).all();
        for (Function function : functions.values()) {
            if (function.body() == null && used.contains(function.name()) && !DeviceRuntime.provides(function.name())) {
                undefined(function.name(), function.location());
            }
        }
        for (Variable variable : variables.values()) {
            if (variable.linkage() == Linkage.EXTERN && variable.space() != StateSpace.SHARED) {
                undefined(variable.name(), variable.location());
            }
        }
    }

    private void undefined(String name, Location location) {
        part(location).report(DiagnosticCode.UNDEFINED_NAME, location,
                "no module defines '" + name + "'", "link the module that does, or define it: .visible ... " + name);
    }

    private void duplicate(Part part, String name, Location here, Location before) {
        part.report(DiagnosticCode.DUPLICATE_NAME, here, "'" + name + "' is defined twice", "also at " + part(before).text(before)
                + "; where any definition will do, write .weak before each");
    }

    private void mismatch(Part part, String name, Location here, Location before, String what) {
        part.report(DiagnosticCode.LINK_MISMATCH, here, "'" + name + "' differs in " + what + " from another module",
                "see " + part(before).text(before));
    }

    private Part part(Location location) {
        return parts.stream().filter(part -> part.holds(location)).findFirst().orElseThrow();
    }
}
