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

/** 32-bit carry chains on zero-extended 64-bit lanes; the carry is bit 32 of a sum, and a 64-bit lane itself. */
final class CarryVectors {
    private CarryVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        boolean multiplies = i.opcode() == Opcode.MAD || i.opcode() == Opcode.MADC;
        boolean signedHigh = multiplies && i.spelling().has(Modifier.HI) && i.type().signed();
        if (i.type().bits() != 32 || i.spelling().has(Modifier.SAT) || signedHigh || !(i.operand(0) instanceof Operand.Reg to)) {
            throw new NoCode("no vector form");
        }
        boolean carryVaries = vc.varying(Operands.CARRY);
        if (!carryVaries || !vc.varying(to.register())) {
            throw new NoCode("no vector form");
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
            vc.binary(Kind.LONG, "AND", 0xFFFF_FFFFL);
            vc.store(to.register(), part);
        }
    }

    /** Leaves the sum with its carry on the stack and keeps the carry. */
    private static void word(VectorCode vc, Instruction i, boolean multiplies, int part) {
        boolean reads = i.opcode() == Opcode.ADDC || i.opcode() == Opcode.SUBC || i.opcode() == Opcode.MADC;
        boolean subtracts = i.opcode() == Opcode.SUB || i.opcode() == Opcode.SUBC;
        push(vc, i.operand(1), part);
        push(vc, i.operand(2), part);
        if (multiplies) {
            vc.binary(Kind.LONG, "MUL");
            if (i.spelling().has(Modifier.HI)) {
                vc.binary(Kind.LONG, "LSHR", 32);
            } else {
                vc.binary(Kind.LONG, "AND", 0xFFFF_FFFFL);
            }
            push(vc, i.operand(3), part);
        }
        vc.binary(Kind.LONG, subtracts ? "SUB" : "ADD");
        if (reads) {
            vc.code.load(vc.vectors(Operands.CARRY)[part]);
            vc.binary(Kind.LONG, "ADD");
            if (subtracts) {
                vc.binary(Kind.LONG, "SUB", 1);
            }
        }
        if (i.spelling().has(Modifier.CC)) {
            Local sum = vc.temporary(Kind.LONG, 4);
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

    private static void push(VectorCode vc, Operand operand, int part) {
        if (ThreadCode.typeOf(operand).bits() != 32) {
            throw new NoCode("no vector form");
        }
        vc.pushExtended(operand, false, part);
    }
}
