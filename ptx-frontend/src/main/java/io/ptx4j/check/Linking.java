package io.ptx4j.check;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Initializer.Relocation;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Lays a program out: what each kernel reaches, and where memory that blocks and modules share lies. */
final class Linking {
    /** Bytes of {@code .const} memory of a program. */
    private static final int CONST_LIMIT = 64 * 1024;
    /** Bytes of {@code .shared} variables of a kernel; dynamic shared memory comes on top. */
    private static final int SHARED_LIMIT = 48 * 1024;

    /** What a body uses. */
    private record Uses(Set<String> callees, Set<String> addresses, boolean anyCall, Set<Variable> shared) {
    }

    private final List<Part> parts;
    private final Resolution resolution;
    private final Map<String, Function> functions;
    private final Map<String, Uses> uses = new HashMap<>();

    Linking(List<Part> parts, Resolution resolution) {
        this.parts = parts;
        this.resolution = resolution;
        this.functions = resolution.functions();
    }

    Module module(int addressBits, int variableCount) {
        functions.forEach((name, function) -> uses.put(name, uses(function.body())));
        Set<String> taken = new TreeSet<>();
        uses.values().forEach(use -> taken.addAll(use.addresses));
        List<Variable> memory = resolution.memory();
        for (Variable variable : memory) {
            if (variable.initial() != null) {
                variable.initial().relocations().stream().map(Relocation::symbol).filter(functions::containsKey).forEach(taken::add);
            }
        }
        Map<String, Uses> kernelUses = new HashMap<>();
        resolution.kernels().forEach((name, draft) -> kernelUses.put(name, uses(draft.body())));
        kernelUses.values().forEach(use -> taken.addAll(use.addresses));
        Map<String, Kernel> kernels = new LinkedHashMap<>();
        resolution.kernels().forEach((name, draft) -> kernels.put(name, kernel(draft, kernelUses.get(name), taken)));
        Map<Variable, Integer> constants = new LinkedHashMap<>();
        int constBytes = size(layOut(memory, StateSpace.CONST, constants), CONST_LIMIT,
                constants.keySet().stream().reduce((a, b) -> b).map(Variable::location).orElse(null), "the .const variables");
        Dialect newest = newest();
        Map<Integer, String> lines = new HashMap<>();
        parts.forEach(part -> lines.putAll(part.lines()));
        return new Module(parts.getFirst().source().name(), text(), newest.version(), newest.target(), addressBits, memory,
                Collections.unmodifiableMap(constants), constBytes, variableCount, Collections.unmodifiableMap(kernels),
                Collections.unmodifiableMap(functions), Map.copyOf(lines), newest.mapsDoubles(),
                parts.stream().map(part -> new Module.File(part.source().name(), part.firstLine())).toList());
    }

    /** That of the module with the newest target: what the program runs on must have all of them. */
    private Dialect newest() {
        return parts.stream().map(Part::dialect).max(Comparator.comparingInt(dialect -> dialect.target().number())).orElseThrow();
    }

    private String text() {
        return parts.size() == 1 ? parts.getFirst().source().text()
                : parts.stream().map(part -> part.source().text()).collect(Collectors.joining("\n"));
    }

    private Kernel kernel(Part.Draft draft, Uses own, Set<String> taken) {
        List<String> reached = reach(own, taken);
        Set<Variable> used = new TreeSet<>(Comparator.comparingInt(Variable::index));
        own.shared.stream().map(resolution::chosen).forEach(used::add);
        reached.forEach(name -> uses.get(name).shared.stream().map(resolution::chosen).forEach(used::add));
        List<Variable> fixed = used.stream().filter(variable -> !variable.dynamic()).toList();
        Map<Variable, Integer> shared = new LinkedHashMap<>();
        int sharedBytes = size(layOut(fixed, StateSpace.SHARED, shared), SHARED_LIMIT, draft.location(),
                "the .shared variables of kernel '" + draft.name() + "'");
        used.stream().filter(Variable::dynamic)
                .forEach(variable -> shared.put(variable, (int) FrameLayout.aligned(sharedBytes, variable.alignment())));
        List<Integer> offsets = new ArrayList<>();
        long end = 0;
        for (Variable parameter : draft.parameters()) {
            end = FrameLayout.aligned(end, parameter.alignment());
            offsets.add((int) end);
            end += parameter.bytes();
        }
        int bytes = size(end, part(draft.location()).dialect().parameterLimit(), draft.location(),
                "the parameters of kernel '" + draft.name() + "'");
        return new Kernel(draft.name(), draft.linkage(), draft.parameters(), List.copyOf(offsets), bytes, draft.body(),
                reached, Collections.unmodifiableMap(shared), sharedBytes, draft.limits(), draft.location());
    }

    private Part part(Location location) {
        return parts.stream().filter(part -> part.holds(location)).findFirst().orElseThrow();
    }

    private static long layOut(List<Variable> variables, StateSpace space, Map<Variable, Integer> offsets) {
        long end = 0;
        for (Variable variable : variables) {
            if (variable.space() == space) {
                end = FrameLayout.aligned(end, variable.alignment());
                offsets.put(variable, (int) end);
                end += variable.linkage() == Linkage.EXTERN && space == StateSpace.CONST ? 0 : variable.bytes();
            }
        }
        return end;
    }

    private int size(long bytes, int limit, Location place, String what) {
        if (bytes > limit) {
            part(place).report(DiagnosticCode.BAD_DECLARATION, place,
                    what + " take " + bytes + " bytes; in this version, for this target, at most " + limit + " are possible", "");
            return 0;
        }
        return (int) bytes;
    }

    /** All functions that can run, callers before callees (reverse postorder). */
    private List<String> reach(Uses kernel, Set<String> taken) {
        List<String> postorder = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        Deque<Iterator<String>> open = new ArrayDeque<>();
        Deque<String> path = new ArrayDeque<>();
        open.push(callees(kernel, taken).iterator());
        while (!open.isEmpty()) {
            if (open.peek().hasNext()) {
                String name = open.peek().next();
                if (functions.containsKey(name) && seen.add(name)) {
                    path.push(name);
                    open.push(callees(uses.get(name), taken).iterator());
                }
            } else {
                open.pop();
                if (!path.isEmpty()) {
                    postorder.add(path.pop());
                }
            }
        }
        return List.copyOf(postorder.reversed());
    }

    private static Set<String> callees(Uses use, Set<String> taken) {
        if (!use.anyCall) {
            return use.callees;
        }
        Set<String> all = new LinkedHashSet<>(use.callees);
        all.addAll(taken);
        return all;
    }

    private static Uses uses(Body body) {
        Set<String> callees = new LinkedHashSet<>();
        Set<String> addresses = new LinkedHashSet<>();
        Set<Variable> shared = new LinkedHashSet<>();
        boolean anyCall = false;
        for (BasicBlock block : body == null ? List.<BasicBlock>of() : body.blocks()) {
            for (Instruction instruction : block.instructions()) {
                for (Operand operand : instruction.operands()) {
                    switch (operand) {
                        case Operand.Address address when shared(address.variable()) -> shared.add(address.variable());
                        case Operand.AddressOf address when shared(address.variable()) -> shared.add(address.variable());
                        case Operand.FunctionAddress function -> addresses.add(function.function());
                        case Operand.Call call -> {
                            callees.addAll(call.candidates());
                            if (call.function() != null) {
                                callees.add(call.function());
                            }
                            anyCall |= call.function() == null && call.candidates().isEmpty();
                        }
                        default -> { }
                    }
                }
            }
        }
        return new Uses(callees, addresses, anyCall, shared);
    }

    private static boolean shared(Variable variable) {
        return variable != null && variable.space() == StateSpace.SHARED;
    }
}
