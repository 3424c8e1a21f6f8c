package io.ptx4j.isa;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The first PTX version and target that have a form, or that have it with certain words: {@code ptx 7.8}, {@code sm_90},
 * {@code gpu|sys sm_60} (where {@code .gpu} or {@code .sys} is spelled), {@code generic ptx 2.0 sm_20} (where no state space is).
 * {@code sm_90a|sm_100f} is met by either: each generation has its own specific features.
 *
 * @param words the words that need it; empty where the whole form does
 * @param generic needed where no state space is spelled
 */
public record Requirement(Set<String> words, boolean generic, PtxVersion version, List<Target> targets) {
    static final Requirement NONE = new Requirement(Set.of(), false, new PtxVersion(1, 0), List.of(new Target(10, (char) 0)));

    /** Reads {@code ptx 7.8 sm_90}, with words before it where only these need it. */
    public static Requirement parse(String text) {
        Set<String> words = Set.of();
        PtxVersion version = NONE.version;
        List<Target> targets = NONE.targets;
        String[] items = text.strip().split(" +");
        for (int i = 0; i < items.length; i++) {
            List<String> choices = Arrays.asList(items[i].split("\\|"));
            if (Target.parse(choices.getFirst()) != null) {
                targets = choices.stream().map(Target::parse).toList();
            } else if (items[i].equals("ptx")) {
                version = PtxVersion.parse(items[++i]);
            } else if (i == 0) {
                words = Set.copyOf(choices);
            } else {
                throw new IllegalArgumentException("'" + text + "' is no requirement");
            }
        }
        boolean generic = words.contains("generic");
        words.stream().filter(word -> !word.equals("generic") && ScalarType.named(word) == null && Modifier.spelled(word) == null)
                .findAny().ifPresent(word -> {
                    throw new IllegalArgumentException("'" + word + "' in '" + text + "' is neither a type nor a modifier");
                });
        return new Requirement(words, generic, version, targets);
    }

    /** Whether one of the targets is that of the module or an earlier one. */
    public boolean metBy(Target module) {
        for (Target target : targets) {
            if (module.supports(target)) {
                return true;
            }
        }
        return false;
    }

    boolean concerns(Spelling spelling) {
        return words.isEmpty() || generic && spelling.one(Modifier.Category.SPACE) == null
                || spelling.modifiers().stream().anyMatch(modifier -> words.contains(modifier.spelling()))
                || spelling.types().stream().anyMatch(type -> words.contains(type.spelling()));
    }
}
