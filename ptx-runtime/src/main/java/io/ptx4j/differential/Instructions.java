package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Random instructions: a row of the table, each of its choices made, with registers and constants as operands. */
final class Instructions {
    private static final int ATTEMPTS = 50;
    /** How often each family is drawn. A family that engines have learnt is added here, unless its operands need a pattern of their own. */
    private static final Map<Family, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(Family.INTEGER, 8), Map.entry(Family.LOGIC, 4), Map.entry(Family.FLOATING_POINT, 6), Map.entry(Family.COMPARISON, 6),
            Map.entry(Family.CONVERSION, 5), Map.entry(Family.HALF_PRECISION, 4), Map.entry(Family.MIXED_PRECISION, 1),
            Map.entry(Family.DATA_MOVEMENT, 3), Map.entry(Family.VIDEO, 1), Map.entry(Family.SIMD_VIDEO, 1));
    private static final Map<Dialect, Map<Family, List<Form>>> ROWS = rows();
    private static final Map<Dialect, List<Family>> DRAWN = drawn();

    private final SplittableRandom random;
    private final Registers registers;

    Instructions(SplittableRandom random, Registers registers) {
        this.random = random;
        this.registers = registers;
    }

    private static Map<Dialect, Map<Family, List<Form>>> rows() {
        Map<Dialect, Map<Family, List<Form>>> rows = new EnumMap<>(Dialect.class);
        for (Dialect dialect : Dialect.values()) {
            Map<Family, List<Form>> families = new EnumMap<>(Family.class);
            for (Opcode opcode : Opcode.values()) {
                opcode.forms().stream().filter(form -> form.alive(dialect.version(), dialect.target()))
                        .forEach(form -> families.computeIfAbsent(form.family(), of -> new ArrayList<>()).add(form));
            }
            families.values().forEach(forms -> forms.removeIf(form -> form.requirements().stream()
                    .anyMatch(need -> need.words().isEmpty() && !(need.metBy(dialect.target()) && need.version().compareTo(dialect.version()) <= 0))));
            families.values().removeIf(List::isEmpty);
            rows.put(dialect, families);
        }
        return rows;
    }

    private static Map<Dialect, List<Family>> drawn() {
        Map<Dialect, List<Family>> drawn = new EnumMap<>(Dialect.class);
        for (Dialect dialect : Dialect.values()) {
            List<Family> families = new ArrayList<>();
            for (Family family : Family.values()) {
                int weight = ROWS.get(dialect).containsKey(family) ? WEIGHTS.getOrDefault(family, 0) : 0;
                for (int i = 0; i < weight; i++) {
                    families.add(family);
                }
            }
            drawn.put(dialect, families);
        }
        return drawn;
    }

    private Dialect dialect() {
        return registers.dialect();
    }

    /** An instruction that computes, without guard and semicolon. */
    String any() {
        List<Family> families = DRAWN.get(dialect());
        return of(families.get(random.nextInt(families.size())));
    }

    String of(Family family) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Spelling spelling = spelling(family, any -> true);
            String text = spelling == null ? null : of(spelling, spec -> null);
            if (text != null) {
                return text;
            }
        }
        return "mov.b32 " + registers.word() + ", " + registers.word();
    }

    /** A spelling of the family that this dialect has and {@code wanted} takes; null if there was no luck. */
    Spelling spelling(Family family, Predicate<Spelling> wanted) {
        List<Form> forms = ROWS.get(dialect()).getOrDefault(family, List.of());
        for (int attempt = 0; attempt < ATTEMPTS && !forms.isEmpty(); attempt++) {
            Spelling spelling = Spellings.random(forms.get(random.nextInt(forms.size())), random);
            if (spelling.unmet(dialect().version(), dialect().target()) == null && wanted.test(spelling)) {
                return spelling;
            }
        }
        return null;
    }

    /** Chooses an operand in place of a register or constant; null where those will do. */
    @FunctionalInterface
    interface Special {
        String operand(OperandSpec spec);
    }

    /** An instruction of that spelling; null if there was no luck. */
    String of(Spelling spelling, Special special) {
        Set<String> written = new HashSet<>();
        Registers.Kind[] kind = new Registers.Kind[1];
        int packed = random.nextInt(4);
        boolean[] negated = new boolean[1];
        return InstructionText.of(spelling, random.nextBoolean(), (spec, index, type, element) -> {
            String chosen = special.operand(spec);
            boolean result = spec.role() == OperandSpec.Role.DESTINATION;
            if (chosen == null && spec.has(OperandSpec.Mark.PACK) && packed == (result ? 0 : 1)) {
                chosen = pack(type);
            }
            if (chosen == null && !result && spelling.elementsOf(spec) > 0 && spec.range() != null) {
                // What a register has would be out of range, and variants would fail at other lines.
                return Integer.toString(within(spec.range(element)));
            }
            for (int attempt = 0; attempt < ATTEMPTS && chosen == null; attempt++) {
                String operand = operand(spelling, spec, type);
                if (operand == null) {
                    return null;
                }
                if (operand.startsWith("-%")) {
                    // A product with a negative sum is not to be had.
                    operand = negated[0] ? operand.substring(1) : operand;
                    negated[0] = true;
                }
                boolean alike = element == 0 || operand.startsWith("%") && Registers.Kind.of(operand) == kind[0];
                if (alike && (!result || written.add(operand.split("\\.")[0]))) {
                    kind[0] = operand.startsWith("%") ? Registers.Kind.of(operand) : null;
                    chosen = operand;
                }
            }
            return chosen;
        });
    }

    /** Registers that together have as many bits as {@code type}. */
    private String pack(ScalarType type) {
        int bits = type.bits() == 64 && random.nextBoolean() ? 16 : type.bits() / 2;
        if (bits < 16) {
            return null;
        }
        Set<String> names = new LinkedHashSet<>();
        for (int attempt = 0; attempt < ATTEMPTS && names.size() < type.bits() / bits; attempt++) {
            names.add(registers.ofBits(bits));
        }
        return names.size() < type.bits() / bits ? null : "{" + String.join(", ", names) + "}";
    }

    private String operand(Spelling spelling, OperandSpec spec, ScalarType type) {
        boolean source = spec.role() == OperandSpec.Role.SOURCE;
        if (type == null || !source && spec.role() != OperandSpec.Role.DESTINATION) {
            return null;
        }
        if (spec.constant()) {
            return Integer.toString(spec.range() == null ? random.nextInt(256) : within(spec.range()));
        }
        if (source && spelling.elementsOf(spec) == 0 && random.nextInt(7) == 0 && !spec.has(OperandSpec.Mark.REGISTER) && !spec.has(OperandSpec.Mark.PART)) {
            String constant = spec.range() != null ? Integer.toString(within(spec.range())) : registers.constant(type);
            if (constant != null) {
                return constant;
            }
        }
        String register = registers.of(type, spec.wider());
        if (register != null && spec.has(OperandSpec.Mark.PART) && (random.nextBoolean() || !source)) {
            return register + InstructionText.selector(spelling, spec, random);
        }
        return register != null && spec.has(OperandSpec.Mark.NEGATION) && !spelling.has(Modifier.PO) && random.nextInt(4) == 0 ? "-" + register : register;
    }

    private int within(OperandSpec.Range range) {
        return (int) (range.list().isEmpty() ? range.least() + random.nextLong((range.most() - range.least()) / range.step() + 1) * range.step()
                : range.list().get(random.nextInt(range.list().size())));
    }
}
