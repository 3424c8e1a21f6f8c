package io.ptx4j.check;

import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

/**
 * What old versions and targets leave unsaid, said (manual: "Changes in Version 1.4"): {@code .approx} and {@code .rn} were
 * defaults up to PTX 1.3, and sm_1x flushes subnormal single-precision numbers whether {@code .ftz} is written or not.
 */
final class OldDialect {
    private static final int FIRST_WITH_SUBNORMALS = 20;

    private OldDialect() {
    }

    /** The spelling that later versions have for the same; the spelling itself where nothing changed. */
    static Spelling modern(Spelling spelling, Dialect dialect) {
        Spelling modern = spelling.form().means() == null ? spelling : with(spelling, spelling.form().means());
        boolean flushes = dialect.target().number() < FIRST_WITH_SUBNORMALS && spelling.types().contains(ScalarType.F32)
                && !spelling.has(Modifier.FTZ);
        return flushes ? with(modern, ".ftz") : modern;
    }

    /** The spelling with more words, or without one, where there is such a form; the same operands fit it. */
    private static Spelling with(Spelling spelling, String words) {
        String text = words.startsWith("-") ? spelling.text().replace(words.substring(1), "") : spelling.text() + words;
        return Matcher.match(text).stream()
                .filter(other -> other.form().operands().equals(spelling.form().operands())).findFirst().orElse(spelling);
    }
}
