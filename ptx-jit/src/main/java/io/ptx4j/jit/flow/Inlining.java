package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which functions of a kernel stand once, out of line, and are called through a stack ({@link CallStack}): those that may call
 * themselves, and as many of those called from several places as keep the kernel small. All others are inlined at each call.
 */
final class Inlining {
    /**
     * Instructions that a kernel may have after inlining if functions out of line can prevent more; 50,000 unless the system
     * property {@code ptx4j.jit.inlined} says otherwise.
     */
    static final int BUDGET = Integer.getInteger("ptx4j.jit.inlined", 50_000);

    private final Module module;
    private final Kernel kernel;
    private final Set<String> addressed = new HashSet<>();
    /** By function: what its body calls, once for each call. */
    private final Map<String, List<String>> calls = new HashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    private final Set<String> outOfLine = new HashSet<>();

    Inlining(Module module, Kernel kernel) {
        this.module = module;
        this.kernel = kernel;
        noteAddresses();
        calls.put(kernel.name(), called(kernel.body()));
        sizes.put(kernel.name(), size(kernel.body()));
        for (String name : kernel.functions()) {
            if (body(name) != null) {
                calls.put(name, called(body(name)));
                sizes.put(name, size(body(name)));
            }
        }
        calls.keySet().stream().filter(this::callsItself).forEach(outOfLine::add);
        while (total() > BUDGET && takeOut()) {
            // Each turn takes one more function out of line.
        }
    }

    boolean outOfLine(String function) {
        return outOfLine.contains(function);
    }

    boolean allInline() {
        return outOfLine.isEmpty();
    }

    /** Functions of fitting shape that an indirect call may reach: those of its {@code .calltargets}, or all whose address is taken. */
    List<String> candidates(Operand.Call call) {
        List<String> names = call.candidates().isEmpty() ? kernel.functions().stream().filter(addressed::contains).toList()
                : call.candidates();
        return names.stream().filter(name -> {
            Function function = module.functions().get(name);
            return function != null && function.body() != null && function.parameters().size() == call.arguments().size()
                    && function.results().size() == call.results().size();
        }).toList();
    }

    private Body body(String name) {
        Function function = module.functions().get(name);
        return function == null ? null : function.body();
    }

    private void noteAddresses() {
        if (kernel.functions().isEmpty()) {
            return;
        }
        List<Body> bodies = new ArrayList<>(List.of(kernel.body()));
        kernel.functions().stream().map(this::body).filter(b -> b != null).forEach(bodies::add);
        for (Body body : bodies) {
            for (BasicBlock block : body.blocks()) {
                for (Instruction instruction : block.instructions()) {
                    instruction.operands().forEach(this::noteAddress);
                }
            }
        }
        for (Variable variable : module.variables()) {
            if (variable.initial() != null) {
                variable.initial().relocations().stream().map(Initializer.Relocation::symbol).forEach(addressed::add);
            }
        }
    }

    private void noteAddress(Operand operand) {
        if (operand instanceof Operand.FunctionAddress f) {
            addressed.add(f.function());
        } else if (operand instanceof Operand.Vector v) {
            v.elements().forEach(this::noteAddress);
        } else if (operand instanceof Operand.Call c) {
            c.arguments().forEach(this::noteAddress);
        }
    }

    private List<String> called(Body body) {
        List<String> names = new ArrayList<>();
        for (BasicBlock block : body.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction.operands().isEmpty() || !(instruction.operand(0) instanceof Operand.Call call)) {
                    continue;
                }
                if (call.function() == null) {
                    names.addAll(candidates(call));
                } else if (body(call.function()) != null) {
                    names.add(call.function());
                }
            }
        }
        return names;
    }

    private static int size(Body body) {
        return body.blocks().stream().mapToInt(b -> b.instructions().size() + 1).sum();
    }

    private boolean callsItself(String function) {
        Set<String> reached = new HashSet<>();
        List<String> work = new ArrayList<>(calls.get(function));
        while (!work.isEmpty()) {
            String name = work.removeLast();
            if (name.equals(function)) {
                return true;
            }
            if (reached.add(name)) {
                work.addAll(calls.getOrDefault(name, List.of()));
            }
        }
        return false;
    }

    /** Instructions of the kernel and of all functions out of line. */
    private double total() {
        Map<String, Double> known = new HashMap<>();
        double total = expanded(kernel.name(), known);
        for (String function : outOfLine) {
            total += expanded(function, known);
        }
        return total;
    }

    private double expanded(String function, Map<String, Double> known) {
        Double before = known.get(function);
        if (before != null) {
            return before;
        }
        double size = sizes.get(function);
        for (String callee : calls.get(function)) {
            size += outOfLine.contains(callee) ? 1 : expanded(callee, known);
        }
        known.put(function, size);
        return size;
    }

    /** Takes the function whose copies are the largest together out of line; false when each has one copy. */
    private boolean takeOut() {
        Map<String, Double> sizeOf = new HashMap<>();
        Map<String, Double> copies = new HashMap<>();
        for (String root : roots()) {
            countCopies(root, copies);
        }
        String largest = null;
        double most = 0;
        for (Map.Entry<String, Double> entry : copies.entrySet()) {
            double saved = (entry.getValue() - 1) * expanded(entry.getKey(), sizeOf);
            if (saved > most || saved == most && saved > 0 && entry.getKey().compareTo(largest) < 0) {
                largest = entry.getKey();
                most = saved;
            }
        }
        return largest != null && outOfLine.add(largest);
    }

    private List<String> roots() {
        List<String> roots = new ArrayList<>(List.of(kernel.name()));
        roots.addAll(outOfLine);
        return roots;
    }

    /** Adds the copies that inlining into {@code root} makes; inlined functions have no cycles. */
    private void countCopies(String root, Map<String, Double> copies) {
        List<String> order = new ArrayList<>();
        callersFirst(root, new HashSet<>(), order);
        Map<String, Double> here = new HashMap<>(Map.of(root, 1.0));
        for (String caller : order.reversed()) {
            for (String callee : calls.get(caller)) {
                if (!outOfLine.contains(callee)) {
                    here.merge(callee, here.get(caller), Double::sum);
                }
            }
        }
        here.remove(root);
        here.forEach((function, count) -> copies.merge(function, count, Double::sum));
    }

    private void callersFirst(String function, Set<String> seen, List<String> order) {
        if (!seen.add(function)) {
            return;
        }
        for (String callee : calls.get(function)) {
            if (!outOfLine.contains(callee)) {
                callersFirst(callee, seen, order);
            }
        }
        order.add(function);
    }
}
