package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.EnumSet;
import java.util.Set;

/**
 * Single and double precision rounded towards zero or an infinity: the result rounded to nearest goes one step where the exact result lies on the
 * other side of it. No lane takes a branch.
 *
 * <p>The sign of what the nearest result {@code s} misses comes from two differences, which never have the wrong sign, since rounding is
 * monotone; one of them at least is exact, so that they are not both zero unless nothing is missed. Where {@code s} overflows the
 * differences say so by infinities, and where an infinity or NaN is exact they are NaN, which compares as nothing missed.
 *
 * <p>Which NaN a result of f64 is depends on the sources; it is rare.
 *
 * <p>What is rounded down begins as minus the sum of the negated sources: an exact zero of theirs is +0, whose opposite is wanted.
 */
final class DirectedVectors {
    private static final Set<Modifier> TAKEN = EnumSet.of(Modifier.RZ, Modifier.RM, Modifier.RP, Modifier.FTZ, Modifier.SAT);
    /** A product of at least this magnitude misses a multiple of the least number; as do f64 quotients of a dividend of at least this magnitude, and roots. */
    private static final float LEAST_PRODUCT = 0x1p-100f;
    private static final double LEAST_F64 = 0x1p-960;

    private final VectorCode vc;
    private final Terms terms;
    private final Kind kind;
    private final double least;
    private final Instruction i;
    private final Modifier rounding;
    private final boolean ftz;

    private DirectedVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.terms = new Terms(vc);
        this.kind = i.type() == ScalarType.F64 ? Kind.DOUBLE : Kind.FLOAT;
        this.least = kind == Kind.DOUBLE ? LEAST_F64 : LEAST_PRODUCT;
        this.i = i;
        this.rounding = i.spelling().one(Modifier.Category.ROUNDING);
        this.ftz = i.spelling().has(Modifier.FTZ);
    }

    /** @param laneByLane emits the instruction for each lane by itself, where values are rare that vectors do not get right */
    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        DirectedVectors directed = new DirectedVectors(vc, i);
        Set<Modifier> modifiers = i.spelling().modifiers();
        if (!TAKEN.containsAll(modifiers) || modifiers.size() > 1 && !directed.multiplies() && !directed.adds()) {
            throw new NoCode("no vector form");
        }
        if (directed.multiplies() || directed.kind == Kind.DOUBLE) {
            directed.withRareLanes(laneByLane);
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            directed.terms.begin();
            directed.terms.push(directed.result(part, null));
            directed.pop(part);
        }
    }

    /** Stores the result on the stack. A tiny one is exact here, so that it alone says whether it is flushed: all sources and products are multiples of the least number. */
    private void pop(int part) {
        if (kind == Kind.DOUBLE) {
            vc.popDoubles(i.operand(0), part);
            return;
        }
        if (ftz) {
            FloatVectors.flush(vc);
        }
        FloatVectors.pop(vc, i, part);
    }

    private boolean multiplies() {
        return switch (i.opcode()) {
            case MUL, FMA, MAD -> true;
            default -> false;
        };
    }

    private boolean adds() {
        return i.opcode() == Opcode.ADD || i.opcode() == Opcode.SUB;
    }

    /** Products next to zero are rare, unless they are zero because a factor is; dividends and squares too. */
    private void withRareLanes(Runnable laneByLane) {
        RareLanes rare = new RareLanes(vc, kind);
        for (int part = 0; part < kind.parts(vc.group); part++) {
            terms.begin();
            terms.push(result(part, rare));
            rare.keep(part);
            if (kind == Kind.DOUBLE) {
                rare.pushNans(part);
                rare.note();
            }
        }
        rare.finish(this::pop, laneByLane, () -> {
            for (int part = 0; part < kind.parts(vc.group); part++) {
                terms.begin();
                if (!adds()) {
                    terms.compare("EQ", source(1, part), 0);
                    if (multiplies()) {
                        terms.compare("EQ", source(2, part), 0);
                        vc.code.op(Op.LOR);
                    }
                    vc.place(kind, part);
                    vc.code.push(-1L).op(Op.LXOR).op(Op.LAND);
                }
            }
            if (kind == Kind.DOUBLE) {
                for (int part = 0; part < kind.parts(vc.group); part++) {
                    rare.pushNans(part);
                    vc.code.op(Op.LOR);
                }
            }
            vc.code.load(vc.mask()).op(Op.LAND);
        });
    }

    /** Notes lanes of a part where the term does not compare so, or is NaN. */
    private void noteUnless(RareLanes rare, int part, String comparison, Term term, double constant) {
        terms.compare(comparison, term, constant);
        vc.code.push((1L << kind.length(vc.group)) - 1).op(Op.LXOR);
        vc.place(kind, part);
        rare.note();
    }

    private Term result(int part, RareLanes rare) {
        return switch (i.opcode()) {
            case ADD -> sum(source(1, part), source(2, part));
            case SUB -> sum(source(1, part), terms.unary("NEG", source(2, part)));
            case MUL -> product(source(1, part), source(2, part), part, rare);
            case FMA, MAD -> fused(source(1, part), source(2, part), source(3, part), part, rare);
            case DIV -> quotient(source(1, part), source(2, part), part, rare);
            case RCP -> quotient(constant(1), source(1, part), part, rare);
            case SQRT -> root(source(1, part), part, rare);
            default -> throw new NoCode("no vector form");
        };
    }

    private Term source(int k, int part) {
        if (kind == Kind.DOUBLE) {
            vc.pushDoubles(i.operand(k), part);
            return terms.pop(kind);
        }
        vc.pushFloats(i.operand(k), part);
        if (ftz) {
            FloatVectors.flush(vc);
        }
        return terms.pop(kind);
    }

    private Term constant(double value) {
        return kind == Kind.DOUBLE ? terms.constant(value) : terms.constant((float) value);
    }

    private Term sign(Term a) {
        return terms.binary("AND", terms.bits(a), kind == Kind.DOUBLE ? Long.MIN_VALUE : Integer.MIN_VALUE);
    }

    private Term sum(Term a, Term b) {
        return switch (rounding) {
            case RM -> {
                // Negating sources and result of the sum upwards instead takes 1.6 times as long.
                Term s = terms.unary("NEG", terms.binary("SUB", terms.unary("NEG", a), b));
                yield stepped(s, missed(a, b, s, "LT"), rounding);
            }
            case RP -> {
                Term s = terms.binary("ADD", a, b);
                yield stepped(s, missed(a, b, s, "GT"), rounding);
            }
            default -> sumTowardsZero(a, b);
        };
    }

    /** b > s - a or a > s - b: then the exact sum is above s; with "LT" below. */
    private Local missed(Term a, Term b, Term s, String comparison) {
        Local missed = terms.mask();
        terms.compare(comparison, b, terms.binary("SUB", s, a));
        terms.compare(comparison, a, terms.binary("SUB", s, b));
        vc.code.op(Op.LOR).store(missed);
        return missed;
    }

    private Term sumTowardsZero(Term a, Term b) {
        Term s = terms.binary("ADD", a, b);
        Term more = terms.binary("ADD", terms.binary("SUB", terms.binary("SUB", s, a), b), terms.binary("SUB", terms.binary("SUB", s, b), a));
        Term sign = sign(s);
        Local beyond = terms.mask();
        terms.compare("GT", terms.number(terms.binary("XOR", terms.bits(more), sign)), 0);
        vc.code.store(beyond);
        return towardsZero(s, beyond);
    }

    /**
     * What the product misses is exact, unless it is lost below the least number. Where the product overflows it is an infinity, and where an infinity or NaN is
     * exact it is NaN, which compares as nothing missed.
     */
    private Term product(Term a, Term b, int part, RareLanes rare) {
        Term s = terms.binary("MUL", a, b);
        Term missed = terms.fma(a, b, terms.unary("NEG", s));
        noteUnless(rare, part, "GE", terms.unary("ABS", s), least);
        return corrected(s, missed, rounding);
    }

    /** What is rounded down is computed as minus the negated sources rounded up. */
    private Term fused(Term a, Term b, Term c, int part, RareLanes rare) {
        if (rounding == Modifier.RM) {
            return terms.unary("NEG", fused(terms.unary("NEG", a), b, terms.unary("NEG", c), part, rare, Modifier.RP));
        }
        return fused(a, b, c, part, rare, rounding);
    }

    /**
     * The exact result is the sum of three numbers: the product, what that misses, and what its sum with c misses, plus that sum (Knuth's TwoSum). The sum is
     * a few units of the result's last place away from it, or exact; adding what the product misses first keeps the sign of the error (the other order does
     * not). Products that lose bits below the least number are rare, and sums that overflow, for which the error is no number.
     */
    private Term fused(Term a, Term b, Term c, int part, RareLanes rare, Modifier direction) {
        Term result = terms.fma(a, b, c);
        Term product = terms.binary("MUL", a, b);
        Term productMissed = terms.fma(a, b, terms.unary("NEG", product));
        Term sum = terms.binary("ADD", product, c);
        Term added = terms.binary("SUB", sum, product);
        Term sumMissed = terms.binary("ADD", terms.binary("SUB", product, terms.binary("SUB", sum, added)), terms.binary("SUB", c, added));
        Term missed = terms.binary("ADD", terms.binary("ADD", terms.binary("SUB", sum, result), productMissed), sumMissed);
        noteUnless(rare, part, "GE", terms.fma(missed, constant(0), terms.unary("ABS", product)), least);
        return corrected(result, missed, direction);
    }

    private Term corrected(Term s, Term missed, Modifier direction) {
        Local wrong = terms.mask();
        switch (direction) {
            case RZ -> {
                terms.compare("LT", terms.number(terms.binary("XOR", terms.bits(missed), sign(s))), 0);
            }
            case RP -> terms.compare("GT", missed, 0);
            default -> terms.compare("LT", missed, 0);
        }
        vc.code.store(wrong);
        return stepped(s, wrong, direction);
    }

    private Term stepped(Term s, Local wrong, Modifier direction) {
        return switch (direction) {
            case RZ -> towardsZero(s, wrong);
            case RP -> step(s, wrong, "ADD");
            default -> step(s, wrong, "SUB");
        };
    }

    /**
     * (a - s·b) / b has the sign of (a - s·b)·b, which for f32 is exact enough in double precision and cannot leave its range. For f64 a fused sum of
     * it keeps its sign: unless a is tiny, a and s·b are multiples of the least number. Where s overflows that is an infinity, and where an infinity or NaN is exact it is NaN.
     */
    private Term quotient(Term a, Term b, int part, RareLanes rare) {
        Term s = terms.binary("DIV", a, b);
        Term minus = terms.unary("NEG", s);
        if (kind == Kind.DOUBLE) {
            noteUnless(rare, part, "GE", terms.unary("ABS", a), least);
            Term missed = terms.fma(minus, b, a);
            return corrected(s, terms.number(terms.binary("XOR", terms.bits(missed), sign(b))), rounding);
        }
        return corrected(s, half -> {
            Term wideB = wide(b, half);
            return terms.binary("MUL", terms.fma(wide(minus, half), wideB, wide(a, half)), wideB);
        });
    }

    private Term root(Term a, int part, RareLanes rare) {
        Term s = terms.unary("SQRT", a);
        Term minus = terms.unary("NEG", s);
        if (kind == Kind.DOUBLE) {
            noteUnless(rare, part, "GE", a, least);
            return corrected(s, terms.fma(minus, s, a), rounding);
        }
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
        Local wrong = terms.mask();
        for (int half = 0; half < vc.group.spread(); half++) {
            Term part = missed.of(half);
            if (rounding == Modifier.RZ) {
                part = terms.binary("MUL", part, wide(s, half));
            }
            terms.compare(rounding == Modifier.RP ? "GT" : "LT", part, 0);
            if (half > 0) {
                vc.place(Kind.DOUBLE, half);
                vc.code.load(wrong).op(Op.LOR);
            }
            vc.code.store(wrong);
        }
        return stepped(s, wrong, rounding);
    }

    private Term towardsZero(Term s, Local beyond) {
        return terms.number(terms.binaryWhere(beyond, 0, "ADD", terms.bits(s), kind == Kind.DOUBLE ? terms.constant(Kind.LONG, -1) : terms.constant(-1)));
    }

    /** The next number up or down: bits of negative numbers count downwards. */
    private Term step(Term s, Local where, String operator) {
        Term bits = terms.bits(s);
        Term one = terms.binary("OR", terms.binary("ASHR", bits, kind == Kind.DOUBLE ? 63 : 31), 1);
        return terms.number(terms.binaryWhere(where, 0, operator, bits, one));
    }
}
