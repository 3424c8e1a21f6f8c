package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.Permutation;

import java.util.List;

/** {@code prmt.b32} with a constant selector on vectors. */
final class PermuteVectors {
    private PermuteVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        if (i.spelling().one(Modifier.Category.MODE) != null || !(i.operand(3) instanceof Operand.Immediate selector)) {
            throw new NoCode("no vector form");
        }
        List<Permutation.Term> terms = Permutation.of((int) selector.bits());
        for (int part = 0; part < vc.group.vectors(); part++) {
            for (int t = 0; t < terms.size(); t++) {
                push(vc, i, terms.get(t), part);
                if (t > 0) {
                    vc.binary(Kind.INT, "OR");
                }
            }
            vc.popInts(i.operand(0), part);
        }
    }

    private static void push(VectorCode vc, Instruction i, Permutation.Term term, int part) {
        vc.pushInts(i.operand(term.operand()), part);
        if (term.left() != 0) {
            vc.binary(Kind.INT, term.left() > 0 ? "LSHL" : "LSHR", Math.abs(term.left()));
        }
        if (term.sign()) {
            vc.binary(Kind.INT, "ASHR", 31);
        }
        if (term.mask() != -1) {
            vc.binary(Kind.INT, "AND", term.mask());
        }
    }
}
