package io.ptx4j.jit.vector;

import io.ptx4j.jit.vector.Terms.Term;

/** Products of 64-bit lanes whose high words are wanted: four products of halves, none of whose sums leaves 64 bits. */
final class WideProducts {
    private WideProducts() {
    }

    /** The high 64 bits of x·y. */
    static Term high(Terms terms, Term x, Term y, boolean signed) {
        Term x0 = terms.cutToWord(x);
        Term y0 = terms.cutToWord(y);
        Term x1 = terms.binary("LSHR", x, 32);
        Term y1 = terms.binary("LSHR", y, 32);
        Term low = terms.binary("LSHR", terms.binary("MUL", x0, y0), 32);
        Term middle = terms.binary("ADD", terms.binary("MUL", x1, y0), low);
        Term other = terms.binary("ADD", terms.binary("MUL", x0, y1), terms.cutToWord(middle));
        Term carries = terms.binary("ADD", terms.binary("LSHR", middle, 32), terms.binary("LSHR", other, 32));
        Term high = terms.binary("ADD", terms.binary("MUL", x1, y1), carries);
        if (!signed) {
            return high;
        }
        // A negative factor counts 2^64 too much, times the other one.
        Term less = terms.binary("SUB", high, terms.binary("AND", terms.binary("ASHR", x, 63), y));
        return terms.binary("SUB", less, terms.binary("AND", terms.binary("ASHR", y, 63), x));
    }
}
