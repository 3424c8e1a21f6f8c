package io.ptx4j.isa;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * The few modifiers of a spelling, in their declared order; unmodifiable. They are asked for by the interpreter at every instruction it runs
 * and throughout the compiler, and most spellings have at most three: looking through an array is faster than an {@code EnumSet} of as many constants, and smaller.
 */
final class ModifierSet extends AbstractSet<Modifier> {
    private static final ModifierSet EMPTY = new ModifierSet(new Modifier[0]);

    private final Modifier[] all;

    private ModifierSet(Modifier[] all) {
        this.all = all;
    }

    static ModifierSet of(Collection<Modifier> modifiers) {
        if (modifiers instanceof ModifierSet set) {
            return set;
        }
        return modifiers.isEmpty() ? EMPTY : new ModifierSet(modifiers.stream().distinct().sorted().toArray(Modifier[]::new));
    }

    /** The first modifier of {@code category}, or null. */
    Modifier one(Modifier.Category category) {
        for (Modifier modifier : all) {
            if (modifier.category() == category) {
                return modifier;
            }
        }
        return null;
    }

    @Override
    public boolean contains(Object modifier) {
        for (Modifier one : all) {
            if (one == modifier) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isEmpty() {
        return all.length == 0;
    }

    @Override
    public int size() {
        return all.length;
    }

    @Override
    public Iterator<Modifier> iterator() {
        return List.of(all).iterator();
    }
}
