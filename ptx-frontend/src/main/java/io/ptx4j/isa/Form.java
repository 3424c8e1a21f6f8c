package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One row of the instruction table: a syntax line of the manual.
 *
 * <p>{@code "mul.lo!.(u16|s16|u32) d, a, b ; ptx 1.0, sm_10"}: each {@code .word} must stand, {@code .(a|b)} is a choice,
 * {@code {.word}} may be missing, {@code <set>} inside stands for a named set of {@link WordSet}, {@code !} fixes the word's
 * place directly behind the opcode (all other modifiers may stand in any order, types among themselves in the row's order).
 * {@code d{|p}} and <code>{, c}</code> are optional operands; {@code d|p} is a pair. Behind the semicolon: the first PTX version and target that have
 * the form, 1.0 and sm_10 when nothing is said, and {@code until sm_NN} for a form that later targets dropped.
 *
 * @param syntax the row as written, without its requirement
 */
public record Form(
        Family family, String syntax, List<Part> parts, List<OperandSpec> operands, PtxVersion since, Target minimum, Target until) {

    /** Modifiers or types of which one is spelled. */
    public record Part(Set<ScalarType> types, Set<Modifier> modifiers, boolean optional, boolean fixedPlace) {
        boolean isType() {
            return !types.isEmpty();
        }
    }

    static Form parse(Family family, String row) {
        int semicolon = row.indexOf(';');
        String syntax = (semicolon < 0 ? row : row.substring(0, semicolon)).strip();
        int space = syntax.indexOf(' ');
        String spelling = space < 0 ? syntax : syntax.substring(0, space);
        int end = opcodeEnd(spelling);
        List<Part> parts = parts(spelling.substring(end));
        List<OperandSpec> operands = space < 0 ? List.of() : operands(syntax.substring(space + 1));
        PtxVersion since = new PtxVersion(1, 0);
        Target minimum = new Target(10, (char) 0);
        Target until = null;
        if (semicolon >= 0) {
            for (String item : row.substring(semicolon + 1).split(",")) {
                String need = item.strip();
                if (need.startsWith("ptx ")) {
                    since = PtxVersion.parse(need.substring(4));
                } else if (need.startsWith("until ")) {
                    until = Target.parse(need.substring(6));
                } else {
                    minimum = Target.parse(need);
                }
            }
        }
        if (minimum == null) {
            throw new IllegalArgumentException("no target in row '" + row + "'");
        }
        return new Form(family, syntax, parts, operands, since, minimum, until);
    }

    static int opcodeEnd(String spelling) {
        int end = 0;
        while (end < spelling.length() && ".{".indexOf(spelling.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static List<Part> parts(String text) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            boolean optional = text.charAt(at) == '{';
            int start = at + (optional ? 2 : 1);
            boolean choice = text.charAt(start) == '(';
            int end = choice ? text.indexOf(')', start) : start;
            while (!choice && end < text.length() && ".{}!".indexOf(text.charAt(end)) < 0) {
                end++;
            }
            String words = text.substring(choice ? start + 1 : start, end);
            at = choice ? end + 1 : end;
            boolean fixedPlace = at < text.length() && text.charAt(at) == '!';
            at += fixedPlace ? 1 : 0;
            at += optional ? 1 : 0;
            parts.add(part(words, optional, fixedPlace));
        }
        return List.copyOf(parts);
    }

    private static Part part(String words, boolean optional, boolean fixedPlace) {
        Set<ScalarType> types = EnumSet.noneOf(ScalarType.class);
        Set<Modifier> modifiers = EnumSet.noneOf(Modifier.class);
        for (String word : expand(words)) {
            ScalarType type = ScalarType.named(word);
            Modifier modifier = Modifier.spelled(word);
            if (type == null && modifier == null) {
                throw new IllegalArgumentException("'" + word + "' is neither a type nor a modifier");
            }
            if (type != null) {
                types.add(type);
            } else {
                modifiers.add(modifier);
            }
        }
        if (!types.isEmpty() && !modifiers.isEmpty()) {
            throw new IllegalArgumentException("types and modifiers mixed in '" + words + "'");
        }
        return new Part(types, modifiers, optional, fixedPlace);
    }

    private static Set<String> expand(String words) {
        Set<String> all = new LinkedHashSet<>();
        for (String word : words.split("\\|")) {
            if (word.startsWith("<")) {
                all.addAll(WordSet.named(word.substring(1, word.length() - 1)));
            } else {
                all.add(word);
            }
        }
        return all;
    }

    private static List<OperandSpec> operands(String text) {
        List<OperandSpec> operands = new ArrayList<>();
        boolean optional = false;
        boolean paired = false;
        StringBuilder current = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            if ("{}|,".indexOf(c) < 0) {
                current.append(c);
                continue;
            }
            if (!current.toString().isBlank()) {
                operands.add(OperandSpec.parse(current.toString().strip(), optional, paired));
            }
            current.setLength(0);
            optional = c == '{' || optional && c != '}';
            paired = c == '|' || paired && c != ',';
        }
        return List.copyOf(operands);
    }
}
