package io.ptx4j.differential;

import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes instructions of any form of the instruction table; who asks chooses registers and constants. */
public final class InstructionText {
    private static final List<String> SELECTORS = List.of("", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1");

    private InstructionText() {
    }

    /** Chooses operands. */
    @FunctionalInterface
    public interface Operands {
        /**
         * @param index which operand of the form
         * @param type its type in this spelling; null for addresses and targets of untyped instructions
         * @param element which element of a vector; 0 for a scalar
         * @return the register, constant, address in brackets or label; null if there is none that fits, so that there can be
         *     no such instruction
         */
        String choose(OperandSpec spec, int index, ScalarType type, int element);
    }

    /**
     * An instruction without guard and semicolon.
     *
     * @param withOptional whether operands that may be missing are there
     * @return null if an operand cannot be chosen
     */
    public static String of(Spelling spelling, boolean withOptional, Operands operands) {
        StringBuilder text = new StringBuilder(spelling.text());
        List<OperandSpec> specs = spelling.form().operands();
        boolean first = true;
        for (int index = 0; index < specs.size(); index++) {
            OperandSpec spec = specs.get(index);
            if (!stands(spec, withOptional)) {
                continue;
            }
            String operand = operand(spelling, spec, index, operands);
            if (operand == null) {
                return null;
            }
            text.append(first ? " " : spec.paired() ? "|" : ", ").append(operand);
            first = false;
        }
        return text.toString();
    }

    /** Whether operand {@code spec} is written. */
    public static boolean stands(OperandSpec spec, boolean withOptional) {
        return !spec.optional() || withOptional && !spec.has(OperandSpec.Mark.SINK);
    }

    private static String operand(Spelling spelling, OperandSpec spec, int index, Operands operands) {
        int elements = spelling.elementsOf(spec);
        List<String> names = new ArrayList<>();
        for (int element = 0; element < Math.max(1, elements); element++) {
            String name = operands.choose(spec, index, spelling.typeOf(spec), element);
            if (name == null) {
                return null;
            }
            names.add(name);
        }
        return elements > 0 ? "{" + String.join(", ", names) + "}" : names.getFirst();
    }

    /** What may stand behind a register of a video instruction ({@link OperandSpec.Mark#PART}): a byte, a half, or those of all lanes. */
    public static String selector(Spelling spelling, OperandSpec spec, SplittableRandom random) {
        boolean destination = spec.role() == OperandSpec.Role.DESTINATION;
        String opcode = spelling.opcode().spelling();
        int lanes = opcode.endsWith("4") ? 4 : opcode.endsWith("2") ? 2 : 1;
        if (lanes == 1) {
            // The form without a selector at its destination is another row.
            return SELECTORS.get(random.nextInt(destination ? 1 : 0, SELECTORS.size()));
        }
        String kind = lanes == 4 ? ".b" : ".h";
        if (!destination) {
            return kind + IntStream.range(0, lanes).mapToObj(i -> String.valueOf(random.nextInt(2 * lanes))).collect(Collectors.joining());
        }
        int mask = random.nextInt(1, 1 << lanes);
        return kind + IntStream.range(0, lanes).map(i -> lanes - 1 - i).filter(i -> (mask >> i & 1) != 0)
                .mapToObj(String::valueOf).collect(Collectors.joining());
    }
}
