package io.ptx4j.agreement;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.Target;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A kernel of arithmetic in no sensible order: few registers of each width, which any instruction may read and write as any type,
 * under guards, behind branches and in loops. At the end each thread stores all its registers.
 *
 * @param statements instructions, labels and branches, one a line
 */
record RandomProgram(List<String> statements) {
    /** Registers of 16, 32 and 64 bits and predicates. */
    static final int[] REGISTERS = {6, 8, 6, 4};

    private static final Set<Family> FAMILIES = EnumSet.of(Family.INTEGER, Family.EXTENDED_PRECISION, Family.FLOATING_POINT,
            Family.HALF_PRECISION, Family.MIXED_PRECISION, Family.COMPARISON, Family.LOGIC, Family.CONVERSION, Family.DATA_MOVEMENT);
    private static final PtxVersion VERSION = PtxVersion.parse("9.0");
    private static final Target TARGET = Target.parse("sm_100");
    private static final List<Form> FORMS = forms();
    private static final int LENGTH = 60;
    private static final int TRIPS = 3;

    private static List<Form> forms() {
        List<Form> forms = new ArrayList<>();
        for (Opcode opcode : Opcode.values()) {
            opcode.forms().stream().filter(form -> FAMILIES.contains(form.family()) && form.alive(VERSION, TARGET))
                    .filter(form -> form.requirements().stream().allMatch(
                            need -> need.metBy(TARGET) && need.version().compareTo(VERSION) <= 0)).forEach(forms::add);
        }
        return forms;
    }

    static RandomProgram of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> statements = new ArrayList<>();
        for (int i = 0; i < LENGTH; i++) {
            int kind = random.nextInt(24);
            if (kind == 0) {
                String label = "S" + i;
                statements.add("@" + predicate(random) + " bra " + label + ";");
                repeat(statements, random, 1 + random.nextInt(4));
                statements.add(label + ":");
            } else if (kind == 1) {
                String label = "L" + i;
                statements.add("mov.u32 %n" + i + ", 0;");
                statements.add(label + ":");
                repeat(statements, random, 1 + random.nextInt(4));
                statements.add("add.u32 %n" + i + ", %n" + i + ", 1;");
                statements.add("setp.lt.u32 %again, %n" + i + ", " + TRIPS + ";");
                statements.add("@%again bra " + label + ";");
            } else {
                repeat(statements, random, 1);
            }
        }
        return new RandomProgram(statements);
    }

    private static void repeat(List<String> statements, SplittableRandom random, int count) {
        for (int i = 0; i < count; i++) {
            statements.add((random.nextInt(5) == 0 ? "@" + predicate(random) + " " : "") + instruction(random));
        }
    }

    private static String predicate(SplittableRandom random) {
        return (random.nextBoolean() ? "!" : "") + "%p" + random.nextInt(REGISTERS[3]);
    }

    private static String instruction(SplittableRandom random) {
        while (true) {
            Form form = FORMS.get(random.nextInt(FORMS.size()));
            Spelling spelling = SpellingsOf.random(form, random);
            boolean known = form.operands().stream().allMatch(spec -> spelling.typeOf(spec).bits() <= 64);
            if (known) {
                return text(spelling, random);
            }
        }
    }

    private static String text(Spelling spelling, SplittableRandom random) {
        StringBuilder text = new StringBuilder(spelling.text());
        boolean first = true;
        for (OperandSpec spec : spelling.form().operands()) {
            if (spec.optional() && (random.nextBoolean() || spec.has(OperandSpec.Mark.SINK))) {
                continue;
            }
            List<String> elements = new ArrayList<>();
            for (int e = 0; e < Math.max(1, spelling.elementsOf(spec)); e++) {
                elements.add(operand(spec, spelling.typeOf(spec), random));
            }
            text.append(first ? " " : spec.paired() ? "|" : ", ")
                    .append(spelling.elementsOf(spec) > 0 ? "{" + String.join(", ", elements) + "}" : elements.getFirst());
            first = false;
        }
        return text.append(";").toString();
    }

    private static String operand(OperandSpec spec, ScalarType type, SplittableRandom random) {
        boolean source = spec.role() == OperandSpec.Role.SOURCE;
        if (spec.constant()) {
            return String.valueOf(random.nextInt(256));
        }
        if (source && spec.range() == null && !spec.has(OperandSpec.Mark.REGISTER) && random.nextInt(10) == 0) {
            if (type == ScalarType.F32) {
                return "0f" + "%08X".formatted((int) SourceValues.of(List.of(type), 1024, 1)[random.nextInt(1024)]);
            }
            if (type == ScalarType.F64) {
                return "0d" + "%016X".formatted(SourceValues.of(List.of(type), 1024, 1)[random.nextInt(1024)]);
            }
            if (type.isInteger() && !type.packed() && type.bits() >= 16) {
                return String.valueOf(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(-2, 70));
            }
        }
        if (type == ScalarType.PRED) {
            return "%p" + (spec.paired() ? REGISTERS[3] - 1 : random.nextInt(REGISTERS[3] - 1));
        }
        int width = type.bits() < 16 ? spec.wider() ? 32 : 16 : type.bits();
        if (spec.wider() && width < 64 && random.nextInt(6) == 0) {
            width = width == 16 ? 32 : 64;
        }
        if (type.isFloat() && spec.wider() && type.bits() == 16 && width == 64) {
            width = 32;
        }
        return switch (width) {
            case 16 -> "%h" + random.nextInt(REGISTERS[0]);
            case 32 -> "%r" + random.nextInt(REGISTERS[1]);
            default -> "%d" + random.nextInt(REGISTERS[2]);
        };
    }

    /** Registers of all kinds; a thread has eight bytes for each among its sources and among its results. */
    static int registers() {
        int sum = 0;
        for (int count : REGISTERS) {
            sum += count;
        }
        return sum;
    }

    String kernel() {
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry probe(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %t<4>; .reg .b64 %a<4>; .reg .pred %again; .reg .b32 %n<100>;
                .reg .b16 %h<6>; .reg .b32 %r<8>; .reg .b64 %d<6>; .reg .pred %p<4>;
                ld.param.u64 %a0, [sources]; ld.param.u64 %a1, [results];
                mov.u32 %t0, %tid.x; mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ntid.x; mad.lo.u32 %t0, %t1, %t2, %t0;
                """);
        text.append("mul.wide.u32 %a2, %t0, ").append(8 * registers()).append("; add.u64 %a0, %a0, %a2; add.u64 %a1, %a1, %a2;\n");
        text.append(ends("ld.global.b%d %s, [%%a0+%d];%n", "ld.global.b32 %%t1, [%%a0+%2$d]; and.b32 %%t1, %%t1, 1; setp.ne.u32 %1$s, %%t1, 0;%n"));
        statements.forEach(statement -> text.append(statement).append('\n'));
        text.append(ends("st.global.b%d [%%a1+%3$d], %2$s;%n", "selp.u32 %%t1, 1, 0, %1$s; st.global.b32 [%%a1+%2$d], %%t1;%n"));
        return text.append("exit;\n}\n").toString();
    }

    private static String ends(String access, String ofPredicates) {
        StringBuilder text = new StringBuilder();
        int place = 0;
        String[] prefixes = {"%h", "%r", "%d", "%p"};
        for (int kind = 0; kind < prefixes.length; kind++) {
            for (int i = 0; i < REGISTERS[kind]; i++) {
                String name = prefixes[kind] + i;
                text.append(kind == 3 ? ofPredicates.formatted(name, place) : access.formatted(16 << kind, name, place));
                place += 8;
            }
        }
        return text.toString();
    }

    /** The program without statement {@code index}. */
    RandomProgram without(int index) {
        List<String> fewer = new ArrayList<>(statements);
        fewer.remove(index);
        return new RandomProgram(fewer);
    }
}
