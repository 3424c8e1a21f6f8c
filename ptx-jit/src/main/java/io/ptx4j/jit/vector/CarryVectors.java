package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.vector.Terms.Term;

/** Carry chains in 64-bit lanes: 32-bit words zero-extended, so that the carry is bit 32 of a sum, or 64-bit ones. The carry is a lane itself. */
final class CarryVectors {
    private CarryVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        boolean multiplies = i.opcode() == Opcode.MAD || i.opcode() == Opcode.MADC;
        boolean signedHigh = multiplies && i.spelling().has(Modifier.HI) && i.type().signed();
        boolean fits = i.type().bits() == 64 || i.type().bits() == 32 && !signedHigh;
        if (!fits || i.spelling().has(Modifier.SAT) || !(i.operand(0) instanceof Operand.Reg to)) {
            throw new NoCode("no vector form");
        }
        boolean carryVaries = vc.varying(Operands.CARRY);
        if (!carryVaries || !vc.varying(to.register())) {
            throw new NoCode("no vector form");
        }
        if (i.type().bits() == 64) {
            doubles(vc, i, multiplies);
            return;
        }
        boolean wide = vc.c.held(to.register()) == Held.WIDE;
        if (!wide && vc.c.held(to.register()) != Held.INT) {
            throw new NoCode("no vector form");
        }
        for (int part = 0; part < vc.group.vectors() && !wide; part++) {
            vc.pushLowWords(part, p -> word(vc, i, multiplies, p));
            vc.popInts(i.operand(0), part);
        }
        for (int part = 0; part < Kind.LONG.parts(vc.group) && wide; part++) {
            word(vc, i, multiplies, part);
            vc.words.store(to.register(), part);
        }
    }

    /** Leaves the sum with its carry on the stack and keeps the carry. */
    private static void word(VectorCode vc, Instruction i, boolean multiplies, int part) {
        boolean reads = i.opcode() == Opcode.ADDC || i.opcode() == Opcode.SUBC || i.opcode() == Opcode.MADC;
        boolean subtracts = i.opcode() == Opcode.SUB || i.opcode() == Opcode.SUBC;
        if (multiplies) {
            word(i.operand(1));
            word(i.operand(2));
            vc.words.product(i.operand(1), i.operand(2), false, part);
            if (i.spelling().has(Modifier.HI)) {
                vc.binary(Kind.LONG, "LSHR", 32);
            } else {
                vc.words.cut();
            }
            push(vc, i.operand(3), part);
        } else {
            push(vc, i.operand(1), part);
            push(vc, i.operand(2), part);
        }
        vc.binary(Kind.LONG, subtracts ? "SUB" : "ADD");
        if (reads) {
            vc.code.load(vc.locals.vectors(Operands.CARRY)[part]);
            vc.binary(Kind.LONG, "ADD");
            if (subtracts) {
                vc.binary(Kind.LONG, "SUB", 1);
            }
        }
        if (i.spelling().has(Modifier.CC)) {
            Local sum = vc.locals.temporary(Kind.LONG, 4);
            vc.code.store(sum).load(sum);
            if (subtracts) {
                // The difference is negative exactly when it borrows; CF is NOT borrow.
                vc.binary(Kind.LONG, "ASHR", 63);
                vc.binary(Kind.LONG, "ADD", 1);
            } else {
                vc.binary(Kind.LONG, "LSHR", 32);
            }
            vc.store(Operands.CARRY, part);
            vc.code.load(sum);
        }
    }

    /** 64-bit words: a difference is the sum with the complement, and the carry is what the sum's highest bits show. */
    private static void doubles(VectorCode vc, Instruction i, boolean multiplies) {
        boolean reads = i.opcode() == Opcode.ADDC || i.opcode() == Opcode.SUBC || i.opcode() == Opcode.MADC;
        boolean subtracts = i.opcode() == Opcode.SUB || i.opcode() == Opcode.SUBC;
        Terms terms = new Terms(vc);
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            terms.begin();
            Term a = source(vc, terms, i.operand(1), part);
            Term b = source(vc, terms, i.operand(2), part);
            if (multiplies) {
                a = i.spelling().has(Modifier.HI) ? WideProducts.high(terms, a, b, i.type().signed()) : terms.binary("MUL", a, b);
                b = source(vc, terms, i.operand(3), part);
            } else if (subtracts) {
                b = terms.unary("NOT", b);
            }
            Term sum = terms.binary("ADD", a, b);
            if (reads) {
                vc.code.load(vc.locals.vectors(Operands.CARRY)[part]);
                sum = terms.binary("ADD", sum, terms.pop(Kind.LONG));
            } else if (subtracts) {
                sum = terms.binary("ADD", sum, 1);
            }
            if (i.spelling().has(Modifier.CC)) {
                Term one = terms.binary("AND_NOT", terms.binary("OR", a, b), sum);
                terms.push(terms.binary("LSHR", terms.binary("OR", terms.binary("AND", a, b), one), 63));
                vc.store(Operands.CARRY, part);
            }
            terms.push(sum);
            vc.popLongs(i.operand(0), part);
        }
    }

    private static Term source(VectorCode vc, Terms terms, Operand operand, int part) {
        if (ThreadCode.typeOf(operand).bits() != 64) {
            throw new NoCode("no vector form");
        }
        vc.pushLongs(operand, part);
        return terms.pop(Kind.LONG);
    }

    private static void word(Operand operand) {
        if (ThreadCode.typeOf(operand).bits() != 32) {
            throw new NoCode("no vector form");
        }
    }

    private static void push(VectorCode vc, Operand operand, int part) {
        word(operand);
        vc.pushExtended(operand, false, part);
    }
}
