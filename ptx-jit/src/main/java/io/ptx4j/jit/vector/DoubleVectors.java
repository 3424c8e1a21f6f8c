package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Double precision on vectors, rounded to nearest. Which NaN a result is depends on the sources: where there is one, the instruction is
 * done lane by lane.
 */
final class DoubleVectors {
    private DoubleVectors() {
    }

    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        if (!Set.of(Modifier.RN).containsAll(i.spelling().modifiers())) {
            throw new NoCode("no vector form");
        }
        Terms terms = new Terms(vc);
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        for (int part = 0; part < Kind.DOUBLE.parts(vc.group); part++) {
            terms.begin();
            List<Term> sources = new ArrayList<>();
            for (int k = 1; k < i.operands().size(); k++) {
                vc.pushDoubles(i.operand(k), part);
                sources.add(terms.pop(Kind.DOUBLE));
            }
            Term result = result(terms, i, sources);
            terms.compare("NE", result, result);
            nan.note();
            terms.push(result);
            nan.keep(part);
        }
        nan.finish(part -> vc.popDoubles(i.operand(0), part), laneByLane);
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
        Local nan = terms.mask();
        terms.compare("NE", source, source);
        return terms.blend(terms.store(nan), 0, result, other);
    }
}
