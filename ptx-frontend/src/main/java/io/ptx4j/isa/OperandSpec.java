package io.ptx4j.isa;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * One operand of a {@link Form}: what it is called in the manual, what it is for and where its type comes from.
 *
 * <p>Written {@code name[:[marks]type]} in a row. A name that begins with {@code d}, {@code p} or {@code q} is a destination;
 * {@code [a]} is an address; {@code @x} is a label, function or prototype; any other name is a source. Types: {@code t1},
 * {@code t2}, {@code t3} (the spelling's types in order; {@code t1} when none is written), {@code wide} (twice {@code t1}),
 * or the name of a scalar type. {@code vec.} before the type makes it a vector as the spelling's {@code .v2/.v4/.v8} says,
 * {@code v4.} always a vector of four. The marks before vector length or type are those of {@link Mark}. {@code (0..255)} behind the type
 * bounds constants, {@code (32..1024/32)} to multiples, {@code (1..64*2)} to powers of two, {@code (4 8 16)} to a list, {@code (0..c)} by the constant that operand c is;
 * {@code (0..3|0..1)} are those of a vector's elements in order. An address names its state space where the
 * spelling does not: {@code [a:shared]}, or has a mark, {@code [a:$]}; {@code [a, c:v2.s32]} is a texture, surface or tensor with its coordinates.
 *
 * @param vector number of elements; 0 for a scalar, {@link #BY_MODIFIER} when the spelling decides
 * @param fixed the type when {@code rule} is {@code FIXED}, else null
 * @param paired stands behind the operand before it and a bar: {@code p|q}
 * @param space of an address whose state space the row fixes, else null
 * @param ranges the constants that may stand; of a vector those of its elements, the last one for all that follow; empty for all
 */
public record OperandSpec(
        String name, Role role, TypeRule rule, ScalarType fixed, int vector, boolean optional, boolean paired, Set<Mark> marks,
        StateSpace space, List<Range> ranges) {
    /** The number of elements is that of the spelling's vector modifier. */
    public static final int BY_MODIFIER = -1;
    /** Half or a quarter of the columns that a wgmma shape names ({@code n2.}, {@code n4.}). */
    public static final int HALF_OF_COLUMNS = -2;
    public static final int QUARTER_OF_COLUMNS = -4;

    public enum Role {
        DESTINATION, SOURCE, ADDRESS, TARGET,
        /** An address with coordinates; type and vector length are those of the coordinates. */
        TEXTURE
    }

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
        /** The result must be dropped. */
        SINK('!'),
        /** The type has the width of a generic address. */
        ADDRESS_WIDE('@'),
        /** No constants. */
        REGISTER('='),
        /** A part of a register may stand: {@code a.b0}, {@code a.h1}. */
        PART('.'),
        /** A minus sign may stand before it. */
        NEGATION('-'),
        /** Where the spelling names no state space, a register of 32 bits holds an address in shared memory. */
        SHARED_WORD('$'),
        /** Not written: what the registers of the first operand hold before. */
        BEFORE('+');

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

    /** The constants that may stand; null for all. */
    public Range range() {
        return ranges.isEmpty() ? null : ranges.getFirst();
    }

    /** The constants that may stand as element {@code index} of a vector; null for all. */
    public Range range(int index) {
        return ranges.isEmpty() ? null : ranges.get(Math.min(index, ranges.size() - 1));
    }

    /**
     * Constants from {@code least} to {@code most} in steps, or those of {@code list} where it is not empty.
     *
     * @param step 0 where the list is one of powers of two
     * @param bound the operand whose constant, without sign, is the most; null for none
     */
    public record Range(long least, long most, long step, List<Long> list, String bound) {
        static Range parse(String text) {
            int dots = text.indexOf("..");
            if (dots < 0) {
                return new Range(0, 0, 1, Arrays.stream(text.split(" ")).map(Long::valueOf).toList(), null);
            }
            if (text.endsWith("*2")) {
                List<Long> powers = LongStream.iterate(1, power -> 2 * power).limit(Long.SIZE - 1).boxed().toList();
                long first = Long.parseLong(text.substring(0, dots));
                long last = Long.parseLong(text.substring(dots + 2, text.length() - 2));
                return new Range(first, last, 0, powers.stream().filter(power -> power >= first && power <= last).toList(), null);
            }
            int slash = text.indexOf('/');
            long step = slash < 0 ? 1 : Long.parseLong(text.substring(slash + 1));
            String last = text.substring(dots + 2, slash < 0 ? text.length() : slash);
            long least = dots == 0 ? Long.MIN_VALUE : Long.parseLong(text.substring(0, dots));
            return Character.isLetter(last.charAt(0)) ? new Range(least, dots == 0 ? Long.MAX_VALUE : 0xFFFFFFFFL, step, List.of(), last)
                    : new Range(least, Long.parseLong(last), step, List.of(), null);
        }

        public boolean holds(long value) {
            return list.isEmpty() ? value >= least && value <= most && value % step == 0 : list.contains(value);
        }

        @Override
        public String toString() {
            if (step == 0) {
                return "a power of two from " + least + " to " + most;
            }
            if (!list.isEmpty()) {
                return "one of " + list.stream().map(String::valueOf).collect(Collectors.joining(", "));
            }
            return least + " to " + (bound == null ? most : "operand " + bound) + (step == 1 ? "" : " in steps of " + step);
        }
    }

    static OperandSpec parse(String text, boolean optional, boolean paired) {
        if (text.startsWith("@")) {
            return new OperandSpec(
                    text.substring(1), Role.TARGET, TypeRule.FIRST, null, 0, optional, paired, Set.of(), null, List.of());
        }
        if (text.startsWith("[")) {
            return address(text.substring(1, text.length() - 1), optional);
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        Role role = "dpq".indexOf(name.charAt(0)) >= 0 ? Role.DESTINATION : Role.SOURCE;
        return typed(name, role, colon < 0 ? "t1" : text.substring(colon + 1), optional, paired);
    }

    private static OperandSpec address(String text, boolean optional) {
        int comma = text.indexOf(',');
        if (comma >= 0) {
            String coordinates = text.substring(comma + 1).strip();
            return typed(text.substring(0, comma), Role.TEXTURE, coordinates.substring(coordinates.indexOf(':') + 1), optional,
                    false);
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        boolean word = text.endsWith(":$");
        StateSpace space = colon < 0 || word ? null : StateSpace.valueOf(text.substring(colon + 1).toUpperCase(Locale.ROOT));
        return new OperandSpec(name, Role.ADDRESS, TypeRule.FIRST, null, 0, optional, false, word ? Set.of(Mark.SHARED_WORD) : Set.of(), space,
                List.of());
    }

    private static OperandSpec typed(String name, Role role, String written, boolean optional, boolean paired) {
        String type = written;
        Set<Mark> marks = EnumSet.noneOf(Mark.class);
        for (Mark mark = Mark.of(type.charAt(0)); mark != null; mark = Mark.of(type.charAt(0))) {
            marks.add(mark);
            type = type.substring(1);
        }
        int open = type.indexOf('(');
        List<Range> ranges = open < 0 ? List.of()
                : Arrays.stream(type.substring(open + 1, type.length() - 1).split("\\|")).map(Range::parse).toList();
        type = open < 0 ? type : type.substring(0, open);
        int vector = 0;
        if (type.startsWith("vec.")) {
            vector = BY_MODIFIER;
            type = type.substring(4);
        } else if (type.startsWith("n2.") || type.startsWith("n4.")) {
            vector = type.charAt(1) == '2' ? HALF_OF_COLUMNS : QUARTER_OF_COLUMNS;
            type = type.substring(3);
        } else if (type.length() > 2 && type.charAt(0) == 'v' && Character.isDigit(type.charAt(1)) && type.indexOf('.') > 0) {
            vector = Integer.parseInt(type.substring(1, type.indexOf('.')));
            type = type.substring(type.indexOf('.') + 1);
        }
        for (Mark mark = Mark.of(type.charAt(0)); mark != null; mark = Mark.of(type.charAt(0))) {
            marks.add(mark);
            type = type.substring(1);
        }
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
            throw new IllegalArgumentException("operand '" + name + ":" + written + "' names no type");
        }
        return new OperandSpec(name, role, rule, fixed, vector, optional, paired, marks, null, ranges);
    }
}
