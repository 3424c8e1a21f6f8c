package io.ptx4j.ir;

import io.ptx4j.isa.Requirement;
import java.util.Locale;

/** Linking directive of a variable, function or kernel; {@code INTERNAL} when none is written. */
public enum Linkage {
    INTERNAL("ptx 1.0"), VISIBLE("ptx 1.0"), EXTERN("ptx 1.0"), WEAK("ptx 3.1"), COMMON("ptx 5.0");

    private final Requirement since;

    Linkage(String since) {
        this.since = Requirement.parse(since);
    }

    /** The first version and target that have the directive. */
    public Requirement since() {
        return since;
    }

    @Override
    public String toString() {
        return this == INTERNAL ? "private" : "." + name().toLowerCase(Locale.ROOT);
    }
}
