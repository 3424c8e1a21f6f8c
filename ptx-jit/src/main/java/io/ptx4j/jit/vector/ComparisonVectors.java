package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;

import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Comparison and selection on vectors. */
final class ComparisonVectors {
    private ComparisonVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        switch (i.opcode()) {
            case SETP -> setp(vc, i);
            case SELP -> select(vc, i, () -> vc.pushBits(i.operand(3)));
            case SET -> set(vc, i);
            case SLCT -> slct(vc, i);
            default -> throw new NoCode("no vector form");
        }
    }

    private static void setp(VectorCode vc, Instruction i) {
        Local test = vc.c.scratch(JvmType.LONG, 3);
        pushTest(vc, i, 2, 3);
        vc.code.store(test);
        Modifier bool = i.spelling().one(Modifier.Category.BOOLEAN);
        Local other = vc.c.scratch(JvmType.LONG, 4);
        if (bool != null) {
            vc.pushBits(i.operand(4));
            vc.code.store(other);
        }
        // p last: where both are one register, its result stays.
        if (i.operand(1) instanceof Operand.Reg) {
            result(vc, i.operand(1), test, other, bool, true);
        }
        result(vc, i.operand(0), test, other, bool, false);
    }

    private static void result(VectorCode vc, Operand destination, Local test, Local other, Modifier bool, boolean negated) {
        vc.code.load(test);
        if (negated) {
            vc.code.push(-1L).op(Op.LXOR);
        }
        if (bool != null) {
            vc.code.load(other);
            combine(vc, bool);
        }
        vc.popBits(destination);
    }

    private static void combine(VectorCode vc, Modifier bool) {
        vc.code.op(switch (bool) {
            case AND -> Op.LAND;
            case OR -> Op.LOR;
            case XOR -> Op.LXOR;
            default -> throw new NoCode("not a boolean operator: " + bool);
        });
    }

    /** Pushes the bits of the lanes where the comparison of operands {@code a} and {@code b} holds. */
    private static void pushTest(VectorCode vc, Instruction i, int a, int b) {
        ScalarType type = ThreadCode.typeOf(i.operand(a));
        Modifier comparison = i.spelling().comparison();
        if (type.isFloat()) {
            if (type != ScalarType.F32 && type != ScalarType.F64) {
                throw new NoCode("no vector form");
            }
            pushFloatTest(vc, i, a, b, type == ScalarType.F32 ? Kind.FLOAT : Kind.DOUBLE, comparison);
            return;
        }
        if (AffineTest.fits(vc, i, a, b)) {
            AffineTest.push(vc, i, a, b);
            return;
        }
        boolean unsigned = !type.signed() && type.bits() >= 32;
        pushBits(vc, i, a, b, IntegerVectors.kind(type), switch (comparison) {
            case EQ -> "EQ";
            case NE -> "NE";
            case LT -> unsigned ? "ULT" : "LT";
            case LE -> unsigned ? "ULE" : "LE";
            case GT -> unsigned ? "UGT" : "GT";
            case GE -> unsigned ? "UGE" : "GE";
            case LO -> "ULT";
            case LS -> "ULE";
            case HI -> "UGT";
            case HS -> "UGE";
            default -> throw new NoCode("not a comparison: " + comparison);
        });
    }

    private static void pushBits(VectorCode vc, Instruction i, int a, int b, Kind kind, String operator) {
        for (int part = 0; part < kind.parts(vc.group); part++) {
            source(vc, i, a, kind, part);
            source(vc, i, b, kind, part);
            vc.compare(kind, operator);
            if (part > 0) {
                vc.code.push(part * kind.length(vc.group)).op(Op.LSHL).op(Op.LOR);
            }
        }
    }

    private static void source(VectorCode vc, Instruction i, int k, Kind kind, int part) {
        push(vc, i.operand(k), kind, part);
        if (kind == Kind.FLOAT && i.spelling().has(Modifier.FTZ)) {
            FloatVectors.flush(vc);
        }
    }

    private static void push(VectorCode vc, Operand operand, Kind kind, int part) {
        switch (kind) {
            case INT -> vc.pushInts(operand, part);
            case LONG -> vc.pushLongs(operand, part);
            case FLOAT -> vc.pushFloats(operand, part);
            case DOUBLE -> vc.pushDoubles(operand, part);
        }
    }

    /** A vector comparison with a NaN holds for NE alone. */
    private static void pushFloatTest(VectorCode vc, Instruction i, int a, int b, Kind kind, Modifier comparison) {
        switch (comparison) {
            case EQ -> pushBits(vc, i, a, b, kind, "EQ");
            case LT -> pushBits(vc, i, a, b, kind, "LT");
            case LE -> pushBits(vc, i, a, b, kind, "LE");
            case GT -> pushBits(vc, i, a, b, kind, "GT");
            case GE -> pushBits(vc, i, a, b, kind, "GE");
            case NEU -> pushBits(vc, i, a, b, kind, "NE");
            case NE -> either(vc, i, a, b, kind, false);
            case EQU -> either(vc, i, a, b, kind, true);
            case LTU -> not(vc, i, a, b, kind, "GE");
            case LEU -> not(vc, i, a, b, kind, "GT");
            case GTU -> not(vc, i, a, b, kind, "LE");
            case GEU -> not(vc, i, a, b, kind, "LT");
            case NUM, ISNAN -> {
                pushBits(vc, i, a, a, kind, "EQ");
                pushBits(vc, i, b, b, kind, "EQ");
                vc.code.op(Op.LAND);
                if (comparison == Modifier.ISNAN) {
                    vc.code.push(-1L).op(Op.LXOR);
                }
            }
            default -> throw new NoCode("not a comparison: " + comparison);
        }
    }

    private static void either(VectorCode vc, Instruction i, int a, int b, Kind kind, boolean negated) {
        pushBits(vc, i, a, b, kind, "LT");
        pushBits(vc, i, a, b, kind, "GT");
        vc.code.op(Op.LOR);
        if (negated) {
            vc.code.push(-1L).op(Op.LXOR);
        }
    }

    private static void not(VectorCode vc, Instruction i, int a, int b, Kind kind, String operator) {
        pushBits(vc, i, a, b, kind, operator);
        vc.code.push(-1L).op(Op.LXOR);
    }

    /** True is 1.0 or all ones. */
    private static void set(VectorCode vc, Instruction i) {
        boolean isFloat = i.type() == ScalarType.F32;
        if (i.spelling().lastType().packed() || i.type().isFloat() && !isFloat) {
            throw new NoCode("no vector form");
        }
        Local test = vc.c.scratch(JvmType.LONG, 3);
        pushTest(vc, i, 1, 2);
        vc.code.store(test);
        Modifier bool = i.spelling().one(Modifier.Category.BOOLEAN);
        if (bool != null) {
            vc.code.load(test);
            vc.pushBits(i.operand(3));
            combine(vc, bool);
            vc.code.store(test);
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.push(0);
            vc.broadcast(Kind.INT);
            vc.code.push(isFloat ? Float.floatToRawIntBits(1) : -1);
            vc.broadcast(Kind.INT);
            vc.blend(Kind.INT, part, () -> vc.code.load(test));
            vc.popInts(i.operand(0), part);
        }
    }

    private static void slct(VectorCode vc, Instruction i) {
        Kind kind = ThreadCode.typeOf(i.operand(3)) == ScalarType.F32 ? Kind.FLOAT : Kind.INT;
        Local first = vc.c.scratch(JvmType.LONG, 3);
        for (int part = 0; part < vc.group.vectors(); part++) {
            source(vc, i, 3, kind, part);
            vc.operator("GE");
            if (kind == Kind.FLOAT) {
                vc.code.push(0f);
            } else {
                vc.code.push(0);
            }
            vc.code.call(kind.type, "compare", VectorOperators.Comparison.class, kind.element).call(VectorMask.class, "toLong");
            if (part > 0) {
                vc.code.push(part * kind.length(vc.group)).op(Op.LSHL).load(first).op(Op.LOR);
            }
            vc.code.store(first);
        }
        select(vc, i, () -> vc.code.load(first));
    }

    /** The first source in the lanes whose bits are set, else the second. */
    private static void select(VectorCode vc, Instruction i, Runnable pushFirst) {
        Held held = i.operand(0) instanceof Operand.Reg r ? vc.c.held(r.register()) : null;
        int bits = i.type().bits();
        if (bits == 32 && vc.isWord(i.operand(0)) && isWord(vc, i.operand(1)) && isWord(vc, i.operand(2))) {
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                vc.pushExtended(i.operand(2), false, part);
                vc.pushExtended(i.operand(1), false, part);
                vc.blend(Kind.LONG, part, pushFirst);
                vc.store(((Operand.Reg) i.operand(0)).register(), part);
            }
            return;
        }
        Kind kind = bits == 32 && held == Held.FLOAT ? Kind.FLOAT : bits == 64 && held == Held.DOUBLE ? Kind.DOUBLE
                : bits == 64 ? Kind.LONG : Kind.INT;
        for (int part = 0; part < kind.parts(vc.group); part++) {
            pushBitsOf(vc, i.operand(2), kind, part);
            pushBitsOf(vc, i.operand(1), kind, part);
            vc.blend(kind, part, pushFirst);
            switch (kind) {
                case INT -> vc.popInts(i.operand(0), part);
                case LONG -> vc.popLongs(i.operand(0), part);
                case FLOAT -> vc.popFloats(i.operand(0), part);
                case DOUBLE -> vc.popDoubles(i.operand(0), part);
            }
        }
    }

    /** Whether the operand's 32 bits are there zero-extended. */
    private static boolean isWord(VectorCode vc, Operand operand) {
        return operand instanceof Operand.Immediate m ? !m.type().isFloat() : vc.isWord(operand) && ((Operand.Reg) operand).type().bits() == 32;
    }

    private static void pushBitsOf(VectorCode vc, Operand operand, Kind kind, int part) {
        if (kind == Kind.FLOAT) {
            vc.pushFloatBits(operand, part);
        } else {
            push(vc, operand, kind, part);
        }
    }
}
