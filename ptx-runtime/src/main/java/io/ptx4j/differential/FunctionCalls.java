package io.ptx4j.differential;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How the functions of a module take arguments and give results; all alike, so that one call may reach any of them.
 *
 * @param functions how many there are
 * @param space {@code .reg}, as old compilers write it, or {@code .param}
 * @param results bits of each result
 * @param recursive whether functions may call themselves and later ones
 */
record FunctionCalls(int functions, String space, List<Integer> results, Dialect dialect, boolean recursive) {
    /** In a function that may call itself: how many calls may still follow each other, the lowest bits of its first argument. */
    static final String DEPTH = ".reg .b32 %deep, %next; .reg .pred %more; and.b32 %deep, %t1, 3; setp.ne.u32 %more, %deep, 0;";
    /** Bits of each argument. */
    static final List<Integer> ARGUMENTS = List.of(32, 64);

    /** Those before function {@code number}, which it may call so that calls end; null for the first. */
    FunctionCalls before(int number) {
        return recursive ? this : number == 0 ? null : new FunctionCalls(number, space, results, dialect, false);
    }

    private String type(int bits) {
        return dialect.style() == Dialect.Style.TYPED ? "u" + bits : "b" + bits;
    }

    boolean parameters() {
        return space.equals(".param");
    }

    private String list(String name, List<Integer> widths) {
        return IntStream.range(0, widths.size()).mapToObj(i -> space + " ." + type(widths.get(i)) + " " + (name.equals("_") ? name : name + i))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** {@code .func (results s0, s1) function0(arguments a0, a1)}. */
    String declaration(int number) {
        return ".func " + list("s", results) + " function" + number + list("a", ARGUMENTS);
    }

    /** The same in one of them: where calls could go on for ever, each has fewer to follow. */
    String callWithin(SplittableRandom random, Registers registers, String guard, int label, boolean indirect) {
        if (!recursive) {
            return call(random, registers, guard, label, indirect, registers.ofBits(ARGUMENTS.getFirst()));
        }
        return "@!%more bra R" + label + "; and.b32 %next, " + registers.word() + ", -4; add.u32 %next, %next, %deep; sub.u32 %next, %next, 1; "
                + call(random, registers, guard, label, indirect, "%next") + " R" + label + ":";
    }

    String call(SplittableRandom random, Registers registers, String guard, int label, boolean indirect) {
        return call(random, registers, guard, label, indirect, registers.ofBits(ARGUMENTS.getFirst()));
    }

    /** A statement that calls one of them, the address chosen by {@code predicate} where there are two and {@code indirect} says so. */
    private String call(SplittableRandom random, Registers registers, String guard, int label, boolean indirect, String first) {
        StringBuilder text = new StringBuilder();
        String callee = "function" + random.nextInt(functions);
        String prototype = "";
        if (indirect) {
            text.append("mov.u64 %a0, function0; mov.u64 %a1, function").append(functions - 1).append("; selp.u64 %a0, %a0, %a1, ")
                    .append(registers.predicate()).append("; Y").append(label).append(": .callprototype ")
                    .append(list("_", results)).append(" _ ").append(list("_", ARGUMENTS)).append("; ");
            callee = "%a0";
            prototype = ", Y" + label;
        }
        List<String> given = List.of(first, registers.ofBits(ARGUMENTS.getLast()));
        List<String> taken = results.stream().map(registers::ofBits).toList();
        if (!parameters()) {
            return text + guard + "call (" + String.join(", ", taken) + "), " + callee + ", (" + String.join(", ", given) + ")" + prototype + ";";
        }
        for (int i = 0; i < given.size(); i++) {
            text.append(".param .b").append(ARGUMENTS.get(i)).append(" v").append(i).append("; st.param.b").append(ARGUMENTS.get(i))
                    .append(" [v").append(i).append("], ").append(given.get(i)).append("; ");
        }
        for (int i = 0; i < taken.size(); i++) {
            text.append(".param .b").append(results.get(i)).append(" w").append(i).append("; ");
        }
        text.append("call ").append(names("w", results.size())).append(", ").append(callee).append(", ").append(names("v", given.size()))
                .append(prototype).append("; ");
        for (int i = 0; i < taken.size(); i++) {
            text.append("ld.param.b").append(results.get(i)).append(' ').append(taken.get(i)).append(", [w").append(i).append("]; ");
        }
        return "{ " + text + "}";
    }

    private static String names(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).collect(Collectors.joining(", ", "(", ")"));
    }
}
