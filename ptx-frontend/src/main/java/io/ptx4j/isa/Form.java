package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One row of the instruction table: a syntax line of the manual.
 *
 * <p>{@code "mul.lo!.(u16|s16|u32) d, a, b ; ptx 1.0, sm_10"}: each {@code .word} must stand, {@code .(a|b)} is a choice,
 * {@code {.word}} may be missing, {@code <set>} inside stands for a named set of {@link WordSet}, {@code !} fixes the word's
 * place directly behind the opcode (all other modifiers may stand in any order, types among themselves in the row's order).
 * {@code d{|p}} and <code>{, c}</code> are optional operands; {@code d|p} is a pair. Behind the semicolon stand
 * {@link Requirement}s, 1.0 and sm_10 when nothing is said.
 *
 * @param syntax the row as written, without its requirements
 * @param lastVersion the last PTX version that has the form on targets newer than {@code lastTarget}; null for no end
 * @param lastTarget the last target that has the form with versions newer than {@code lastVersion}; null for none
 * @param means words that later versions spell out ({@code as .approx}) and the checker adds, or that mean nothing ({@code as -.ftz})
 *     and it drops; null for all other forms
 */
public record Form(
        Family family, String syntax, List<Part> parts, List<OperandSpec> operands, List<Requirement> requirements,
        PtxVersion lastVersion, Target lastTarget, String means) {

    private static final Pattern SET = Pattern.compile("<(\\w+)>");

    /** Modifiers or types of which one is spelled. */
    public record Part(Set<ScalarType> types, Set<Modifier> modifiers, boolean optional, boolean fixedPlace) {
        boolean isType() {
            return !types.isEmpty();
        }
    }

    /** Whether {@code version} and {@code target} still have the form. */
    public boolean alive(PtxVersion version, Target target) {
        return lastVersion == null && lastTarget == null
                || lastVersion != null && version.compareTo(lastVersion) <= 0
                || lastTarget != null && target.number() <= lastTarget.number();
    }

    /** The row as people read it: named sets written out, marks of the table left out. */
    public String readable() {
        return SET.matcher(syntax).replaceAll(set -> String.join("|", WordSet.named(set.group(1)))).replace("!", "")
                .replaceAll(", \\w+:[+][^,;]*", "").replaceAll(":[~#%&^*?=]+", ":").replaceAll(":t1\\b", "");
    }

    /** The forms of a row: words that are optional together, <code>{.a.b}</code>, make two. */
    static List<Form> parseAll(Family family, String row) {
        int space = row.indexOf(' ');
        String spelling = space < 0 ? row : row.substring(0, space);
        for (int open = spelling.indexOf('{'); open >= 0; open = spelling.indexOf('{', open + 1)) {
            int close = spelling.indexOf('}', open);
            String group = spelling.substring(open + 1, close);
            if (words(group) > 1) {
                List<Form> both = new ArrayList<>(parseAll(family, row.substring(0, open) + group + row.substring(close + 1)));
                both.addAll(parseAll(family, row.substring(0, open) + row.substring(close + 1)));
                return both;
            }
        }
        return List.of(parse(family, row));
    }

    private static int words(String group) {
        int words = 0;
        boolean choice = false;
        for (int i = 0; i < group.length(); i++) {
            choice = group.charAt(i) == '(' || choice && group.charAt(i) != ')';
            words += group.charAt(i) == '.' && !choice ? 1 : 0;
        }
        return words;
    }

    private static Form parse(Family family, String row) {
        int semicolon = row.indexOf(';');
        String syntax = (semicolon < 0 ? row : row.substring(0, semicolon)).strip();
        int space = syntax.indexOf(' ');
        String spelling = space < 0 ? syntax : syntax.substring(0, space);
        List<Part> parts = parts(spelling.substring(opcodeEnd(spelling)));
        List<OperandSpec> operands = space < 0 ? List.of() : operands(syntax.substring(space + 1));
        List<Requirement> requirements = new ArrayList<>();
        PtxVersion lastVersion = null;
        Target lastTarget = null;
        String means = null;
        for (String item : semicolon < 0 ? new String[0] : row.substring(semicolon + 1).split(",")) {
            String need = item.strip();
            if (need.startsWith("until ptx ")) {
                lastVersion = PtxVersion.parse(need.substring("until ptx ".length()));
            } else if (need.startsWith("as ")) {
                means = need.substring("as ".length());
            } else if (need.startsWith("until ")) {
                lastTarget = Target.parse(need.substring("until ".length()));
            } else {
                requirements.add(Requirement.parse(need));
            }
        }
        return new Form(family, syntax, parts, operands, List.copyOf(requirements), lastVersion, lastTarget, means);
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
        int nested = 0;
        StringBuilder current = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            nested += "[(".indexOf(c) >= 0 ? 1 : "])".indexOf(c) >= 0 ? -1 : 0;
            if (nested > 0 || "{}|,".indexOf(c) < 0) {
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
