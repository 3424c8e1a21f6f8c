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
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.SourceFile;
import io.ptx4j.syntax.Span;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Puts the checked parts together: what each kernel reaches, and where memory that blocks and modules share lies. */
final class Linking {
    /** A kernel before its reach is known. */
    record Draft(
            String name, Linkage linkage, List<Variable> parameters, Body body, Kernel.Limits limits, Location location, Span place) {
    }

    /** Bytes of {@code .const} memory of a module. */
    private static final int CONST_LIMIT = 64 * 1024;
    /** Bytes of {@code .shared} variables of a kernel; dynamic shared memory comes on top. */
    private static final int SHARED_LIMIT = 48 * 1024;

    /** What a body uses. */
    private record Uses(Set<String> callees, Set<String> addresses, boolean anyCall, Set<Variable> shared) {
    }

    private final SourceFile source;
    private final Dialect dialect;
    private final Map<String, Function> functions;
    private final Diagnostics diagnostics;
    private final Map<String, Uses> uses = new HashMap<>();

    Linking(SourceFile source, Dialect dialect, Map<String, Function> functions, Diagnostics diagnostics) {
        this.source = source;
        this.dialect = dialect;
        this.functions = functions;
        this.diagnostics = diagnostics;
    }

    Module module(Map<String, Draft> drafts, List<Variable> memory, int variableCount, Map<Integer, String> lines) {
        functions.forEach((name, function) -> uses.put(name, uses(function.body())));
        Set<String> taken = new TreeSet<>();
        uses.values().forEach(use -> taken.addAll(use.addresses));
        for (Variable variable : memory) {
            if (variable.initial() != null) {
                variable.initial().relocations().stream().map(Relocation::symbol).filter(functions::containsKey).forEach(taken::add);
            }
        }
        Map<String, Uses> kernelUses = new HashMap<>();
        drafts.forEach((name, draft) -> kernelUses.put(name, uses(draft.body())));
        kernelUses.values().forEach(use -> taken.addAll(use.addresses));
        Map<String, Kernel> kernels = new LinkedHashMap<>();
        drafts.forEach((name, draft) -> kernels.put(name, kernel(draft, kernelUses.get(name), taken)));
        Map<Variable, Integer> constants = new LinkedHashMap<>();
        long constBytes = layOut(memory, StateSpace.CONST, constants);
        return new Module(source.name(), source.text(), dialect.version(), dialect.target(), dialect.addressBits(),
                List.copyOf(memory), Collections.unmodifiableMap(constants), size(constBytes, CONST_LIMIT, constPlace(memory), "the .const variables"), variableCount,
                Collections.unmodifiableMap(kernels), Collections.unmodifiableMap(functions), lines);
    }

    private Kernel kernel(Draft draft, Uses own, Set<String> taken) {
        List<String> reached = reach(own, taken);
        Set<Variable> used = new TreeSet<>((a, b) -> Integer.compare(a.index(), b.index()));
        used.addAll(own.shared);
        reached.forEach(name -> used.addAll(uses.get(name).shared));
        List<Variable> fixed = used.stream().filter(variable -> !variable.dynamic()).toList();
        Map<Variable, Integer> shared = new LinkedHashMap<>();
        int sharedBytes = size(layOut(fixed, StateSpace.SHARED, shared), SHARED_LIMIT, draft.place,
                "the .shared variables of kernel '" + draft.name + "'");
        used.stream().filter(Variable::dynamic)
                .forEach(variable -> shared.put(variable, (int) FrameLayout.aligned(sharedBytes, variable.alignment())));
        List<Integer> offsets = new ArrayList<>();
        long end = 0;
        for (Variable parameter : draft.parameters) {
            end = FrameLayout.aligned(end, parameter.alignment());
            offsets.add((int) end);
            end += parameter.bytes();
        }
        int bytes = size(end, dialect.parameterLimit(), draft.place, "the parameters of kernel '" + draft.name + "'");
        return new Kernel(draft.name, draft.linkage, draft.parameters, List.copyOf(offsets), bytes, draft.body,
                reached, Collections.unmodifiableMap(shared), sharedBytes, draft.limits, draft.location);
    }

    private static long layOut(List<Variable> variables, StateSpace space, Map<Variable, Integer> offsets) {
        long end = 0;
        for (Variable variable : variables) {
            if (variable.space() == space) {
                end = FrameLayout.aligned(end, variable.alignment());
                offsets.put(variable, (int) end);
                end += variable.linkage() == Linkage.EXTERN ? 0 : variable.bytes();
            }
        }
        return end;
    }

    /** The last variable: the one that was too much. */
    private Span constPlace(List<Variable> memory) {
        Location last = memory.stream().filter(variable -> variable.space() == StateSpace.CONST).map(Variable::location)
                .reduce((a, b) -> b).orElse(new Location(1, 1));
        int start = source.lineStart(last.line()) + last.column() - 1;
        return new Span(start, start + 1);
    }

    private int size(long bytes, int limit, Span place, String what) {
        if (bytes > limit) {
            diagnostics.report(DiagnosticCode.BAD_DECLARATION, place,
                    what + " take " + bytes + " bytes; in this version, for this target, at most " + limit + " are possible");
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
