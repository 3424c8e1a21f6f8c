package io.ptx4j.runtime;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A module has no kernel or variable of the name asked for; the message lists those whose names come near. */
public final class UnknownNameException extends PtxException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 5;

    private final transient List<String> near;

    UnknownNameException(String module, String what, String name, Collection<String> known) {
        this(module, what, name, near(name, known), known.size());
    }

    private UnknownNameException(String module, String what, String name, List<String> near, int known) {
        super(module + " has no " + what + " '" + name + "'; " + (known == 0 ? "it has none at all"
                : (near.size() == known ? "it has " : "near are ") + near.stream().collect(Collectors.joining("', '", "'", "'"))
                        + (near.size() < known ? " (of " + known + ")" : "")), null);
        this.near = near;
    }

    /** Names that exist and look most like the one asked for, the nearest first. */
    public List<String> near() {
        return near;
    }

    private static List<String> near(String name, Collection<String> known) {
        return known.stream().sorted(Comparator.comparingInt(other -> distance(name, other))).limit(SHOWN).toList();
    }

    /** Edit distance; a name that contains the other (as mangled names do) counts as near. */
    private static int distance(String name, String other) {
        String a = name.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        if (b.contains(a)) {
            return 1;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
