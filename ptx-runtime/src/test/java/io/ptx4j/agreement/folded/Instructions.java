package io.ptx4j.agreement.folded;

import io.ptx4j.differential.InstructionText;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * One instruction, or a few that pass on a carry, in a form that kernels are made of: {@code S0}, {@code S1} … stand for sources,
 * {@code D0}, {@code D1} … for results. In kernels each result has eight bytes.
 *
 * @param sources widths of the sources in bits, 1 for predicates
 * @param results widths of the results
 */
record Instructions(String text, List<Integer> sources, List<Integer> results) {
    private static final int PREDICATE = 1;

    /** @param constant what a source that must be a constant is */
    static Instructions of(Spelling spelling, boolean withOptional, int constant, SplittableRandom random) {
        List<Integer> sources = new ArrayList<>();
        List<Integer> results = new ArrayList<>();
        String text = InstructionText.of(spelling, withOptional, (spec, index, type, element) -> {
            if (spec.constant()) {
                return String.valueOf(constant);
            }
            boolean result = spec.role() == OperandSpec.Role.DESTINATION;
            List<Integer> widths = result ? results : sources;
            widths.add(type == ScalarType.PRED ? PREDICATE : spec.wider() && type.bits() < 32 ? 32 : Math.max(8, type.bits()));
            String selector = spec.has(OperandSpec.Mark.PART) ? InstructionText.selector(spelling, spec, random) : "";
            return (result ? "D" : "S") + (widths.size() - 1) + selector;
        });
        return new Instructions(text, sources, results);
    }

    /** As one line of text. */
    String line() {
        return widths(sources) + ' ' + widths(results) + ' ' + text;
    }

    static Instructions parsed(String line) {
        String[] parts = line.split(" ", 3);
        return new Instructions(parts[2], widths(parts[0]), widths(parts[1]));
    }

    private static String widths(List<Integer> widths) {
        return widths.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> widths(String text) {
        return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    }

    /** In a kernel, of constant sources, with results at {@code %out}. */
    String ofConstants(String prefix, long[] values, int offset) {
        return code(prefix, offset, k -> "mov.b%d %%s, 0x%x".formatted(word(sources.get(k)), values[k]));
    }

    /** In a kernel, of sources of eight bytes each at {@code %in}, with results at {@code %out}. */
    String ofLoaded(String prefix, int sourceOffset, int offset) {
        return code(prefix, offset, k -> "ld.global.b%d %%s, [%%in+%d]".formatted(word(sources.get(k)), sourceOffset + 8 * k));
    }

    private static int word(int width) {
        return width == PREDICATE ? 32 : width;
    }

    private String code(String prefix, int offset, IntFunction<String> source) {
        StringBuilder code = new StringBuilder();
        for (int k = 0; k < sources.size(); k++) {
            String name = "%" + prefix + "s" + k;
            boolean predicate = sources.get(k) == PREDICATE;
            String word = predicate ? name + "w" : name;
            code.append(declared(name, sources.get(k))).append(source.apply(k).replace("%s", word)).append(";\n");
            if (predicate) {
                code.append("setp.ne.b32 ").append(name).append(", ").append(word).append(", 0;\n");
            }
        }
        for (int k = 0; k < results.size(); k++) {
            code.append(declared("%" + prefix + "d" + k, results.get(k)));
        }
        code.append(text.replaceAll("\\bS(?=\\d)", "%" + prefix + "s").replaceAll("\\bD(?=\\d)", "%" + prefix + "d")).append(";\n");
        for (int k = 0; k < results.size(); k++) {
            String name = "%" + prefix + "d" + k;
            String word = name;
            if (results.get(k) == PREDICATE) {
                word = name + "w";
                code.append("selp.b32 ").append(word).append(", 1, 0, ").append(name).append(";\n");
            }
            code.append("st.global.b%d [%%out+%d], %s;\n".formatted(word(results.get(k)), offset + 8 * k, word));
        }
        return code.toString();
    }

    private static String declared(String name, int width) {
        return width == PREDICATE ? ".reg .pred " + name + "; .reg .b32 " + name + "w;\n" : ".reg .b" + width + " " + name + ";\n";
    }
}
