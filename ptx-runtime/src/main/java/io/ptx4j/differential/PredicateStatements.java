package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import java.util.List;
import java.util.SplittableRandom;

/** Conditions as compilers write them: several comparisons, combined, kept in registers or chosen by. */
final class PredicateStatements {
    private static final int MOST = 5;
    private static final List<String> COMBINATIONS = List.of("and", "or", "xor");

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;

    PredicateStatements(SplittableRandom random, Registers registers, Instructions instructions) {
        this.random = random;
        this.registers = registers;
        this.instructions = instructions;
    }

    /** One to five statements. */
    List<String> some() {
        return random.ints(1 + random.nextInt(MOST), 0, 8).mapToObj(this::of).toList();
    }

    private String of(int kind) {
        String result = registers.predicate();
        String guard = random.nextInt(4) > 0 ? "" : "@" + registers.condition() + " ";
        return guard + switch (kind) {
            case 0, 1 -> COMBINATIONS.get(random.nextInt(COMBINATIONS.size())) + ".pred " + result + ", " + registers.predicate() + ", " + registers.predicate();
            case 2 -> "not.pred " + result + ", " + registers.predicate();
            case 3 -> "mov.pred " + result + ", " + (random.nextInt(4) == 0 ? Integer.toString(random.nextInt(2)) : registers.predicate());
            case 4 -> "selp.b32 " + registers.word() + ", " + registers.word() + ", " + random.nextInt(9) + ", " + registers.predicate();
            default -> comparison(result);
        };
    }

    /** One that is combined with another condition or gives both the condition and its opposite, where there was luck. */
    private String comparison(String result) {
        Spelling spelling = instructions.spelling(Family.COMPARISON, some -> some.opcode() == Opcode.SETP);
        String text = spelling == null ? null : instructions.of(spelling, spec -> null);
        return text != null ? text : "setp.ne.s32 " + result + ", " + registers.word() + ", " + registers.word();
    }
}
