package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.function.IntFunction;

/** Integer arithmetic on vectors. */
final class IntegerVectors {
    private IntegerVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        switch (i.opcode()) {
            case BFE, BFI, BFIND, SZEXT, BMSK -> BitFieldVectors.emit(vc, i);
            case DIV, REM -> DivisionVectors.emit(vc, i);
            case ADD, SUB, NEG, MIN, MAX, SAD, MUL24, MAD24, DP4A, DP2A -> SumVectors.emit(vc, i);
            case ABS -> unary(vc, i, "ABS");
            case BREV -> unary(vc, i, "REVERSE");
            case POPC -> count(vc, i, "BIT_COUNT");
            case CLZ -> count(vc, i, "LEADING_ZEROS_COUNT");
            case MUL, MAD -> multiply(vc, i);
            default -> throw new NoCode("no vector form");
        }
    }

    static Kind kind(ScalarType type) {
        return type.bits() > 32 ? Kind.LONG : Kind.INT;
    }

    static void push(VectorCode vc, Instruction i, int operand, Kind kind, int part) {
        if (kind == Kind.INT) {
            vc.pushInts(i.operand(operand), part);
        } else {
            vc.pushLongs(i.operand(operand), part);
        }
    }

    static void pop(VectorCode vc, Instruction i, int operand, Kind kind, int part) {
        if (kind == Kind.INT) {
            vc.popInts(i.operand(operand), part);
        } else {
            vc.popLongs(i.operand(operand), part);
        }
    }

    /** Emits the formula of one vector for each vector of the result. */
    static void each(VectorCode vc, Instruction i, Terms terms, IntFunction<Term> formula) {
        Kind kind = kind(i.type());
        for (int part = 0; part < kind.parts(vc.group); part++) {
            terms.begin();
            terms.push(formula.apply(part));
            pop(vc, i, 0, kind, part);
        }
    }

    static void binary(VectorCode vc, Instruction i, String operator) {
        Kind kind = kind(i.type());
        for (int part = 0; part < kind.parts(vc.group); part++) {
            push(vc, i, 1, kind, part);
            push(vc, i, 2, kind, part);
            vc.binary(kind, operator);
            pop(vc, i, 0, kind, part);
        }
    }

    static void unary(VectorCode vc, Instruction i, String operator) {
        Kind kind = kind(i.type());
        for (int part = 0; part < kind.parts(vc.group); part++) {
            push(vc, i, 1, kind, part);
            vc.unary(kind, operator);
            pop(vc, i, 0, kind, part);
        }
    }

    private static void count(VectorCode vc, Instruction i, String operator) {
        if (kind(i.type()) == Kind.INT) {
            unary(vc, i, operator);
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushLowWords(part, p -> {
                vc.pushLongs(i.operand(1), p);
                vc.unary(Kind.LONG, operator);
            });
            vc.popInts(i.operand(0), part);
        }
    }

    private static void multiply(VectorCode vc, Instruction i) {
        ScalarType type = i.type();
        boolean adds = i.opcode() == Opcode.MAD;
        if (i.spelling().has(Modifier.WIDE) && type.bits() == 32) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                pushProduct(vc, i, part);
                if (adds) {
                    vc.pushLongs(i.operand(3), part);
                    vc.binary(Kind.LONG, "ADD");
                }
                vc.popLongs(i.operand(0), part);
            }
        } else if (i.spelling().has(Modifier.HI) && type.bits() == 32) {
            high(vc, i, adds);
        } else if (i.spelling().has(Modifier.HI) && type.bits() == 64) {
            wideHigh(vc, i, adds);
        } else if (type.bits() == 32 && !adds && vc.isWord(i.operand(0))) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.words.product(i.operand(1), i.operand(2), false, part);
                vc.popLongs(i.operand(0), part);
            }
        } else {
            Kind kind = kind(type);
            for (int part = 0; part < kind.parts(vc.group); part++) {
                push(vc, i, 1, kind, part);
                push(vc, i, 2, kind, part);
                vc.binary(kind, "MUL");
                if (i.spelling().has(Modifier.HI)) {
                    vc.binary(Kind.INT, "ASHR", 16);
                }
                if (adds) {
                    push(vc, i, 3, kind, part);
                    vc.binary(kind, "ADD");
                }
                pop(vc, i, 0, kind, part);
            }
        }
    }

    /** The whole product of two 32-bit operands. */
    private static void pushProduct(VectorCode vc, Instruction i, int part) {
        vc.words.product(i.operand(1), i.operand(2), i.type().signed(), part);
    }

    private static void wideHigh(VectorCode vc, Instruction i, boolean adds) {
        Terms terms = new Terms(vc);
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            terms.begin();
            vc.pushLongs(i.operand(1), part);
            Term x = terms.pop(Kind.LONG);
            vc.pushLongs(i.operand(2), part);
            Term y = terms.pop(Kind.LONG);
            terms.push(WideProducts.high(terms, x, y, i.type().signed()));
            if (adds) {
                vc.pushLongs(i.operand(3), part);
                vc.binary(Kind.LONG, "ADD");
            }
            vc.popLongs(i.operand(0), part);
        }
    }

    private static void high(VectorCode vc, Instruction i, boolean adds) {
        Terms terms = new Terms(vc);
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (WideProducts.takesWords(vc, i)) {
                terms.begin();
                terms.push(WideProducts.highWord(vc, terms, i, part));
            } else {
                vc.pushLowWords(part, p -> {
                    pushProduct(vc, i, p);
                    vc.binary(Kind.LONG, "LSHR", 32);
                });
            }
            if (adds) {
                SumVectors.addTo(vc, i, part);
            }
            vc.popInts(i.operand(0), part);
        }
    }
}
