package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.scalar.Lop3;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

/** Logic and shift on vectors; predicates as bits of a {@code long}. */
final class LogicVectors {
    private LogicVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        switch (i.opcode()) {
            case AND -> binary(vc, i, "AND", Op.LAND);
            case OR -> binary(vc, i, "OR", Op.LOR);
            case XOR -> binary(vc, i, "XOR", Op.LXOR);
            case NOT -> {
                if (i.type() == ScalarType.PRED) {
                    vc.pushBits(i.operand(1));
                    vc.code.push(-1L).op(Op.LXOR);
                    vc.popBits(i.operand(0));
                } else {
                    IntegerVectors.unary(vc, i, "NOT");
                }
            }
            case SHL, SHR -> shift(vc, i);
            case SHF -> funnel(vc, i);
            case CNOT -> cnot(vc, i);
            case LOP3 -> lop3(vc, i);
            default -> throw new NoCode("no vector form");
        }
    }

    private static void binary(VectorCode vc, Instruction i, String operator, Op bits) {
        if (i.type() == ScalarType.PRED) {
            vc.pushBits(i.operand(1));
            vc.pushBits(i.operand(2));
            vc.code.op(bits);
            vc.popBits(i.operand(0));
        } else {
            IntegerVectors.binary(vc, i, operator);
        }
    }

    /** By a constant, or by any amount of up to 32 bits: one beyond the width shifts everything out. */
    private static void shift(VectorCode vc, Instruction i) {
        boolean left = i.opcode() == Opcode.SHL;
        boolean signed = i.type().signed();
        int bits = i.type().bits();
        Kind kind = IntegerVectors.kind(i.type());
        String operator = left ? "LSHL" : signed ? "ASHR" : "LSHR";
        if (!(i.operand(2) instanceof Operand.Immediate amount)) {
            BitFieldVectors.emit(vc, i);
            return;
        }
        long n = amount.bits() & 0xFFFF_FFFFL;
        for (int part = 0; part < kind.parts(vc.group); part++) {
            IntegerVectors.push(vc, i, 1, kind, part);
            if (n >= bits && !(signed && !left)) {
                vc.binary(kind, "AND", 0);
            } else {
                vc.binary(kind, operator, Math.min(n, bits - 1));
            }
            IntegerVectors.pop(vc, i, 0, kind, part);
            if (!left && !signed && n >= Integer.SIZE && kind == Kind.LONG && i.operand(0) instanceof Operand.Reg to) {
                vc.words.note(to.register(), part);
            }
        }
    }

    private static void funnel(VectorCode vc, Instruction i) {
        if (!(i.operand(3) instanceof Operand.Immediate amount)) {
            BitFieldVectors.emit(vc, i);
            return;
        }
        boolean left = i.spelling().has(Modifier.L);
        long wanted = amount.bits() & 0xFFFF_FFFFL;
        if (i.type().bits() == 64) {
            rotate(vc, i, wanted);
            return;
        }
        int n = (int) (i.spelling().has(Modifier.WRAP) ? wanted & 31 : Math.min(wanted, 32));
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (n == 0 || n == 32) {
                vc.pushInts(i.operand(left == (n == 0) ? 2 : 1), part);
            } else if (i.operand(1).equals(i.operand(2))) {
                vc.pushInts(i.operand(1), part);
                vc.binary(Kind.INT, "ROL", left ? n : 32 - n);
            } else {
                vc.pushInts(i.operand(2), part);
                vc.binary(Kind.INT, "LSHL", left ? n : 32 - n);
                vc.pushInts(i.operand(1), part);
                vc.binary(Kind.INT, "LSHR", left ? 32 - n : n);
                vc.binary(Kind.INT, "OR");
            }
            vc.popInts(i.operand(0), part);
        }
    }

    /** A rotation of {@code flow.Rotations}. */
    private static void rotate(VectorCode vc, Instruction i, long n) {
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            vc.pushLongs(i.operand(1), part);
            vc.binary(Kind.LONG, "ROL", n);
            vc.popLongs(i.operand(0), part);
        }
    }

    /** With a predicate, whether the result is not zero is joined with another one. */
    private static void lop3(VectorCode vc, Instruction i) {
        boolean withPredicate = i.spelling().has(Modifier.AND) || i.spelling().has(Modifier.OR);
        int a = withPredicate ? 2 : 1;
        Lop3.Term term = Lop3.of((int) ((Operand.Immediate) i.operand(a + 3)).bits());
        Local notZero = vc.c.scratch(JvmType.LONG, 3);
        Terms terms = new Terms(vc);
        for (int part = 0; part < vc.group.vectors(); part++) {
            push(vc, i, a, term, part);
            if (withPredicate) {
                terms.begin();
                Term result = terms.pop(Kind.INT);
                terms.compare("NE", result, 0);
                vc.place(Kind.INT, part);
                if (part > 0) {
                    vc.code.load(notZero).op(Op.LOR);
                }
                vc.code.store(notZero);
                terms.push(result);
            }
            vc.popInts(i.operand(0), part);
        }
        if (withPredicate) {
            vc.code.load(notZero);
            vc.pushBits(i.operand(a + 4));
            vc.code.op(i.spelling().has(Modifier.AND) ? Op.LAND : Op.LOR);
            vc.popBits(i.operand(1));
        }
    }

    private static void cnot(VectorCode vc, Instruction i) {
        Kind kind = IntegerVectors.kind(i.type());
        Terms terms = new Terms(vc);
        IntegerVectors.each(vc, i, terms, part -> {
            IntegerVectors.push(vc, i, 1, kind, part);
            return terms.choose(terms.pop(kind), "EQ", 0, terms.constant(kind, 1), terms.constant(kind, 0));
        });
    }

    private static void push(VectorCode vc, Instruction i, int a, Lop3.Term term, int part) {
        switch (term) {
            case Lop3.Term.Input input -> vc.pushInts(i.operand(a + input.operand()), part);
            case Lop3.Term.Constant constant -> {
                vc.code.push(constant.ones() ? -1 : 0);
                vc.broadcast(Kind.INT);
            }
            case Lop3.Term.Not not -> {
                push(vc, i, a, not.of(), part);
                vc.unary(Kind.INT, "NOT");
            }
            case Lop3.Term.Both both -> {
                push(vc, i, a, both.left(), part);
                push(vc, i, a, both.right(), part);
                vc.binary(Kind.INT, both.op().name().substring(1));
            }
        }
    }
}
