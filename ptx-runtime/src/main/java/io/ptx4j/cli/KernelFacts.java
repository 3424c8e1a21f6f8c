package io.ptx4j.cli;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Family;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What {@code ptx info} tells of a kernel, its functions included. */
record KernelFacts(Module module, Kernel kernel, Map<Family, Integer> families, int instructions, int blocks, int registers) {
    static KernelFacts of(Module module, Kernel kernel) {
        List<Body> bodies = new ArrayList<>(List.of(kernel.body()));
        kernel.functions().stream().map(module.functions()::get).filter(Objects::nonNull).map(Function::body).filter(Objects::nonNull)
                .forEach(bodies::add);
        Map<Family, Integer> families = new EnumMap<>(Family.class);
        int blocks = 0;
        int registers = 0;
        int terminators = 0;
        for (Body body : bodies) {
            blocks += body.blocks().size();
            registers += body.registers().size();
            terminators += body.blocks().size();
            body.blocks().stream().flatMap(block -> block.instructions().stream()).map(Instruction::spelling)
                    .forEach(spelling -> families.merge(spelling.family(), 1, Integer::sum));
        }
        int straight = families.values().stream().mapToInt(Integer::intValue).sum();
        return new KernelFacts(module, kernel, families, straight + terminators, blocks, registers);
    }

    List<String> lines(String shape) {
        List<String> lines = new ArrayList<>();
        lines.add("kernel " + kernel.name() + " (line " + kernel.location().line() + ")");
        for (int i = 0; i < kernel.parameters().size(); i++) {
            Variable parameter = kernel.parameters().get(i);
            lines.add("  parameter     " + parameter.name() + ": " + (parameter.bytes() == parameter.type().bytes()
                    ? parameter.type().spelling() : parameter.bytes() + " bytes") + " at offset " + kernel.parameterOffsets().get(i));
        }
        lines.add("  shared        " + kernel.sharedBytes() + " bytes" + (kernel.sharedOffsets().keySet().stream().anyMatch(Variable::dynamic)
                ? ", and what a launch adds" : ""));
        lines.add("  local         " + kernel.body().frameBytes() + " bytes a thread");
        directive(lines, ".reqntid", kernel.limits().requiredThreads());
        directive(lines, ".maxntid", kernel.limits().maxThreads());
        lines.add("  instructions  " + instructions + " in " + blocks + " basic blocks, " + registers + " virtual registers");
        lines.add("                " + families.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(entry -> entry.getValue() + " " + name(entry.getKey())).collect(Collectors.joining(", ")));
        lines.add("  barriers      " + count(Family.BARRIER) + ", warp operations " + count(Family.WARP) + ", atomics " + count(Family.ATOMIC));
        if (!kernel.functions().isEmpty()) {
            lines.add("  functions     " + String.join(", ", kernel.functions()));
        }
        lines.add("  shape         " + shape);
        return lines;
    }

    private static void directive(List<String> lines, String name, List<Integer> size) {
        if (size != null && !size.isEmpty()) {
            lines.add("  " + name + "      " + size.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
    }

    private static String name(Family family) {
        return family.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }

    private int count(Family family) {
        return families.getOrDefault(family, 0);
    }
}
