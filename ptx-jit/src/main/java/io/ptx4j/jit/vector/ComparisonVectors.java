package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.OperandSpec;
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
        // Forms for one half have no second result.
        int a = i.spelling().form().operands().get(1).role() == OperandSpec.Role.DESTINATION ? 2 : 1;
        Modifier bool = i.spelling().one(Modifier.Category.BOOLEAN);
        Local other = vc.c.scratch(JvmType.LONG, 4);
        if (bool != null) {
            vc.pushBits(i.operand(a + 2));
            vc.code.store(other);
        }
        Local test = vc.c.scratch(JvmType.LONG, 3);
        if (i.type().packed()) {
            setHalves(vc, i, a, test, other, bool);
            return;
        }
        pushTest(vc, i, a, a + 1);
        vc.code.store(test);
        // p last: where both are one register, its result stays.
        if (a == 2 && i.operand(1) instanceof Operand.Reg) {
            result(vc, i.operand(1), test, other, bool, true);
        }
        result(vc, i.operand(0), test, other, bool, false);
    }

    /** p is the lower half's result, q the upper one's. */
    private static void setHalves(VectorCode vc, Instruction i, int a, Local test, Local other, Modifier bool) {
        for (int half = 1; half >= 0; half--) {
            if (i.operand(half) instanceof Operand.Reg) {
                pushHalfTest(vc, i, a, half > 0);
                vc.code.store(test);
                result(vc, i.operand(half), test, other, bool, false);
            }
        }
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
            if (HalfNumbers.isHalf(type)) {
                pushHalfTest(vc, i, a, false);
                return;
            }
            Kind kind = type == ScalarType.F64 ? Kind.DOUBLE : Kind.FLOAT;
            pushFloatTest(vc, a, b, kind, (k, part) -> source(vc, i, k, kind, part), comparison);
            return;
        }
        if (AffineTest.fits(vc, i, a, b)) {
            AffineTest.push(vc, i, a, b);
            return;
        }
        boolean unsigned = !type.signed() && type.bits() >= 32;
        Kind kind = IntegerVectors.kind(type);
        pushBits(vc, a, b, kind, (k, part) -> source(vc, i, k, kind, part), switch (comparison) {
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

    /** Pushes a part of a source. */
    private interface Source {
        void push(int operand, int part);
    }

    /** As {@link #pushTest} of halves, of which operands hold one each or two. */
    private static void pushHalfTest(VectorCode vc, Instruction i, int a, boolean upper) {
        if (i.spelling().has(Modifier.FTZ)) {
            throw new NoCode("no vector form");
        }
        Terms t = new Terms(vc);
        HalfNumbers halves = new HalfNumbers(vc, t, i.spelling().lastType());
        pushFloatTest(vc, a, a + 1, Kind.FLOAT, (k, part) -> {
            t.begin();
            t.push(halves.number(i.operand(k), part, upper));
        }, i.spelling().comparison());
    }

    private static void pushBits(VectorCode vc, int a, int b, Kind kind, Source source, String operator) {
        for (int part = 0; part < kind.parts(vc.group); part++) {
            source.push(a, part);
            source.push(b, part);
            vc.compare(kind, operator);
            vc.place(kind, part);
            if (part > 0) {
                vc.code.op(Op.LOR);
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
    private static void pushFloatTest(VectorCode vc, int a, int b, Kind kind, Source source, Modifier comparison) {
        switch (comparison) {
            case EQ -> pushBits(vc, a, b, kind, source, "EQ");
            case LT -> pushBits(vc, a, b, kind, source, "LT");
            case LE -> pushBits(vc, a, b, kind, source, "LE");
            case GT -> pushBits(vc, a, b, kind, source, "GT");
            case GE -> pushBits(vc, a, b, kind, source, "GE");
            case NEU -> pushBits(vc, a, b, kind, source, "NE");
            case NE -> either(vc, a, b, kind, source, false);
            case EQU -> either(vc, a, b, kind, source, true);
            case LTU -> not(vc, a, b, kind, source, "GE");
            case LEU -> not(vc, a, b, kind, source, "GT");
            case GTU -> not(vc, a, b, kind, source, "LE");
            case GEU -> not(vc, a, b, kind, source, "LT");
            case NUM, ISNAN -> {
                pushBits(vc, a, a, kind, source, "EQ");
                pushBits(vc, b, b, kind, source, "EQ");
                vc.code.op(Op.LAND);
                if (comparison == Modifier.ISNAN) {
                    vc.code.push(-1L).op(Op.LXOR);
                }
            }
            default -> throw new NoCode("not a comparison: " + comparison);
        }
    }

    private static void either(VectorCode vc, int a, int b, Kind kind, Source source, boolean negated) {
        pushBits(vc, a, b, kind, source, "LT");
        pushBits(vc, a, b, kind, source, "GT");
        vc.code.op(Op.LOR);
        if (negated) {
            vc.code.push(-1L).op(Op.LXOR);
        }
    }

    private static void not(VectorCode vc, int a, int b, Kind kind, Source source, String operator) {
        pushBits(vc, a, b, kind, source, operator);
        vc.code.push(-1L).op(Op.LXOR);
    }

    /** True is 1.0 or all ones. */
    private static void set(VectorCode vc, Instruction i) {
        if (i.type() == ScalarType.F64) {
            throw new NoCode("no vector form");
        }
        boolean packed = i.spelling().lastType().packed();
        Modifier bool = i.spelling().one(Modifier.Category.BOOLEAN);
        Local test = vc.c.scratch(JvmType.LONG, 3);
        Local upper = vc.c.scratch(JvmType.LONG, 4);
        for (int half = packed ? 1 : 0; half >= 0; half--) {
            if (packed) {
                pushHalfTest(vc, i, 1, half > 0);
            } else {
                pushTest(vc, i, 1, 2);
            }
            if (bool != null) {
                vc.pushBits(i.operand(3));
                combine(vc, bool);
            }
            vc.code.store(half > 0 ? upper : test);
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            truth(vc, i, part, packed ? 0xffff : -1, test);
            if (packed) {
                truth(vc, i, part, 0xffff, upper);
                vc.binary(Kind.INT, "LSHL", 16);
                vc.binary(Kind.INT, "OR");
            }
            vc.popInts(i.operand(0), part);
        }
    }

    /** Pushes what is true in the lanes of which bits are set, and zero in the others. */
    private static void truth(VectorCode vc, Instruction i, int part, int ones, Local test) {
        vc.code.push(0);
        vc.broadcast(Kind.INT);
        vc.code.push(switch (i.type().element()) {
            case F32 -> Float.floatToRawIntBits(1);
            case F16 -> 0x3c00;
            case BF16 -> 0x3f80;
            default -> ones;
        });
        vc.broadcast(Kind.INT);
        vc.blend(Kind.INT, part, () -> vc.code.load(test));
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
            vc.place(kind, part);
            if (part > 0) {
                vc.code.load(first).op(Op.LOR);
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
