package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.Target;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Random instructions that compute: a row of the table, each of its choices made, with registers and constants as operands. */
final class Instructions {
    static final PtxVersion VERSION = PtxVersion.parse("9.0");
    static final Target TARGET = Target.parse("sm_100");
    private static final int ATTEMPTS = 50;
    private static final Family[] FAMILIES = {Family.INTEGER, Family.INTEGER, Family.INTEGER, Family.INTEGER, Family.LOGIC, Family.LOGIC,
        Family.FLOATING_POINT, Family.FLOATING_POINT, Family.FLOATING_POINT, Family.COMPARISON, Family.COMPARISON, Family.COMPARISON,
        Family.CONVERSION, Family.CONVERSION, Family.HALF_PRECISION, Family.MIXED_PRECISION, Family.DATA_MOVEMENT};
    private static final Map<Family, List<Row>> ROWS = rows();

    private final SplittableRandom random;
    private final Registers registers;

    private record Row(Opcode opcode, Form form) {
    }

    Instructions(SplittableRandom random, Registers registers) {
        this.random = random;
        this.registers = registers;
    }

    private static Map<Family, List<Row>> rows() {
        Map<Family, List<Row>> rows = new EnumMap<>(Family.class);
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if (form.alive(VERSION, TARGET) && (form.family() != Family.DATA_MOVEMENT || opcode == Opcode.PRMT || opcode == Opcode.MOV)) {
                    rows.computeIfAbsent(form.family(), of -> new ArrayList<>()).add(new Row(opcode, form));
                }
            }
        }
        return rows;
    }

    /** An instruction without its guard and semicolon. */
    String any() {
        return of(FAMILIES[random.nextInt(FAMILIES.length)]);
    }

    String of(Family family) {
        List<Row> rows = ROWS.get(family);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Row row = rows.get(random.nextInt(rows.size()));
            String text = of(spelling(row));
            if (text != null) {
                return text;
            }
        }
        return "mov.b32 " + registers.word() + ", " + registers.word();
    }

    private Spelling spelling(Row row) {
        StringBuilder text = new StringBuilder(row.opcode().spelling());
        for (Form.Part part : row.form().parts()) {
            if (!part.optional() || random.nextInt(3) == 0) {
                List<String> words = Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).toList();
                text.append(words.get(random.nextInt(words.size())));
            }
        }
        return Matcher.match(text.toString()).stream().filter(spelling -> spelling.form() == row.form()).findFirst().orElse(null);
    }

    private String of(Spelling spelling) {
        if (spelling == null || spelling.unmet(VERSION, TARGET) != null) {
            return null;
        }
        StringBuilder text = new StringBuilder(spelling.text());
        String before = null;
        boolean optional = random.nextBoolean();
        for (OperandSpec spec : spelling.form().operands()) {
            if (spec.optional() && (!optional || spec.has(OperandSpec.Mark.SINK))) {
                continue;
            }
            String operand = operand(spelling, spec);
            if (operand == null || spec.paired() && operand.equals(before)) {
                return null;
            }
            text.append(before == null ? " " : spec.paired() ? "|" : ", ").append(operand);
            before = operand;
        }
        return text.toString();
    }

    private String operand(Spelling spelling, OperandSpec spec) {
        boolean source = spec.role() == OperandSpec.Role.SOURCE;
        if (!source && spec.role() != OperandSpec.Role.DESTINATION || spec.range() != null) {
            return null;
        }
        ScalarType type = spelling.typeOf(spec);
        int elements = spelling.elementsOf(spec);
        if (elements > 0) {
            List<String> names = new ArrayList<>();
            for (int attempt = 0; names.size() < elements && attempt < ATTEMPTS; attempt++) {
                String name = registers.of(type, spec.wider());
                if (name != null && (source || !names.contains(name))) {
                    names.add(name);
                }
            }
            return names.size() < elements ? null : "{" + String.join(", ", names) + "}";
        }
        if (spec.constant()) {
            return Integer.toString(random.nextInt(256));
        }
        if (source && random.nextInt(7) == 0 && !spec.has(OperandSpec.Mark.REGISTER)) {
            String constant = registers.constant(type);
            if (constant != null) {
                return constant;
            }
        }
        return registers.of(type, spec.wider());
    }
}
