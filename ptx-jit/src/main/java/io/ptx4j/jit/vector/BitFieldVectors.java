package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.scalar.BitField;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.function.IntFunction;

/**
 * Bit fields, shifts and searches on vectors (manual: "bfe", "bfi", "bfind", "szext", "bmsk", "shl", "shr", "shf"). Shifts of the Vector API take the
 * amount modulo the width, so amounts beyond it are chosen out.
 */
final class BitFieldVectors {
    private final VectorCode vc;
    private final Instruction i;
    private final Kind kind;
    private final int width;
    private final Terms t;

    private BitFieldVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.kind = IntegerVectors.kind(i.type());
        this.width = kind == Kind.LONG ? 64 : 32;
        this.t = new Terms(vc);
    }

    static void emit(VectorCode vc, Instruction i) {
        BitFieldVectors fields = new BitFieldVectors(vc, i);
        switch (i.opcode()) {
            case BFE -> fields.extract();
            case BFI -> fields.insert();
            case BFIND -> fields.find();
            case SZEXT -> fields.each(fields::extend);
            case BMSK -> fields.each(fields::mask);
            case SHL, SHR -> fields.each(fields::shift);
            case SHF -> fields.each(fields::funnel);
            default -> throw new NoCode("no vector form");
        }
    }

    private void each(IntFunction<Term> formula) {
        IntegerVectors.each(vc, i, t, formula);
    }

    private Term source(int operand, int part) {
        IntegerVectors.push(vc, i, operand, kind, part);
        return t.pop(kind);
    }

    /** A 32-bit amount in lanes of the instruction's width. */
    private Term amount(int operand, int part) {
        if (kind == Kind.LONG) {
            vc.pushExtended(i.operand(operand), false, part);
        } else {
            vc.pushInts(i.operand(operand), part);
        }
        return t.pop(kind);
    }

    /** A position or length: of 32-bit fields the low byte of the operand counts. */
    private Term place(int operand, int part) {
        Term amount = amount(operand, part);
        return width == Long.SIZE ? amount : t.binary("AND", amount, 0xff);
    }

    private Term number(long value) {
        return t.constant(kind, value);
    }

    // Fields

    private void extract() {
        BitField field = BitField.of(i, 2);
        boolean signed = i.type().signed();
        if (field != null && !field.isEmpty(signed)) {
            for (int part = 0; part < kind.parts(vc.group); part++) {
                IntegerVectors.push(vc, i, 1, kind, part);
                shiftBy("LSHL", field.left());
                shiftBy(signed ? "ASHR" : "LSHR", field.right());
                IntegerVectors.pop(vc, i, 0, kind, part);
            }
            return;
        }
        each(part -> extract(part, signed));
    }

    /** Moved down, then cut to its length by a shift up and down. */
    private Term extract(int part, boolean signed) {
        Term position = place(2, part);
        Term length = place(3, part);
        Term cut = t.binary("SUB", number(width), t.binary("UMIN", length, width));
        Term a = source(1, part);
        Term down = signed ? t.binary("ASHR", a, t.binary("UMIN", position, width - 1))
                : t.choose(position, "UGT", width - 1, number(0), t.binary("LSHR", a, position));
        Term field = t.binary(signed ? "ASHR" : "LSHR", t.binary("LSHL", down, cut), cut);
        return t.choose(length, "EQ", 0, number(0), field);
    }

    private void insert() {
        BitField field = BitField.of(i, 3);
        if (field == null) {
            each(this::insert);
            return;
        }
        for (int part = 0; part < kind.parts(vc.group); part++) {
            IntegerVectors.push(vc, i, 1, kind, part);
            shiftBy("LSHL", field.position());
            vc.binary(kind, "AND", field.mask());
            IntegerVectors.push(vc, i, 2, kind, part);
            vc.binary(kind, "AND", ~field.mask());
            vc.binary(kind, "OR");
            IntegerVectors.pop(vc, i, 0, kind, part);
        }
    }

    private Term insert(int part) {
        Term position = place(3, part);
        Term length = place(4, part);
        Term ones = t.choose(length, "UGT", width - 1, number(-1), t.unary("NOT", t.binary("LSHL", number(-1), length)));
        Term mask = t.choose(position, "UGT", width - 1, number(0), t.binary("LSHL", ones, position));
        Term b = source(2, part);
        Term differ = t.binary("XOR", t.binary("LSHL", source(1, part), position), b);
        return t.binary("XOR", b, t.binary("AND", differ, mask));
    }

    private void shiftBy(String operator, int amount) {
        if (amount > 0) {
            vc.binary(kind, operator, amount);
        }
    }

    private Term extend(int part) {
        Term a = source(1, part);
        Term b = amount(2, part);
        Term extended;
        if (i.type().signed()) {
            Term cut = t.unary("NEG", b);
            Term word = t.binary("ASHR", t.binary("LSHL", a, cut), cut);
            extended = t.choose(t.binary("AND", b, 31), "EQ", 0, number(0), word);
        } else {
            extended = t.binary("AND", a, t.unary("NOT", t.binary("LSHL", number(-1), b)));
        }
        return i.spelling().has(Modifier.WRAP) ? extended : t.choose(b, "UGT", 31, a, extended);
    }

    private Term mask(int part) {
        Term a = amount(1, part);
        Term b = amount(2, part);
        Term ones = t.unary("NOT", t.binary("LSHL", number(-1), b));
        if (i.spelling().has(Modifier.WRAP)) {
            return t.binary("LSHL", ones, a);
        }
        Term all = t.choose(b, "UGT", 31, number(-1), ones);
        return t.choose(a, "UGT", 31, number(0), t.binary("LSHL", all, a));
    }

    /** The highest one, or the highest bit that is not the sign; counted from below or, as an amount to shift by, from above. */
    private void find() {
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (kind == Kind.LONG) {
                vc.pushLowWords(part, p -> {
                    t.begin();
                    t.push(zerosAbove(p));
                });
            } else {
                t.begin();
                t.push(zerosAbove(part));
            }
            t.begin();
            Term zeros = t.pop(Kind.INT);
            t.push(i.spelling().has(Modifier.SHIFTAMT) ? t.choose(zeros, "EQ", width, t.constant(-1), zeros)
                    : t.binary("SUB", t.constant(width - 1), zeros));
            vc.popInts(i.operand(0), part);
        }
    }

    private Term zerosAbove(int part) {
        Term a = source(1, part);
        return t.unary("LEADING_ZEROS_COUNT", i.type().signed() ? t.binary("XOR", a, t.binary("ASHR", a, width - 1)) : a);
    }

    // Shifts

    private Term shift(int part) {
        Term a = source(1, part);
        Term amount = amount(2, part);
        boolean left = i.opcode() == Opcode.SHL;
        if (!left && i.type().signed()) {
            return t.binary("ASHR", a, t.binary("UMIN", amount, width - 1));
        }
        return t.choose(amount, "UGT", width - 1, number(0), t.binary(left ? "LSHL" : "LSHR", a, amount));
    }

    private Term funnel(int part) {
        boolean left = i.spelling().has(Modifier.L);
        boolean wraps = i.spelling().has(Modifier.WRAP);
        Operand low = i.operand(1);
        if (wraps && low.equals(i.operand(2))) {
            return t.binary(left ? "ROL" : "ROR", source(1, part), amount(3, part));
        }
        Term a = source(1, part);
        Term b = source(2, part);
        Term n = amount(3, part);
        // What comes from the other word is moved by one first: by 32 there is no shift.
        Term rest = t.unary("NOT", n);
        Term shifted = left ? t.binary("OR", t.binary("LSHL", b, n), t.binary("LSHR", t.binary("LSHR", a, 1), rest))
                : t.binary("OR", t.binary("LSHR", a, n), t.binary("LSHL", t.binary("LSHL", b, 1), rest));
        return wraps ? shifted : t.choose(n, "UGT", 31, left ? a : b, shifted);
    }
}
