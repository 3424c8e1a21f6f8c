package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Double precision on vectors, rounded to nearest. Which NaN a result is depends on the sources, and is seen to where there is one. */
final class DoubleVectors {
    private static final long QUIET = 0x0008_0000_0000_0000L;

    private DoubleVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        if (!Set.of(Modifier.RN).containsAll(i.spelling().modifiers())) {
            throw new NoCode("no vector form");
        }
        Terms terms = new Terms(vc);
        for (int part = 0; part < 2 * vc.group.vectors(); part++) {
            terms.begin();
            List<Term> sources = new ArrayList<>();
            for (int k = 1; k < i.operands().size(); k++) {
                vc.pushDoubles(i.operand(k), part);
                sources.add(terms.pop(Kind.DOUBLE));
            }
            Term result = result(terms, i, sources);
            chooseNan(vc, terms, result, sources);
            terms.push(result);
            vc.popDoubles(i.operand(0), part);
        }
    }

    private static Term result(Terms terms, Instruction i, List<Term> x) {
        return switch (i.opcode()) {
            case ADD, SUB, MUL, DIV -> terms.binary(i.opcode().name(), x.get(0), x.get(1));
            case FMA, MAD -> terms.fma(x.get(0), x.get(1), x.get(2));
            case RCP -> terms.binary("DIV", terms.constant(1.0), x.getFirst());
            case SQRT, ABS, NEG -> terms.unary(i.opcode().name(), x.getFirst());
            case MIN, MAX -> extreme(terms, i.opcode().name(), x.get(0), x.get(1));
            default -> throw new NoCode("no vector form");
        };
    }

    /** Java's minimum and maximum are NaN where one source is; PTX's are the other source. */
    private static Term extreme(Terms terms, String operator, Term a, Term b) {
        Term result = terms.binary(operator, a, b);
        return whereNan(terms, whereNan(terms, result, a, b), b, a);
    }

    /** The other one where the source is NaN. */
    private static Term whereNan(Terms terms, Term result, Term source, Term other) {
        return terms.blend(nan(terms, source), 0, result, other);
    }

    private static Local nan(Terms terms, Term term) {
        Local nan = terms.mask();
        terms.compare("NE", term, term);
        return terms.store(nan);
    }

    /** {@link Canonical}: the last source that is NaN, quiet. */
    private static void chooseNan(VectorCode vc, Terms terms, Term result, List<Term> sources) {
        Place done = new Place();
        Local nan = nan(terms, result);
        vc.code.load(nan).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, done);
        Term chosen = terms.constant(Canonical.F64);
        for (Term source : sources) {
            Term quiet = terms.number(terms.binary("OR", terms.bits(source), QUIET));
            chosen = terms.blend(nan(terms, source), 0, chosen, quiet);
        }
        terms.push(terms.blend(nan, 0, result, chosen));
        vc.code.store(result.local());
        vc.code.place(done);
    }
}
