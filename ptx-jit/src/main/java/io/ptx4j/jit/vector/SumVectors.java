package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.function.IntFunction;

/**
 * Integer sums, extremes and sums of small products on vectors (manual: "add", "sub", "neg", "min", "max", "sad", "mul24", "mad24", "dp4a", "dp2a"), with
 * {@code .sat}, {@code .relu} and on halves and bytes, which are lanes of their own.
 */
final class SumVectors {
    private final VectorCode vc;
    private final Instruction i;
    private final Kind kind;
    private final boolean signed;
    private final Terms t;

    private SumVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.kind = IntegerVectors.kind(i.type());
        this.signed = i.type().signed();
        this.t = new Terms(vc);
    }

    static void emit(VectorCode vc, Instruction i) {
        SumVectors sums = new SumVectors(vc, i);
        if (i.type().packed()) {
            sums.each(sums::packed);
            return;
        }
        boolean plain = i.spelling().modifiers().isEmpty();
        switch (i.opcode()) {
            case ADD, SUB -> {
                if (plain) {
                    IntegerVectors.binary(vc, i, i.opcode().name());
                } else {
                    sums.each(sums::saturating);
                }
            }
            case NEG -> IntegerVectors.unary(vc, i, "NEG");
            case MIN, MAX -> {
                if (plain) {
                    IntegerVectors.binary(vc, i, sums.extreme(i.type()));
                } else {
                    sums.each(sums::positiveExtreme);
                }
            }
            case SAD -> sums.each(sums::distance);
            case MUL24, MAD24 -> sums.multiply24();
            case DP4A -> sums.each(part -> sums.products(part, 8, 0));
            case DP2A -> sums.each(part -> sums.products(part, 16, i.spelling().has(Modifier.HI) ? 16 : 0));
            default -> throw new NoCode("no vector form");
        }
    }

    /** Adds operand 3 of a {@code mad} to the products on the stack. */
    static void addTo(VectorCode vc, Instruction i, int part) {
        if (!i.spelling().has(Modifier.SAT)) {
            vc.pushInts(i.operand(3), part);
            vc.binary(Kind.INT, "ADD");
            return;
        }
        SumVectors sums = new SumVectors(vc, i);
        sums.t.begin();
        Term product = sums.t.pop(Kind.INT);
        sums.t.push(sums.clamp(product, sums.source(3, part), true));
    }

    private void each(IntFunction<Term> formula) {
        IntegerVectors.each(vc, i, t, formula);
    }

    private Term source(int operand, int part) {
        IntegerVectors.push(vc, i, operand, kind, part);
        return t.pop(kind);
    }

    // Sums

    private Term saturating(int part) {
        Term a = source(1, part);
        Term b = source(2, part);
        // Of unsigned numbers there are only sums: what is too much for b is left out of a.
        return signed ? clamp(a, b, i.opcode() == Opcode.ADD) : t.binary("ADD", t.binary("UMIN", a, t.unary("NOT", b)), b);
    }

    /** A sum has overflowed where its sign is neither source's, a difference where signs differ and it lost the first one's. */
    private Term clamp(Term a, Term b, boolean adds) {
        Term result = t.binary(adds ? "ADD" : "SUB", a, b);
        Term lost = t.binary("AND", t.binary("XOR", a, result), t.binary("XOR", adds ? result : a, b));
        Term end = t.binary("XOR", t.binary("ASHR", a, 31), Integer.MAX_VALUE);
        return t.choose(lost, "LT", 0, end, result);
    }

    private Term distance(int part) {
        Term a = source(1, part);
        Term b = source(2, part);
        boolean flips = !signed && i.type().bits() >= 32;
        Term most = t.binary(flips ? "UMAX" : "MAX", a, b);
        Term least = t.binary(flips ? "UMIN" : "MIN", a, b);
        return t.binary("ADD", t.binary("SUB", most, least), source(3, part));
    }

    // Extremes

    private String extreme(ScalarType type) {
        return (!type.signed() && type.bits() >= 32 ? "U" : "") + i.opcode().name();
    }

    private Term positiveExtreme(int part) {
        return t.binary("MAX", t.binary(extreme(i.type()), source(1, part), source(2, part)), 0);
    }

    // Halves and bytes

    private Term packed(int part) {
        ScalarType element = i.type().element();
        if (i.opcode() == Opcode.NEG) {
            Term none = t.constant(0);
            return t.packed(element, "SUB", none, source(1, part));
        }
        Term result = t.packed(element, operator(element), source(1, part), source(2, part));
        return i.spelling().has(Modifier.RELU) ? t.packed(element, "MAX", result, t.constant(0)) : result;
    }

    private String operator(ScalarType element) {
        boolean saturates = i.spelling().has(Modifier.SAT);
        return switch (i.opcode()) {
            case ADD, SUB -> (!saturates ? "" : element.signed() ? "S" : "SU") + i.opcode().name();
            default -> (element.signed() ? "" : "U") + i.opcode().name();
        };
    }

    // Products

    private void multiply24() {
        boolean adds = i.opcode() == Opcode.MAD24;
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (i.spelling().has(Modifier.HI)) {
                vc.pushLowWords(part, p -> {
                    t.begin();
                    Term a = low24(Kind.LONG, 1, p);
                    t.push(t.binary("LSHR", t.binary("MUL", a, low24(Kind.LONG, 2, p)), 16));
                });
            } else {
                t.begin();
                Term a = low24(Kind.INT, 1, part);
                t.push(t.binary("MUL", a, low24(Kind.INT, 2, part)));
            }
            if (adds) {
                addTo(vc, i, part);
            }
            vc.popInts(i.operand(0), part);
        }
    }

    /** The low 24 bits of a source, extended. */
    private Term low24(Kind lanes, int operand, int part) {
        if (lanes == Kind.LONG) {
            vc.pushExtended(i.operand(operand), signed, part);
        } else {
            vc.pushInts(i.operand(operand), part);
        }
        int above = lanes == Kind.LONG ? 40 : 8;
        return field(t.pop(lanes), above, above, signed);
    }

    private Term field(Term a, int left, int right, boolean extendsSign) {
        Term up = left == 0 ? a : t.binary("LSHL", a, left);
        return t.binary(extendsSign ? "ASHR" : "LSHR", up, right);
    }

    /** The sum of operand 3 and the products of fields of a, {@code bits} wide, with bytes of b from a bit on. */
    private Term products(int part, int bits, int from) {
        boolean otherSigned = i.spelling().lastType().signed();
        Term a = source(1, part);
        Term b = source(2, part);
        Term sum = source(3, part);
        for (int n = 0; n < 32 / bits; n++) {
            Term x = field(a, 32 - bits * (n + 1), 32 - bits, signed);
            Term y = field(b, 24 - from - 8 * n, 24, otherSigned);
            sum = t.binary("ADD", sum, t.binary("MUL", x, y));
        }
        return sum;
    }
}
