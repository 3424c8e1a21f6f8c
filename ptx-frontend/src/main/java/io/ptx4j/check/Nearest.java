package io.ptx4j.check;

import java.util.Collection;

/** Finds the name that was likely meant. */
final class Nearest {
    private static final int FARTHEST = 2;
    /** Candidates looked at: a file may declare a million. */
    private static final int MOST = 5_000;

    private Nearest() {
    }

    /** The candidate that differs in case only, or with the fewest edits, at most two; null when none is near. */
    static String to(String name, Collection<String> candidates) {
        String best = null;
        int least = FARTHEST + 1;
        int looked = 0;
        for (String candidate : candidates) {
            if (candidate.equalsIgnoreCase(name)) {
                return candidate;
            }
            if (looked++ == MOST) {
                return best;
            }
            if (Math.abs(candidate.length() - name.length()) < least) {
                int edits = edits(name, candidate, least);
                if (edits < least && 2 * edits <= name.length()) {
                    least = edits;
                    best = candidate;
                }
            }
        }
        return best;
    }

    private static int edits(String a, String b, int limit) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            int best = i;
            for (int j = 1; j <= b.length(); j++) {
                int same = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(same, Math.min(row[j], row[j - 1]) + 1);
                best = Math.min(best, row[j]);
            }
            if (best >= limit) {
                return limit;
            }
        }
        return row[b.length()];
    }
}
