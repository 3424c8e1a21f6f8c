package io.ptx4j.check;

import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
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
        if (dialect.target().number() >= FIRST_WITH_SUBNORMALS) {
            return isTruncating(spelling) ? with(modern, ".rn") : modern;
        }
        boolean flushes = spelling.types().contains(ScalarType.F32) && !spelling.has(Modifier.FTZ) && !convertsWideNumbers(spelling);
        return flushes ? with(modern, ".ftz") : modern;
    }

    /** {@code mad.f32} without rounding: later targets have a fused sum for it. */
    private static boolean isTruncating(Spelling spelling) {
        return spelling.opcode() == Opcode.MAD && spelling.type() == ScalarType.F32 && spelling.one(Modifier.Category.ROUNDING) == null;
    }

    /** Manual, "cvt": up to PTX 1.4 there was no flushing where one of the types has 64 bits. */
    private static boolean convertsWideNumbers(Spelling spelling) {
        return spelling.opcode() == Opcode.CVT && spelling.types().stream().anyMatch(type -> type.bits() == Long.SIZE);
    }

    /** The spelling with more words, or without one, where there is such a form; the same operands fit it. */
    private static Spelling with(Spelling spelling, String words) {
        String text = words.startsWith("-") ? spelling.text().replace(words.substring(1), "") : spelling.text() + words;
        return Matcher.match(text).stream()
                .filter(other -> other.form().operands().equals(spelling.form().operands())).findFirst().orElse(spelling);
    }
}
