package io.ptx4j.jit.scalar;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code prmt.b32} whose selector is a constant, as few shifts and masks: the result is all terms in one word. Bytes of a source that move
 * by the same distance are one term.
 */
public final class Permutation {
    /**
     * Some bytes of the result.
     *
     * @param operand 1 or 2, the instruction's source
     * @param left by how many bits the source is shifted to the left, to the right where negative
     * @param sign whether the shifted word's sign takes the place of its bits
     * @param mask bits that count; -1 where the others are zeros anyway
     */
    public record Term(int operand, int left, boolean sign, int mask) {
        private Term simple() {
            int given = sign ? -1 : left >= 0 ? -1 << left : -1 >>> -left;
            return mask == given ? new Term(operand, left, sign, -1) : this;
        }
    }

    private Permutation() {
    }

    /** @param selector four bits for each byte of the result; the highest of them spreads the selected byte's sign */
    public static List<Term> of(int selector) {
        List<Term> terms = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
            int nibble = selector >> 4 * k;
            int operand = 1 + (nibble >> 2 & 1);
            int from = nibble & 3;
            boolean sign = (nibble & 8) != 0;
            int left = sign ? 24 - 8 * from : 8 * (k - from);
            int mask = 0xff << 8 * k;
            for (int t = terms.size() - 1; t >= 0; t--) {
                Term other = terms.get(t);
                if (other.operand == operand && other.left == left && other.sign == sign) {
                    mask |= other.mask;
                    terms.remove(t);
                }
            }
            terms.add(new Term(operand, left, sign, mask));
        }
        return terms.stream().map(Term::simple).toList();
    }
}
