package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the forms that a spelled opcode can mean. Modifiers stand in any order, but for those whose place the form fixes and
 * the order of the types among themselves; a repeated modifier counts once, as ptxas has it.
 */
public final class Matcher {
    private static final int CACHE_LIMIT = 1 << 14;
    private static final Map<String, List<Spelling>> CACHE = new ConcurrentHashMap<>();

    private Matcher() {
    }

    /** All forms that {@code text} spells, in table order; empty when the opcode or one of its modifiers fits no form. */
    public static List<Spelling> match(String text) {
        List<Spelling> cached = CACHE.get(text);
        if (cached != null) {
            return cached;
        }
        List<Spelling> found = search(text);
        if (CACHE.size() < CACHE_LIMIT) {
            CACHE.put(text, found);
        }
        return found;
    }

    private static List<Spelling> search(String text) {
        String[] words = text.split("\\.", -1);
        Opcode opcode = Opcode.named(words[0]);
        if (opcode == null) {
            return List.of();
        }
        List<ScalarType> types = new ArrayList<>();
        List<Modifier> modifiers = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            ScalarType type = ScalarType.named(words[i]);
            Modifier modifier = Modifier.spelled(words[i]);
            if (type != null) {
                types.add(type);
            } else if (modifier == null) {
                return List.of();
            } else if (!modifiers.contains(modifier)) {
                modifiers.add(modifier);
            }
        }
        List<Spelling> found = new ArrayList<>();
        for (Form form : opcode.forms()) {
            if (inPlace(form, words) && typesFit(form, types) && modifiersFit(form, modifiers)) {
                found.add(Spelling.of(opcode, form, text, types, modifiers));
            }
        }
        return List.copyOf(found);
    }

    private static boolean inPlace(Form form, String[] words) {
        int place = 1;
        for (Form.Part part : form.parts()) {
            if (!part.fixedPlace()) {
                return true;
            }
            boolean here = place < words.length && contains(part, words[place]);
            if (!here && !part.optional()) {
                return false;
            }
            place += here ? 1 : 0;
        }
        return true;
    }

    private static boolean contains(Form.Part part, String word) {
        return part.modifiers().contains(Modifier.spelled(word)) || part.types().contains(ScalarType.named(word));
    }

    private static boolean typesFit(Form form, List<ScalarType> types) {
        int next = 0;
        for (Form.Part part : form.parts()) {
            if (!part.isType()) {
                continue;
            }
            if (next < types.size() && part.types().contains(types.get(next))) {
                next++;
            } else if (!part.optional()) {
                return false;
            }
        }
        return next == types.size();
    }

    private static boolean modifiersFit(Form form, List<Modifier> modifiers) {
        List<Form.Part> parts = form.parts().stream().filter(p -> !p.isType()).toList();
        return assign(parts, modifiers, 0, new boolean[parts.size()]);
    }

    private static boolean assign(List<Form.Part> parts, List<Modifier> modifiers, int next, boolean[] taken) {
        if (next == modifiers.size()) {
            for (int i = 0; i < taken.length; i++) {
                if (!taken[i] && !parts.get(i).optional()) {
                    return false;
                }
            }
            return true;
        }
        for (int i = 0; i < taken.length; i++) {
            if (!taken[i] && parts.get(i).modifiers().contains(modifiers.get(next))) {
                taken[i] = true;
                if (assign(parts, modifiers, next + 1, taken)) {
                    return true;
                }
                taken[i] = false;
            }
        }
        return false;
    }
}
