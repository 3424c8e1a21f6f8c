package io.ptx4j.reference;

import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Requirement;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The first version and targets that have something: the higher of several requirements. */
record Needs(PtxVersion version, List<Target> targets) {
    private static final Needs NOTHING = new Needs(new PtxVersion(1, 0), List.of(Target.parse("sm_10")));

    /** What the form needs, then the words of it that need more. */
    static String of(Form form) {
        Needs whole = NOTHING;
        for (Requirement need : form.requirements()) {
            whole = need.words().isEmpty() ? whole.and(need) : whole;
        }
        Map<Needs, List<String>> words = new LinkedHashMap<>();
        Needs generic = whole;
        for (Requirement need : form.requirements()) {
            generic = need.generic() ? generic.and(need) : generic;
        }
        boolean withoutSpace = form.parts().stream().noneMatch(part -> !part.optional() && part.modifiers().stream().anyMatch(Needs::isSpace));
        if (withoutSpace && !generic.equals(whole)) {
            words.computeIfAbsent(generic, needs -> new ArrayList<>()).add("without a state space");
        }
        for (Form.Part part : form.parts()) {
            for (Modifier word : part.modifiers()) {
                add(words, whole, whole.and(form, word.spelling()).and(word.requirement()), word.toString());
            }
            for (ScalarType word : part.types()) {
                add(words, whole, whole.and(form, word.spelling()), word.toString());
            }
        }
        return whole + words.entrySet().stream().map(entry -> "; " + String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .collect(Collectors.joining());
    }

    private static boolean isSpace(Modifier word) {
        return word.category() == Modifier.Category.SPACE;
    }

    private static void add(Map<Needs, List<String>> words, Needs whole, Needs own, String word) {
        if (!own.equals(whole)) {
            words.computeIfAbsent(own, needs -> new ArrayList<>()).add("`" + word + "`");
        }
    }

    private Needs and(Form form, String word) {
        Needs both = this;
        for (Requirement need : form.requirements()) {
            both = need.words().contains(word) ? both.and(need) : both;
        }
        return both;
    }

    private Needs and(Requirement need) {
        Target first = need.targets().getFirst();
        Target own = targets.getFirst();
        boolean higher = first.number() > own.number() || first.number() == own.number() && first.suffix() > own.suffix();
        return new Needs(need.version().compareTo(version) > 0 ? need.version() : version, higher ? need.targets() : targets);
    }

    @Override
    public String toString() {
        return "PTX " + version + (targets.equals(NOTHING.targets) ? "" : ", "
                + targets.stream().map(Target::toString).collect(Collectors.joining(" or ")));
    }
}
