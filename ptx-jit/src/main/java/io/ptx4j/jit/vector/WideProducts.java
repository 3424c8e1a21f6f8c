package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.vector.Terms.Term;

/** Products whose high words are wanted. */
final class WideProducts {
    private static final long HIGH_WORD = 0xFFFF_FFFF_0000_0000L;

    private WideProducts() {
    }

    /** The high 64 bits of x·y: four products of halves, none of whose sums leaves 64 bits. */
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
        return without(terms, without(terms, high, x, y, Long.SIZE), y, x, Long.SIZE);
    }

    /** A negative factor counts 2 to the number of its bits too much when it is taken for unsigned: the other one is to be taken from the high half. */
    private static Term without(Terms terms, Term high, Term factor, Term other, int bits) {
        return terms.binary("SUB", high, terms.binary("AND", terms.binary("ASHR", factor, bits - 1), other));
    }

    /** Whether {@link #highWord} has code for the factors: they are not kept in 64-bit lanes. */
    static boolean takesWords(VectorCode vc, Instruction i) {
        return !vc.group.narrow() && !vc.isWord(i.operand(1)) && !vc.isWord(i.operand(2));
    }

    /**
     * A factor of 32 bits in each lane.
     *
     * @param even the words of even lanes, zero-extended
     * @param odd those of odd lanes
     */
    private record Factor(Operand operand, int part, Term even, Term odd) {
        static Factor of(VectorCode vc, Terms terms, Operand operand, int part) {
            if (vc.isOne(operand)) {
                vc.pushExtended(operand, false, part * vc.group.spread());
                Term all = terms.pop(Kind.LONG);
                Term word = Processor.CUTS_FACTORS ? terms.cutToWord(all) : all;
                return new Factor(operand, part, word, word);
            }
            vc.pushInts(operand, part);
            vc.code.call(Kind.INT.type, "reinterpretAsLongs");
            Term pairs = terms.pop(Kind.LONG);
            return new Factor(operand, part, terms.cutToWord(pairs), terms.binary("LSHR", pairs, Integer.SIZE));
        }

        Term without(VectorCode vc, Terms terms, Term high, Factor other) {
            if (operand instanceof Operand.Immediate number) {
                return (int) number.bits() < 0 ? terms.binary("SUB", high, other.words(vc, terms)) : high;
            }
            return WideProducts.without(terms, high, words(vc, terms), other.words(vc, terms), Integer.SIZE);
        }

        private Term words(VectorCode vc, Terms terms) {
            vc.pushInts(operand, part);
            return terms.pop(Kind.INT);
        }
    }

    /** The high 32 bits of the products of words: those of even and of odd lanes, each a product of 64-bit lanes. */
    static Term highWord(VectorCode vc, Terms terms, Instruction i, int part) {
        Factor x = Factor.of(vc, terms, i.operand(1), part);
        Factor y = Factor.of(vc, terms, i.operand(2), part);
        Term even = terms.binary("LSHR", terms.binary("MUL", x.even, y.even), Integer.SIZE);
        Term odd = terms.binary("AND", terms.binary("MUL", x.odd, y.odd), HIGH_WORD);
        Term high = terms.words(terms.binary("OR", even, odd));
        return i.type().signed() ? y.without(vc, terms, x.without(vc, terms, high, y), x) : high;
    }
}
