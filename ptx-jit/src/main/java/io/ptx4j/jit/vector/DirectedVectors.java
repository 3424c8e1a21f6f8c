package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

/**
 * Single precision rounded towards zero or an infinity: the result rounded to nearest goes one step where the exact result lies on the
 * other side of it. No lane takes a branch.
 *
 * <p>The sign of what the nearest result {@code s} misses comes from two differences, which never have the wrong sign, since rounding is
 * monotone; one of them at least is exact, so that they are not both zero unless nothing is missed. Where {@code s} overflows the
 * differences say so by infinities, and where an infinity or NaN is exact they are NaN, which compares as nothing missed.
 *
 * <p>What is rounded down is computed as minus the negated sources rounded up: an exact zero of theirs is +0, whose opposite is wanted.
 */
final class DirectedVectors {
    private final VectorCode vc;
    private final Terms terms;
    private final Instruction i;
    private final Modifier rounding;

    private DirectedVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.terms = new Terms(vc);
        this.i = i;
        this.rounding = i.spelling().one(Modifier.Category.ROUNDING);
    }

    static void emit(VectorCode vc, Instruction i) {
        DirectedVectors directed = new DirectedVectors(vc, i);
        for (int part = 0; part < vc.group.vectors(); part++) {
            directed.terms.begin();
            directed.terms.push(directed.result(part));
            vc.popArithmetic(i.operand(0), part);
        }
    }

    private Term result(int part) {
        return switch (i.opcode()) {
            case ADD -> sum(source(1, part), source(2, part));
            case SUB -> sum(source(1, part), terms.unary("NEG", source(2, part)));
            case MUL -> product(source(1, part), source(2, part));
            case FMA, MAD -> fused(source(1, part), source(2, part), source(3, part));
            case DIV -> quotient(source(1, part), source(2, part));
            case RCP -> quotient(terms.constant(1f), source(1, part));
            case SQRT -> root(source(1, part));
            default -> throw new NoCode("no vector form");
        };
    }

    private Term source(int k, int part) {
        vc.pushFloats(i.operand(k), part);
        return terms.pop(Kind.FLOAT);
    }

    private Term sum(Term a, Term b) {
        if (rounding == Modifier.RM) {
            return terms.unary("NEG", sumUp(terms.unary("NEG", a), terms.unary("NEG", b)));
        }
        return rounding == Modifier.RP ? sumUp(a, b) : sumTowardsZero(a, b);
    }

    /** b > s - a or a > s - b: then the exact sum is above s. */
    private Term sumUp(Term a, Term b) {
        Term s = terms.binary("ADD", a, b);
        Local above = terms.mask();
        terms.compare("GT", b, terms.binary("SUB", s, a));
        terms.compare("GT", a, terms.binary("SUB", s, b));
        vc.code.op(Op.LOR).store(above);
        return step(s, above, "ADD");
    }

    private Term sumTowardsZero(Term a, Term b) {
        Term s = terms.binary("ADD", a, b);
        Term more = terms.binary("ADD", terms.binary("SUB", terms.binary("SUB", s, a), b), terms.binary("SUB", terms.binary("SUB", s, b), a));
        Term sign = terms.binary("AND", terms.bits(s), Integer.MIN_VALUE);
        Local beyond = terms.mask();
        terms.compare("GT", terms.number(terms.binary("XOR", terms.bits(more), sign)), 0);
        vc.code.store(beyond);
        return towardsZero(s, beyond);
    }

    private Term product(Term a, Term b) {
        Term s = terms.binary("MUL", a, b);
        Term minus = terms.unary("NEG", s);
        return corrected(s, half -> terms.fma(wide(a, half), wide(b, half), wide(minus, half)));
    }

    private Term fused(Term a, Term b, Term c) {
        return rounding == Modifier.RM
                ? terms.unary("NEG", fusedUpOrTowardsZero(terms.unary("NEG", a), b, terms.unary("NEG", c))) : fusedUpOrTowardsZero(a, b, c);
    }

    /** a·b is exact in double precision; c - s is too, or a·b - s is. */
    private Term fusedUpOrTowardsZero(Term a, Term b, Term c) {
        Term s = terms.fma(a, b, c);
        Term minus = terms.unary("NEG", s);
        return corrected(s, half -> {
            Term wideA = wide(a, half);
            Term wideB = wide(b, half);
            Term wideC = wide(c, half);
            Term wideMinus = wide(minus, half);
            Term one = terms.fma(wideA, wideB, terms.binary("ADD", wideC, wideMinus));
            Term other = terms.binary("ADD", terms.fma(wideA, wideB, wideMinus), wideC);
            return terms.binary("ADD", one, other);
        });
    }

    /** (a - s·b) / b has the sign of (a - s·b)·b, which is exact enough in double precision and cannot leave its range. */
    private Term quotient(Term a, Term b) {
        Term s = terms.binary("DIV", a, b);
        Term minus = terms.unary("NEG", s);
        return corrected(s, half -> {
            Term wideB = wide(b, half);
            return terms.binary("MUL", terms.fma(wide(minus, half), wideB, wide(a, half)), wideB);
        });
    }

    private Term root(Term a) {
        Term s = terms.unary("SQRT", a);
        Term minus = terms.unary("NEG", s);
        return corrected(s, half -> terms.fma(wide(minus, half), wide(s, half), wide(a, half)));
    }

    private Term wide(Term single, int half) {
        return terms.convert("F2D", single, Kind.DOUBLE, half);
    }

    /** What a result to nearest misses, in double precision, for half of the lanes. */
    private interface Missed {
        Term of(int half);
    }

    private Term corrected(Term s, Missed missed) {
        boolean negated = rounding == Modifier.RM && (i.opcode() == Opcode.FMA || i.opcode() == Opcode.MAD);
        Modifier direction = negated ? Modifier.RP : rounding;
        Local wrong = terms.mask();
        for (int half = 0; half < vc.group.spread(); half++) {
            Term part = missed.of(half);
            if (direction == Modifier.RZ) {
                part = terms.binary("MUL", part, wide(s, half));
            }
            terms.compare(direction == Modifier.RP ? "GT" : "LT", part, 0);
            if (half > 0) {
                terms.place(Kind.DOUBLE, half);
                vc.code.load(wrong).op(Op.LOR);
            }
            vc.code.store(wrong);
        }
        return switch (direction) {
            case RZ -> towardsZero(s, wrong);
            case RP -> step(s, wrong, "ADD");
            default -> step(s, wrong, "SUB");
        };
    }

    private Term towardsZero(Term s, Local beyond) {
        return terms.number(terms.binaryWhere(beyond, 0, "ADD", terms.bits(s), terms.constant(-1)));
    }

    /** The next number up or down: bits of negative numbers count downwards. */
    private Term step(Term s, Local where, String operator) {
        Term bits = terms.bits(s);
        Term one = terms.binary("OR", terms.binary("ASHR", bits, 31), 1);
        return terms.number(terms.binaryWhere(where, 0, operator, bits, one));
    }
}
