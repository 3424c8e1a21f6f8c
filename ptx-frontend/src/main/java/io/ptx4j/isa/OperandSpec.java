package io.ptx4j.isa;

import java.util.EnumSet;
import java.util.Set;

/**
 * One operand of a {@link Form}: what it is called in the manual, what it is for and where its type comes from.
 *
 * <p>Written {@code name[:[marks]type]} in a row. A name that begins with {@code d}, {@code p} or {@code q} is a destination;
 * {@code [a]} is an address; {@code @x} is a label, function or prototype; any other name is a source. Types: {@code t1},
 * {@code t2}, {@code t3} (the spelling's types in order; {@code t1} when none is written), {@code wide} (twice {@code t1}),
 * or the name of a scalar type. {@code vec.} before the type makes it a vector as the spelling's {@code .v2/.v4/.v8} says,
 * {@code v4.} always a vector of four. The marks before the type are those of {@link Mark}.
 *
 * @param vector number of elements; 0 for a scalar, {@link #BY_MODIFIER} when the spelling decides
 * @param fixed the type when {@code rule} is {@code FIXED}, else null
 * @param paired stands behind the operand before it and a bar: {@code p|q}
 */
public record OperandSpec(
        String name, Role role, TypeRule rule, ScalarType fixed, int vector, boolean optional, boolean paired, Set<Mark> marks) {
    /** The number of elements is that of the spelling's vector modifier. */
    public static final int BY_MODIFIER = -1;

    public enum Role { DESTINATION, SOURCE, ADDRESS, TARGET }

    public enum TypeRule { FIRST, SECOND, THIRD, FOURTH, WIDE, FIXED }

    /** What else an operand may or must be. */
    public enum Mark {
        /** A wider register may stand: loads, stores, conversions. */
        WIDER('~'),
        /** Constants only. */
        CONSTANT('#'),
        /** Special registers may stand. */
        SPECIAL('%'),
        /** The address of a variable may stand. */
        VARIABLE('&'),
        /** The address of a function may stand. */
        FUNCTION('^'),
        /** A vector whose elements together have the operand's width may stand. */
        PACK('*'),
        /** The result may be dropped: {@code _}. */
        DISCARD('?'),
        /** No constants. */
        REGISTER('=');

        private final char sign;

        Mark(char sign) {
            this.sign = sign;
        }

        private static Mark of(char sign) {
            for (Mark mark : values()) {
                if (mark.sign == sign) {
                    return mark;
                }
            }
            return null;
        }
    }

    public boolean has(Mark mark) {
        return marks.contains(mark);
    }

    public boolean wider() {
        return has(Mark.WIDER);
    }

    public boolean constant() {
        return has(Mark.CONSTANT);
    }

    static OperandSpec parse(String text, boolean optional, boolean paired) {
        if (text.startsWith("@")) {
            return new OperandSpec(text.substring(1), Role.TARGET, TypeRule.FIRST, null, 0, optional, paired, Set.of());
        }
        boolean address = text.startsWith("[");
        String body = address ? text.substring(1, text.length() - 1) : text;
        int colon = body.indexOf(':');
        String name = colon < 0 ? body : body.substring(0, colon);
        String type = colon < 0 ? "t1" : body.substring(colon + 1);
        Set<Mark> marks = EnumSet.noneOf(Mark.class);
        for (Mark mark = Mark.of(type.charAt(0)); mark != null; mark = Mark.of(type.charAt(0))) {
            marks.add(mark);
            type = type.substring(1);
        }
        int vector = 0;
        if (type.startsWith("vec.")) {
            vector = BY_MODIFIER;
            type = type.substring(4);
        } else if (type.length() > 2 && type.charAt(0) == 'v' && Character.isDigit(type.charAt(1)) && type.indexOf('.') > 0) {
            vector = Integer.parseInt(type.substring(1, type.indexOf('.')));
            type = type.substring(type.indexOf('.') + 1);
        }
        Role role = address ? Role.ADDRESS : "dpq".indexOf(name.charAt(0)) >= 0 ? Role.DESTINATION : Role.SOURCE;
        TypeRule rule = switch (type) {
            case "t1" -> TypeRule.FIRST;
            case "t2" -> TypeRule.SECOND;
            case "t3" -> TypeRule.THIRD;
            case "t4" -> TypeRule.FOURTH;
            case "wide" -> TypeRule.WIDE;
            default -> TypeRule.FIXED;
        };
        ScalarType fixed = rule == TypeRule.FIXED ? ScalarType.named(type) : null;
        if (rule == TypeRule.FIXED && fixed == null) {
            throw new IllegalArgumentException("operand '" + text + "' names no type");
        }
        return new OperandSpec(name, role, rule, fixed, vector, optional, paired, marks);
    }
}
