package io.ptx4j.isa;

/**
 * One operand of a {@link Form}: what it is called in the manual, what it is for and where its type comes from.
 *
 * <p>Written {@code name[:type]} in a row. A name that begins with {@code d}, {@code p} or {@code q} is a destination;
 * {@code [a]} is an address; {@code @x} is a label, function or prototype; any other name is a source. Types: {@code t1},
 * {@code t2}, {@code t3} (the spelling's types in order; {@code t1} when none is written), {@code wide} (twice {@code t1}),
 * or the name of a scalar type. {@code vec.} before the type makes it a vector as the spelling's {@code .v2/.v4/.v8} says,
 * {@code v4.} always a vector of four. {@code ~} before the type lets a wider register stand (loads, stores, conversions);
 * {@code #} allows constants only.
 *
 * @param vector number of elements; 0 for a scalar, {@link #BY_MODIFIER} when the spelling decides
 * @param fixed the type when {@code rule} is {@code FIXED}, else null
 */
public record OperandSpec(
        String name, Role role, TypeRule rule, ScalarType fixed, int vector, boolean optional, boolean wider, boolean constant) {
    /** The number of elements is that of the spelling's vector modifier. */
    public static final int BY_MODIFIER = -1;

    public enum Role { DESTINATION, SOURCE, ADDRESS, TARGET }

    public enum TypeRule { FIRST, SECOND, THIRD, FOURTH, WIDE, FIXED }

    static OperandSpec parse(String text, boolean optional) {
        if (text.startsWith("@")) {
            return new OperandSpec(text.substring(1), Role.TARGET, TypeRule.FIRST, null, 0, optional, false, false);
        }
        boolean address = text.startsWith("[");
        String body = address ? text.substring(1, text.length() - 1) : text;
        int colon = body.indexOf(':');
        String name = colon < 0 ? body : body.substring(0, colon);
        String type = colon < 0 ? "t1" : body.substring(colon + 1);
        boolean wider = type.startsWith("~");
        boolean constant = type.startsWith("#");
        type = wider || constant ? type.substring(1) : type;
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
        return new OperandSpec(name, role, rule, fixed, vector, optional, wider, constant);
    }
}
