package io.ptx4j.check;

import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Spelling;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What was found out about the spellings of a module: a file has fewer than 300, each a thousand times. */
final class KnownForms {
    private final Dialect dialect;
    private final Map<String, List<Spelling>> forms = new HashMap<>();
    private final Map<Spelling, Boolean> allowed = new IdentityHashMap<>();

    KnownForms(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The forms that a text may mean; empty when there are none. */
    List<Spelling> of(String text) {
        return forms.computeIfAbsent(text, Matcher::match);
    }

    /** Whether the module's version and target have the spelling. */
    boolean allowed(Spelling spelling) {
        return allowed.computeIfAbsent(spelling, one -> one.unmet(dialect.version(), dialect.target()) == null
                && one.form().alive(dialect.version(), dialect.target()));
    }
}
