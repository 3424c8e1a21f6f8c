package io.ptx4j.differential;

import java.util.List;

/**
 * What a {@link Differential} found.
 *
 * @param outcomes what each engine made of it, the reference first; empty when the checker rejects the program
 * @param differences at most one for each engine
 */
public record Comparison(List<Outcome> outcomes, List<Difference> differences) {
    /** Whether all engines ran it and left the same, or failed with the same message. */
    public boolean agree() {
        return differences.isEmpty();
    }
}
