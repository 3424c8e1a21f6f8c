package io.ptx4j.isa;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the forms that a spelled opcode can mean. Modifiers stand in any order, but for those whose place the form fixes and
 * the order of types, of state spaces, of layouts and of packed formats among themselves; some may be repeated, as ptxas has it.
 */
public final class Matcher {
    /** Words that ptxas lets stand twice. */
    private static final Set<Modifier> REPEATABLE =
            Set.of(Modifier.APPROX, Modifier.CC, Modifier.NAN, Modifier.RELU, Modifier.SAT, Modifier.SATFINITE,
                    Modifier.SHIFTAMT, Modifier.SYNC, Modifier.UNI);
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
            } else if (!REPEATABLE.contains(modifier) || !modifiers.contains(modifier)) {
                modifiers.add(modifier);
            }
        }
        List<Spelling> found = new ArrayList<>();
        List<Form> forms = new ArrayList<>(opcode.forms());
        forms.addAll(opcode.oldForms());
        for (Form form : forms) {
            int placed = placed(form, words);
            if (placed >= 0 && typesFit(form, types) && modifiersFit(form, modifiers.subList(placed, modifiers.size()))) {
                found.add(Spelling.of(opcode, form, text, types, modifiers));
            }
        }
        return List.copyOf(found);
    }

    /** How many words stand where the form fixes their place; -1 when one is missing. */
    private static int placed(Form form, String[] words) {
        int place = 1;
        for (Form.Part part : form.parts()) {
            if (!part.fixedPlace()) {
                break;
            }
            boolean here = place < words.length && part.modifiers().contains(Modifier.spelled(words[place]));
            if (!here && !part.optional()) {
                return -1;
            }
            place += here ? 1 : 0;
        }
        return place - 1;
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
        List<Form.Part> parts = form.parts().stream().filter(p -> !p.isType() && !p.fixedPlace()).toList();
        return assign(parts, modifiers, 0, new Modifier[parts.size()]);
    }

    private static boolean assign(List<Form.Part> parts, List<Modifier> modifiers, int next, Modifier[] taken) {
        if (next == modifiers.size()) {
            for (int i = 0; i < taken.length; i++) {
                if (taken[i] == null && !parts.get(i).optional()) {
                    return false;
                }
            }
            return true;
        }
        Modifier modifier = modifiers.get(next);
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] == null && parts.get(i).modifiers().contains(modifier) && inOrder(parts, taken, i, modifier)) {
                taken[i] = modifier;
                if (assign(parts, modifiers, next + 1, taken)) {
                    return true;
                }
                taken[i] = null;
            }
        }
        return false;
    }

    /** State spaces, layouts and packed formats keep the row's order, and so do words that two parts of the row could take. */
    private static boolean inOrder(List<Form.Part> parts, Modifier[] taken, int place, Modifier modifier) {
        boolean ordered = switch (modifier.category()) {
            case SPACE, LAYOUT, FORMAT -> true;
            default -> false;
        };
        for (int i = place + 1; i < taken.length; i++) {
            if (taken[i] != null && (ordered && taken[i].category() == modifier.category()
                    || parts.get(i).modifiers().contains(modifier) || parts.get(place).modifiers().contains(taken[i]))) {
                return false;
            }
        }
        return true;
    }
}
